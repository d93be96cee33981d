package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// TestServeKilledBeforeJudging: a server is killed right after it took a very
// bad push; the next one tells of it, once.
func TestServeKilledBeforeJudging(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	home := t.TempDir()
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- string(body)
	}))
	defer receiver.Close()
	p := serving(t, home, "--allow-private-webhooks")
	ctx := context.Background()
	d, err := db.Open(ctx, filepath.Join(home, ".cairn", "server", "cairn.db"), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	team := dbtest.Team(t, d, "acme")
	as := dbtest.Member(t, d, team, "owner")
	dbtest.Exec(t, d, `insert into team_channels (team_id, id, kind, name, target) values (?, ?, 'webhook', 'pager', ?)`, team, uuid.New(), receiver.URL)
	for n := range 21 {
		key := fmt.Sprintf("%064d", n)
		run := wire.EvalRun{ID: wire.RunID(team, key), RunAt: time.Now().Add(time.Duration(n-30) * time.Minute), IngestKey: key, RepoSlug: "acme/app", Label: "main", Branch: "main", Suite: "posts", TotalTests: 50}
		for i := range 50 {
			status := 0
			if n == 20 && i < 40 {
				status = 1
			}
			run.Passed, run.Failed = run.Passed+1-status, run.Failed+status
			run.Cases = append(run.Cases, wire.EvalCase{ID: int64(i + 1), Suite: "posts", Name: fmt.Sprint("case ", i)})
			run.Results = append(run.Results, wire.EvalResult{CaseID: int64(i + 1), Status: status})
		}
		err := d.Update(ctx, as, func(tx *db.Tx) error {
			_, err := ingest.Push(ctx, tx, as, wire.EvalPush{Team: team, Run: run})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	p.Process.Kill()
	p.Wait()
	before := len(got)
	next := serving(t, home, "--allow-private-webhooks")
	select {
	case body := <-got:
		if !strings.Contains(body, `"event":"alert.firing"`) {
			t.Errorf("%s", body)
		}
	case <-time.After(time.Minute):
		t.Fatal("nobody was told within a minute")
	}
	for range 20 { // until everything is judged
		if dbtest.Count(t, d, `select count(*) from cairn.judgments`)+dbtest.Count(t, d, `select count(*) from deliveries where sent_at is null`) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if len(got) > 0 || before > 1 {
		t.Errorf("%d messages more, %d before the kill", len(got), before)
	}
	next.Process.Kill()
}
