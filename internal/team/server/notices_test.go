package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/server/access"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

// Two servers of one PostgreSQL, and one of an SQLite file, tell a team once:
// of the suite that got worse within seconds, and of its week.
func TestNotices(t *testing.T) {
	cairntest.Long(t)
	t.Run("sqlite", func(t *testing.T) { testNotices(t, []*Store{opened(t)}) })
	t.Run("postgres", func(t *testing.T) {
		if pgtest.Shared() == nil {
			t.Skip(pgtest.ErrMissing)
		}
		url := dbtest.Postgres(t)
		var stores []*Store
		for range 2 {
			st, err := Open(ctx, Place{Database: url}, true)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { st.Close() })
			stores = append(stores, st)
		}
		testNotices(t, stores)
	})
}

func testNotices(t *testing.T, stores []*Store) {
	var mu sync.Mutex
	got := map[string]int{} // messages by event
	came := make(chan bool, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		for _, event := range []string{"alert.firing", `"event":"digest"`} {
			if strings.Contains(string(body), event) {
				got[event]++
			}
		}
		came <- true
	}))
	defer receiver.Close()
	d := stores[0].DB
	team := dbtest.Team(t, d, "acme")
	as := dbtest.Member(t, d, team, "owner")
	due := time.Now().UTC().Add(-time.Minute) // the last full hour, or this one
	dbtest.Exec(t, d, `insert into team_settings (team_id, timezone, digest_weekday, digest_hour) values (?, 'UTC', ?, ?)`, team, int(due.Weekday()), due.Hour())
	dbtest.Exec(t, d, `insert into team_channels (team_id, id, kind, name, target) values (?, ?, 'webhook', 'pager', ?)`, team, uuid.New(), receiver.URL)
	dbtest.Exec(t, d, `update team_channels set created_at = ?`, due.AddDate(0, -1, 0))
	for n := range 21 {
		failed := 0
		if n == 20 {
			failed = 40
		}
		pushRun(t, d, as, team, time.Now().Add(time.Duration(n-30)*time.Hour/10), n, failed)
	}
	var servers []*Server
	for _, st := range stores {
		s, _ := made(t, Config{Store: st, AllowPrivateWebhooks: true, MetricsToken: "figures"})
		running(t, s)
		servers = append(servers, s)
	}
	var turns sync.WaitGroup
	for _, s := range servers {
		for _, j := range s.jobs() {
			if j.name == "digest" { // every one thinks that it is its turn
				turns.Go(func() {
					if _, err := j.do(ctx); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
	turns.Wait()
	for range 2 {
		select {
		case <-came:
		case <-time.After(time.Minute):
			t.Fatal("no message within a minute")
		}
	}
	for _, s := range servers { // and nothing is left to do
		if _, err := s.herald.Round(ctx); err != nil {
			t.Error(err)
		}
	}
	for n := 0; n < 1000 && dbtest.Count(t, d, `select count(*) from deliveries where sent_at is null`) > 0; n++ {
		time.Sleep(10 * time.Millisecond) // what was received is noted a moment later
	}
	mu.Lock()
	defer mu.Unlock()
	if got["alert.firing"] != 1 || got[`"event":"digest"`] != 1 {
		t.Errorf("%v", got)
	}
	figures := get(servers[0].Handler(), "/metrics", here, "Authorization", "Bearer figures").Body.String()
	for _, want := range []string{"\ncairn_alerts_firing 1\n", "\ncairn_runs_unjudged 0\n", "\ncairn_deliveries_waiting 0\n", "\ncairn_deliveries_failed 0\n"} {
		if !strings.Contains(figures, want) {
			t.Errorf("no %q in the figures", want)
		}
	}
}

// pushRun pushes a run of 50 cases.
func pushRun(t *testing.T, d *db.DB, as db.Identity, team uuid.UUID, at time.Time, n, failed int) {
	t.Helper()
	key := fmt.Sprintf("%064d", n)
	p := wire.EvalPush{Team: team, Run: wire.EvalRun{ID: wire.RunID(team, key), RunAt: at, IngestKey: key, RepoSlug: "acme/app", Label: "main", Branch: "main", Suite: "posts",
		TotalTests: 50, Passed: 50 - failed, Failed: failed}}
	for i := range 50 {
		status := 0
		if i < failed {
			status = 1
		}
		p.Run.Cases = append(p.Run.Cases, wire.EvalCase{ID: int64(i + 1), Suite: "posts", Name: fmt.Sprint("case ", i)})
		p.Run.Results = append(p.Run.Results, wire.EvalResult{CaseID: int64(i + 1), Status: status})
	}
	err := d.Update(context.Background(), as, func(tx *db.Tx) error {
		_, err := ingest.Push(context.Background(), tx, as, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A member reads the digest; nobody else does.
func TestDigestRoute(t *testing.T) {
	st := opened(t)
	secret := strings.Repeat("s", access.MinSecret)
	s, _ := made(t, Config{Store: st, JWTSecret: []byte(secret)})
	team := dbtest.Team(t, st.DB, "acme")
	sign := func(as db.Identity) string {
		token, _, err := s.keys.Sign(access.Claims{RegisteredClaims: jwt.RegisteredClaims{Subject: as.User.String()}, Role: "authenticated"})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	member := sign(dbtest.Member(t, st.DB, team, "member"))
	stranger := sign(dbtest.Member(t, st.DB, dbtest.Team(t, st.DB, "others"), "owner"))
	service, err := s.keys.Public(db.Service)
	if err != nil {
		t.Fatal(err)
	}
	expired, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"sub": uuid.NewString(), "role": "authenticated", "exp": 1}).SignedString([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query, token string
		status       int
		want         string
	}{
		{"?team_id=" + team.String(), "", 401, "sign in first"},
		{"?team_id=" + team.String(), s.anonKey(), 401, "sign in first"},
		{"?team_id=" + team.String(), "nonsense", 401, "sign in first"},
		{"?team_id=" + team.String(), expired, 401, "sign in first"},
		{"?team_id=" + team.String(), member, 200, "# The week of acme"},
		{"?team_id=" + team.String(), stranger, 403, "you are not in the team"},
		{"?team_id=" + uuid.NewString(), member, 403, "you are not in the team"},
		{"?team_id=x", service, 400, "team_id"},
		{"?team_id=" + team.String(), service, 200, "# The week of acme"},
	} {
		header := []string{}
		if c.token != "" {
			header = []string{"Authorization", "Bearer " + c.token}
		}
		if w := get(s.Handler(), wire.Digest+c.query, here, header...); w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %d %s", c.query, w.Code, w.Body)
		}
	}
}
