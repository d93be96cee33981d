package figures

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Record is a row of work besides evals, as lists of rows show it.
type Record struct {
	ID   uuid.UUID
	At   time.Time
	User uuid.NullUUID
	Repo string
	// Text are the columns that were asked for, as texts; "" where there is nothing.
	Text []string
}

// records reads the newest rows of a table; columns are expressions of texts.
func records(ctx context.Context, tx *db.Tx, table string, w where, after After, most int, columns ...string) ([]Record, error) {
	after.than(&w, "occurred_at")
	w.args = append(w.args, most)
	query := `select id, occurred_at, user_id, repo_slug`
	for _, c := range columns {
		query += ", coalesce(cast(" + c + " as text), '')"
	}
	return db.List(ctx, tx, query+` from `+table+` where `+w.text+` order by occurred_at desc, id desc limit ?`, w.args, func(r *Record) []any {
		r.Text = make([]string, len(columns))
		to := []any{&r.ID, db.Stamp(&r.At), &r.User, &r.Repo}
		for i := range r.Text {
			to = append(to, &r.Text[i])
		}
		return to
	})
}

// ShipRows have title, version, branch, pr_url, git_sha, author, author_email.
func ShipRows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Record, error) {
	return records(ctx, tx, "ship_logs", r.ships(), after, most, "title", "version", "branch", "pr_url", "git_sha", "author", "author_email")
}

// RetroRows have date, period.
func RetroRows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Record, error) {
	return records(ctx, tx, "retro_snapshots", r.times("occurred_at"), after, most, "date", "period")
}

// QARows have url, mode, health_score.
func QARows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Record, error) {
	score := "health_score"
	if tx.Dialect() == db.SQLite {
		score = "health_score / 100.0"
	}
	return records(ctx, tx, "qa_reports", r.times("occurred_at"), after, most, "url", "mode", score)
}

// TriageRows have triage_type, category, file_pattern.
func TriageRows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Record, error) {
	return records(ctx, tx, "greptile_triage", r.times("occurred_at"), after, most, "triage_type", "category", "file_pattern")
}

// PlanRows have project, workstream, milestone, phases, phases_done, plans, plans_done.
func PlanRows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Record, error) {
	return records(ctx, tx, "plan_snapshots", r.times("occurred_at"), after, most, "project", "workstream", "milestone", "phases", "phases_done", "plans", "plans_done")
}

// UsageRows have date, hostname, agent, sessions, turns, prompts, tokens_before, tokens_after. They are as they were sent, also what a later row replaces. It counts Who.
func UsageRows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Record, error) {
	w := r.times("occurred_at")
	r.by(&w)
	return records(ctx, tx, "usage_days", w, after, most, "date", "hostname", "agent", "sessions", "turns", "prompts", "tokens_before", "tokens_after")
}

// A CostRow is what one model cost in a run.
type CostRow struct {
	Run           uuid.UUID
	At            time.Time
	Model         string
	Calls         int64
	Input, Output int64
	CostUSD       float64
}

// CostRows returns the newest, whole runs only, about most of them. Costs know
// no repository.
func CostRows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]CostRow, error) {
	r.Repo = ""
	w := r.times("run_at")
	if !after.At.IsZero() {
		w.and("run_at <= ? and (run_at < ? or run_id < ?)", after.At, after.At, after.ID)
	}
	w.args = append(w.args, most)
	all, err := db.List(ctx, tx, `select run_id, run_at, model, calls, input_tokens, output_tokens, `+dollars(tx, "estimated_cost_usd")+` from eval_costs where `+w.text+`
		order by run_at desc, run_id desc, model limit ?`, w.args, func(c *CostRow) []any {
		return []any{&c.Run, db.Stamp(&c.At), &c.Model, &c.Calls, &c.Input, &c.Output, &c.CostUSD}
	})
	if err != nil || len(all) < most {
		return all, err
	}
	last := all[len(all)-1].Run // may go on
	if whole := slices.IndexFunc(all, func(c CostRow) bool { return c.Run == last }); whole > 0 {
		all = all[:whole]
	}
	return all, nil
}

// An Outcome is how a case went in a run.
type Outcome struct {
	Run    uuid.UUID
	RunAt  time.Time
	Case   int64 // its id in that run, which may be another where prompts moved
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

// CaseHistory returns the newest outcomes of a case of a range, the newest first, most
// at most: ids are those of its Line.
func CaseHistory(ctx context.Context, tx *db.Tx, r Range, ids []int64, most int) ([]Outcome, error) {
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
		args := []any{r.Team}
		for _, id := range ids {
			args = append(args, id)
		}
		more, err := db.List(ctx, tx, `select h.run_id, h.run_at, h.case_id, h.repeat_no, h.status, h.score, coalesce(r.branch, ''), coalesce(r.git_sha, ''), coalesce(r.label, '')
			from (select run_id, run_at, case_id, repeat_no, status, score from `+p.table+` where team_id = ? and case_id in (?`+strings.Repeat(", ?", len(ids)-1)+`) and run_at >= ? and run_at < ? and `+shown+` order by run_at desc limit ?) h
			left join eval_runs r on r.team_id = ? and r.id = h.run_id order by h.run_at desc, h.run_id, h.repeat_no`,
			append(args, p.from, p.to, most-len(out), r.Team), func(o *Outcome) []any {
				return []any{&o.Run, db.Stamp(&o.RunAt), &o.Case, &o.Repeat, &o.Status, &o.Score, &o.Branch, &o.SHA, &o.Label}
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
