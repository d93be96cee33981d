// Package cli is the command line: one file per verb, named
// <domain>_<verb>.go, each with a newX that declares and a runX that does.
//
// It may import every package of ours and nothing imports it but main. Verbs
// never call each other: what two of them need belongs to a domain.
package cli

import (
	"github.com/spf13/cobra"
)

// Main runs the command line args, args[0] being the program, and returns the
// exit code.
func Main(args []string) int {
	env := osEnv()
	root := newRoot(env)
	root.SetArgs(args[1:])
	return exitCode(env, root.Execute())
}

// newRoot lists the verbs in the order a newcomer should read them.
func newRoot(env *Env) *cobra.Command {
	root := &cobra.Command{
		Use:           "cairn",
		Short:         "Keep an agent's context, a team's plan and what was learnt",
		Long:          "Cairn keeps what a team of people and coding agents loses each day.\n\n" + exitHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetIn(env.Stdin)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return withKind(errUsage, err) })
	root.AddCommand(
		newRun(env),
		newInstall(env),
		newUninstall(env),
		newDoctor(env),
		newCompact(env),
		newVersion(env),
		newRunCopier(),
	)
	return root
}
