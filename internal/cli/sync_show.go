package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newSyncShow(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show what the team did lately, from the last pull",
		Long: `Prints the team's members, runs, ships, retrospectives and QA reports from
.cairn/team-cache, with its age. It asks no server; cairn sync pull does.`,
		Example: "  cairn sync pull && cairn sync show\n  cairn sync show --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncShow(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}

// teamShow is what `sync show --json` prints.
type teamShow struct {
	Team     string        `json:"team"`
	LastPull time.Time     `json:"last_pull"`
	Pulse    *client.Pulse `json:"pulse"`
	Members  []shownMember `json:"members"`
	Runs     []shownRun    `json:"runs"`
	Ships    []shownShip   `json:"ships"`
	Retros   []shownRetro  `json:"retros"`
	QA       []shownQA     `json:"qa_reports"`
}

type (
	shownMember struct {
		UserID string `json:"user_id"`
		Email  string `json:"email"`
		Role   string `json:"role"`
	}
	shownRun struct {
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
	shownShip struct {
		UserID  string    `json:"user_id"`
		Repo    string    `json:"repo_slug"`
		Version string    `json:"version"`
		Branch  string    `json:"branch"`
		PR      string    `json:"pr_url"`
		At      time.Time `json:"occurred_at"`
	}
	shownRetro struct {
		UserID string `json:"user_id"`
		Repo   string `json:"repo_slug"`
		Date   string `json:"date"`
		Period string `json:"period"`
		Tweet  string `json:"tweetable"`
	}
	shownQA struct {
		UserID string    `json:"user_id"`
		URL    string    `json:"url"`
		Health *float64  `json:"health_score"`
		At     time.Time `json:"occurred_at"`
	}
)

// shownRows is how many rows of each kind are shown.
const shownRows = 5

func runSyncShow(env *Env, asJSON bool) error {
	show, err := pulledTeam(env)
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(env, show)
	}
	return show.print(env)
}

// pulledTeam is what the last pull brought.
func pulledTeam(env *Env) (*teamShow, error) {
	s, err := link.Want(env)
	if err != nil {
		return nil, err
	}
	show, err := readTeam(s)
	if err != nil {
		return nil, command.Data(term.Hint(err, "cairn sync pull brings it anew"))
	}
	if show == nil {
		return nil, term.Hint(fmt.Errorf("nothing of %s was pulled yet", s.Name()), "cairn sync pull")
	}
	return show, nil
}

// newest is what print shows of t.
func (t *teamShow) newest() teamShow {
	c := *t
	c.Runs, c.Ships = t.Runs[:min(shownRows, len(t.Runs))], t.Ships[:min(shownRows, len(t.Ships))]
	c.Retros, c.QA = t.Retros[:min(shownRows, len(t.Retros))], t.QA[:min(shownRows, len(t.QA))]
	return c
}

// readTeam reads the cache, the newest rows first; nil before the first pull.
func readTeam(s *link.Checkout) (*teamShow, error) {
	cache := client.OpenCache(s.Dir)
	meta := cache.Meta()
	if len(meta.Tables) == 0 || meta.URL != link.CleanURL(s.File.URL) {
		return nil, nil
	}
	show := &teamShow{Team: s.File.Slug, LastPull: meta.LastPull}
	var pulses []client.Pulse
	for name, rows := range map[string]any{
		client.Pulses: &pulses, client.People: &show.Members, "eval_runs": &show.Runs, "ship_logs": &show.Ships,
		"retro_snapshots": &show.Retros, "qa_reports": &show.QA,
	} {
		if err := cache.Rows(name, rows); err != nil {
			return nil, err
		}
	}
	for i := range show.Runs {
		show.Runs[i].ID = result.IDOf(show.Runs[i].IngestKey)
	}
	if len(pulses) == 1 {
		show.Pulse = &pulses[0]
	}
	slices.SortStableFunc(show.Runs, func(a, b shownRun) int { return b.At.Compare(a.At) })
	slices.SortStableFunc(show.Ships, func(a, b shownShip) int { return b.At.Compare(a.At) })
	slices.SortStableFunc(show.Retros, func(a, b shownRetro) int { return strings.Compare(b.Date, a.Date) })
	slices.SortStableFunc(show.QA, func(a, b shownQA) int { return b.At.Compare(a.At) })
	return show, nil
}

func (t *teamShow) print(env *Env) error {
	head := term.Line(t.Team)
	if t.Pulse != nil {
		head += ": " + pulseText(*t.Pulse)
	}
	when := "no pull was complete yet"
	if !t.LastPull.IsZero() {
		when = "as of " + text.Ago(t.LastPull, time.Now())
	}
	paint := term.NewPaint(env.Stdout, env.Getenv)
	if _, err := fmt.Fprintf(env.Stdout, "%s %s\n", head, paint.Dim("("+when+")")); err != nil {
		return err
	}
	now := time.Now()
	runs := grid{head: []string{"RUN", "WHEN", "<LABEL", "<SUITE", ">PASSED", ">COST", "<WHO"}}
	for _, r := range t.Runs[:min(shownRows, len(t.Runs))] {
		runs.row(term.Line(r.ID), text.When(r.At, now), term.Line(r.Label), term.Line(r.Suite), fmt.Sprintf("%d/%d", r.Passed, r.Total), text.Some(r.CostUSD, text.Dollars), t.who(r.UserID))
	}
	ships := grid{head: []string{"SHIP", "WHEN", "<REPOSITORY", "<BRANCH", "<WHO"}}
	for _, r := range t.Ships[:min(shownRows, len(t.Ships))] {
		ships.row(term.Line(r.Version), text.When(r.At, now), term.Line(r.Repo), term.Line(r.Branch), t.who(r.UserID))
	}
	retros := grid{head: []string{"RETRO", "PERIOD", "<REPOSITORY", "<WHO", "<IN SHORT"}}
	for _, r := range t.Retros[:min(shownRows, len(t.Retros))] {
		retros.row(term.Line(r.Date), term.Line(r.Period), term.Line(r.Repo), t.who(r.UserID), text.Shorten(term.Line(r.Tweet), 80))
	}
	qa := grid{head: []string{"QA", "WHEN", ">HEALTH", "<WHO"}}
	for _, r := range t.QA[:min(shownRows, len(t.QA))] {
		health := ""
		if r.Health != nil {
			health = fmt.Sprintf("%.0f", *r.Health)
		}
		qa.row(term.Line(r.URL), text.When(r.At, now), health, t.who(r.UserID))
	}
	for _, g := range []struct {
		grid grid
		n    int
	}{{runs, len(t.Runs)}, {ships, len(t.Ships)}, {retros, len(t.Retros)}, {qa, len(t.QA)}} {
		if g.n == 0 {
			continue
		}
		fmt.Fprintln(env.Stdout)
		if err := g.grid.print(env.Stdout, paint); err != nil {
			return err
		}
		if g.n > shownRows {
			fmt.Fprintln(env.Stdout, paint.Dim(fmt.Sprintf("… and %d more", g.n-shownRows)))
		}
	}
	return nil
}

// who is a member's address without its host, where it is known.
func (t *teamShow) who(user string) string {
	for _, m := range t.Members {
		if m.UserID == user && user != "" {
			name, _, _ := strings.Cut(m.Email, "@")
			return term.Line(name)
		}
	}
	return ""
}
