package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

func newTeamAlertsConfirm(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "confirm CODE",
		Short: "Confirm a mail channel of a Supabase project",
		Long: `Confirms that the receiver of a mail channel wants the team's mails. The
receiver is mailed the code once and passes it on. CAIRN_DATABASE_URL has the
project's database. With cairn serve, receivers confirm by a link themselves.`,
		Example: "  cairn team alerts confirm XKMRT5J6LQWZ2V7HBN4CDAEFGY\n  cairn team alerts confirm \"$CODE\"",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(_ *cobra.Command, args []string) error { return runTeamAlertsConfirm(env, args[0]) },
	}
}

func runTeamAlertsConfirm(env *Env, code string) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	h, end, err := openHerald(ctx, env, tellOptions{})
	if err != nil || h == nil {
		return err
	}
	defer end()
	r, err := notice.Answer(ctx, h.DB, code, true, time.Now())
	switch {
	case errors.Is(err, notice.ErrNoQuestion):
		return command.Data(term.Hint(errors.New("no mail channel was given this code"), "a newer mail may have replaced it"))
	case err != nil:
		return link.DatabaseError(err)
	}
	_, err = fmt.Fprintf(env.Stdout, "mails of the team %s are sent to %s\n", term.Line(r.Team), term.Line(r.Address))
	return err
}
