package teamcmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/alert"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/herald"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

func digestCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "team digest", Short: "Print the team's week: releases, changes, costs",
			Long: `Prints the digest of the last seven days as Markdown. Every Monday at 9:00, or
when cairn team digest settings says, it goes to the team's channels: cairn serve
sends it by itself; for a Supabase project run cairn team digest send from a cron
job. docs/alerts.md describes it.`,
			Examples: []string{"cairn team digest", "cairn team digest --dry-run > week.md"},
			Effect:   command.Reads, Local: true, Run: digest,
			Flags: []command.Flag{{Name: "dry-run", Default: false, Help: "only print it, as this command does anyway"}},
		},
		{
			Path: "team digest send", Short: "Send the digests of a Supabase project that are due",
			Long: `Sends the digest of every team of a Supabase project that is due and was not sent
yet: a cron job may run it every hour. CAIRN_DATABASE_URL has the project's
database, which is neither kept nor shown. What is due is sent on its day or on
the day after, once.

cairn serve does this by itself.`,
			Examples: []string{"cairn team digest send", "cairn team digest send --smtp-host smtp.example.com --smtp-user cairn --smtp-from cairn@example.com"},
			Effect:   command.Writes, Run: project(sendDigest), Flags: sendFlags(),
		},
		{
			Path: "team digest settings", Short: "Show or change when the digest is sent",
			Examples: []string{"cairn team digest settings", "cairn team digest settings --timezone Europe/Berlin --weekday friday --hour 16"},
			Effect:   command.Writes, Run: with(digestSettings, func(c *command.Call) error { _, err := weekday(c); return err }),
			Flags: []command.Flag{
				{Name: "timezone", Default: "", Help: "the team's time zone, such as Europe/Berlin"},
				{Name: "weekday", Default: "", Help: "monday to sunday", Values: offer("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")},
				{Name: "hour", Default: 0, Help: "0 to 23"},
			},
		},
	}
}

func digest(c *command.Call) (*answer.Answer, error) {
	if c.Getenv(link.DatabaseURL) != "" {
		return inProject(c, previewDigest)
	}
	t := must.Get(link.Open(c, c.Env))
	switch _, cairns, err := t.About(c); {
	case err != nil:
		return nil, err
	case !cairns:
		return withoutDatabase(c)
	}
	d, err := t.Digest(c, t.ID)
	return digested(d.Markdown, d.Data), err
}

func previewDigest(c *command.Call, h *herald.Herald) (*answer.Answer, error) {
	team := projectTeam(c, h.DB)
	m, err := h.Preview(c, team)
	if err != nil {
		return nil, link.DatabaseError(err)
	}
	return digested(m.Markdown(), m.Data), nil
}

func digested(markdown string, data jsontext.Value) *answer.Answer {
	return &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) { fmt.Fprint(w, markdown) })}
}

func sendDigest(c *command.Call, h *herald.Herald) (*answer.Answer, error) {
	n, err := h.Digest(c, uuid.Nil) // of every team
	if err != nil {
		return nil, link.DatabaseError(err)
	}
	round, err := h.Deliver(c)
	if err != nil {
		return nil, link.DatabaseError(err)
	}
	return delivered(round, answer.Text(func(w io.Writer) {
		if n == 0 {
			fmt.Fprintln(w, "no digest is due")
		}
		if round.Sent > 0 {
			fmt.Fprintf(w, "%d sent\n", round.Sent)
		}
	}))
}

// weekday checks the settings, and returns the day that --weekday names, -1 for
// none.
func weekday(c *command.Call) (int, error) {
	day, zone := -1, c.String("timezone")
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.EqualFold(c.String("weekday"), d.String()) {
			day = int(d)
		}
	}
	_, err := time.LoadLocation(zone)
	switch {
	case c.String("weekday") != "" && day < 0:
		return day, command.Usagef("--weekday must be monday to sunday, not %q", term.Line(c.String("weekday")))
	case c.Int("hour") > 23:
		return day, command.Usagef("--hour must be between 0 and 23, not %d", c.Int("hour"))
	case zone != "" && (err != nil || zone == "Local"):
		return day, command.Usage(term.Hint(errors.New("--timezone "+term.Line(zone)+" is not known"), "use a name of the tz database, such as America/New_York"))
	}
	return day, nil
}

func digestSettings(c *command.Call, t *link.Team) (*answer.Answer, error) {
	s := must.Get(t.Settings(c, t.ID))
	was := s
	if day, _ := weekday(c); day >= 0 {
		s.Weekday = day
	}
	if zone := c.String("timezone"); zone != "" {
		s.Timezone = zone
	}
	if c.Given("hour") {
		s.Hour = c.Int("hour")
	}
	if s != was {
		must.OK(t.Set(c, s))
	}
	return done(s, "the digest comes every %s at %d:00, %s", time.Weekday(s.Weekday), s.Hour, term.Line(s.Timezone))
}

func alertCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "team alerts", Short: "List the suites that got worse",
			Long: `Lists the open alerts. Each push of a suite is compared with the last 20 runs of
the main branch. After a bad push an alert is pending. After a second one, or one
that is very bad, it fires and the team's channels get a message. Two good pushes
in a row end it. docs/alerts.md has the statistics.

cairn serve does this by itself. For a Supabase project, run cairn team alerts
check from a cron job.`,
			Examples: []string{"cairn team alerts", "cairn team alerts channel add slack evals"},
			Effect:   command.Reads, CSV: true, Local: true, Run: alerts(false, "no alert is open"),
		},
		{
			Path: "team alerts history", Short: "List all alerts, newest first",
			Examples: []string{"cairn team alerts history", "cairn team alerts history --limit 5 --json"},
			Effect:   command.Reads, CSV: true, Run: alerts(true, "there was no alert yet"),
			Flags: []command.Flag{{Name: "limit", Short: "n", Default: 20, Help: "list at most this many"}},
		},
		{
			Path: "team alerts check", Short: "Judge a Supabase project's new runs, send alerts",
			Long: `For a cron job: judges the runs that were pushed to a Supabase project since the
last check, and sends what is due. CAIRN_DATABASE_URL has the project's database,
which is neither kept nor shown. Several checks at once do no harm.

cairn serve does this by itself every few seconds.`,
			Examples: []string{"cairn team alerts check", "cairn team alerts check --smtp-host smtp.example.com --smtp-user cairn --smtp-from cairn@example.com"},
			Effect:   command.Writes, Run: project(checkAlerts), Flags: sendFlags(),
		},
		{
			Path: "team alerts confirm", Short: "Confirm a mail channel of a Supabase project", Args: []command.Arg{{Name: "CODE"}},
			Long: `Confirms that the receiver of a mail channel wants the team's mails. The receiver
gets the code by mail, once, and passes it on. CAIRN_DATABASE_URL has the
project's database. With cairn serve, receivers confirm by a link themselves.`,
			Examples: []string{"cairn team alerts confirm XKMRT5J6LQWZ2V7HBN4CDAEFGY", `cairn team alerts confirm "$CODE"`},
			Effect:   command.Writes, Run: project(confirm),
		},
	}
}

func alerts(ended bool, none string) func(*command.Call) (*answer.Answer, error) {
	return with(func(c *command.Call, t *link.Team) (*answer.Answer, error) {
		most := 100
		if ended {
			most = min(max(c.Int("limit"), 1), 1000)
		}
		all, err := t.Alerts(c, t.ID, ended, most)
		if err != nil {
			return nil, err
		}
		for i := range all {
			if all[i].State == string(alert.Resolved) {
				all[i].Why = alert.Outcome(all[i].Outcome).Why()
			}
		}
		a := &answer.Answer{Data: answer.LinesOf(all), View: answer.Line("%s", none)}
		if len(all) == 0 {
			return a, nil
		}
		table := answer.NewTable("state:name", "why=why it ended", "suite", "branch", "repository", "passed:percent", "expected:percent", "p:name", "since:time")
		for _, e := range all {
			state := e.State // or how it ended
			if state == string(alert.Resolved) {
				state = cmp.Or(e.Outcome, state)
			}
			table.Add(state, e.Why, cmp.Or(e.Suite, "(none)"), e.Branch, e.Repo, e.Observed, e.Expected, fmt.Sprintf("%.2g", e.P), e.BeganAt)
		}
		a.View = table
		return a, nil
	})
}

// sent is what --json prints of a round of judging and sending.
type sent struct {
	Judged   int `json:"judged"`
	Fired    int `json:"fired"`
	Resolved int `json:"resolved"`
	Sent     int `json:"sent"`
	Failed   int `json:"failed"`
}

func checkAlerts(c *command.Call, h *herald.Herald) (*answer.Answer, error) {
	round, err := h.Round(c)
	if err == nil {
		_, err = notice.Sweep(c, h.DB, time.Now(), alert.Stale)
	}
	if err != nil {
		return nil, link.DatabaseError(err)
	}
	return delivered(round, answer.Line("judged %s; %d fire, %d ended; %s sent",
		text.Count(round.Judged, "run"), round.Fired, round.Resolved, text.Count(round.Sent, "message")))
}

// delivered answers with what a round did. Messages that could not be sent are an
// error, after what is said of the others.
func delivered(round herald.Done, view answer.View) (*answer.Answer, error) {
	a := &answer.Answer{Data: sent(round), View: view, Done: true}
	if round.Failed > 0 {
		a.Err = term.Hint(fmt.Errorf("%s could not be sent", text.Count(round.Failed, "message")), "the next check tries again; cairn team alerts channel list says why")
	}
	return a, nil
}

func confirm(c *command.Call, h *herald.Herald) (*answer.Answer, error) {
	r, err := notice.Answer(c, h.DB, c.Arg("CODE"), true, time.Now())
	switch {
	case errors.Is(err, notice.ErrNoQuestion):
		return nil, command.Data(term.Hint(errors.New("no mail channel was given this code"), "a newer mail may have replaced it"))
	case err != nil:
		return nil, link.DatabaseError(err)
	}
	return done(struct {
		Team    string `json:"team"`
		Address string `json:"address"`
	}{r.Team, r.Address}, "mails of the team %s are sent to %s", term.Line(r.Team), term.Line(r.Address))
}
