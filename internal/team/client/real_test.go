package client_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"

	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/replica"
	"cairn/internal/team/server/access"
	"cairn/internal/team/server/auth"
	"cairn/internal/team/server/rest"
	"cairn/internal/team/spool"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) {
	if code, ok := client.DrainAsProcess(); ok {
		os.Exit(code)
	}
	os.Exit(pgtest.Main(m.Run))
}

const (
	email    = "dev@example.com"
	password = "correct horse battery"
)

// real is cairn's server on a database, with a team, an owner and a member.
type real struct {
	*httptest.Server
	db       *db.DB
	accounts *account.Accounts
	team     uuid.UUID
	member   uuid.UUID
	owner    uuid.UUID
}

func newReal(t *testing.T, d *db.DB) *real {
	t.Helper()
	r := &real{db: d, accounts: account.New(d)}
	r.accounts.SetCost(bcrypt.MinCost)
	mux := http.NewServeMux()
	r.Server = httptest.NewServer(mux)
	t.Cleanup(r.Close)
	keys, err := access.NewKeys([]byte(strings.Repeat("k", 32)), r.URL+"/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	a := &access.Access{Keys: keys, Store: r.accounts}
	log := slog.New(slog.DiscardHandler)
	mux.Handle(wire.Rest, rest.New(d, a, log))
	pages, err := auth.New(auth.Config{Accounts: r.accounts, Access: a, SiteURL: r.URL, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle(wire.Auth, pages)
	mux.Handle("/", pages)
	mux.HandleFunc(wire.Server, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"name":"cairn"}`)
	})
	r.team = dbtest.Team(t, d, "acme")
	for _, u := range []struct {
		email, role string
		id          *uuid.UUID
	}{{email, "member", &r.member}, {"boss@example.com", "owner", &r.owner}} {
		made, err := r.accounts.CreateUser(t.Context(), account.NewUser{Email: u.email, Password: password, Confirmed: true})
		if err != nil {
			t.Fatal(err)
		}
		*u.id = made.ID
		dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, ?)`, r.team, made.ID, u.role)
	}
	return r
}

// machine is a client with a home of its own, signed in as the member.
func (r *real) machine(t *testing.T) (*client.Client, home.Home) {
	t.Helper()
	h := home.Home(t.TempDir())
	c := r.open(t, h)
	if err := c.Password(t.Context(), email, password); err != nil {
		t.Fatal(err)
	}
	return c, h
}

func (r *real) open(t *testing.T, h home.Home) *client.Client {
	t.Helper()
	c, err := client.Open(client.Options{URL: r.URL, TeamSlug: "acme", Home: h, Log: client.OpenLog(h)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (r *real) queue(h home.Home) *spool.Spool {
	q := spool.Open(h.Queue())
	q.URL, q.Team = r.URL, "acme"
	return q
}

func (r *real) drain(t *testing.T, h home.Home) client.Drained {
	t.Helper()
	d := &client.Drain{Queue: r.queue(h), Log: client.OpenLog(h), Open: func(string) (*client.Client, error) { return r.open(t, h), nil }}
	report, err := d.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// key makes an ingest key.
func key(n int) string { return fmt.Sprintf("%064d", n) }

func putRuns(t *testing.T, q *spool.Spool, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		run := fmt.Sprintf(`{"schema_version":1,"label":"main","suite":"s","repo":"acme/app","timestamp":%q,
			"total":2,"passed":1,"failed":1,"all_results":[{"name":"a","status":"pass","passed":true},{"name":"b","status":"fail","passed":false}]}`,
			time.Now().Add(-time.Duration(n)*time.Minute).UTC().Format(time.RFC3339))
		if _, err := q.Put(client.Runs, key(n), []byte(run)); err != nil {
			t.Fatal(err)
		}
	}
}

func putRows(t *testing.T, q *spool.Spool) {
	t.Helper()
	for i, r := range []struct{ table, row string }{
		{"ship_logs", `{"repo_slug":"acme/app","version":"1.2.3","occurred_at":"2026-03-15T10:30:00Z"}`},
		{"retro_snapshots", `{"repo_slug":"acme/app","date":"2026-03-15","period":"7d","metrics":{"commits":3}}`},
		{"qa_reports", `{"repo_slug":"acme/app","url":"https://example.com","health_score":90}`},
		{"greptile_triage", `{"repo_slug":"acme/app","date":"2026-03-15","triage_type":"fp","file_pattern":"a.rb","category":"x"}`},
		{"session_transcripts", `{"repo_slug":"acme/app","session_id":"s1","messages":[],"total_turns":3}`},
	} {
		if _, err := q.Put(r.table, key(1000+i), []byte(r.row)); err != nil {
			t.Fatal(err)
		}
	}
}

// A copied is a copy of a team's rows, and the cache of a repository.
type copied struct {
	t      *testing.T
	from   *client.Client
	wish   replica.Wish
	copy   *replica.Replica
	cache  *client.Cache
	server string
	repo   string
}

func newCopy(t *testing.T, r *real, c *client.Client) *copied {
	t.Helper()
	copy, err := replica.Open(t.Context(), t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = copy.Close() })
	repo := t.TempDir()
	return &copied{t, c, replica.Wish{Team: r.team}, copy, client.OpenCache(project.Open("", home.Repo(repo))), r.URL, repo}
}

func (c *copied) pull() (client.Meta, int, error) {
	report, err := c.copy.Refresh(c.t.Context(), c.from, c.wish)
	if err != nil {
		return client.Meta{}, report.New, err
	}
	meta, err := c.copy.Export(c.t.Context(), c.cache, c.server, report)
	return meta, report.New, err
}

// rows reads a table as another program would.
func (c *copied) rows(table string, out any) error {
	data, err := os.ReadFile(filepath.Join(c.repo, ".cairn/team-cache", table+".json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, out)
}

// Everything that is queued arrives at cairn's own server, on both databases,
// once; a team mate pulls it.
func TestRealServer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newReal(t, d)
		c, h := r.machine(t)
		q := r.queue(h)
		for range 2 { // as from a backup
			putRuns(t, q, 0, 25)
			putRows(t, q)
			if got := r.drain(t, h); got.Delivered.N() != 30 || got.Refused.N() != 0 || len(got.Stopped) != 0 {
				list, _ := q.Refusals()
				t.Fatalf("%+v %+v", got, list)
			}
		}
		for table, want := range map[string]int{"eval_runs": 25, "eval_results": 50, "ship_logs": 1, "retro_snapshots": 1, "qa_reports": 1, "greptile_triage": 1, "session_transcripts": 1} {
			if n := dbtest.Count(t, d, "select count(*) from "+table); n != want {
				t.Errorf("%s: %d rows, want %d", table, n, want)
			}
		}
		cache := newCopy(t, r, c)
		meta, fresh, err := cache.pull()
		if err != nil || fresh != 29 || meta.Tables["eval_runs"].Rows != 25 || meta.Tables[replica.People].Rows != 2 || meta.Tables["daily_evals"].Rows == 0 {
			t.Fatalf("%+v, %d fresh, %v", meta, fresh, err)
		}
		putRuns(t, q, 25, 30)
		r.drain(t, h)
		meta, fresh, err = cache.pull()
		if err != nil || fresh != 5 || meta.Tables["eval_runs"].Rows != 30 {
			t.Errorf("%+v, %d fresh, %v", meta, fresh, err)
		}
		var runs []struct {
			Label string `json:"label"`
		}
		if err := cache.rows("eval_runs", &runs); err != nil || len(runs) != 30 || runs[0].Label != "main" {
			t.Errorf("%v, %v", runs, err)
		}
		team, err := c.Team(t.Context(), "")
		if err != nil || team != r.team {
			t.Fatal(team, err)
		}
		if p, err := c.Pulse(t.Context(), team); err != nil || p.Members != 2 || p.Runs != 30 || p.LastShipAt == nil {
			t.Errorf("%+v, %v", p, err)
		}
		beat := c.NewHeartbeat(team)
		if err := beat.Write(t.Context(), "here"); err != nil {
			t.Error(err)
		}
		if err := beat.Read(t.Context()); err != nil {
			t.Error(err)
		}
		if left, err := beat.Remove(t.Context()); err != nil || !left {
			t.Errorf("a member removed a row: %v, %v", left, err)
		}
		if who, err := c.Who(t.Context()); err != nil || who != email {
			t.Errorf("%q, %v", who, err)
		}
		if err := c.SignOut(t.Context()); err != nil {
			t.Error(err)
		}
		if all, err := client.Sessions(h); err != nil || len(all) != 0 {
			t.Errorf("%v, %v", all, err)
		}
	})
}

// A job of CI has a token instead of a session.
func TestRealTokenOfCI(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newReal(t, d)
		made, err := r.accounts.MakeToken(t.Context(), r.owner, wire.NewToken{TeamID: r.team, Name: "ci", Scopes: []string{wire.ScopeIngest}})
		if err != nil {
			t.Fatal(err)
		}
		h := home.Home(t.TempDir())
		q := r.queue(h)
		putRuns(t, q, 0, 3)
		drain := &client.Drain{Queue: q, Open: func(string) (*client.Client, error) {
			return client.Open(client.Options{URL: r.URL, TeamSlug: "acme", Home: h, CI: client.CI{Token: made.Token}, Pinned: []string{r.URL + "/"}})
		}}
		if got, err := drain.Run(t.Context()); err != nil || got.Delivered.N() != 3 {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := os.Stat(filepath.Join(string(h), "auth.json")); err == nil {
			t.Error("a job of CI left a session")
		}
	})
}

// A token of CI that is for one repository pulls what is of that repository;
// what it may not read is left out, and the pull is whole without it.
func TestRealTokenPulls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newReal(t, d)
		made, err := r.accounts.MakeToken(t.Context(), r.owner, wire.NewToken{TeamID: r.team, Name: "ci", Scopes: []string{wire.ScopeRead, wire.ScopeIngest}, RepoSlug: "acme/app"})
		if err != nil {
			t.Fatal(err)
		}
		for i, repo := range []string{"acme/app", "acme/other"} {
			dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, repo_slug) values (?, ?, ?, ?)`, r.team, uuid.New(), key(i), repo)
		}
		c, err := client.Open(client.Options{URL: r.URL, TeamSlug: "acme", Home: home.Home(t.TempDir()), CI: client.CI{Token: made.Token}, Pinned: []string{r.URL}})
		if err != nil {
			t.Fatal(err)
		}
		ci := newCopy(t, r, c)
		ci.wish.Partly = true
		meta, _, err := ci.pull()
		_, people := meta.Tables[replica.People]
		_, costs := meta.Tables["daily_costs"]
		if err != nil || people || costs || meta.Tables["ship_logs"].Rows != 1 || meta.Tables[replica.Pulse].Rows != 1 || meta.LastPull.IsZero() {
			t.Errorf("%+v, %v", meta, err)
		}
		beat := c.NewHeartbeat(r.team)
		if err := beat.Write(t.Context(), "runner"); err != nil {
			t.Error(err)
		}
		if err := beat.Read(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A user of CI signs in with a password for every job, and keeps nothing.
func TestRealUserOfCI(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newReal(t, d)
		h := home.Home(t.TempDir())
		c, err := client.Open(client.Options{URL: r.URL, TeamSlug: "acme", Home: h, CI: client.CI{Email: email, Password: password}, Pinned: []string{r.URL}})
		if err != nil {
			t.Fatal(err)
		}
		if team, err := c.Team(context.Background(), ""); err != nil || team != r.team {
			t.Errorf("%v, %v", team, err)
		}
		if _, err := os.Stat(filepath.Join(string(h), "auth.json")); err == nil {
			t.Error("a job of CI left a session")
		}
	})
}

// More rows than a page, many of one moment: each is pulled once.
func TestRealPages(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newReal(t, d)
		c, _ := r.machine(t)
		const n = 2300
		for i := range n {
			dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, repo_slug) values (?, ?, ?, 'acme/app')`, r.team, uuid.New(), key(i))
		}
		at := time.Now().Add(-time.Hour).UTC().Truncate(time.Microsecond)
		dbtest.Exec(t, d, `update ship_logs set created_at = ? where ingest_key < ?`, at, key(1500))
		cache := newCopy(t, r, c)
		for pull := range 2 {
			meta, fresh, err := cache.pull()
			if want := []int{n, 0}[pull]; err != nil || fresh != want || meta.Tables["ship_logs"].Rows != n {
				t.Errorf("pull %d: %d fresh, %+v, %v", pull, fresh, meta.Tables["ship_logs"], err)
			}
		}
		var rows []struct {
			Key string `json:"ingest_key"`
		}
		seen := map[string]bool{}
		if err := cache.rows("ship_logs", &rows); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			seen[row.Key] = true
		}
		if len(seen) != n {
			t.Errorf("%d different rows of %d", len(seen), len(rows))
		}
	})
}

// A page of rows that is larger than the server sends at once comes in parts.
func TestRealWidePages(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.SQLite {
			return // it takes no such values, not even from a test
		}
		r := newReal(t, d)
		c, _ := r.machine(t)
		const n = 50 // of 400 KB: 20 MB
		for i := range n {
			dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, repo_slug, version) values (?, ?, ?, 'acme/app', ?)`, r.team, uuid.New(), key(i), strings.Repeat("v", 400<<10))
		}
		cache := newCopy(t, r, c)
		meta, fresh, err := cache.pull()
		if err != nil || fresh != n || meta.Tables["ship_logs"].Rows != n {
			t.Errorf("%d fresh, %+v, %v", fresh, meta.Tables["ship_logs"], err)
		}
		// One that is too large alone is left out, and the others come.
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, repo_slug, version) values (?, ?, ?, 'acme/app', ?)`, r.team, uuid.New(), key(n), strings.Repeat("v", 17<<20))
		if meta, _, err := cache.pull(); err != nil || len(meta.Skipped) != 1 || meta.Tables["ship_logs"].Rows != n {
			t.Errorf("with a row of 17 MB: %+v, %v", meta, err)
		}
	})
}
