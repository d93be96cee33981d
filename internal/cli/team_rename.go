package cli

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

func newTeamRename(env *Env) *cobra.Command {
	var to wire.TeamChange
	cmd := &cobra.Command{
		Use:   "rename [SLUG]",
		Short: "Give the team another slug or name",
		Long: `Changes what the team of this repository is called, and .cairn/team.json of this
repository with it. Other repositories and CI may go on with the old slug: it
leads to the team until the team has had three others since, and no other team
can take it. Only an owner can do this.`,
		Example: "  cairn team rename platform-team\n  cairn team rename --name \"Platform team\"",
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				to.Slug = args[0]
			}
			return runTeamRename(env, to)
		},
	}
	cmd.Flags().StringVar(&to.Name, "name", "", "what people call it")
	return cmd
}

// checkRename takes what the server takes.
func checkRename(to wire.TeamChange) error {
	switch {
	case to == wire.TeamChange{}:
		return command.Usage(errors.New("a SLUG or --name NAME is missing"))
	case utf8.RuneCountInString(to.Name) > 100:
		return command.Usage(errors.New("--name has up to 100 characters"))
	case to.Slug != "":
		return checkSlug(to.Slug)
	}
	return nil
}

func runTeamRename(env *Env, to wire.TeamChange) error {
	if err := checkRename(to); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	t, err := openTeam(ctx, env)
	if err != nil {
		return err
	}
	is, err := t.RenameTeam(ctx, t.id, to)
	if err != nil {
		return err
	}
	if to.Slug != "" && t.team.Slug != is.Slug {
		t.team.Slug = is.Slug
		if err := config.WriteTeam(t.dir, t.team); err != nil {
			return err
		}
		term.PrintHint(env.Stderr, ".cairn/team.json has the new slug: commit it")
	}
	_, err = fmt.Fprintf(env.Stdout, "the team is %s, %q\n", is.Slug, term.Line(is.Name))
	return err
}
