package figures

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// An Outcome is how a case went in a run.
type Outcome struct {
	Run    uuid.UUID
	RunAt  time.Time
	Repeat int
	Status int // 0 pass, 1 fail, 2 skip, 3 error
	Score  *float64
	Branch string
	SHA    string
	Label  string
}

// recentHistory is how far back PostgreSQL looks first: every month is a table
// there, and a case that runs often has enough outcomes in a few.
const recentHistory = 90 * 24 * time.Hour

// CaseHistory returns a case's newest outcomes of a range, the newest first, most
// at most.
func CaseHistory(ctx context.Context, tx *db.Tx, r Range, caseID int64, most int) ([]Outcome, error) {
	months, err := tx.Months(ctx, "eval_results")
	if err != nil {
		return nil, err
	}
	type part struct {
		table    string
		from, to time.Time
	}
	var parts []part                                // the newest first, until there are enough
	for _, table := range slices.Backward(months) { // SQLite's: one table a month
		parts = append(parts, part{table, r.From, r.To})
	}
	if tx.Dialect() == db.PostgreSQL {
		if recent := time.Now().Add(-recentHistory); recent.After(r.From) && recent.Before(r.To) {
			parts = []part{{"eval_results", recent, r.To}, {"eval_results", r.From, recent}}
		}
	}
	var out []Outcome
	for _, p := range parts {
		shown, err := tx.Shown(ctx, p.table)
		if err != nil {
			return nil, err
		}
		more, err := db.List(ctx, tx, `select h.run_id, h.run_at, h.repeat_no, h.status, h.score, coalesce(r.branch, ''), coalesce(r.git_sha, ''), coalesce(r.label, '')
			from (select run_id, run_at, repeat_no, status, score from `+p.table+` where team_id = ? and case_id = ? and run_at >= ? and run_at < ? and `+shown+` order by run_at desc limit ?) h
			left join eval_runs r on r.team_id = ? and r.id = h.run_id order by h.run_at desc, h.run_id, h.repeat_no`,
			[]any{r.Team, caseID, p.from, p.to, most - len(out), r.Team}, func(o *Outcome) []any {
				return []any{&o.Run, at{&o.RunAt}, &o.Repeat, &o.Status, &o.Score, &o.Branch, &o.SHA, &o.Label}
			})
		if err != nil {
			return nil, err
		}
		if out = append(out, more...); len(out) >= most {
			break
		}
	}
	return out, nil
}

// at scans a time that is not null.
type at struct{ to *time.Time }

func (a at) Scan(src any) error {
	var t db.Time
	if err := t.Scan(src); err != nil || t.Value == nil {
		return err
	}
	*a.to = *t.Value
	return nil
}
