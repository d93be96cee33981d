package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

// A cron job of a Supabase project judges, tells, and sends the digest; the
// database's URL is never shown.
func TestTeamAlertsOfProject(t *testing.T) {
	cairntest.NoRace(t)
	t.Parallel()
	cluster := pgtest.Shared()
	if cluster == nil {
		t.Skip(pgtest.ErrMissing)
	}
	_, owner, requests, err := cluster.Project()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cron := func(url string, args ...string) (out string, code int) {
		var stdout, stderr bytes.Buffer
		env := &Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string {
			return map[string]string{"HOME": dir, "CAIRN_HOME": dir, link.DatabaseURL: url}[name]
		}}
		cmd := newRoot(env)
		cmd.SetArgs(append([]string{"team"}, args...))
		code = exitCode(env, cmd.Execute())
		if out = stdout.String() + stderr.String(); strings.Contains(out, "127.0.0.1") || strings.Contains(out, "s3cret") {
			t.Errorf("the URL is shown: %s", out)
		}
		return out, code
	}
	if out, code := cron(owner, "alerts", "check"); code != command.ExitData || !strings.Contains(out, "the project has no tables of cairn yet") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := cron("postgres://u:s3cret@127.0.0.1:1/postgres", "digest", "send"); code != command.ExitNet || !strings.Contains(out, "the database cannot be reached") {
		t.Errorf("%d %s", code, out)
	}
	ctx := context.Background()
	if err := db.MigrateSupabase(ctx, owner, func(string) {}); err != nil {
		t.Fatal(err)
	}
	d, err := db.OpenProject(ctx, owner)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	asked, err := db.Open(ctx, requests, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	got := make(chan string, 10)
	answer := http.StatusInternalServerError
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
		w.WriteHeader(answer)
	}))
	defer receiver.Close()
	team := dbtest.Team(t, d, "acme")
	user := uuid.New()
	dbtest.Exec(t, d, `insert into auth.users (id, email) values (?, 'ada@example.com')`, user)
	dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, team, user)
	now := time.Now().UTC()
	dbtest.Exec(t, d, `insert into team_settings (team_id, digest_weekday, digest_hour) values (?, ?, ?)`, team, int(now.Weekday()), now.Hour())
	dbtest.Exec(t, d, `insert into team_channels (team_id, kind, name, target, user_id) values (?, 'webhook', 'pager', ?, ?)`, team, receiver.URL+"/s3cret", user)
	dbtest.Exec(t, d, `update team_channels set created_at = ?`, now.AddDate(0, -1, 0))
	for n := range 21 {
		key := fmt.Sprintf("%064d", n)
		run := wire.EvalRun{ID: wire.RunID(team, key), RunAt: now.Add(time.Duration(n-30) * time.Minute), IngestKey: key, RepoSlug: "acme/app", Label: "main", Branch: "main", Suite: "posts", TotalTests: 12}
		for i := range 12 {
			run.Cases = append(run.Cases, wire.EvalCase{ID: int64(i + 1), Suite: "posts", Name: fmt.Sprint("case ", i)})
			run.Results = append(run.Results, wire.EvalResult{CaseID: int64(i + 1), Status: n / 20})
		}
		run.Passed, run.Failed = 12*(1-n/20), 12*(n/20)
		err := asked.Update(ctx, dbtest.Person(user), func(tx *db.Tx) error {
			_, err := ingest.Push(ctx, tx, dbtest.Person(user), wire.EvalPush{Team: team, Run: run})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if out, code := cron(owner, "alerts", "check"); code != command.ExitFailed || !strings.HasPrefix(out, "judged 21 runs; 1 fire, 0 ended; 0 messages sent\n") {
		t.Errorf("%d %s", code, out)
	}
	if n := dbtest.Count(t, d, `select count(*) from deliveries where error like '%begins with https://' and failed_at is not null`); n != 1 {
		t.Errorf("%d messages were given up: http goes nowhere unless it is allowed", n)
	}
	dbtest.Exec(t, d, `update deliveries set failed_at = null, attempts = 0, due_at = ?`, now)
	if out, code := cron(owner, "alerts", "check", "--allow-private-webhooks"); code != command.ExitFailed || !strings.Contains(out, "1 message could not be sent") {
		t.Errorf("%d %s", code, out)
	}
	answer = http.StatusOK
	dbtest.Exec(t, d, `update deliveries set due_at = ?`, now)
	if out, code := cron(owner, "alerts", "check", "--allow-private-webhooks"); code != command.ExitOK || out != "judged 0 runs; 0 fire, 0 ended; 1 message sent\n" {
		t.Errorf("%d %s", code, out)
	}
	if out, code := cron(owner, "digest", "--dry-run"); code != command.ExitOK || !strings.HasPrefix(out, "# The week of acme, ") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := cron(owner, "digest", "send", "--allow-private-webhooks"); code != command.ExitOK || out != "1 sent\n" {
		t.Errorf("%d %s", code, out)
	}
	if out, code := cron(owner, "digest", "send", "--allow-private-webhooks"); code != command.ExitOK || out != "no digest is due\n" {
		t.Errorf("%d %s", code, out)
	}
	if len(got) != 3 {
		t.Errorf("%d messages", len(got))
	}
}
