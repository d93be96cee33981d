package retrocmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/replica"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A teamRetro is a retrospective of the team's, with the numbers that are shown.
// They are read as numbers of any kind: other tools write them, too.
type teamRetro struct {
	Repo    string    `json:"repo_slug"`
	Date    string    `json:"date"`
	Period  string    `json:"period"`
	At      time.Time `json:"occurred_at"`
	Metrics struct {
		Commits           float64 `json:"commits"`
		Contributors      float64 `json:"contributors"`
		PRsMerged         float64 `json:"prs_merged"`
		Insertions        float64 `json:"insertions"`
		Deletions         float64 `json:"deletions"`
		TestRatio         float64 `json:"test_ratio"`
		AIAssistedCommits float64 `json:"ai_assisted_commits"`
	} `json:"metrics"`
}

// teamView shows what the last pull brought of the team: of each repository the
// newest retrospective.
func (m *measuring) teamView() answer.Views {
	s, err := link.Find(m.env)
	if err != nil || s == nil || !s.Enabled {
		return nil
	}
	ctx := context.Background()
	r, err := s.Pulled(ctx)
	if r == nil || err != nil {
		return m.noTeam(err)
	}
	defer r.Close()
	var pulses []client.Pulse
	var all []teamRetro
	if err := cmp.Or(r.Rows(ctx, replica.Pulse, &pulses), r.Rows(ctx, "retro_snapshots", &all)); err != nil {
		return m.noTeam(err)
	}
	head, when := s.Name(), "no pull was complete yet"
	if len(pulses) == 1 {
		head += ": " + pulses[0].String()
	}
	if !r.Fresh().IsZero() {
		when = "as of " + text.Ago(r.Fresh(), time.Now())
	}
	slices.SortStableFunc(all, func(a, b teamRetro) int {
		return cmp.Or(strings.Compare(b.Date, a.Date), b.At.Compare(a.At))
	})
	t := answer.NewTable("repository", "until:name", "period:name", "commits:count", "people:count", "prs:count", "added:count", "deleted:count", "tests:percent", "agents:count")
	seen := map[string]bool{}
	for _, r := range all {
		if x := &r.Metrics; !seen[r.Repo] && len(t.Rows) < mostPeople {
			seen[r.Repo] = true
			t.Add(r.Repo, r.Date, r.Period, answer.Some(x.Commits), answer.Some(x.Contributors), answer.Some(x.PRsMerged),
				answer.Some(x.Insertions), answer.Some(x.Deletions), text.Percent(x.TestRatio, 0), answer.Some(x.AIAssistedCommits))
		}
	}
	views := answer.Views{answer.Painted(func(p *answer.Page) error {
		_, err := fmt.Fprintf(p, "\n%s %s\n", head, p.Dim("("+when+")"))
		return err
	})}
	if len(t.Rows) > 0 {
		views = append(views, t)
	}
	return views
}

// noTeam says why there is nothing of the team, where something is wrong.
func (m *measuring) noTeam(err error) answer.Views {
	if err != nil {
		term.Warn(m.env.Stderr, "%v (cairn sync pull brings it anew)", err)
	}
	return nil
}
