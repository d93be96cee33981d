package dashboard_test

import (
	"fmt"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/local"
	"cairn/test/dbtest"
)

var (
	panels  = regexp.MustCompile(`<section class="card panel[^>]*id="([^"]+)"`)
	figured = regexp.MustCompile(`<dt>(?:<a[^>]*>)?([^<]+)(?:</a>)?</dt>\s*<dd><b>([^<]*)</b>`)
)

// The first page of a team with commits alone shows them and what to do next: no
// figure without a value, no empty card. What a filter leaves out is not said to
// be missing in git.
func TestFirstDay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		me := dbtest.Member(t, d, team, "owner")
		s := open(t, d, func() db.Identity { return me })
		see := func(path, wantPanels, wantFigures string, texts ...string) {
			t.Helper()
			status, body := get(t, s.URL+path)
			var shown, figures []string
			for _, m := range panels.FindAllStringSubmatch(body, -1) {
				shown = append(shown, m[1])
			}
			for _, m := range figured.FindAllStringSubmatch(body, -1) {
				figures = append(figures, m[1]+" "+m[2])
			}
			if got := strings.Join(shown, " "); status != 200 || got != wantPanels {
				t.Errorf("%s: %d, panels %q, want %q", path, status, got, wantPanels)
			}
			if got := strings.Join(figures, ", "); got != wantFigures {
				t.Errorf("%s: figures %q, want %q", path, got, wantFigures)
			}
			for _, text := range texts {
				text, without := strings.CutPrefix(text, "not ")
				if strings.Contains(body, text) == without {
					t.Errorf("%s: %q is there: %v", path, text, without)
				}
			}
		}
		see("/t/acme/", "next-steps", "", "cairn install", "cairn eval push results.json", "cairn plan init<", "not No rows match")
		week := func(repo string, before int, commits int) {
			at := now.AddDate(0, 0, -7*before)
			dbtest.Exec(t, d, `insert into retro_snapshots (team_id, id, ingest_key, user_id, occurred_at, repo_slug, date, period, metrics, authors) values (?, ?, ?, ?, ?, ?, ?, '7d', ?, ?)`,
				team, uuid.New(), uuid.NewString(), me.User, at, repo, at.Format(time.DateOnly),
				fmt.Sprintf(`{"commits": %d, "insertions": 5, "deletions": 1, "hotspots": [{"path": "a.go", "commits": 3}]}`, commits), `{"Ada": {"commits": 2, "insertions": 5, "deletions": 1}}`)
		}
		week("acme/app", 1, 7)
		week("acme/app", 2, 5)
		see("/t/acme/", "next-steps hotspots commits-by-week", "Commits 12, People active 1", "cairn plan init --name app<", "Without data in this period", "No releases in this period", "not from none", "not no change")
		see("/t/acme/pulse?person=nobody", "next-steps hotspots commits-by-week", "Commits 12", "No rows match this filter.", "not version tag")
		see("/t/acme/velocity?repo=acme%2Fother", "", "", "No rows match this filter.", "Reset the filter", "not version tag", "not cairn retro")
		see("/t/acme/overview", "next-steps hotspots commits-by-week", "Commits 12, People active 1")
		see("/t/acme/quality", "", "", "cairn eval push RESULTS")
		see("/t/acme/sources", "repositories people", "", "<h1>Data sources</h1>")

		dbtest.Exec(t, d, `delete from retro_snapshots where team_id = ?`, team)
		week("acme/app", 30, 4) // a repository that rests: the page reaches back to it
		see("/t/acme/", "next-steps commits-by-week hotspots", "Commits 4, People active 1", `aria-current="true">52<`, "/t/acme/?weeks=12")
		see("/t/acme/pulse?weeks=12", "next-steps", "", "The newest is from", "/t/acme/velocity?weeks=12")
	})
}

// What agents did on this machine is on the first page of its own user, and on
// nobody else's.
func TestAgentSessions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		as := dbtest.Member(t, d, team, "owner")
		member := dbtest.Member(t, d, team, "member")
		past := &local.Sessions{At: now, Since: now.AddDate(0, 0, -90), Left: 3, Before: 1000, After: 400, Agents: []local.Agent{{Name: "claude", Sessions: 7, Turns: 90, Calls: 12, Tokens: 1000}}}
		s := httptest.NewServer(dashboard.New(config(d, func() db.Identity { return as }, func() *local.Sessions { return past })))
		t.Cleanup(s.Close)
		see := func(path string, want bool) {
			t.Helper()
			if _, body := get(t, s.URL+path); strings.Contains(body, "agent-sessions") != want {
				t.Errorf("%s shows sessions: %v, want %v", path, !want, want)
			}
		}
		_, body := get(t, s.URL+"/t/acme/")
		for _, want := range []string{"it would have been 600 tokens less", "<b>60.0 %</b>", "3 older are not counted", ">90<"} {
			if !strings.Contains(body, want) {
				t.Errorf("the page lacks %q", want)
			}
		}
		see("/t/acme/pulse.json", true)
		see("/t/acme/people", false)
		as = member
		see("/t/acme/", false)
		see("/t/acme/pulse.json", false)
		as.Team = team // a token of CI
		see("/t/acme/pulse.json", false)
	})
}
