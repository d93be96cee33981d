package cli

import (
	"cairn/internal/command"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/config"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

type teamCreateOptions struct {
	name string
	use  bool
	json bool
}

func newTeamCreate(env *Env) *cobra.Command {
	var opts teamCreateOptions
	cmd := &cobra.Command{
		Use:   "create SLUG",
		Short: "Make another team on the server of this repository",
		Long: `Makes a team on the server that .cairn/team.json names; you are its owner. With
--use the file names it from now on. A SLUG has small letters, digits and
dashes.`,
		Example: "  cairn team create platform --name \"Platform team\"\n  cairn team create platform --use",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(_ *cobra.Command, args []string) error { return runTeamCreate(env, args[0], opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.name, "name", "", "what people call it (default: the slug)")
	f.BoolVar(&opts.use, "use", false, "write it into .cairn/team.json")
	f.BoolVar(&opts.json, "json", false, "print the team as JSON")
	return cmd
}

func runTeamCreate(env *Env, slug string, opts teamCreateOptions) error {
	if err := link.CheckSlug(slug); err != nil {
		return err
	}
	s, err := link.Find(env)
	if err != nil {
		return err
	}
	if s == nil {
		return command.Usage(term.Hint(errors.New("this repository has no server: there is no .cairn/team.json"), "cairn sync init --url URL --team %s", slug))
	}
	c, err := s.Client()
	if err != nil {
		return err
	}
	if opts.name == "" {
		opts.name = slug
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	id, err := c.CreateTeam(ctx, slug, opts.name)
	if err != nil {
		return err
	}
	if opts.use {
		s.File.Slug = slug
		if err := config.WriteTeam(s.Dir, s.File); err != nil {
			return err
		}
	}
	if opts.json {
		return printJSON(env, struct {
			ID   string `json:"id"`
			Slug string `json:"slug"`
			Name string `json:"name"`
		}{id.String(), slug, opts.name})
	}
	_, err = fmt.Fprintf(env.Stdout, "team %s is made; you are its owner\n", slug)
	if !opts.use {
		term.PrintHint(env.Stderr, "team_slug in .cairn/team.json says whose results this repository's are")
	}
	return err
}
