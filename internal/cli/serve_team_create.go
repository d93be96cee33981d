package cli

import (
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db/account"
	"cairn/internal/term"
)

type serveTeamCreateOptions struct {
	store       storeOptions
	name, owner string
}

func newServeTeamCreate(env *Env) *cobra.Command {
	var opts serveTeamCreateOptions
	cmd := &cobra.Command{
		Use:   "create SLUG",
		Short: "Make a team, owned by somebody who may sign in",
		Example: `  cairn serve team create platform --owner ada@example.com
  cairn serve team create web --name "Web and apps" --owner ada@example.com`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeTeamCreate(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&opts.name, "name", "", "what people read (default: the slug)")
	f.StringVar(&opts.owner, "owner", "", "e-mail address of its first owner")
	return cmd
}

func runServeTeamCreate(cmd *cobra.Command, env *Env, opts *serveTeamCreateOptions, slug string) error {
	name := cmp.Or(opts.name, slug)
	switch {
	case opts.owner == "":
		return command.Usage(errors.New("--owner EMAIL is wanted: somebody has to be able to invite others"))
	case utf8.RuneCountInString(name) > 100:
		return command.Usage(errors.New("--name has up to 100 characters"))
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	u, err := account.New(st.DB).UserByEmail(cmd.Context(), opts.owner)
	if err != nil {
		return userError(err, opts.owner)
	}
	if _, err := st.DB.CreateTeam(cmd.Context(), slug, name, u.ID); err != nil {
		return userError(err, opts.owner)
	}
	fmt.Fprintf(env.Stderr, "team %s is there, owned by %s\n", slug, term.Printable(u.Email))
	return nil
}
