package compactcmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/setup"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/term"
	"cairn/internal/text"
)

func ruleCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "compact list-rules", Args: []command.Arg{ruleArg},
			Short: "List the effective rules, or print one of them",
			Long: "The effective rules are the built-in ones, yours (~/.cairn/compact/rules) and\n" +
				"the project's (.cairn/rules), merged. The list names the files of each.",
			Examples: []string{"cairn compact list-rules", "cairn compact list-rules tests/jest"},
			Effect:   command.Reads, Run: runListRules,
		},
		{
			Path: "compact reload", Short: "Check every rule and list the effective ones",
			Long: "Checks your rules and the project's against the schema and compiles their\n" +
				"patterns. An edited rule takes effect with the next call in any case; this\nfinds its mistakes.",
			Exits:    "3 if a rule cannot be used",
			Examples: []string{"cairn compact reload", "cairn compact reload > /dev/null && echo the rules are fine"},
			Effect:   command.Reads, Run: runReload,
		},
	}
}

func runListRules(c *command.Call) (*answer.Answer, error) {
	lib := setup.Options(c.Env, c.Here()).Library
	for _, w := range lib.Warnings {
		term.Warn(c.Stderr, "%s", term.Line(w.String()))
	}
	setup.WarnUntrusted(c.Env)
	id := c.Arg("RULE")
	if id == "" {
		return listRules(c, lib), nil
	}
	return ruleText(must.Get(findRule(lib, id)))
}

// ruleText is a rule as its file has it.
func ruleText(r *rule.Rule) (*answer.Answer, error) {
	text, err := r.JSON()
	return &answer.Answer{Data: r, View: answer.Text(func(w io.Writer) { fmt.Fprintf(w, "%s\n", text) })}, err
}

func listRules(c *command.Call, lib *rule.Library) *answer.Answer {
	type row struct {
		*rule.Rule
		Source string `json:"source"`
	}
	rows := []row{}
	t := answer.NewTable("rule:name", "commands", "source:name")
	for _, id := range lib.IDs() {
		r, err := lib.Rule(id)
		if err != nil {
			term.Warn(c.Stderr, "%v", err)
			continue
		}
		rows = append(rows, row{r, r.Source})
		t.Add(r.ID, text.Shorten(strings.Join(r.Match.Commands, ", "), 60), r.Source)
	}
	return &answer.Answer{Data: rows, View: t}
}

func runReload(c *command.Call) (*answer.Answer, error) {
	lib := setup.Rules(c.Env, c.Here())
	bad := lib.Check()
	if d := project.Find(c.Here(), c.Getenv); d != nil { // a mistake is reported before anybody trusts it
		files := d.Files()
		found := rule.CheckProject(setup.RuleFiles(d, files))
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
	list := listRules(c, lib)
	setup.WarnUntrusted(c.Env)
	for _, w := range bad {
		term.Warn(c.Stderr, "%s", term.Line(w.String()))
	}
	if len(bad) == 0 {
		return list, nil
	}
	list.Err = command.Data(term.Hint(fmt.Errorf("%s in rule files", text.Count(len(bad), "mistake")), "a rule with an unknown field is used without that field; a rule that cannot be read or compiled is not used"))
	return list, nil
}
