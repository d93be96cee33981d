package dashboard_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
)

// small is a team of two and a bot. Today is Thursday, 12 March 2026; twelve
// weeks begin on 22 December.
type small struct {
	team         uuid.UUID
	ada, bob, ci db.Identity
}

func (w *small) run(t *testing.T, d *db.DB, as db.Identity, at, branch, sha string, passed int, cost float64) {
	t.Helper()
	run := wire.EvalRun{RunAt: on(at), IngestKey: fmt.Sprintf("key-of-a-run-%040s", at), RepoSlug: "acme/app", Branch: branch, GitSHA: sha, Label: branch, Suite: "posts", TotalTests: 10, Passed: passed, Failed: 10 - passed,
		TotalCostUSD: cost, Costs: []wire.EvalCost{{Model: "m1", Calls: 2, InputTokens: 1000, OutputTokens: 10, EstimatedCostUSD: cost}}}
	run.ID = wire.RunID(w.team, run.IngestKey)
	for c := range 10 {
		status := 0
		if c >= passed {
			status = 1
		}
		run.Cases = append(run.Cases, wire.EvalCase{ID: int64(c + 1), Suite: "posts", Name: fmt.Sprint("case ", c)})
		run.Results = append(run.Results, wire.EvalResult{CaseID: int64(c + 1), Status: status})
	}
	err := d.Update(t.Context(), as, func(tx *db.Tx) error {
		_, err := ingest.Push(t.Context(), tx, as, wire.EvalPush{Team: w.team, Run: run})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// on is noon of a day of 2026, or of a day with a year.
func on(day string) time.Time {
	if len(day) == 5 {
		day = "2026-" + day
	}
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return at.Add(12 * time.Hour)
}

func smallTeam(t *testing.T, d *db.DB) *small {
	t.Helper()
	w := &small{team: dbtest.Team(t, d, "acme")}
	w.ada, w.bob, w.ci = dbtest.Member(t, d, w.team, "owner"), dbtest.Member(t, d, w.team, "member"), dbtest.Member(t, d, w.team, "ci")
	for who, email := range map[uuid.UUID]string{w.ada.User: "ada@acme.example", w.bob.User: "bob@acme.example"} {
		dbtest.Exec(t, d, `update auth.users set email = ? where id = ?`, email, who)
	}
	w.run(t, d, w.ada, "2025-12-03", "main", "000", 5, .25) // of the twelve weeks before
	w.run(t, d, w.ada, "03-02", "main", "aaa", 10, .5)
	w.run(t, d, w.ada, "03-10", "main", "bbb", 3, .5) // seven cases were lost with a commit of Bob's
	w.run(t, d, w.ci, "03-11", "topic", "ccc", 10, 1)
	record := func(table, columns string, as db.Identity, at, repo string, values ...any) {
		t.Helper()
		dbtest.Exec(t, d, `insert into `+table+` (team_id, id, ingest_key, user_id, occurred_at, repo_slug, `+columns+`) values (?, ?, ?, ?, ?, ?`+strings.Repeat(", ?", len(values))+`)`,
			append([]any{w.team, uuid.New(), uuid.NewString(), as.User, on(at), repo}, values...)...)
	}
	const ship = "author, author_email, git_sha, branch, version, pr_url"
	record("ship_logs", ship, w.ada, "2025-12-01", "acme/app", "", "", "", "main", "", nil)
	record("ship_logs", ship, w.bob, "03-03", "acme/app", "", "", "", "main", "", nil)
	record("ship_logs", ship, w.bob, "03-04", "acme/web", "", "", "", "main", "", "https://x/4")
	record("ship_logs", ship, w.ada, "03-10", "acme/app", "Ada L", "ADA@acme.example", "aaa", "main", "v1.0.0", "https://x/1")
	record("ship_logs", ship, w.ada, "03-11", "acme/app", "Bob B", "bob@acme.example", "bbb", "main", "", "https://x/2")
	record("ship_logs", ship, w.ada, "03-11", "acme/app", "Grace", "grace@else.example", "ddd", "topic", "", "https://x/3")
	const retro = "date, period, metrics, authors"
	record("retro_snapshots", retro, w.ada, "02-27", "acme/app", "2026-02-27", "7d", `{"commits": 7, "hotspots": [{"path": "old.go", "changes": 99}]}`, `{}`)
	record("retro_snapshots", retro, w.ada, "03-06", "acme/app", "2026-03-06", "7d", `{"commits": 10, "insertions": 100, "deletions": 40, "feat_pct": 0.5, "fix_pct": 0.2, "test_ratio": 0.25, "hotspots": [{"path": "a.go", "changes": 5}]}`, `{"Bob B": {"email": "bob@acme.example", "commits": 6}, "Grace": {"commits": 4}}`)
	record("retro_snapshots", retro, w.ada, "03-09", "acme/app", "2026-03-09", "30d", `{"commits": 900, "hotspots": [{"path": "month.go", "changes": 500}]}`, `{}`)
	score := func(hundredths int) any {
		if d.Dialect() == db.SQLite {
			return hundredths
		}
		return float64(hundredths) / 100
	}
	for _, s := range []any{score(8050), score(7000), nil} {
		record("qa_reports", "url, health_score", w.ada, "03-03", "acme/app", "https://site", s)
	}
	for _, kind := range []string{"fix", "fp", "fp"} {
		record("greptile_triage", "date, triage_type, file_pattern, category", w.bob, "03-05", "acme/app", "2026-03-05", kind, "*.go", "null-check")
	}
	const usage = "date, hostname, agent, sessions, turns, prompts, prompt_chars, tools, tokens_before, tokens_after"
	record("usage_days", usage, w.bob, "03-10", "acme/app", "2026-03-10", "laptop", "codex", 1, 5, 2, 100, `{"Bash": 3}`, 500, 400)
	record("usage_days", usage, w.bob, "03-11", "acme/app", "2026-03-10", "laptop", "codex", 2, 9, 4, 240, `{"Bash": 6, "Read": 1}`, 1000, 250) // the same day, sent again
	const plan = "project, milestone, phases, phases_done, plans, plans_done, detail"
	record("plan_snapshots", plan, w.bob, "03-03", "acme/app", "", "v1", 10, 2, 20, 4, `{}`)
	record("plan_snapshots", plan, w.bob, "03-10", "acme/app", "", "v1", 10, 3, 20, 7, `{"phases": [{"number": "1", "name": "Begin", "status": "complete", "plans": 2, "plans_done": 2}],
		"decisions": [{"ref": "D-01", "phase": "1", "text": "Use chi", "state": "verified", "by": "Ada"}, {"ref": "D-02", "phase": "1", "text": "One table", "state": "superseded", "by": "Bob", "superseded_by": "D-01"}],
		"requirements": [{"id": "API-01", "text": "It answers", "phase": "1", "state": "done"}], "blockers": [{"text": "No key", "do": "ask for one"}]}`)
	return w
}

// wilson is the interval of Wilson, JASA 22 (1927), at 95 %; a share that is no
// whole number of cases lies between two intervals, and so do its ends.
func wilson(p, n float64) (low, high float64) {
	const z = 1.959963984540054
	if whole := math.Floor(p*n + 1e-9); p*n-whole > 1e-9 {
		low, high = wilson(whole/n, n)
		low2, high2 := wilson((whole+1)/n, n)
		return low + (p*n-whole)*(low2-low), high + (p*n-whole)*(high2-high)
	}
	middle, half := p+z*z/2/n, z*math.Sqrt(p*(1-p)/n+z*z/4/n/n)
	return (middle - half) / (1 + z*z/n), (middle + half) / (1 + z*z/n)
}

// Every panel has the numbers that one counts by hand, with every filter.
func TestValues(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := smallTeam(t, d)
		s := open(t, d, func() db.Identity { return w.ada })
		low, high := wilson(.65, 10)            // 13 of 20 in two runs of the same ten cases
		falseLow, falseHigh := wilson(2./3, 3)  // verdicts are of different comments
		lowest, highest := wilson(23./30, 10)   // of three runs
		mainLow, mainHigh := wilson(.3, 10)     // of one
		bob, before := w.bob.User.String(), 0.5 // the pass rate of the time before
		for _, c := range []struct {
			panel string
			rows  [][]any
		}{
			{"velocity/ships-by-week", [][]any{{"2026-03-09", "ada", 1, 1, 1}, {"2026-03-09", "bob", 1, 1, 0}, {"2026-03-09", "Grace", 1, 1, 0}, {"2026-03-02", "bob", 2, 1, 0}}},
			{"velocity/ships-by-week?weeks=1", [][]any{{"2026-03-09", "ada", 1, 1, 1}, {"2026-03-09", "bob", 1, 1, 0}, {"2026-03-09", "Grace", 1, 1, 0}}},
			{"velocity/ships-by-week?from=2026-03-04&to=2026-03-10", [][]any{{"2026-03-09", "ada", 1, 1, 1}, {"2026-03-02", "bob", 1, 1, 0}}},
			{"velocity/ships-by-week?repo=acme/web", [][]any{{"2026-03-02", "bob", 1, 1, 0}}},
			{"velocity/ships-by-week?branch=topic", [][]any{{"2026-03-09", "Grace", 1, 1, 0}}},
			{"velocity/ships-by-week?person=Grace", [][]any{{"2026-03-09", "Grace", 1, 1, 0}}},
			{"velocity/ships-by-week?person=" + bob, [][]any{{"2026-03-09", "bob", 1, 1, 0}, {"2026-03-02", "bob", 2, 1, 0}}},
			{"velocity/ships-by-week?branch=main&repo=acme/app&weeks=2&person=" + bob, [][]any{{"2026-03-09", "bob", 1, 1, 0}, {"2026-03-02", "bob", 1, 0, 0}}},
			{"velocity/streaks", [][]any{{"bob", 1}, {"Grace", 1}}},
			{"velocity/commits-by-week", [][]any{{"2026-03-02", "acme/app", 10, "", ""}, {"2026-02-23", "acme/app", 7, "", ""}}},
			{"velocity/lines-by-week", [][]any{{"2026-03-02", 100, 40}}},
			{"velocity/committers", [][]any{{"bob", 6, 0, 0, 1}, {"Grace", 4, 0, 0, 1}}},
			{"people/leaderboard", [][]any{{"ada", 1, 1, 0, 0, 0, "", 2}, {"bob", 3, 2, 0, 1, 1, "", 0}, {"Grace", 1, 1, 0, 0, 1, "", 0}}},
			{"people/leaderboard?person=" + bob, [][]any{{"bob", 3, 2, 0, 1, 1, "", 0}}},
			{"people/usage", [][]any{{"bob", 1, 2, 9, 60, 7, "Bash", 750, .75}}},
			{"people/saved-by-week", [][]any{{"2026-03-09", "bob", 750, 9}}},
			{"people/saved-by-week?person=" + w.ada.User.String(), nil},
			{"quality/pass-rate", [][]any{{"2026-03-09", "posts", .65, low, high, 2, 7, 0}, {"2026-03-02", "posts", 1, lowOf(1), 1, 1, 0, 0}}},
			{"quality/pass-rate?branch=main&weeks=1", [][]any{{"2026-03-09", "posts", .3, mainLow, mainHigh, 1, 7, 0}}},
			{"quality/pass-rate?repo=acme/web", nil},
			{"quality/suites", [][]any{{"posts", "acme/app", 23. / 30, lowest, highest, before, 3, 0, 2, "2026-03-11", 0}}},
			{"flaky/flaky", nil},
			{"quality/changes", [][]any{{"2026-03-10T12:00:00Z", "posts", "acme/app", "regression", 1, .3, "bbb", "bob", "none", 7, 0, "0.039", "aaa"}}},
			{"quality/changed-cases", [][]any{{"posts", "2026-03-10", "case 3", 1, 0}, {"posts", "2026-03-10", "case 4", 1, 0}, {"posts", "2026-03-10", "case 5", 1, 0}, {"posts", "2026-03-10", "case 6", 1, 0},
				{"posts", "2026-03-10", "case 7", 1, 0}, {"posts", "2026-03-10", "case 8", 1, 0}, {"posts", "2026-03-10", "case 9", 1, 0}}},
			{"cost/models", [][]any{{"m1", 2, .25, 7, 1. / 3}}},
			{"cost/cost-by-model", [][]any{{"2026-03-09", "m1", 1.5, 4, 2000, 20}, {"2026-03-02", "m1", .5, 2, 1000, 10}}},
			{"cost/cost-by-suite", [][]any{{"posts", "acme/app", 2, 3, 2. / 3, 2. / 23}}},
			{"cost/cost-by-suite?branch=topic", [][]any{{"posts", "acme/app", 1, 1, 1, .1}}},
			{"cost/cost-per-pass", [][]any{{"2026-03-09", 1.5 / 13, 1.5, 13}, {"2026-03-02", .05, .5, 10}}},
			{"code/hotspots", [][]any{{"a.go", "acme/app", 5}}},
			{"code/commit-types", [][]any{{"2026-03-02", "Features", 5}, {"2026-03-02", "Fixes", 2}, {"2026-03-02", "Others", 3}}},
			{"code/test-ratio", [][]any{{"2026-03-02", "acme/app", .25}}},
			{"code/qa-health", [][]any{{"2026-03-02", "acme/app", 75.25, 70, 3, 1}}},
			{"code/triage", [][]any{{"null-check", 2. / 3, falseLow, falseHigh, 3, 1, 0}}},
			{"code/triage?repo=acme/web", nil},
			{"plans/progress", [][]any{{"acme/app", "v1", .3, 3, 10, 7, 20, "2026-03-10T12:00:00Z"}}},
			{"plans/burn-up?weeks=2", [][]any{{"2026-03-09", "acme/app", 3, 10}, {"2026-03-02", "acme/app", 2, 10}}},
			{"plans/phases", [][]any{{"acme/app", "1", "Begin", "complete", 2, 2}}},
			{"plans/decisions", [][]any{{"D-01", "Use chi", "verified", "Ada", "1", "acme/app"}, {"D-02", "One table", "superseded by D-01", "Bob", "1", "acme/app"}}},
			{"plans/requirements", [][]any{{"API-01", "It answers", "done", "1", "acme/app"}}},
			{"plans/blockers", [][]any{{"No key", "ask for one", "acme/app"}}},
			{"plans/decisions?repo=acme/web", nil},
			{"plans/decisions?from=2026-03-02&to=2026-03-04", nil}, // the snapshot of then says nothing
			{"freshness/repositories", [][]any{
				{"acme/app", "2026-03-11T12:00:00Z", "2026-03-11T12:00:00Z", "2026-03-09T12:00:00Z", "2026-03-03T12:00:00Z", "2026-03-05T12:00:00Z", "2026-03-10T12:00:00Z", "2026-03-11T12:00:00Z"},
				{"acme/web", "", "2026-03-04T12:00:00Z", "", "", "", "", ""}}},
		} {
			path, query, _ := strings.Cut(c.panel, "?")
			status, text := fetch(t, s.URL+"/t/acme/"+path+".csv?"+query)
			lines := strings.Split(strings.TrimSpace(text), "\n")[1:]
			if status != 200 || !sameRows(lines, c.rows) {
				t.Errorf("%s: %d\n%s\nwant %v", c.panel, status, text, c.rows)
			}
		}
		if _, text := fetch(t, s.URL+"/t/acme/pulse/changes.csv"); !strings.HasSuffix(text, "\n"+`2026-03-10,posts,acme/app,regression,"100 → 30 %, p = 0.039, first bad commit bbb, by bob",none`+"\n") {
			t.Error(text)
		}
		_, text := fetch(t, s.URL+"/t/acme/pulse.json")
		for name, want := range map[string][2]float64{"ships": {5, 1}, "prs": {4, 0}, "pass-rate": {23. / 30, .5}, "cost": {2, .25}, "people": {3, 1}, "plan": {.3, math.NaN()}, "alerts": {0, math.NaN()}, "commits": {17, math.NaN()}, "saved": {750, math.NaN()}} {
			checkFigure(t, text, name, want[0], want[1])
		}
	})
}

// lowOf is the lower end of Wilson's interval of ten of ten.
func lowOf(p float64) float64 { low, _ := wilson(p, 10); return low }

// sameRows compares lines of CSV with values; numbers to nine digits.
func sameRows(lines []string, want [][]any) bool {
	if len(lines) != len(want) {
		return false
	}
	for i, line := range lines {
		cells := strings.Split(line, ",")
		if len(cells) != len(want[i]) {
			return false
		}
		for k, v := range want[i] {
			if text, ok := v.(string); ok {
				if cells[k] != text {
					return false
				}
				continue
			}
			wanted, err := strconv.ParseFloat(fmt.Sprint(v), 64)
			got, err2 := strconv.ParseFloat(cells[k], 64)
			if err != nil || err2 != nil || math.Abs(got-wanted) > 1e-9 {
				return false
			}
		}
	}
	return true
}

// checkFigure compares a large number of a page, and that of the time before;
// NaN is none.
func checkFigure(t *testing.T, page, key string, value, before float64) {
	t.Helper()
	var shown dashboard.Shown
	if err := json.Unmarshal([]byte(page), &shown); err != nil {
		t.Fatal(err)
	}
	for _, f := range shown.Panels[0].Figures {
		if f.Key != key {
			continue
		}
		for i, got := range [...]*float64{f.Value, f.Before} {
			want := [...]float64{value, before}[i]
			if (got == nil) != math.IsNaN(want) || got != nil && math.Abs(*got-want) > 1e-9 {
				t.Errorf("%s: %v, want %v (0 is now, 1 before: %d)", key, answer.Show(got, answer.Number), want, i)
			}
		}
		return
	}
	t.Errorf("there is no %s", key)
}

// People are ranked where the team turned that on, and by name where not.
func TestRanked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := smallTeam(t, d)
		s := open(t, d, func() db.Identity { return w.ada })
		see := func(title, who string, legend string) {
			t.Helper()
			_, text := fetch(t, s.URL+"/t/acme/people.json")
			if !strings.Contains(text, `"title": "`+title+`"`) {
				t.Errorf("the panel is not called %s", title)
			}
			for _, path := range []string{"people/leaderboard", "velocity/committers", "velocity/ships-by-week"} {
				_, text := fetch(t, s.URL+"/t/acme/"+path+".csv")
				if line := strings.Split(text, "\n")[1]; !strings.Contains(line, who) {
					t.Errorf("%s begins with %s, want %s", path, line, who)
				}
			}
			_, page := fetch(t, s.URL+"/t/acme/velocity")
			if _, series, _ := strings.Cut(page, `"series":[{"name":"`); !strings.Contains(page, `"series":[{"name":"`+legend) {
				t.Errorf("the chart begins with %.20s, want %s", series, legend)
			}
		}
		dbtest.Exec(t, d, `update retro_snapshots set authors = ? where team_id = (select id from teams where slug = 'acme')`,
			`{"Zoe": {"commits": 9, "insertions": 1, "deletions": 1}, "ada": {"commits": 1, "insertions": 1, "deletions": 1}}`)
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, occurred_at, repo_slug, author, author_email, version) select id, ?, ?, ?, 'acme/app', 'ada', 'ada@example.org', 'v9' from teams where slug = 'acme'`,
			uuid.New(), uuid.NewString(), now.Add(-time.Hour))
		for i := range 5 {
			dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, occurred_at, repo_slug, author, author_email, version) select id, ?, ?, ?, 'acme/app', 'Zoe', 'zoe@example.org', 'v1' from teams where slug = 'acme'`,
				uuid.New(), uuid.NewString(), now.Add(-time.Duration(i)*time.Minute))
		}
		see("People", "ada", "ada")
		dbtest.Exec(t, d, `insert into team_settings (team_id, people_ranked) select id, ? from teams where slug = 'acme'`, true)
		see("Leaderboard", "Zoe", "Zoe")
	})
}
