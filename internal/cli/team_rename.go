package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/team/link"
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

func runTeamRename(env *Env, to wire.TeamChange) error {
	if err := link.CheckChange(to); err != nil {
		return err
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	is, err := t.RenameTeam(ctx, t.ID, to)
	if err != nil {
		return err
	}
	if to.Slug != "" && t.File.Slug != is.Slug {
		t.File.Slug = is.Slug
		if err := config.WriteTeam(t.Dir, t.File); err != nil {
			return err
		}
		term.PrintHint(env.Stderr, ".cairn/team.json has the new slug: commit it")
	}
	_, err = fmt.Fprintf(env.Stdout, "the team is %s, %q\n", is.Slug, term.Line(is.Name))
	return err
}
