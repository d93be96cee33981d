package rows

import (
	"encoding/json"
	"fmt"
	"testing"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

// grown makes many rows of a team in the tables that grow.
var grown = map[string]string{
	"eval_runs":       `insert into eval_runs (team_id, id, run_at, ingest_key, repo_slug, label, suite, total_tests, passed, failed) select $1, gen_random_uuid(), now() - n * interval '1 hour', 'grown-' || gen_random_uuid(), 'a/b', 'l', 's', 1, 1, 0 from generate_series(1, 40) n`,
	"eval_cases":      `insert into eval_cases (team_id, id, repo_slug, name) select $1, n, 'a/b', 'n' from generate_series(1, 40) n`,
	"eval_results":    `insert into eval_results (team_id, run_id, run_at, case_id, status) select team_id, id, run_at, 1, 0 from eval_runs where team_id = $1`,
	"eval_payloads":   `insert into eval_payloads (team_id, run_id, run_at, case_id, payload) select team_id, id, run_at, 1, '{}' from eval_runs where team_id = $1`,
	"eval_costs":      `insert into eval_costs (team_id, run_id, run_at, model, calls) select team_id, id, run_at, 'm' || row_number() over (), 1 from eval_runs where team_id = $1`,
	"eval_labels":     `insert into eval_labels (team_id, run_id, case_id, user_id, pass) select team_id, id, 1, (select user_id from team_members where team_id = $1 limit 1), true from eval_runs where team_id = $1`,
	"ship_logs":       record("ship_logs", "", ""),
	"retro_snapshots": record("retro_snapshots", ", date", ", now()"),
	"qa_reports":      record("qa_reports", ", url", ", 'u'"),
	"greptile_triage": record("greptile_triage", ", date, triage_type, file_pattern", ", now(), 'fp', '*'"),
	"plan_snapshots":  record("plan_snapshots", "", ""),
	"usage_days":      record("usage_days", ", date", ", now()"),
	"spend_days":      record("spend_days", ", day, source, session", ", now(), 'ledger', n::text"),
	"session_transcripts": record("session_transcripts", ", session_id, user_id",
		", gen_random_uuid()::text, (select user_id from team_members where team_id = $1 limit 1)"),
	"alerts":      `insert into alerts (team_id, repo_slug, suite, branch, kind, state, p, expected, observed, cases) select $1, 'a/b', 's', 'main', 'eval', 'resolved', 0, 0, 0, 1 from generate_series(1, 40)`,
	"daily_evals": "", "daily_costs": "", // by triggers
}

func record(name, columns, values string) string {
	return `insert into ` + name + ` (team_id, ingest_key, repo_slug` + columns + `) select $1, 'grown-' || n, 'a/b'` + values + ` from generate_series(1, 40) n`
}

// TestPolicyReadsOwnRows: a statement without a condition of its own, as
// PostgREST on Supabase sends it, reads no row of another team, by PostgreSQL's
// own account of what it read.
func TestPolicyReadsOwnRows(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			return
		}
		var me db.Identity
		for n := range 10 {
			team := dbtest.Team(t, d, fmt.Sprint("team-", n))
			me = dbtest.Member(t, d, team, "admin")
			for _, name := range []string{"eval_runs", "eval_cases", "eval_results", "eval_payloads", "eval_costs", "eval_labels", "ship_logs", "retro_snapshots", "qa_reports", "greptile_triage", "plan_snapshots", "usage_days", "spend_days", "session_transcripts", "alerts"} {
				err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
					_, err := tx.Exec(ctx, grown[name], team)
					return err
				})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		if err := d.Analyze(ctx); err != nil {
			t.Fatal(err)
		}
		for name := range grown {
			own, read := 0., 0.
			err := d.View(ctx, me, func(tx *db.Tx) error {
				// So few rows are read whole whatever indexes there are; the question is whether one can be used.
				if _, err := tx.Exec(ctx, `set local enable_seqscan = off`); err != nil {
					return err
				}
				if err := tx.QueryRow(ctx, `select count(*) from `+name).Scan(&own); err != nil {
					return err
				}
				var plan []byte
				if err := tx.QueryRow(ctx, `explain (analyze, format json) select * from `+name+` order by team_id limit 1000`).Scan(&plan); err != nil {
					return err
				}
				var found []struct{ Plan node }
				err := json.Unmarshal(plan, &found)
				if err == nil {
					read = found[0].Plan.read()
				}
				return err
			})
			if err != nil || own == 0 || read != own {
				t.Errorf("%s: %v rows were read of which %v are the team's, %v", name, read, own, err)
			}
		}
	})
}

// A node of a plan.
type node struct {
	Relation string  `json:"Relation Name"`
	Rows     float64 `json:"Actual Rows"`
	Loops    float64 `json:"Actual Loops"`
	Removed  float64 `json:"Rows Removed by Filter"`
	Plans    []node
}

// read is how many rows were looked at, but for those of memberships.
func (n node) read() (sum float64) {
	if n.Relation != "" && n.Relation != "team_members" {
		sum = (n.Rows + n.Removed) * n.Loops
	}
	for _, child := range n.Plans {
		sum += child.read()
	}
	return sum
}
