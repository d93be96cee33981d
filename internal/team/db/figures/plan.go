package figures

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
)

// A PlanWeek is how far a plan was at the end of a week.
type PlanWeek struct {
	Week                      string
	Repo, Project, Workstream string
	Phases, PhasesDone        int
}

// PlanWeeks returns the newest snapshot of each plan and week, the oldest week first.
func PlanWeeks(ctx context.Context, tx *db.Tx, r Range) ([]PlanWeek, error) {
	w := r.times("occurred_at")
	week := weekOf(tx, dayOf(tx, "occurred_at"))
	return db.List(ctx, tx, `select week, repo_slug, project, workstream, phases, phases_done from (select `+week+` as week, repo_slug, project, workstream, phases, phases_done,
		row_number() over (partition by repo_slug, project, workstream, `+week+` order by occurred_at desc, created_at desc, id) as nth from plan_snapshots where `+w.text+`) s
		where nth = 1 order by 1, 2, 3, 4`, w.args, func(p *PlanWeek) []any {
		return []any{&p.Week, &p.Repo, &p.Project, &p.Workstream, &p.Phases, &p.PhasesDone}
	})
}

// A Phase of a plan.
type Phase struct {
	Repo, Project, Workstream string
	Number, Name, Status      string
	Plans, Done               *float64
}

// Phases returns those of the newest snapshot of each plan.
func Phases(ctx context.Context, tx *db.Tx, r Range) ([]Phase, error) {
	w := r.times("occurred_at")
	type row struct {
		Phase
		detail []byte
	}
	rows, err := db.List(ctx, tx, `select repo_slug, project, workstream, detail from (select repo_slug, project, workstream, detail,
		row_number() over (partition by repo_slug, project, workstream order by occurred_at desc, created_at desc, id) as nth from plan_snapshots where `+w.text+`) s where nth = 1 order by 1, 2, 3`,
		w.args, func(s *row) []any { return []any{&s.Repo, &s.Project, &s.Workstream, &s.detail} })
	if err != nil {
		return nil, err
	}
	var out []Phase
	for _, s := range rows {
		var detail struct {
			Phases []struct {
				Number jsontext.Value `json:"number"`
				Name   jsontext.Value `json:"name"`
				Status jsontext.Value `json:"status"`
				Plans  jsontext.Value `json:"plans"`
				Done   jsontext.Value `json:"plans_done"`
			} `json:"phases"`
		}
		if json.Unmarshal(s.detail, &detail) != nil {
			continue // another client's
		}
		for _, p := range detail.Phases {
			one := s.Phase
			one.Number, one.Name, one.Status = plainText(p.Number), plainText(p.Name), plainText(p.Status)
			one.Plans, one.Done = plainNumber(p.Plans), plainNumber(p.Done)
			out = append(out, one)
		}
	}
	return out, nil
}

// plainText is a text, or a number as it is written.
func plainText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		var s string
		_ = json.Unmarshal(v, &s)
		return s
	case '0':
		return string(v)
	}
	return ""
}
