package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/term"
)

type configSetOptions struct {
	key, value string
	project    bool
}

func newConfigSet(env *Env) *cobra.Command {
	var opts configSetOptions
	cmd := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Change a setting in the user's or the project's file",
		Long: `Change a setting in ~/.cairn/config.toml, or with --project in the repository's
.cairn/config.toml. Everything else in the file stays as it is, comments too.
The items of a list stand between commas.`,
		Example:           "  cairn config set compact.level aggressive\n  cairn config set compact.exclude_commands \"curl,git show\" --project",
		Args:              usageArgs(cobra.ExactArgs(2)),
		ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			opts.key, opts.value = args[0], args[1]
			return runConfigSet(env, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.project, "project", false, "write the file that is committed with the repository")
	return cmd
}

func runConfigSet(env *Env, opts configSetOptions) error {
	file, err := writeSetting(env, opts)
	if errors.Is(err, config.ErrValue) {
		s, _ := config.Find(opts.key)
		return command.Usage(term.Hint(err, "%s takes %s", s.Key, s.Expects()))
	}
	if err != nil {
		return configError(err)
	}
	fmt.Fprintf(env.Stderr, "%s: %s is set\n", file, opts.key)
	c := loadConfig(env)
	if v, _ := c.Value(opts.key); v.Source.File != file {
		term.Warn(env.Stderr, "%s is still %s here, from %s", opts.key, v, v.Source)
	}
	return nil
}

func writeSetting(env *Env, opts configSetOptions) (file string, err error) {
	user := home.Find(env.Getenv)
	if !opts.project {
		return config.SetUser(user, opts.key, opts.value)
	}
	repo := home.FindRepo(env.Here(), env.Getenv)
	if repo == "" || repo.Config() == user.Config() { // the home of a user who has it under git
		return "", command.Usage(term.Hint(errors.New("--project: this is not a repository"), "go to a directory under git"))
	}
	return config.SetProject(project.Open(user, repo), opts.key, opts.value)
}
