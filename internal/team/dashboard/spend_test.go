package dashboard_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/local"
	"cairn/test/browsertest"
	"cairn/test/dbtest"
)

// TestSpend: the page has the numbers that one counts by hand, says what has no price,
// and shows nobody what another person spends until the team turns that on and five do.
func TestSpend(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := smallTeam(t, d)
		viewer := w.ada
		s := open(t, d, func() db.Identity { return viewer })
		csv := func(panel string) string {
			t.Helper()
			status, text := fetch(t, s.URL+"/t/acme/"+panel+".csv")
			if status != 200 {
				t.Fatalf("%s: %d %s", panel, status, text)
			}
			return text
		}
		_, page := fetch(t, s.URL+"/t/acme/spend")
		if !strings.Contains(page, "No agent tells what it costs") {
			t.Error("an empty page does not say how it is filled")
		}
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, occurred_at, repo_slug, title, pr_url) values (?, ?, ?, ?, 'acme/app', 'Faster', 'https://github.com/acme/app/pull/12')`,
			w.team, uuid.New(), uuid.NewString(), now.Add(-2000000000))
		put := func(user uuid.UUID, source, session, branch string, pull, requests, micros, unpriced int) {
			t.Helper()
			dbtest.Exec(t, d, `insert into spend_days (team_id, id, ingest_key, user_id, occurred_at, source, day, session, repo_slug, branch, pull_request, model, agent, requests, usd_micros, unpriced)
				select id, ?, ?, ?, ?, ?, '2026-03-10', ?, 'acme/app', ?, ?, 'm', 'claude', ?, ?, ? from teams where slug = 'acme'`,
				uuid.New(), uuid.NewString(), user, now.Add(-1000000000), source, session, branch, pull, requests, micros, unpriced)
		}
		put(w.ada.User, "ledger", "s1", "main", 12, 2, 1_500_000, 0)
		put(w.bob.User, "otlp", "s1", "main", 0, 2, 1_500_000, 0)
		put(w.bob.User, "otlp", "s2", "topic", 0, 3, 250_000, 1)
		for panel, want := range map[string]string{
			"spend/spend-by-week":         "2026-03-09,acme/app,1.75,5,1",
			"spend/spend-by-repo":         "acme/app,1.75,2,5,0,0,0,1",
			"spend/spend-by-branch":       "acme/app:main,1.5,1,2,0,0,0,0\nacme/app:topic,0.25,1,3,0,0,0,1",
			"spend/spend-by-pull-request": "acme/app#12",
			"spend/spend-by-model":        "m,1.75,2,5,0,0,0,1",
			"rows/spend/spend":            "yours",
		} {
			if got := strings.ReplaceAll(csv(panel), "\r", ""); !strings.Contains(got, want) {
				t.Errorf("%s:\n%s\nwant %s", panel, got, want)
			}
		}
		_, page = fetch(t, s.URL+"/t/acme/spend")
		for _, want := range []string{"1 of 5 requests have no known price", "$0.25 belong to no pull request", "cairn spend --by branch", "https://github.com/acme/app/pull/12", "acme/app#12 Faster"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %q", want)
			}
		}
		for panel, want := range map[string]string{
			"spend/spend-by-pull-request": "acme/app#12 Faster,1.5,1,2,2026-",
			"spend/sessions":              ",claude,s1,1.5,2,0",
		} {
			if got := strings.ReplaceAll(csv(panel), "\r", ""); !strings.Contains(got, want) || strings.Contains(got, "s2") {
				t.Errorf("%s:\n%s\nwant %s", panel, got, want)
			}
		}
		if got := csv("spend/spend-by-pull-request"); !strings.Contains(got, ",no,,0") {
			t.Errorf("it was not reverted:\n%s", got)
		}
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, occurred_at, repo_slug, title, pr_url) values (?, ?, ?, ?, 'acme/app', 'Revert "Faster"', 'https://github.com/acme/app/pull/13')`,
			w.team, uuid.New(), uuid.NewString(), now.Add(-1000000000))
		if got := csv("spend/spend-by-pull-request"); !strings.Contains(got, ",\"yes, ") {
			t.Errorf("it was reverted:\n%s", got)
		}
		run := func(branch string, passed int, before time.Duration) {
			dbtest.Exec(t, d, `insert into eval_runs (team_id, id, ingest_key, run_at, repo_slug, suite, label, branch, passed, failed, total_tests) values (?, ?, ?, ?, 'acme/app', 'smoke', '', ?, ?, ?, 10)`,
				w.team, uuid.New(), uuid.NewString(), now.Add(-before), branch, passed, 10-passed)
		}
		run("main", 3, 1000*time.Hour)
		run("main", 10, time.Minute)
		put(w.ada.User, "ledger", "s3", "feature", 14, 1, 100, 0)
		run("feature", 8, time.Hour)
		if got := csv("spend/spend-by-pull-request"); !strings.Contains(got, `,"8 of 10 passed, before 3 of 10",0`) {
			t.Errorf("evals of #14:\n%s", got)
		}
		people := func() int { return strings.Count(csv("spend/spend-by-person"), "\n") - 1 }
		if n := people(); n != 1 {
			t.Errorf("ada sees %d people", n)
		}
		dbtest.Exec(t, d, `insert into team_settings (team_id, people_spend) select id, ? from teams where slug = 'acme'`, true)
		if n := people(); n != 1 {
			t.Errorf("two people spend, ada sees %d", n)
		}
		for n := range 3 {
			put(dbtest.Member(t, d, w.team, "member").User, "ledger", fmt.Sprint("other", n), "main", 0, 1, 100, 0)
		}
		if n := people(); n != 5 {
			t.Errorf("five people spend and the team shows them, ada sees %d", n)
		}
		if text := csv("rows/spend/spend"); strings.Count(text, "yours\n")+strings.Count(text, "yours\r\n") != 3 { // the title, and ada's two
			t.Errorf("whose rows are whose:\n%s", text)
		}
	})
}

// ownCosts are those of a machine.
func ownCosts() *local.Sessions {
	lines, last := 120, now.AddDate(0, 0, -2)
	return &local.Sessions{At: now, Since: now.AddDate(0, 0, -90), Saved: &local.Saved{USD: 4, Bill: 60, NotKnown: 1000, Rules: []local.RuleSaved{{Rule: "go-test", USD: 3}, {Rule: "git-log", USD: 1}}},
		Pulls: map[string][]local.PullCost{"acme/shop": {
			{Pull: 7, USD: 2, Last: last, Read: true, Again: 0.5, Expired: 0.25, Lines: &lines, First: last.Add(-time.Hour), Merged: last.Add(time.Hour), Reverted: 1},
			{Pull: 8, USD: 1, Last: last}}}}
}

// TestOwnCostsSeen: the page fits a phone, and axe-core finds nothing on it.
func TestOwnCostsSeen(t *testing.T) {
	d := dbtest.Open(t, dbtest.SQLite(t))
	as := dbtest.Member(t, d, dbtest.Team(t, d, "acme"), "owner")
	s := httptest.NewServer(dashboard.New(config(d, func() db.Identity { return as }, ownCosts)))
	t.Cleanup(s.Close)
	for _, width := range []int{360, 1280} {
		for _, dark := range []bool{false, true} {
			tab := browsertest.Open(t, s.URL+"/t/acme/spend", browsertest.View{Width: width, Dark: dark, Still: true})
			tab.Wait("document.readyState === 'complete'")
			if dir := os.Getenv("CAIRN_SHOTS"); dir != "" {
				tab.Shot(filepath.Join(dir, fmt.Sprintf("own-costs-%d-%v.png", width, dark)))
			}
			for _, finding := range tab.Axe() {
				t.Errorf("at %d, dark %v: %s", width, dark, finding)
			}
			tab.Close()
		}
	}
}

// TestOwnCosts: what pull requests cost and what compaction saved on this machine, beside
// size and review as far as git knows them, on the page of its own user only.
func TestOwnCosts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		as := dbtest.Member(t, d, team, "owner")
		past := ownCosts()
		s := httptest.NewServer(dashboard.New(config(d, func() db.Identity { return as }, func() *local.Sessions { return past })))
		t.Cleanup(s.Close)
		for panel, want := range map[string]string{
			"avoidable":     "acme/shop#7,2,0.75,0.375,0.25,0,0.5,0,120,120,1\nacme/shop#8,1,,,,,,,,,",
			"saved-by-rule": "go-test,3,0.75\ngit-log,1,0.25",
		} {
			_, text := fetch(t, s.URL+"/t/acme/spend/"+panel+".csv")
			if !strings.Contains(strings.ReplaceAll(text, "\r", ""), want) {
				t.Errorf("%s:\n%s\nwant\n%s", panel, text, want)
			}
		}
		if _, page := fetch(t, s.URL+"/t/acme/spend"); !strings.Contains(page, "$4.00 in all, beside a bill of $60.00") || !strings.Contains(page, "1 of them") && !strings.Contains(page, "Of 1 it is not known") {
			t.Error("the page does not say what is in all, and what is not known")
		}
		as = dbtest.Member(t, d, team, "member")
		if _, page := fetch(t, s.URL+"/t/acme/spend"); strings.Contains(page, "saved-by-rule") || strings.Contains(page, "acme/shop#7") {
			t.Error("another member sees the costs of this machine")
		}
	})
}
