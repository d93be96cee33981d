package figures

import (
	"context"
	"slices"
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
		to := []any{&r.ID, at{&r.At}, &r.User, &r.Repo}
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
		return []any{&c.Run, at{&c.At}, &c.Model, &c.Calls, &c.Input, &c.Output, &c.CostUSD}
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
