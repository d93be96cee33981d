package cli

import (
	"cairn/internal/command"

	"github.com/spf13/cobra"
)

func newEvalCases(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "cases",
		Short:   "YAML cases: what is wrong with them, what they can expect",
		Example: "  cairn eval cases lint evals/cases\n  cairn eval cases types body_contains",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalCasesLint(env), newEvalCasesTypes(env))
	return cmd
}
