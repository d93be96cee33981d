package cli

import (
	"context"
	"runtime/debug"

	"github.com/spf13/cobra"

	"cairn/internal/plan/query"
)

func newPlanQuery(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "query COMMAND [ARG...]",
		Short: "Answer the calls of gsd-tools and gsd-sdk query, as they did",
		Long: "Takes what gsd-tools and gsd-sdk query took, prints the same JSON and ends with\n" +
			"the same exit codes: 0 ok, 1 error. docs/query.md lists what is different on\n" +
			"purpose. An install of that tool works with a wrapper by its name:\n\n" +
			"  #!/bin/sh\n  exec cairn plan query \"$@\"",
		Example:            "  cairn plan query find-phase 2 --pick directory\n  cairn plan query state.load --raw",
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return runPlanQuery(env, args)
		},
	}
}

func runPlanQuery(env *Env, args []string) error {
	debug.SetGCPercent(400) // one answer, then the process ends: nothing is worth collecting below 16 MB
	dir, err := env.wd()
	if err != nil {
		return err
	}
	code := query.Run(context.Background(), query.Env{
		Dir: dir, Stdin: env.Stdin, Stdout: env.Stdout, Stderr: env.Stderr, Getenv: env.Getenv,
	}, args)
	if code != 0 {
		return exitStatus(code)
	}
	return nil
}
