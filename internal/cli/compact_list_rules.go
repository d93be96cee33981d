package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cairn/internal/compact/rule"
	"cairn/internal/term"
)

func newCompactListRules(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list-rules [RULE]",
		Short: "Print the effective rules, or one of them whole",
		Long: `Prints every rule after merging the built-in ones, yours
(~/.cairn/compact/rules) and the project's (.cairn/rules), with the files each
comes from.`,
		Example: `  cairn compact list-rules
  cairn compact list-rules tests/jest`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			lib := compactOptions(env, env.Here()).Library
			warnRules(env, lib)
			if len(args) == 1 {
				return printRule(env, lib, args[0])
			}
			return listRules(env, lib, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the rules as JSON")
	return cmd
}

func warnRules(env *Env, lib *rule.Library) {
	for _, w := range lib.Warnings {
		term.Warn(env.Stderr, "%s", term.Line(w.String()))
	}
	warnUntrusted(env)
}

func printRule(env *Env, lib *rule.Library, id string) error {
	r, err := findRule(lib, id)
	if err != nil {
		return err
	}
	data, err := r.JSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, string(data))
	return err
}

func listRules(env *Env, lib *rule.Library, asJSON bool) error {
	type row struct {
		*rule.Rule
		Source string `json:"source"`
	}
	var rows []row
	for _, id := range lib.IDs() {
		r, err := lib.Rule(id)
		if err != nil {
			term.Warn(env.Stderr, "%v", err)
			continue
		}
		rows = append(rows, row{r, r.Source})
	}
	if asJSON {
		return printJSON(env, rows)
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RULE\tCOMMANDS\tSOURCE")
	for _, r := range rows {
		commands := strings.Join(r.Match.Commands, ", ")
		if len([]rune(commands)) > 60 {
			commands = string([]rune(commands)[:59]) + "…"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", term.Line(r.ID), term.Line(commands), term.Line(r.Source))
	}
	return w.Flush()
}
