package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/cases"
	"cairn/internal/team/grade"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newEvalCasesTypes(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "types [TYPE]",
		Short: "List the expectation types, or tell all of one",
		Long: `Lists every type of expectation with its keys and the paths of the output that
it reads. With a TYPE, tells what it means, its keys and their defaults.`,
		Example: "  cairn eval cases types\n  cairn eval cases types body_integrity",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return printEvalType(env, args[0], asJSON)
			}
			return printEvalTypes(env, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the declarations as JSON")
	return cmd
}

func printEvalTypes(env *Env, asJSON bool) error {
	specs := grade.Specs()
	if asJSON {
		all := make([]grade.Declaration, len(specs))
		for i := range specs {
			all[i] = grade.Declared(&specs[i])
		}
		return printJSON(env, all)
	}
	w := tabwriter.NewWriter(term.Table(env.Stdout), 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CATEGORY\tTYPE\tKEYS\tREADS")
	last := ""
	for _, s := range specs {
		category := s.Category
		if category == last {
			category = ""
		}
		last = s.Category
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", category, s.Name, strings.Join(keyNames(s), ", "), strings.Join(s.Reads, ", "))
	}
	return w.Flush()
}

func keyNames(s cases.Spec) (names []string) {
	for _, k := range s.Keys {
		names = append(names, k.Name)
	}
	return names
}

func printEvalType(env *Env, name string, asJSON bool) error {
	for _, s := range grade.Specs() {
		if s.Name != name {
			continue
		}
		if asJSON {
			return printJSON(env, grade.Declared(&s))
		}
		fmt.Fprintf(env.Stdout, "%s · %s\n\n%s\n\nreads  %s\n\n", s.Name, s.Category, text.Wrap(s.About, 78), strings.Join(s.Reads, ", "))
		w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
		for _, k := range append(s.Keys, cases.Common()...) {
			fmt.Fprintf(w, "%s\t%s\t%s\n", k.Name, k.Kind, grade.KeyNote(k))
		}
		return w.Flush()
	}
	var names []string
	for _, s := range grade.Specs() {
		names = append(names, s.Name)
	}
	return command.Usage(term.Hint(fmt.Errorf("no expectation type %q%s", name, cases.Near(name, names)), "cairn eval cases types lists all"))
}
