package book_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/team/collect"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/link"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/spend/book"
	"cairn/internal/team/table"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// A team is a server that the world's repositories push to.
type team struct {
	w  *world
	d  *db.DB
	id uuid.UUID
	as db.Identity
}

// collect pushes what is new of a repository, and returns the rows.
func (s *team) collect(r *repository, agreed string) (bodies []string) {
	t := s.w.t
	t.Helper()
	env := &command.Env{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, Dir: r.dir, Getenv: func(key string) string {
		return map[string]string{"HOME": s.w.home, "CAIRN_HOME": filepath.Join(s.w.home, ".cairn"), "CAIRN_SYNC_SPEND": agreed}[key]
	}}
	c := collect.Of(link.Named(env, home.Repo(r.dir), config.Team{URL: "https://team.example", Slug: "acme"}))
	err := c.Gather(t.Context(), false, func(from collect.Source) {
		must(t, from.Err)
		if from.Name != "spend" {
			return
		}
		for _, row := range from.New {
			body := `{"team_id":"` + s.id.String() + `",` + string(row.Body)[1:]
			w, bad := postgrest.ParseInsert(table.Find(row.Table), "on_conflict="+strings.Join(table.SpendPlace, ","), []byte(body), postgrest.Preferences{Resolution: "merge-duplicates"})
			if bad != nil {
				t.Fatal(bad)
			}
			must(t, s.d.Update(t.Context(), s.as, func(tx *db.Tx) error { return rows.Insert(t.Context(), tx, s.as, w, false, rows.NewAnswer(0)) }))
			bodies = append(bodies, string(row.Body))
		}
	})
	must(t, err)
	return bodies
}

// same compares every figure of the ledger with the team's.
func (s *team) same(b *book.Book) {
	t := s.w.t
	t.Helper()
	r := figures.Range{Team: s.id, From: s.w.now.AddDate(-1, 0, 0), To: s.w.now.AddDate(1, 0, 0)}
	times := map[string]func(time.Time) string{"day": func(t time.Time) string { return t.UTC().Format(time.DateOnly) }, "month": func(t time.Time) string { return t.UTC().Format("2006-01") },
		"week": func(t time.Time) string {
			return t.UTC().AddDate(0, 0, -(int(t.UTC().Weekday())+6)%7).Format(time.DateOnly)
		}}
	for _, by := range figures.SpendKeys() {
		if by == "person" {
			continue
		}
		var name *ledger.Naming
		if of := times[by]; of != nil {
			name = ledger.ByTime(func(all []time.Time) (names []string) {
				for _, t := range all {
					names = append(names, of(t))
				}
				return names
			})
		}
		here, err := ledger.Outlays(t.Context(), b.DB, ledger.Filter{}, by, name)
		must(t, err)
		there, err := db.Viewed(t.Context(), s.d, func(tx *db.Tx) ([]figures.Outlay, error) { return figures.Outlays(t.Context(), tx, r, by) })
		must(t, err)
		show := func(list []figures.Outlay) (out []string, nanos []int64) {
			slices.SortFunc(list, func(a, b figures.Outlay) int { return strings.Compare(a.Repo+a.Of, b.Repo+b.Of) })
			for _, o := range list {
				out = append(out, fmt.Sprint(o.Key(by), o.Tokens, o.Requests, o.Unpriced, o.Sessions))
				nanos = append(nanos, o.Nanos)
			}
			return out, nanos
		}
		mine, cost := show(here)
		theirs, paid := show(there)
		if len(mine) == 0 || !slices.Equal(mine, theirs) {
			t.Errorf("by %s:\nhere  %v\nthere %v", by, mine, theirs)
			continue
		}
		for i := range cost { // each row is rounded to a millionth of a dollar
			if off := math.Abs(float64(cost[i] - paid[i])); off > 500*float64(there[i].Requests) {
				t.Errorf("by %s: %s: %d here, %d there", by, mine[i], cost[i], paid[i])
			}
		}
	}
}

// TestPush: the team has the ledger's figures to the last token, whoever tells it of the
// same sessions besides; what was pushed before takes part again in nothing.
func TestPush(t *testing.T) {
	cairntest.Long(t)
	w := newWorld(t, 1)
	w.play()
	s := &team{w: w, d: dbtest.Open(t, dbtest.SQLite(t))}
	s.id = dbtest.Team(t, s.d, "acme")
	s.as = dbtest.Member(t, s.d, s.id, "owner")
	if got := s.collect(w.repos[0], ""); len(got) != 0 {
		t.Fatalf("pushed without consent: %s", got)
	}
	pushed := 0
	for _, r := range w.repos {
		for _, body := range s.collect(r, "true") {
			pushed++
			if strings.Contains(body, "CANARY") || strings.Contains(body, w.home) {
				t.Errorf("a row tells too much: %s", body)
			}
		}
	}
	reopened := func() *book.Book {
		getenv := func(key string) string { return map[string]string{"HOME": w.home}[key] }
		b, err := book.Open(context.Background(), home.Home(filepath.Join(w.home, ".cairn")), getenv)
		must(t, err)
		return b
	}
	check := func() {
		t.Helper()
		b := reopened()
		s.same(b)
		must(t, b.Close())
	}
	check()
	for _, r := range w.repos {
		if again := s.collect(r, "true"); len(again) != 0 {
			t.Errorf("%s: %d of %d rows came again with nothing new", r.name, len(again), pushed)
		}
	}
	// Commits get other names, a branch another one: rows move.
	r := w.repos[0]
	w.git(r.dir, "checkout", "-q", "final")
	w.pass(3 * time.Second)
	w.git(r.dir, "commit", "-q", "--amend", "-m", "said better")
	w.pass(3 * time.Second)
	w.git(r.dir, "branch", "-m", "final", "last")
	w.pass(3 * time.Second)
	one := w.session(r, r.dir, false)
	one.work()
	one.commit()
	if moved := s.collect(r, "true"); len(moved) < 3 || !slices.ContainsFunc(moved, func(body string) bool { return strings.Contains(body, `"requests":0`) }) {
		t.Errorf("after a branch was renamed: %s", moved)
	}
	check()
	w.git(r.dir, "branch", "-m", "last", "final") // as it was
	s.collect(r, "true")
	check()
	// Telemetry of the same sessions adds nothing, that of others does.
	for _, source := range []string{"otlp", "metrics"} {
		dbtest.Exec(t, s.d, `insert into spend_days (team_id, id, ingest_key, user_id, repo_slug, day, source, session, model, requests, usd_micros)
			select team_id, randomblob(16), hex(randomblob(9)), user_id, '', day, ?, session, model, sum(requests), sum(usd_micros) from spend_days where source = 'ledger' group by team_id, user_id, day, session, model`, source)
	}
	check()
	dbtest.Exec(t, s.d, `insert into spend_days (team_id, id, ingest_key, user_id, repo_slug, day, source, session, model, requests, usd_micros) values (?, ?, 'x', ?, '', '2026-11-03', 'otlp', 'elsewhere', 'm', 1, 7000000)`,
		s.id, uuid.New(), s.as.User)
	b := reopened()
	here, err := ledger.Outlays(t.Context(), b.DB, ledger.Filter{}, "all", nil)
	must(t, err)
	must(t, b.Close())
	there, err := db.Viewed(t.Context(), s.d, func(tx *db.Tx) ([]figures.Outlay, error) {
		return figures.Outlays(t.Context(), tx, figures.Range{Team: s.id, From: w.now.AddDate(-1, 0, 0), To: w.now.AddDate(1, 0, 0)}, "all")
	})
	must(t, err)
	if more := there[0].USD() - here[0].USD(); math.Abs(more-7) > 0.001 {
		t.Errorf("telemetry of another session adds $%f, not $7", more)
	}
	// A ledger that is made anew of fewer files takes nothing back.
	must(t, os.RemoveAll(filepath.Join(w.home, ".cairn", "store")))
	must(t, os.RemoveAll(filepath.Join(w.home, ".claude")))
	for _, body := range s.collect(r, "true") {
		if strings.Contains(body, `"agent":"claude"`) {
			t.Errorf("taken back: %s", body)
		}
	}
}
