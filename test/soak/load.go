package soak

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// load fills the database, month by month.
func (w *world) load(ctx context.Context, d *db.DB, report *Report) error {
	usd := func(v float64) any { // SQLite keeps millionths
		if d.Dialect() == db.SQLite {
			return int64(math.Round(v * 1e6))
		}
		return v
	}
	if err := w.loadTeams(ctx, d); err != nil {
		return err
	}
	for month := range w.months {
		runs := w.runsOf(month)
		var heads, costs, results, payloads [][]any
		for i := range runs {
			r := &runs[i]
			heads = append(heads, w.head(r, usd))
			for model, tokens := range [...]int{40_000, 9_000} {
				costs = append(costs, []any{r.team.id, r.id, fmt.Sprintf("model-%d", model+r.suite%2), r.at, 100, tokens, tokens / 4, usd(float64(tokens) / 1e5)})
			}
			for c, id := range r.team.cases[r.repo][r.suite] {
				results = append(results, []any{r.team.id, r.id, r.at, id, 0, int(r.status[c]), float64(float32(w.random.IntN(101)) / 100), 500 + w.random.IntN(60_000), usd(float64(w.random.IntN(9000)) / 1e6)})
				if r.status[c] == 1 || r.status[c] == 3 {
					payloads = append(payloads, []any{r.team.id, r.id, r.at, id, 0, payload(c)})
				}
			}
		}
		for _, part := range [...]struct {
			table   string
			columns string
			rows    [][]any
		}{
			{"eval_runs", "team_id id run_at ingest_key user_id repo_slug branch git_sha label suite total_tests passed failed skipped errored total_cost_usd total_duration_ms judge_averages by_category", heads},
			{"eval_costs", "team_id run_id model run_at calls input_tokens output_tokens estimated_cost_usd", costs},
			{"eval_results", "team_id run_id run_at case_id repeat_no status score duration_ms cost_usd", results},
			{"eval_payloads", "team_id run_id run_at case_id repeat_no payload", payloads},
		} {
			table := part.table
			if table == "eval_results" || table == "eval_payloads" {
				var err error
				if table, err = d.MonthTable(ctx, table, w.months[month]); err != nil {
					return err
				}
			}
			if err := d.Bulk(ctx, table, strings.Fields(part.columns), part.rows); err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
		}
		report.Runs, report.Rows, report.Payloads = report.Runs+len(runs), report.Rows+len(results), report.Payloads+len(payloads)
		if month == 0 {
			w.first = len(results)
		}
	}
	return nil
}

func (w *world) head(r *run, usd func(float64) any) []any {
	var n [4]int
	for _, s := range r.status {
		n[s]++
	}
	branch := "main"
	if w.random.IntN(3) > 0 {
		branch = fmt.Sprintf("topic-%d", w.random.IntN(10))
	}
	averages := fmt.Sprintf(`{"accuracy":0.%d,"brevity":0.%d,"tone":0.%d,"voice":0.%d}`, 60+w.random.IntN(40), 30+w.random.IntN(60), 50+w.random.IntN(50), 40+w.random.IntN(50))
	categories := fmt.Sprintf(`{"posts":{"total":60,"passed":50,"failed":10,"judge_averages":%s},"mail":{"total":40,"passed":35,"failed":5,"judge_averages":%s}}`, averages, averages)
	return []any{r.team.id, r.id, r.at, "soak-" + r.id.String(), r.team.users[w.random.IntN(people)], repoName(r.repo), branch, r.id.String()[:8], branch,
		suiteName(r.suite), casesPerRun, n[0], n[1], n[2], n[3], usd(0.49), 3_000_000, averages, categories}
}

func payload(c int) string {
	if c%10 == 0 { // a case with planted bugs
		return `{"detection_rate":3,"false_positives":1}`
	}
	return fmt.Sprintf(`{"failures":[{"type":"deterministic","expectation_type":"body_contains","message":"pattern %d was not found in the answer","pattern":"Series %d"}],"response_preview":"%s"}`,
		c, c, strings.Repeat("The proposed legislation would, it says, do what was asked. ", 3))
}

// loadTeams adds people, cases and the records of other work.
func (w *world) loadTeams(ctx context.Context, d *db.DB) error {
	var cases, ships, reports, triage, retros, usage, plans, alerts [][]any
	days := int(w.end.Sub(w.months[0]).Hours() / 24)
	for i := range w.teams {
		t := &w.teams[i]
		err := d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
			if _, err := tx.Exec(ctx, `insert into teams (id, name, slug) values (?, ?, ?)`, t.id, fmt.Sprint("Team ", i), slugOf(i)); err != nil {
				return err
			}
			for n, user := range t.users {
				if _, err := tx.Exec(ctx, `insert into auth.users (id, email) values (?, ?)`, user, emailOf(i, n)); err != nil {
					return err
				}
				role := "member"
				if n == 0 {
					role = "owner"
				}
				if _, err := tx.Exec(ctx, `insert into team_members (team_id, user_id, role) values (?, ?, ?)`, t.id, user, role); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for r := range repos {
			for s := range suites {
				for c, id := range t.cases[r][s] {
					cases = append(cases, []any{t.id, id, repoName(r), suiteName(s), CaseName(c)})
				}
			}
		}
		for day := range days {
			at := w.months[0].AddDate(0, 0, day)
			someone := func() uuid.UUID { return t.users[w.random.IntN(people)] }
			record := func(n int, values ...any) []any {
				return append([]any{t.id, w.uuid(), w.uuid().String(), someone(), at.Add(time.Duration(n) * 17 * time.Minute), repoName(n % repos)}, values...)
			}
			for n := range 1 + int(50*t.share*float64(w.runs)/100_000) { // of 10,000,000 rows the largest team ships 21 times a day
				ships = append(ships, record(n, fmt.Sprintf("https://example.com/pr/%d", day*50+n), branchName(n), fmt.Sprintf("%040x", day*50+n), "Make it simpler", personName(n%12), emailOf(i, n%12)))
				triage = append(triage, record(n, at, [...]string{"fp", "fix", "already-fixed"}[n%3], "internal/*.go", fmt.Sprint("category-", n%7)))
			}
			if day%3 == 0 {
				health := any(8000 + w.random.IntN(2000))
				if d.Dialect() == db.PostgreSQL {
					health = float64(health.(int)) / 100
				}
				reports = append(reports, record(day, "https://example.com", health))
			}
			for n, user := range t.users { // days of agents: every person's, in one repository
				usage = append(usage, []any{t.id, w.uuid(), w.uuid().String(), user, at.Add(18 * time.Hour), repoName(n % repos), at, "laptop", "claude-code", 3, 60, 20, 4000, `{"Bash":40,"Read":20}`, 50, 90_000, 30_000})
			}
			for n := range repos {
				if day%7 == 6 {
					retros = append(retros, record(n, at, metrics, authors(i)))
					plans = append(plans, record(n, "v1", 10, min(10, day/70), 30, min(30, day/23), phases))
				}
				if day%30 == 5 {
					alerts = append(alerts, []any{t.id, w.uuid(), repoName(n), suiteName(day % suites), "main", "eval", "resolved", .0001, .9, .5, casesPerRun, at, at.Add(time.Hour), at.Add(time.Hour)})
				}
			}
		}
	}
	if d.Dialect() == db.SQLite {
		for _, rows := range [...][][]any{triage, retros, usage} { // a date is a text there
			for _, row := range rows {
				row[6] = row[6].(time.Time).Format(time.DateOnly)
			}
		}
	}
	const head = "team_id id ingest_key user_id occurred_at repo_slug "
	for _, part := range [...]struct {
		table, columns string
		rows           [][]any
	}{
		{"eval_cases", "team_id id repo_slug suite name", cases},
		{"ship_logs", head + "pr_url branch git_sha title author author_email", ships},
		{"greptile_triage", head + "date triage_type file_pattern category", triage},
		{"qa_reports", head + "url health_score", reports},
		{"retro_snapshots", head + "date metrics authors", retros},
		{"usage_days", head + "date hostname agent sessions turns prompts prompt_chars tools outputs tokens_before tokens_after", usage},
		{"plan_snapshots", head + "milestone phases phases_done plans plans_done detail", plans},
		{"alerts", "team_id id repo_slug suite branch kind state p expected observed cases opened_at fired_at resolved_at", alerts},
	} {
		if err := d.Bulk(ctx, part.table, strings.Fields(part.columns), part.rows); err != nil {
			return fmt.Errorf("%s: %w", part.table, err)
		}
	}
	return nil
}

// What records other than runs say. Of twelve authors four are known to git only.

func personName(n int) string { return fmt.Sprintf("Person %d", n) }

func emailOf(team, n int) string { return fmt.Sprintf("user-%d-%d@example.com", team, n) }

func branchName(n int) string {
	if n%3 > 0 {
		return fmt.Sprintf("topic-%d", n)
	}
	return "main"
}

const metrics = `{"commits":47,"prs_merged":11,"insertions":3000,"deletions":1200,"test_ratio":0.31,"feat_pct":0.4,"fix_pct":0.3,"ai_assisted_commits":20,
	"hotspots":[{"path":"app/services","changes":40},{"path":"app/models","changes":12}]}`

// authors of a week, as a retrospective has them.
func authors(team int) string {
	var each []string
	for n := range 12 {
		each = append(each, fmt.Sprintf(`%q:{"email":%q,"commits":%d,"insertions":300,"deletions":100}`, personName(n), emailOf(team, n), n+1))
	}
	return "{" + strings.Join(each, ",") + "}"
}

const phases = `{"phases":[{"number":"1","name":"Begin","status":"complete","plans":3,"plans_done":3},{"number":"2","name":"Go on","status":"in progress","plans":3,"plans_done":1}]}`
