package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newConfigGet(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:               "get KEY",
		Short:             "Print the value of a setting and nothing else",
		Long:              "Print the value of a setting, in the form that `cairn config set` reads; the\nitems of a list stand between commas.",
		Example:           "  cairn config get compact.level\n  test \"$(cairn config get compact.enabled)\" = true",
		Args:              usageArgs(cobra.ExactArgs(1)),
		ValidArgsFunction: completeKeys,
		RunE:              func(_ *cobra.Command, args []string) error { return runConfigGet(env, args[0]) },
	}
}

func runConfigGet(env *Env, key string) error {
	v, err := configValue(env, key)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, v)
	return err
}
