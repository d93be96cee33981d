package dashboard_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

// An alert says why it ended, and only one that recovered is green; beside a fall
// the pages say what its alert did.
func TestAlertEnds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := smallTeam(t, d)
		add := func(day, suite, state, outcome string, ended any) {
			t.Helper()
			dbtest.Exec(t, d, `insert into alerts (team_id, id, repo_slug, suite, branch, kind, state, outcome, run_id, p, expected, observed, cases, opened_at, resolved_at) values (?, ?, 'acme/app', ?, 'main', 'eval', ?, ?, ?, 0.001, 0.95, 0.3, 10, ?, ?)`,
				w.team, uuid.New(), suite, state, outcome, uuid.Nil, on(day), ended)
		}
		s := open(t, d, func() db.Identity { return w.ada })
		for i, suite := range []string{"a", "b", "c", "d"} {
			add("03-05", suite, "resolved", []string{"recovered", "quiet", "passed", ""}[i], on("03-06"))
		}
		add("03-10", "posts", "resolved", "usual", on("03-11"))
		_, text := fetch(t, s.URL+"/t/acme/alerts/past.csv")
		for _, want := range []string{"resolved,recovered,a,", "resolved,no data,b,", "resolved,not confirmed,c,", "resolved,not known,d,", "resolved,accepted as the new level,posts,"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
		_, page := fetch(t, s.URL+"/t/acme/alerts")
		if n := strings.Count(page, `class="status pass"`); n != 1 || !strings.Contains(page, `<span class="status pass">recovered</span>`) || strings.Contains(page, uuid.Nil.String()) {
			t.Errorf("%d green ones, or a link to no run: %s", n, page)
		}
		for _, path := range []string{"pulse", "quality"} {
			if _, text := fetch(t, s.URL+"/t/acme/"+path+"/changes.csv"); !strings.Contains(text, "accepted as the new level") {
				t.Errorf("%s: %s", path, text)
			}
		}
		// One that fires again is the one that counts.
		add("03-11", "posts", "firing", "", nil)
		if _, text := fetch(t, s.URL+"/t/acme/quality/changes.csv"); !strings.Contains(text, ",bob,firing,") {
			t.Error(text)
		}
		add("03-12", "z", "pending", "", nil)
		_, text = fetch(t, s.URL+"/t/acme/pulse/attention.csv")
		if first, second := strings.Index(text, "alert firing"), strings.Index(text, "alert pending"); first < 0 || second < first || strings.Contains(text, "weakest") {
			t.Error(text)
		}
		// What was not tested is not called better or worse.
		if _, page := fetch(t, s.URL+"/t/acme/pulse"); strings.Contains(page, ", worse") || strings.Contains(page, ", better") || !strings.Contains(page, `<span class="change up">`) {
			t.Error("a difference that was not tested is judged")
		}
	})
}
