package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/term"
)

func newConfig(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Read and change settings; every value knows where it came from",
		Long: `Read and change settings. A flag beats the environment, which beats the
project's .cairn/config.toml, then the user's ~/.cairn/config.toml, then the
default.`,
		Example: "  cairn config list\n  cairn config set compact.level aggressive",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigGet(env), newConfigSet(env), newConfigList(env), newConfigExplain(env))
	return cmd
}

// loadConfig reads the settings for this directory and says what is wrong
// with them.
func loadConfig(env *Env) config.Config {
	c, warnings := config.Load(env.Here(), env.Getenv)
	for _, w := range warnings {
		term.Warn(env.Stderr, "%v", w)
	}
	return c
}

// configValue returns the value of a key that a person typed.
func configValue(env *Env, key string) (config.Value, error) {
	if _, err := config.Find(key); err != nil {
		return config.Value{}, configError(fmt.Errorf("%s: %w", key, err))
	}
	v, _ := loadConfig(env).Value(key)
	return v, nil
}

// configError gives the errors of config their exit code and remedy.
func configError(err error) error {
	switch {
	case errors.Is(err, config.ErrUnknown):
		return command.Usage(term.Hint(err, "cairn config list shows every setting"))
	case errors.Is(err, config.ErrByUser):
		return command.Usage(term.Hint(err, "leave out --project to set it for yourself"))
	case errors.Is(err, config.ErrFile):
		return command.Data(term.Hint(err, "change the file in an editor"))
	}
	return err
}

// completeKeys offers the settings' keys for the first argument.
func completeKeys(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var keys []string
	for _, s := range config.Settings() {
		keys = append(keys, s.Key+"\t"+s.Doc)
	}
	return keys, cobra.ShellCompDirectiveNoFileComp
}
