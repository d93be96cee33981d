package figures

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/db"
)

// A Health is what looks at a repository's running sites found in a week.
type Health struct {
	Week     string
	Repo     string
	Reports  int
	Mean     float64 // of the scores, 0 to 100; 0 where no report has one
	Worst    float64
	Unscored int
}

// QAHealth returns scores by week and repository, the oldest week first.
func QAHealth(ctx context.Context, tx *db.Tx, r Range) ([]Health, error) {
	w := r.times("occurred_at")
	return db.List(ctx, tx, `select `+weekOf(tx, dayOf(tx, "occurred_at"))+`, repo_slug, count(*), `+decimal(tx, "avg(health_score)", "100.0")+`, `+
		decimal(tx, "min(health_score)", "100.0")+`, count(*) - count(health_score) from qa_reports where `+w.text+` group by 1, 2 order by 1, 2`,
		w.args, func(h *Health) []any {
			return []any{&h.Week, &h.Repo, &h.Reports, &h.Mean, &h.Worst, &h.Unscored}
		})
}

// A Triage is what became of review comments of one category.
type Triage struct {
	Category      string
	Fixed         int
	AlreadyFixed  int
	FalsePositive int
}

// Triages returns verdicts by category, the most frequent first.
func Triages(ctx context.Context, tx *db.Tx, r Range) ([]Triage, error) {
	w := r.times("occurred_at")
	return db.List(ctx, tx, `select category, sum(case triage_type when 'fix' then 1 else 0 end), sum(case triage_type when 'already-fixed' then 1 else 0 end),
		sum(case triage_type when 'fp' then 1 else 0 end) from greptile_triage where `+w.text+` group by 1 order by count(*) desc, 1`,
		w.args, func(t *Triage) []any { return []any{&t.Category, &t.Fixed, &t.AlreadyFixed, &t.FalsePositive} })
}

// A Hotspot is a file or a directory that changes often.
type Hotspot struct {
	Repo    string
	Path    string
	Changes int // commits that touched it, in the retrospective's period
}

// Hotspots returns what the newest retrospective of a week of each repository
// names, the busiest first: metrics.hotspots, a list of {"path", "changes"}.
// One of another length of time would be compared with what it is not like.
func Hotspots(ctx context.Context, tx *db.Tx, r Range, most int) ([]Hotspot, error) {
	w := r.times("occurred_at")
	w.and("period = '7d'")
	type snapshot struct {
		repo    string
		metrics []byte
	}
	snapshots, err := db.List(ctx, tx, `select repo_slug, metrics from (select repo_slug, metrics,
		row_number() over (partition by repo_slug order by occurred_at desc, id) as nth from retro_snapshots where `+w.text+`) s where nth = 1 order by 1`,
		w.args, func(s *snapshot) []any { return []any{&s.repo, &s.metrics} })
	if err != nil {
		return nil, err
	}
	var out []Hotspot
	for _, s := range snapshots {
		var metrics struct {
			Hotspots []struct {
				Path    string  `json:"path"`
				File    string  `json:"file"` // as older retrospectives call it
				Changes float64 `json:"changes"`
				Commits float64 `json:"commits"`
			} `json:"hotspots"`
		}
		if json.Unmarshal(s.metrics, &metrics) != nil {
			continue // another client's
		}
		for _, h := range metrics.Hotspots {
			out = append(out, Hotspot{s.repo, cmp.Or(h.Path, h.File), int(cmp.Or(h.Changes, h.Commits))})
		}
	}
	slices.SortStableFunc(out, func(a, b Hotspot) int {
		return cmp.Or(cmp.Compare(b.Changes, a.Changes), strings.Compare(a.Repo, b.Repo), strings.Compare(a.Path, b.Path))
	})
	return out[:min(most, len(out))], nil
}
