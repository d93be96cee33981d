package teamcmd

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/herald"
	"cairn/internal/team/link"
	"cairn/internal/team/notify"
	"cairn/internal/term"
)

// channelURL and channelSecret are variables for where nobody sits at the terminal.
const (
	channelURL    = "CAIRN_CHANNEL_URL"
	channelSecret = "CAIRN_CHANNEL_SECRET"
)

func channelCommands() []*command.Command {
	nameArg := command.Arg{Name: "NAME"}
	return []*command.Command{
		{
			Path: "team alerts channel", Short: "Manage where alerts and the digest are sent",
			Long: `Channels are Slack, webhooks and mail addresses that get alerts and the weekly
digest. Owners and admins see and change them: whoever has a webhook's URL can
write to it.`,
			Examples: []string{"cairn team alerts channel add slack evals", "cairn team alerts channel list"},
		},
		{
			Path: "team alerts channel add", Short: "Add a channel: slack, webhook or mail",
			Args: []command.Arg{{Name: "KIND", OneOf: []string{notify.Slack, notify.Webhook, notify.Mail}}, nameArg},
			Long: `Adds a channel. Its URL is asked for and not shown, or is the first line of stdin,
or CAIRN_CHANNEL_URL: everybody on the machine could see a URL on the command
line. For slack it is that of an incoming webhook. Mail goes to --to.

Messages to a webhook are signed with a secret that is made and shown once;
CAIRN_CHANNEL_SECRET sets your own. docs/alerts.md says how a receiver checks it.`,
			Examples: []string{"cairn team alerts channel add slack evals", "cairn team alerts channel add webhook pager --no-digest < url.txt", "cairn team alerts channel add mail leads --to leads@example.com"},
			Effect:   command.Writes, Run: checked(addChannel, checkChannel),
			Flags: []command.Flag{
				{Name: "to", Default: "", Help: "`EMAIL` that a mail channel sends to"},
				{Name: "no-alerts", Default: false, Help: "send no alerts there"},
				{Name: "no-digest", Default: false, Help: "send no digest there"},
			},
		},
		{
			Path: "team alerts channel list", Short: "List the channels and what failed to arrive",
			Examples: []string{"cairn team alerts channel list", "cairn team alerts channel list | grep -c slack"},
			Effect:   command.Reads, CSV: true, Run: with(listChannels),
		},
		{
			Path: "team alerts channel remove", Short: "Remove a channel and its waiting messages", Args: []command.Arg{nameArg},
			Examples: []string{"cairn team alerts channel remove evals", "cairn team alerts channel remove 'on call'"},
			Effect:   command.Writes, Run: withChannel(func(c *command.Call, t *link.Team, one client.Channel) (*answer.Answer, error) {
				if err := t.RemoveChannel(c, one); err != nil {
					return nil, err
				}
				return done(channelOf(one), "%s is removed", term.Line(one.Name))
			}),
		},
		{
			Path: "team alerts channel test", Short: "Have the server send a message there", Args: []command.Arg{nameArg},
			Long: `Asks the server for a message and waits until it is delivered, or is not. For a
Supabase project, the next cairn team alerts check sends it.`,
			Examples: []string{"cairn team alerts channel test evals", "cairn team alerts channel test evals --wait 2m"},
			Effect:   command.Writes, Run: withChannel(testChannel),
			Flags: []command.Flag{{Name: "wait", Default: 30 * time.Second, Help: "how long to wait for the answer"}},
		},
	}
}

// shownChannel is what --json prints of a channel. Where it leads may be secret.
type shownChannel struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Where   string `json:"where"`
	Alerts  bool   `json:"alerts"`
	Digest  bool   `json:"digest"`
	Secret  string `json:"secret,omitempty"` // that was made for it
	Trouble string `json:"trouble,omitempty"`
}

func channelOf(c client.Channel) shownChannel {
	return shownChannel{Name: c.Name, Kind: c.Kind, Where: notify.Channel{Kind: c.Kind, Target: c.Target}.Shown(), Alerts: c.Alerts, Digest: c.Digest}
}

func listChannels(c *command.Call, t *link.Team) (*answer.Answer, error) {
	all := must.Get(t.Channels(c, t.ID))
	troubles := must.Get(t.Troubled(c, t.ID, 100))
	var shown []shownChannel
	table := answer.NewTable("name", "kind:name", "where", "alerts:name", "digest:name", "not_delivered")
	for _, one := range all {
		s := channelOf(one)
		for _, d := range troubles {
			if d.ChannelID != one.ID || s.Trouble != "" {
				continue
			}
			s.Trouble = "is tried again: " + d.Error
			if d.FailedAt != nil {
				s.Trouble = "failed " + d.FailedAt.Local().Format("2006-01-02 15:04") + ": " + d.Error
			}
		}
		shown = append(shown, s)
		table.Add(s.Name, s.Kind, s.Where, yes(s.Alerts), yes(s.Digest), s.Trouble)
	}
	return list(shown, table, "the team has no channels, or you are not an owner or admin of it", "cairn team alerts channel add makes one")
}

func checkChannel(c *command.Call) error {
	name, mail, to := term.Line(c.Arg("NAME")), c.Arg("KIND") == notify.Mail, c.String("to")
	switch {
	case name == "" || len(name) > 60:
		return command.Usagef("a channel's name must have 1 to 60 characters")
	case !mail && to != "":
		return command.Usagef("--to is for mail only")
	case c.Bool("no-alerts") && c.Bool("no-digest"):
		return command.Usagef("a channel is for alerts, for the digest, or for both")
	case mail && to == "":
		return command.Usagef("--to EMAIL is missing")
	case mail:
		return link.CheckAddress(to)
	}
	return nil
}

// target is where messages go, checked as far as this machine can.
func target(c *command.Call, kind string) (target string) {
	if kind == notify.Mail {
		return c.String("to")
	}
	if target = c.Getenv(channelURL); target == "" {
		target = must.Get(c.Secret("URL of a webhook"))
	}
	// Whether private addresses are allowed is the server's to say.
	must.OK(command.Usage(notify.Channel{Kind: kind, Target: target}.Check(true)))
	return target
}

func addChannel(c *command.Call) (*answer.Answer, error) {
	kind, name := c.Arg("KIND"), term.Line(c.Arg("NAME"))
	target := target(c, kind)
	t := must.Get(link.Open(c, c.Env))
	n := client.Channel{Team: t.ID, Kind: kind, Name: name, Target: target, Alerts: !c.Bool("no-alerts"), Digest: !c.Bool("no-digest")}
	shown := channelOf(n)
	if kind == notify.Webhook {
		if n.Secret = c.Getenv(channelSecret); n.Secret == "" {
			n.Secret = rand.Text()
			shown.Secret = n.Secret
		}
	}
	if err := t.AddChannel(c, n); hasCode(err, "23505") {
		return nil, command.Usagef("there is a channel %s already", name)
	} else if err != nil {
		return nil, err
	}
	a := &answer.Answer{Data: shown, Said: fmt.Sprintf("channel %s is made", name), Hint: "cairn team alerts channel test " + term.ShellWord(name), Done: true}
	if kind == notify.Mail {
		a.Said += fmt.Sprintf("\na mail asks %s to confirm; nothing else is sent there before", term.Line(target))
	}
	if shown.Secret != "" {
		a.View = answer.Line("%s", shown.Secret)
		a.Said += "\nits secret is shown only this once"
	}
	return a, nil
}

func testChannel(c *command.Call, t *link.Team, one client.Channel) (*answer.Answer, error) {
	_, cairns := must.Get2(t.About(c))
	at := time.Now().Truncate(time.Microsecond)
	must.OK(t.AskTest(c, one, at))
	type outcome struct {
		Name      string `json:"name"`
		Delivered bool   `json:"delivered"` // else the next check sends it
	}
	if !cairns {
		return done(outcome{one.Name, false}, "the next cairn team alerts check sends it")
	}
	for end := at.Add(c.Duration("wait")); time.Now().Before(end); {
		d, err := t.Delivered(c, one, herald.TestEvent(at))
		switch {
		case err != nil:
			return nil, err
		case d != nil && d.SentAt != nil:
			return done(outcome{one.Name, true}, "delivered to %s", term.Line(one.Name))
		case d != nil && d.Error != "":
			return nil, errors.New("not delivered: " + term.Line(d.Error))
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-c.Done():
			return nil, c.Err()
		}
	}
	return nil, term.Hint(errors.New("the server did not answer in time"), "cairn team alerts channel list says what became of it")
}

// withChannel makes a command of what is done with the channel NAME.
func withChannel(fn func(*command.Call, *link.Team, client.Channel) (*answer.Answer, error)) func(*command.Call) (*answer.Answer, error) {
	return with(func(c *command.Call, t *link.Team) (*answer.Answer, error) {
		one, err := t.Channel(c, t.ID, strings.TrimSpace(c.Arg("NAME")))
		if err != nil {
			return nil, err
		}
		return fn(c, t, one)
	})
}
