package erase

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
)

// A fate is what becomes of a table's rows when their team is deleted.
type fate uint8

const (
	sliced   fate = iota + 1 // deleted so many at a time
	cascaded                 // few: they go with the team's row, or with another of its
	kept                     // ids without contents, or nothing of a team
)

// fates is every table of a server's database, as PostgreSQL calls it. Those of
// a month are named by the whole.
var fates = map[string]fate{
	"daily_evals": sliced, "daily_costs": sliced, "eval_results": sliced, "eval_payloads": sliced, "eval_costs": sliced, "eval_labels": sliced, "eval_runs": sliced, "eval_cases": sliced,
	"retro_snapshots": sliced, "qa_reports": sliced, "ship_logs": sliced, "greptile_triage": sliced, "session_transcripts": sliced,
	"plan_snapshots": sliced, "usage_days": sliced, "spend_days": sliced, "sync_heartbeats": sliced, "alerts": sliced, "deliveries": sliced, "cairn.judgments": sliced, "cairn.eval_parts": sliced,

	"teams": cascaded, "team_members": cascaded, "team_invites": cascaded, "team_settings": cascaded, "team_channels": cascaded,
	"cairn.ingest_tokens": cascaded, "cairn.trusted_workflows": cascaded, "cairn.team_slugs": cascaded, "cairn.mail_receivers": cascaded,
	"cairn.team_versions": cascaded, // by the trigger of teams
	"cairn.team_quotas":   cascaded, "cairn.team_usage": cascaded, "cairn.counted_teams": cascaded, "cairn.team_messages": cascaded,
	"cairn.telemetry_sums": cascaded, "cairn.telemetry_seen": cascaded,

	// Ids; addresses are removed. Ids for a day.
	"audit_log": kept, "cairn.team_deletions": kept,
	// Of people, who are in other teams; bots are deleted one by one.
	"auth.users": kept, "auth.identities": kept, "auth.sessions": kept, "auth.refresh_tokens": kept, "auth.one_time_tokens": kept,
	"auth.flows": kept, "auth.factors": kept, "auth.challenges": kept,
	// Of the server. Of SQLite: one row, of whoever writes; runs that are being written, which FinishTeam waits for.
	"cairn.secrets": kept, "cairn.jobs": kept, "cairn.migrations": kept, "cairn.used_tokens": kept, "cairn.erasures": kept,
	"cairn.origin": kept, "cairn.hidden_runs": kept, "cairn.quota_defaults": kept,
	// Of a machine's own store: a server's has no rows in them.
	"cairn.ledger_files": kept, "cairn.ledger_requests": kept, "cairn.ledger_sums": kept, "cairn.ledger_dirs": kept, "cairn.ledger_calls": kept, "cairn.ledger_marks": kept, "cairn.ledger_heads": kept, "cairn.ledger_notes": kept,
	// Of whoever has an address that was asked.
	"cairn.past_receivers": kept,
}

// order is that of the sliced tables: sums first, so that the triggers which keep
// them find nothing; children before runs.
var order = [...]string{
	"daily_evals", "daily_costs", "cairn.judgments", "cairn.eval_parts", "eval_payloads", "eval_results", "eval_costs", "eval_labels", "eval_runs", "eval_cases",
	"session_transcripts", "retro_snapshots", "qa_reports", "ship_logs", "greptile_triage", "plan_snapshots", "usage_days", "spend_days", "sync_heartbeats", "deliveries", "alerts",
}

// A part is a statement that deletes some rows of a team.
type part struct {
	query string
	teams int // how often it names the team
}

func (p part) arguments(team uuid.UUID) []any {
	out := make([]any, p.teams)
	for i := range out {
		out[i] = team
	}
	return out
}

// parts are the statements that leave nothing, in order; each is repeated until
// it deletes nothing.
func parts(ctx context.Context, d *db.DB) (out []part, err error) {
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		for _, name := range order {
			tab := table.Find(name)
			switch {
			case name == "cairn.judgments":
				out = append(out, some(name, []string{"team_id", "run_id"}))
			case name == "cairn.eval_parts":
				out = append(out, some(name, []string{"team_id", "user_id", "ingest_key", "part"}))
			case tab.Month == "":
				out = append(out, some(name, tab.Key))
			case tx.Dialect() == db.PostgreSQL: // by run, which leads to one partition
				out = append(out, part{fmt.Sprintf(`delete from %[1]s where team_id = ? and run_id in (select id from eval_runs r where team_id = ?
					and exists (select 1 from %[1]s x where x.team_id = r.team_id and x.run_id = r.id and x.run_at = r.run_at) limit %[2]d)`, name, sliceRuns), 2})
			default:
				months, err := tx.Months(ctx, name)
				if err != nil {
					return err
				}
				for _, month := range months {
					out = append(out, some(month, tab.Key))
				}
			}
		}
		return nil
	})
	return out, err
}

// some deletes rows of a team by the table's key, fewer where rows are long.
func some(name string, key []string) part {
	most := sliceRows
	if name == "cairn.eval_parts" { // megabytes each
		most = sliceHuge
	} else if name == "session_transcripts" || name == "qa_reports" || strings.HasPrefix(name, "eval_payloads") {
		most = sliceLong
	}
	columns := strings.Join(key, ", ")
	return part{fmt.Sprintf(`delete from %[1]s where team_id = ? and (%[2]s) in (select %[2]s from %[1]s where team_id = ? limit %[3]d)`, name, columns, most), 2}
}
