package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

func newTeamDelete(env *Env) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "delete SLUG",
		Short: "Delete the team and everything in it, for good",
		Long: `Deletes the team of this repository: results, records, members, tokens, alerts.
When the command ends with 0, nothing of it is in the server's database except
ids in the audit log. Backups of the server still have it. SLUG must be the
team's; without --yes it is asked for again. Only an owner can do this.`,
		Example: "  cairn team delete platform\n  cairn team delete platform --yes",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(_ *cobra.Command, args []string) error { return runTeamDelete(env, args[0], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func runTeamDelete(env *Env, slug string, yes bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	is, err := t.FindTeam(ctx, t.ID.String())
	if err != nil {
		return err
	}
	if is.Slug != slug {
		return command.Usage(term.Hint(fmt.Errorf("the team of this repository is %s, not %s: nothing was deleted", term.Printable(is.Slug), term.Printable(slug)), "cairn team export --output FILE keeps what there is"))
	}
	if ok, err := env.ConfirmName(yes, slug); err != nil || !ok {
		return err
	}
	said := false
	err = t.DeleteTeam(ctx, t.ID, slug, func() {
		if !said {
			said = true
			fmt.Fprintln(env.Stderr, "cairn: nobody is in the team any more; its rows are being deleted")
		}
	})
	if err != nil {
		if said {
			err = term.Hint(err, "the server goes on deleting by itself")
		}
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s is deleted\n", slug)
	return err
}
