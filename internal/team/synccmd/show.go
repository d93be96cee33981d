package synccmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/replica"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

func showCommand() *command.Command {
	return &command.Command{
		Path:  "sync show",
		Short: "Show the team's latest work, from the last pull",
		Long: `Prints the team's members, runs, releases, retrospectives and QA reports as of the
last pull, with its age. It contacts no server; cairn sync pull does.`,
		Examples: []string{"cairn sync pull && cairn sync show", "cairn sync show --json"},
		Effect:   command.Reads, Run: show,
		Tool: &command.Tool{
			Name: "team_pulse", Does: "What the team did lately: runs, ships, retros, QA; as of the last pull.",
			Data: func(_ *command.Call, a *answer.Answer) any { return a.Data.(*pulled).newest() },
		},
	}
}

// pulled is what the last pull brought, and what `sync show --json` prints.
type pulled struct {
	Team     string         `json:"team"`
	LastPull time.Time      `json:"last_pull"`
	Pulse    *client.Pulse  `json:"pulse"`
	Members  []pulledMember `json:"members"`
	Runs     []pulledRun    `json:"runs"`
	Ships    []pulledShip   `json:"ships"`
	Retros   []pulledRetro  `json:"retros"`
	QA       []pulledQA     `json:"qa_reports"`
}

type (
	pulledMember struct {
		UserID string `json:"user_id"`
		Email  string `json:"email"`
		Role   string `json:"role"`
	}
	pulledRun struct {
		ID        string    `json:"id"` // as every command names the run, not the server's
		IngestKey string    `json:"ingest_key"`
		UserID    string    `json:"user_id"`
		Repo      string    `json:"repo_slug"`
		Label     string    `json:"label"`
		Suite     string    `json:"suite"`
		Branch    string    `json:"branch"`
		At        time.Time `json:"run_at"`
		Passed    int       `json:"passed"`
		Total     int       `json:"total_tests"`
		CostUSD   float64   `json:"total_cost_usd"`
	}
	pulledShip struct {
		UserID  string    `json:"user_id"`
		Repo    string    `json:"repo_slug"`
		Version string    `json:"version"`
		Branch  string    `json:"branch"`
		PR      string    `json:"pr_url"`
		At      time.Time `json:"occurred_at"`
	}
	pulledRetro struct {
		UserID string `json:"user_id"`
		Repo   string `json:"repo_slug"`
		Date   string `json:"date"`
		Period string `json:"period"`
		Tweet  string `json:"tweetable"`
	}
	pulledQA struct {
		UserID string    `json:"user_id"`
		URL    string    `json:"url"`
		Health *float64  `json:"health_score"`
		At     time.Time `json:"occurred_at"`
	}
)

// mostShown is how many rows of each kind are shown.
const mostShown = 5

func newest[T any](rows []T) []T { return rows[:min(mostShown, len(rows))] }

// newest is what is shown of it.
func (p *pulled) newest() pulled {
	c := *p
	c.Runs, c.Ships, c.Retros, c.QA = newest(p.Runs), newest(p.Ships), newest(p.Retros), newest(p.QA)
	return c
}

func show(c *command.Call) (*answer.Answer, error) {
	s := must.Get(link.Want(c.Env))
	p, err := readPulled(c, s)
	if err != nil {
		return nil, command.Data(term.Hint(err, "cairn sync pull brings it anew"))
	}
	if p == nil {
		return nil, term.Hint(fmt.Errorf("nothing of %s was pulled yet", s.Name()), "cairn sync pull")
	}
	return &answer.Answer{Data: p, View: p.view()}, nil
}

// readPulled reads what was pulled, the newest rows first; nil before the first pull.
func readPulled(ctx context.Context, s *link.Checkout) (*pulled, error) {
	r, err := s.Pulled(ctx)
	if r == nil || err != nil {
		return nil, err
	}
	defer r.Close()
	p := &pulled{Team: s.File.Slug, LastPull: r.Fresh()}
	var pulses []client.Pulse
	for name, rows := range map[string]any{
		replica.Pulse: &pulses, replica.People: &p.Members, "eval_runs": &p.Runs, "ship_logs": &p.Ships,
		"retro_snapshots": &p.Retros, "qa_reports": &p.QA,
	} {
		if err := r.Rows(ctx, name, rows); err != nil {
			return nil, err
		}
	}
	for i := range p.Runs {
		p.Runs[i].ID = result.IDOf(p.Runs[i].IngestKey)
	}
	if len(pulses) == 1 {
		p.Pulse = &pulses[0]
	}
	slices.SortStableFunc(p.Runs, func(a, b pulledRun) int { return b.At.Compare(a.At) })
	slices.SortStableFunc(p.Ships, func(a, b pulledShip) int { return b.At.Compare(a.At) })
	slices.SortStableFunc(p.Retros, func(a, b pulledRetro) int { return cmp.Compare(b.Date, a.Date) })
	slices.SortStableFunc(p.QA, func(a, b pulledQA) int { return b.At.Compare(a.At) })
	return p, nil
}

func (p *pulled) view() answer.Views {
	now, when := time.Now(), "no pull was complete yet"
	if !p.LastPull.IsZero() {
		when = "as of " + text.Ago(p.LastPull, now)
	}
	head := p.Team
	if p.Pulse != nil {
		head += ": " + p.Pulse.String()
	}
	views := answer.Views{answer.Line("%s (%s)", term.Line(head), when)}
	table := func(t *answer.Table, all int) {
		if all > 0 {
			views = append(views, answer.Line(""), t)
		}
		if all > mostShown {
			views = append(views, answer.Line("… and %d more", all-mostShown))
		}
	}
	runs := answer.NewTable("run:name", "when:name", "label", "suite", "passed:count", "cost:usd", "who")
	for _, r := range newest(p.Runs) {
		var cost any
		if r.CostUSD > 0 {
			cost = r.CostUSD
		}
		runs.Add(r.ID, text.When(r.At, now), r.Label, r.Suite, fmt.Sprintf("%d/%d", r.Passed, r.Total), cost, p.who(r.UserID))
	}
	ships := answer.NewTable("ship:name", "when:name", "repository", "branch", "who")
	for _, r := range newest(p.Ships) {
		ships.Add(r.Version, text.When(r.At, now), r.Repo, r.Branch, p.who(r.UserID))
	}
	retros := answer.NewTable("retro:name", "period:name", "repository", "who", "in_short")
	for _, r := range newest(p.Retros) {
		retros.Add(r.Date, r.Period, r.Repo, p.who(r.UserID), text.Shorten(term.Line(r.Tweet), 80))
	}
	qa := answer.NewTable("qa:name=QA", "when:name", "health:count", "who")
	for _, r := range newest(p.QA) {
		qa.Add(r.URL, text.When(r.At, now), r.Health, p.who(r.UserID))
	}
	table(runs, len(p.Runs))
	table(ships, len(p.Ships))
	table(retros, len(p.Retros))
	table(qa, len(p.QA))
	return views
}

// who is a member's address without its host, where it is known.
func (p *pulled) who(user string) string {
	for _, m := range p.Members {
		if m.UserID == user && user != "" {
			name, _, _ := strings.Cut(m.Email, "@")
			return name
		}
	}
	return ""
}

func pullCommand() *command.Command {
	return &command.Command{
		Path:  "sync pull",
		Short: "Pull the team's records into .cairn/team-cache",
		Long: `Asks the team's server for runs, costs, releases, retrospectives, QA reports,
triage and members that are new since the last pull, and keeps them on this
machine, in ~/.cairn/store/teams, which other commands read. It also writes the
last 180 days as JSON to .cairn/team-cache, which git ignores. If the server
cannot be reached, both stay as they are.`,
		Examples: []string{"cairn sync pull", "cairn sync pull --json"},
		Effect:   command.Writes, Waits: true, Run: pull,
	}
}

func pull(c *command.Call) (*answer.Answer, error) {
	s := must.Get(link.Want(c.Env))
	r, meta, fresh, err := s.Pull(c)
	if r != nil {
		defer r.Close()
	}
	if err != nil {
		if !meta.LastPull.IsZero() {
			term.Warn(c.Stderr, "the team's data stays as it was %s", text.Ago(meta.LastPull, time.Now()))
		}
		return nil, err
	}
	s.DrainBehind(true)
	for _, sentence := range meta.Skipped {
		term.Warn(c.Stderr, "%s", sentence)
	}
	rows := 0
	for name, t := range meta.Tables {
		if name != replica.People && name != replica.Pulse {
			rows += t.Rows
		}
	}
	return &answer.Answer{
		Data: struct {
			LastPull time.Time                `json:"last_pull"`
			Fresh    int                      `json:"fresh"`
			Tables   map[string]client.Pulled `json:"tables"`
		}{meta.LastPull, fresh, meta.Tables},
		View: answer.Line("%s of the team, %d new", text.Count(rows, "row"), fresh), Done: true,
	}, nil
}
