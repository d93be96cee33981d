package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/local"
	"cairn/test/browsertest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(run(func() int { return pgtest.Main(m.Run) }))) }

type run func() int

func (r run) Run() int { return r() }

var now = time.Date(2026, 3, 12, 10, 0, 0, 0, time.UTC)

// open serves the pages of whoever as is.
func open(t *testing.T, d *db.DB, as func() db.Identity) *httptest.Server {
	s := httptest.NewServer(dashboard.New(config(d, as, nil)))
	t.Cleanup(s.Close)
	return s
}

func config(d *db.DB, as func() db.Identity, past func() *local.Sessions) dashboard.Config {
	return dashboard.Config{
		DB: d, Now: func() time.Time { return now }, Sessions: past, Labels: rows.Labels{DB: d},
		Viewer: func(r *http.Request) (dashboard.Viewer, error) {
			who := as()
			if who.User == uuid.Nil {
				return dashboard.Viewer{}, dashboard.ErrStranger
			}
			v := dashboard.Viewer{As: who}
			err := d.View(r.Context(), who, func(tx *db.Tx) error {
				teams, err := figures.TeamsOf(r.Context(), tx, who.User)
				for _, m := range teams {
					v.Teams = append(v.Teams, dashboard.TeamOf(m))
				}
				return err
			})
			return v, err
		},
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, b.String()
}

// A view is a page, JSON and CSV with the same numbers, and only its team's members see it.
func TestView(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, other := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "beta")
		me, stranger := dbtest.Member(t, d, team, "owner"), dbtest.Member(t, d, other, "owner")
		for i, pr := range []any{"https://x/1", nil} {
			dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, pr_url) values (?, ?, ?, ?, ?, 'acme/app', ?)`,
				team, uuid.New(), uuid.NewString(), me.User, now.AddDate(0, 0, -i), pr)
		}
		as := me
		s := open(t, d, func() db.Identity { return as })
		for path, want := range map[string]string{
			"/t/acme/velocity":                    "Releases per week and person",
			"/t/acme/velocity.json":               `"value": 2`,
			"/t/acme/velocity/ships-by-week.csv":  "2026-03-09,",
			"/t/acme/velocity/ships-by-week.json": `"ships": 2`,
		} {
			if status, body := get(t, s.URL+path); status != 200 || !strings.Contains(body, want) {
				t.Errorf("%s: %d without %s:\n%s", path, status, want, body)
			}
		}
		for path, want := range map[string]int{"/t/beta/velocity": 404, "/t/acme/nothing": 404, "/t/acme/velocity?weeks=x": 400, "/t/acme/velocity?repo=%00": 400,
			"/t/acme/velocity?branch=a%ff": 400, "/t/acme/suite?suite=%00": 400, "/t/acme/velocity?person=" + strings.Repeat("a", 1001): 400, "/nothing": 404, "/assets/0/dashboard.css": 404} {
			if status, _ := get(t, s.URL+path); status != want {
				t.Errorf("%s: %d, want %d", path, status, want)
			}
		}
		as = stranger
		for _, path := range []string{"/t/acme/velocity", "/t/acme/velocity.json", "/t/acme/velocity/ships-by-week.csv"} {
			if status, body := get(t, s.URL+path); status != 404 || strings.Contains(body, "2026-03-09") {
				t.Errorf("a member of another team sees %s: %d", path, status)
			}
		}
		as = db.Identity{}
		if status, _ := get(t, s.URL+"/t/acme/velocity"); status != 401 {
			t.Errorf("a stranger: %d", status)
		}
	})
}

// TestAuditPage: owners and admins see what was done, at once; members do not.
func TestAuditPage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		as := dbtest.Member(t, d, team, "admin")
		member := dbtest.Member(t, d, team, "member")
		admin := as
		s := open(t, d, func() db.Identity { return as })
		page := "/t/acme/audit?from=" + dbtest.Day(7).Format(time.DateOnly) + "&to=" + dbtest.Day(-1).Format(time.DateOnly)
		see := func(want bool, action string) {
			t.Helper()
			for _, path := range []string{page, strings.Replace(page, "audit?", "audit.json?", 1), strings.Replace(page, "audit?", "audit/entries.csv?", 1)} {
				if status, body := get(t, s.URL+path); status != 200 || strings.Contains(body, action) != want {
					t.Errorf("%s: %d, %s: %v, want %v", path, status, action, !want, want)
				}
			}
		}
		see(true, "member.added")
		see(false, "x.noticed")
		err := d.Update(t.Context(), db.ServerItself, func(tx *db.Tx) error { // which does not change the team's version
			return audit.Write(t.Context(), tx, audit.Entry{Team: audit.ID(team), Action: "x.noticed"})
		})
		if err != nil {
			t.Fatal(err)
		}
		see(true, "x.noticed")
		as = member
		see(false, "member.added")
		as = admin
		see(true, "member.added")
	})
}
