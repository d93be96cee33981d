package cli

import (
	"github.com/spf13/cobra"
)

func newEval(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "eval",
		Short:   "Eval results of any language: cached",
		Example: "  cairn eval cache read my_suite abc123def456\n  cairn eval cache stats",
		Args:    knownVerb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newEvalCache(env),
	)
	return cmd
}
