package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/compact/rule"
	"cairn/internal/project"
	"cairn/internal/term"
)

func newCompactReload(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "reload",
		Short: "Check every rule and print the effective set",
		Long:  "Checks every rule of yours and of the project against the schema, compiles its\npatterns and prints the effective set. A rule that is edited works from the next\ncall on either way; this finds the mistakes. Exit code 3 when there is one.",
		Example: `  cairn compact reload
  cairn compact reload > /dev/null && echo the rules are fine`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runCompactReload(env) },
	}
}

func runCompactReload(env *Env) error {
	lib := loadRules(env, env.Here())
	bad := lib.Check()
	if d := projectDir(env, env.Here()); d != nil { // a mistake is told before anybody trusts it
		files := d.Files()
		found := rule.CheckProject(ruleFiles(d, files))
		for _, f := range files {
			if f.Err != nil && strings.HasPrefix(f.Name, project.Rules+"/") {
				found = append(found, rule.Warning{File: d.Path(f.Name), Err: f.Err})
			}
		}
		for _, w := range found {
			if !slices.ContainsFunc(bad, func(b rule.Warning) bool { return b.String() == w.String() }) {
				bad = append(bad, w)
			}
		}
	}
	if err := listRules(env, lib, false); err != nil {
		return err
	}
	warnUntrusted(env)
	if len(bad) == 0 {
		return nil
	}
	for _, w := range bad {
		term.Warn(env.Stderr, "%s", term.Line(w.String()))
	}
	return command.Data(term.Hint(fmt.Errorf("%w: %d of them", errBadRules, len(bad)), "correct the files named above; until then their rules are not used"))
}

var errBadRules = errors.New("some rule files cannot be used")
