package cli

import "github.com/spf13/cobra"

func newCompact(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "compact",
		Short:   "Compact what tools print",
		Example: "  cairn compact install claude\n  cairn compact doctor",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newInstall(env), newUninstall(env), newDoctor(env))
	return cmd
}
