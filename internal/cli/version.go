package cli

import (
	"cairn/internal/version"
	"fmt"

	"github.com/spf13/cobra"
)

func newVersion(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the commit and the Go release of this binary",
		Example: "  cairn version\n  cairn version | cut -d' ' -f2",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(env.Stdout, "cairn "+version.Full())
			return err
		},
	}
}
