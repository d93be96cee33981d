package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/herald"
	"cairn/internal/team/link"
	"cairn/internal/team/notify"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newTeamAlertsChannel(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "channel",
		Short: "Where the team is told: Slack, webhooks, mail",
		Long: `Channels are where alerts and the weekly digest go. Owners and admins see and
change them: whoever has a webhook's address can write to it.`,
		Example: "  cairn team alerts channel add slack evals\n  cairn team alerts channel list",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTeamChannelAdd(env), newTeamChannelList(env), newTeamChannelRemove(env), newTeamChannelTest(env))
	return cmd
}

func newTeamChannelList(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the channels, and what could not be delivered",
		Example: "  cairn team alerts channel list\n  cairn team alerts channel list | grep -c slack",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamChannelList(env) },
	}
}

func runTeamChannelList(env *Env) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	all, err := t.Channels(ctx, t.ID)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(env.Stderr, "cairn: the team has no channel, or you are no owner or admin of it")
		term.PrintHint(env.Stderr, "cairn team alerts channel add makes one")
		return nil
	}
	troubles, err := t.Troubled(ctx, t.ID, 100)
	if err != nil {
		return err
	}
	now := time.Now()
	g := grid{head: []string{"<NAME", "KIND", "<WHERE", "ALERTS", "DIGEST", "<NOT DELIVERED"}}
	for _, c := range all {
		trouble := ""
		for _, d := range troubles {
			if d.ChannelID != c.ID || trouble != "" {
				continue
			}
			trouble = "is tried again: " + d.Error
			if d.FailedAt != nil {
				trouble = "given up " + text.When(*d.FailedAt, now) + ": " + d.Error
			}
		}
		g.row(term.Line(c.Name), term.Line(c.Kind), term.Line(notify.Channel{Kind: c.Kind, Target: c.Target}.Shown()), yesNo(c.Alerts), yesNo(c.Digest), term.Line(trouble))
	}
	return g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

func newTeamChannelRemove(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "remove NAME",
		Short:   "End a channel, and what waits to go there",
		Example: "  cairn team alerts channel remove evals\n  cairn team alerts channel remove 'on call'",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			return withChannel(env, args[0], func(ctx context.Context, t *link.Team, c client.Channel) error {
				if err := t.RemoveChannel(ctx, c); err != nil {
					return err
				}
				_, err := fmt.Fprintf(env.Stdout, "%s is removed\n", term.Line(c.Name))
				return err
			})
		},
	}
}

func newTeamChannelTest(env *Env) *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "test NAME",
		Short: "Let the server send a message there, and say what became of it",
		Long: `Asks the server for a message and waits until it was delivered, or was not. Of a
Supabase project, the next cairn team alerts check sends it.`,
		Example: "  cairn team alerts channel test evals\n  cairn team alerts channel test evals --wait 2m",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			return withChannel(env, args[0], func(ctx context.Context, t *link.Team, c client.Channel) error {
				return testChannel(ctx, env, t, c, wait)
			})
		},
	}
	cmd.Flags().DurationVar(&wait, "wait", 30*time.Second, "how long to wait for the answer")
	return cmd
}

func testChannel(ctx context.Context, env *Env, t *link.Team, c client.Channel, wait time.Duration) error {
	_, cairns, err := t.About(ctx)
	if err != nil {
		return err
	}
	at := time.Now().Truncate(time.Microsecond)
	if err := t.AskTest(ctx, c, at); err != nil {
		return err
	}
	if !cairns {
		_, err := fmt.Fprintln(env.Stdout, "the next cairn team alerts check sends it")
		return err
	}
	for end := at.Add(wait); time.Now().Before(end); {
		d, err := t.Delivered(ctx, c, herald.TestEvent(at))
		switch {
		case err != nil:
			return err
		case d != nil && d.SentAt != nil:
			_, err := fmt.Fprintf(env.Stdout, "delivered to %s\n", term.Line(c.Name))
			return err
		case d != nil && d.Error != "":
			return errors.New("not delivered: " + term.Line(d.Error))
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return term.Hint(errors.New("the server did not answer in time"), "cairn team alerts channel list says what became of it")
}

// withChannel does something with the channel of a name.
func withChannel(env *Env, name string, do func(context.Context, *link.Team, client.Channel) error) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	c, err := t.Channel(ctx, t.ID, strings.TrimSpace(name))
	if err != nil {
		return err
	}
	return do(ctx, t, c)
}
