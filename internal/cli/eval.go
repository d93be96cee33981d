package cli

import (
	"cairn/internal/command"

	"github.com/spf13/cobra"
)

func newEval(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Store, compare and gate the results of evals in any language",
		Long: `Your runner runs the evals and writes what came out; cairn reads that, whatever
tool wrote it, keeps it in ~/.cairn/evals and says whether a change is real.`,
		Example: "  cairn eval push results.json\n  cairn eval compare @main latest",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newEvalPush(env),
		newEvalImport(env),
		newEvalList(env),
		newEvalShow(env),
		newEvalCompare(env),
		newEvalGate(env),
		newEvalTrend(env),
		newEvalBaselines(env),
		newEvalLeaderboard(env),
		newEvalCost(env),
		newEvalGrade(env),
		newEvalJudge(env),
		newEvalCases(env),
		newEvalWatch(env),
		newEvalCache(env),
		newEvalSchema(env),
	)
	return cmd
}
