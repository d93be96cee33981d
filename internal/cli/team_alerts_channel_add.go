package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/notify"
	"cairn/internal/term"
)

type channelAddOptions struct {
	to                 string
	noAlerts, noDigest bool
}

// channelURL and channelSecret are variables for where nobody sits at the terminal.
const (
	channelURL    = "CAIRN_CHANNEL_URL"
	channelSecret = "CAIRN_CHANNEL_SECRET"
)

var channelKinds = [...]string{notify.Slack, notify.Webhook, notify.Mail}

func newTeamChannelAdd(env *Env) *cobra.Command {
	var opts channelAddOptions
	cmd := &cobra.Command{
		Use:   "add KIND NAME",
		Short: "Make a channel: slack, webhook or mail",
		Long: `Makes a channel. Its URL is asked for and not shown, or is the first line of
stdin, or CAIRN_CHANNEL_URL: a URL on the command line is seen by everybody on
the machine. For slack it is that of an incoming webhook.

What goes to a webhook is signed with a secret that is made and shown once;
CAIRN_CHANNEL_SECRET brings one along. docs/alerts.md tells how a receiver
checks it. Mail goes to --to.`,
		Example: `  cairn team alerts channel add slack evals
  cairn team alerts channel add webhook pager --no-digest < url.txt
  cairn team alerts channel add mail leads --to leads@example.com`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(_ *cobra.Command, args []string) error { return runTeamChannelAdd(env, args[0], args[1], opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.to, "to", "", "address of mail")
	f.BoolVar(&opts.noAlerts, "no-alerts", false, "send no alerts there")
	f.BoolVar(&opts.noDigest, "no-digest", false, "send no digest there")
	return cmd
}

func runTeamChannelAdd(env *Env, kind, name string, opts channelAddOptions) error {
	name = term.Line(name)
	if err := checkRole(kind, channelKinds[:]); err != nil {
		return command.Usage(term.Hint(fmt.Errorf("no channel is of the kind %s", term.Line(kind)), "%s", strings.Join(channelKinds[:], ", ")))
	}
	switch {
	case name == "" || len(name) > 60:
		return command.Usage(errors.New("a channel's name has 1 to 60 characters"))
	case kind != notify.Mail && opts.to != "":
		return command.Usage(errors.New("--to is for mail"))
	case opts.noAlerts && opts.noDigest:
		return command.Usage(errors.New("a channel is for alerts, for the digest, or for both"))
	}
	target, err := channelTarget(env, kind, opts)
	if err != nil {
		return err
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	n := client.Channel{Team: t.ID, Kind: kind, Name: name, Target: target, Alerts: !opts.noAlerts, Digest: !opts.noDigest}
	made := false
	if kind == notify.Webhook {
		if n.Secret = env.Getenv(channelSecret); n.Secret == "" {
			n.Secret, made = rand.Text(), true
		}
	}
	if err := t.AddChannel(ctx, n); err != nil {
		var e *client.Error
		if errors.As(err, &e) && e.Code == "23505" {
			return command.Usagef("there is a channel %s already", name)
		}
		return err
	}
	fmt.Fprintf(env.Stderr, "channel %s is made\n", name)
	if kind == notify.Mail {
		fmt.Fprintf(env.Stderr, "a mail asks %s to confirm; nothing else is sent there before\n", term.Line(target))
	}
	if made {
		fmt.Fprintln(env.Stderr, "its secret, shown once:")
		if _, err := fmt.Fprintln(env.Stdout, n.Secret); err != nil {
			return err
		}
	}
	term.PrintHint(env.Stderr, "cairn team alerts channel test %s", term.ShellWord(name))
	return nil
}

// channelTarget is where messages go, checked as far as this machine can.
func channelTarget(env *Env, kind string, opts channelAddOptions) (target string, err error) {
	switch {
	case kind == notify.Mail && opts.to == "":
		return "", command.Usage(errors.New("--to names the address of mail"))
	case kind == notify.Mail:
		return opts.to, link.CheckAddress(opts.to)
	}
	if target = env.Getenv(channelURL); target == "" {
		if target, err = env.Secret("URL of a webhook"); err != nil {
			return "", err
		}
	}
	// Whether private addresses are allowed is the server's to say.
	return target, command.Usage(notify.Channel{Kind: kind, Target: target}.Check(true))
}
