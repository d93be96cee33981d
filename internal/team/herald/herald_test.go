package herald

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/notify"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

var ctx = context.Background()

// A receiver is a webhook's: it keeps what came.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	answer func(n int, w http.ResponseWriter) // of the nth request, from 0
}

func receive(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.bodies = append(r.bodies, req.URL.Path+" "+string(body))
		if r.answer != nil {
			r.answer(len(r.bodies)-1, w)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.bodies...)
}

// A world is a team with a channel that pushes a suite.
type world struct {
	t    *testing.T
	d    *db.DB
	team uuid.UUID
	as   db.Identity
	at   time.Time // of the next run
	n    int
	h    *Herald
}

const cases = 50

func build(t *testing.T, d *db.DB) *world {
	w := &world{t: t, d: d, team: dbtest.Team(t, d, "acme"), at: time.Now().Add(-100 * time.Hour)}
	w.as = dbtest.Member(t, d, w.team, "owner")
	w.h = &Herald{DB: d, Sender: notify.New(notify.Config{AllowPrivate: true}), URL: "https://cairn.test"}
	return w
}

func (w *world) channel(kind, target string) uuid.UUID {
	id := uuid.New()
	dbtest.Exec(w.t, w.d, `insert into team_channels (team_id, id, kind, name, target, secret) values (?, ?, ?, ?, ?, 'whsec')`, w.team, id, kind, kind+id.String(), target)
	return id
}

// push pushes a run of 50 cases of which some fail, and returns its id.
func (w *world) push(branch string, failed int) uuid.UUID {
	w.at = w.at.Add(time.Hour)
	return w.pushAt(w.at, branch, failed)
}

func (w *world) pushAt(at time.Time, branch string, failed int) uuid.UUID {
	w.t.Helper()
	w.n++
	key := fmt.Sprintf("%064d", w.n)
	p := wire.EvalPush{Team: w.team, Run: wire.EvalRun{ID: wire.RunID(w.team, key), RunAt: at, IngestKey: key, RepoSlug: "acme/app", Label: branch, Branch: branch,
		Suite: "posts", TotalTests: cases, Passed: cases - failed, Failed: failed}}
	for i := range cases {
		p.Run.Cases = append(p.Run.Cases, wire.EvalCase{ID: int64(i + 1), Suite: "posts", Name: fmt.Sprintf("case %d", i)})
		status := 0
		if i < failed {
			status = 1
		}
		p.Run.Results = append(p.Run.Results, wire.EvalResult{CaseID: int64(i + 1), Status: status})
	}
	err := w.d.Update(ctx, w.as, func(tx *db.Tx) error {
		_, err := ingest.Push(ctx, tx, w.as, p)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return p.Run.ID
}

func (w *world) round() Done {
	w.t.Helper()
	done, err := w.h.Round(ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

func (w *world) count(query string) int { w.t.Helper(); return dbtest.Count(w.t, w.d, query) }

// A suite gets worse and good again: one message of each, everywhere.
func TestWorseAndGoodAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		r := receive(t)
		w.channel("slack", r.URL+"/slack")
		w.channel("webhook", r.URL+"/hook")
		for range 20 {
			w.push("main", 1)
			if done := w.round(); done.Fired+done.Sent != 0 || done.Judged != 1 {
				t.Fatalf("a quiet push: %+v", done)
			}
		}
		w.push("main", 7) // bad
		if done := w.round(); done.Fired != 0 || w.count(`select count(*) from alerts where state = 'pending'`) != 1 {
			t.Fatalf("one bad push: %+v", done)
		}
		w.push("main", 7)
		if done := w.round(); done.Fired != 1 || done.Sent != 2 {
			t.Fatalf("the second: %+v", done)
		}
		w.push("main", 7)
		w.push("main", 1)
		w.round()
		w.push("main", 1)
		if done := w.round(); done.Resolved != 1 || done.Sent != 2 {
			t.Fatalf("the second good one: %+v", done)
		}
		w.push("main", 1)
		if done := w.round(); done != (Done{Judged: 1}) {
			t.Fatalf("after that: %+v", done)
		}
		got := r.got()
		if len(got) != 4 {
			t.Fatalf("%d messages: %q", len(got), got)
		}
		all := strings.Join(got, "\n")
		for _, want := range []string{`"event":"alert.firing"`, `"team":"acme"`, `posts of acme/app on main got worse`, `"state":"firing"`, `"name":"case `,
			`"type":"header"`, `"event":"alert.resolved"`, `"outcome":"recovered"`, "https://cairn.test/t/acme/", "/slack {", "/hook {"} {
			if !strings.Contains(all, want) {
				t.Errorf("no %s in\n%s", want, all)
			}
		}
	})
}

// A project that is like Supabase's has no roles and tables of a server: the
// same work is done by the owner of its tables.
func TestSupabaseProject(t *testing.T) {
	t.Parallel()
	if pgtest.Shared() == nil {
		t.Skip(pgtest.ErrMissing)
	}
	_, owner, requests, err := pgtest.Shared().Project()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.OpenProject(ctx, owner); !errors.Is(err, db.ErrEmpty) {
		t.Errorf("without tables: %v", err)
	}
	if err := db.MigrateSupabase(ctx, owner, func(string) {}); err != nil {
		t.Fatal(err)
	}
	d, err := db.OpenProject(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w := &world{t: t, d: d, team: uuid.New(), at: time.Now().Add(-100 * time.Hour), h: &Herald{DB: d, Sender: notify.New(notify.Config{AllowPrivate: true})}}
	if w.at.UTC().Weekday() == time.Sunday { // all pushes, of a day, are in one week
		w.at = w.at.AddDate(0, 0, -1)
	}
	w.as = dbtest.Person(uuid.New())
	for _, q := range []string{
		fmt.Sprintf(`insert into auth.users (id, email) values ('%s', 'ada@example.com')`, w.as.User),
		fmt.Sprintf(`insert into teams (id, name, slug) values ('%s', 'acme', 'acme')`, w.team),
		fmt.Sprintf(`insert into team_members (team_id, user_id, role) values ('%s', '%s', 'owner')`, w.team, w.as.User),
	} {
		dbtest.Exec(t, d, q)
	}
	asked, err := db.Open(ctx, requests, db.Options{}) // people push as PostgREST does
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	r := receive(t)
	w.channel("webhook", r.URL+"/hook")
	dbtest.Exec(t, d, `update team_channels set created_at = ?`, time.Now().AddDate(0, -1, 0))
	w.d = asked
	for range 20 {
		w.push("main", 1)
		w.round()
	}
	w.push("main", 40)
	if done := w.round(); done.Fired != 1 || done.Sent != 1 {
		t.Fatalf("a very bad push: %+v", done)
	}
	monday := w.at.UTC().AddDate(0, 0, 1) // after the week of the pushes
	for monday.Weekday() != time.Monday {
		monday = monday.AddDate(0, 0, 1)
	}
	w.h.Now = func() time.Time { return time.Date(monday.Year(), monday.Month(), monday.Day(), 9, 1, 0, 0, time.UTC) }
	if n, err := w.h.Digest(ctx, uuid.Nil); err != nil || n != 1 {
		t.Errorf("the digest: %d, %v", n, err)
	}
	if n, err := w.h.Digest(ctx, uuid.Nil); err != nil || n != 0 {
		t.Errorf("again: %d, %v", n, err)
	}
	if done := w.round(); done.Sent != 1 || !strings.Contains(r.got()[1], "ada: 21 eval runs") {
		t.Errorf("%+v: %q", done, r.got())
	}
	if _, err := db.OpenProject(ctx, dbtest.Postgres(t)); !errors.Is(err, db.ErrServer) {
		t.Errorf("a server's database: %v", err)
	}
}
