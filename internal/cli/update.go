package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newUpdate(env *Env) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:     "update",
		Short:   "Replace cairn by its latest release",
		Long:    "Fetches the latest release for this system, compares its checksum and puts it\nwhere hooks and prompts call it. It asks the release page that the build names\nand sends nothing; a build from source has none.",
		Example: "  cairn update\n  cairn update --check    # only say whether there is one",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if check {
				return runUpdateCheck(cmd.Context(), env)
			}
			version, err := runUpdateBinary(cmd.Context(), env)
			switch {
			case err != nil:
				return err
			case version == "":
				fmt.Fprintf(env.Stdout, "%s is the latest\n", release())
			default:
				fmt.Fprintf(env.Stdout, "%s is installed\n", version)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "only look whether there is a newer one")
	return cmd
}
