package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/result"
)

func newEvalSchema(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the format of results as JSON Schema",
		Long: `Prints what a runner has to write, as JSON Schema 2020-12 with the meaning and
the unit of every member: for an editor, or for a runner that checks itself.
cairn eval push is a little stricter; the description in the schema says in
what. docs/eval-format.md tells the same with examples.`,
		Example: `  cairn eval schema > eval-result.schema.json
  cairn eval schema | jq '."$defs".result.properties | keys'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runEvalSchema(env) },
	}
}

func runEvalSchema(env *Env) error {
	_, err := fmt.Fprint(env.Stdout, result.Schema())
	return err
}
