package cli

import (
	"cmp"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newConfigExplain(env *Env) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:               "explain KEY",
		Short:             "Print what a setting is, its value, and where that came from",
		Example:           "  cairn config explain compact.level\n  CAIRN_RAW=1 cairn config explain compact.enabled",
		Args:              usageArgs(cobra.ExactArgs(1)),
		ValidArgsFunction: completeKeys,
		RunE:              func(_ *cobra.Command, args []string) error { return runConfigExplain(env, args[0], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an object {key, value, default, source, env, doc}")
	return cmd
}

func runConfigExplain(env *Env, key string, asJSON bool) error {
	v, err := configValue(env, key)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(env, rowOf(v))
	}
	s := v.Setting
	fmt.Fprintf(env.Stdout, "%s\n%s\n\n", s.Key, s.Doc)
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "value\t%s\n", cmp.Or(v.String(), "(empty)"))
	fmt.Fprintf(w, "from\t%s\n", v.Source)
	fmt.Fprintf(w, "default\t%s\n", cmp.Or(s.Default, "(empty)"))
	fmt.Fprintf(w, "takes\t%s\n", s.Expects())
	fmt.Fprintf(w, "environment\t%s\n", s.Env)
	if s.ByUser {
		fmt.Fprintf(w, "project\tmay not set it\n")
	}
	return w.Flush()
}
