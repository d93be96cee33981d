// Package compactcmd declares the commands of `cairn compact`, and `cairn run`.
// What compaction does belongs to package compact and those below it.
//
// Only package cli imports it.
package compactcmd

import (
	"fmt"
	"os"
	"slices"

	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/setup"
	"cairn/internal/must"
	"cairn/internal/term"
)

// Commands lists them in the order a newcomer should read them.
func Commands() []*command.Command {
	return slices.Concat([]*command.Command{{
		Path: "compact", Short: "Cut tool output to what matters: rules, savings, raw output",
		Examples: []string{"cairn compact gain", "cairn compact show k3f9x --grep FAIL"},
	}}, []*command.Command{run(), show(), gain()}, ruleCommands(), []*command.Command{try(), verify(), newRule()}, transcriptCommands())
}

// levelFlag is how much to cut; without it the setting decides.
var levelFlag = command.Flag{
	Name: "level", Default: "", OneOf: []string{"minimal", "normal", "aggressive"},
	Help: "how much to cut: minimal, normal or aggressive (default: the setting compact.level)",
}

func level(c *command.Call, setting compact.Level) compact.Level {
	if named, ok := compact.ParseLevel(c.String("level")); ok {
		return named
	}
	return setting
}

// ruleArg and fixtureArg are of the commands that try a rule.
var (
	ruleArg    = command.Arg{Name: "RULE", Optional: true, Values: ruleIDs}
	fixtureArg = command.Arg{Name: "FIXTURE", Optional: true, Files: true}
)

func ruleIDs(c *command.Call) []string { return setup.Options(c.Env, c.Here()).Library.IDs() }

// findRule returns the effective rule with an id that a user named.
func findRule(lib *rule.Library, id string) (*rule.Rule, error) {
	r, err := lib.Rule(id)
	if err == nil && r == nil {
		err = term.Hint(fmt.Errorf("no rule is called %q", id), "cairn compact list-rules prints them")
	}
	return r, command.Data(err)
}

// readFixture reads a captured output that a user named.
func readFixture(c *command.Call) compact.Fixture {
	name := c.Arg("FIXTURE")
	data := must.Get(os.ReadFile(c.Path(name)))
	f, err := compact.ParseFixture(data)
	if err != nil {
		err = command.Dataf("%s: %w", name, err)
	}
	must.OK(err)
	return f
}
