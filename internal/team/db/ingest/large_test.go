package ingest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// aLargeRun has so many cases with a result each, every hundredth with a payload.
func aLargeRun(team uuid.UUID, key string, cases int) wire.EvalPush {
	p := aRun(team, key, dbtest.Day(1))
	r := &p.Run
	r.Cases, r.Results = make([]wire.EvalCase, cases), make([]wire.EvalResult, cases)
	for i := range cases {
		r.Cases[i] = wire.EvalCase{ID: int64(i), Suite: "posts", Name: fmt.Sprint("case ", i)}
		r.Results[i] = wire.EvalResult{CaseID: int64(i)}
		if i%100 == 0 {
			r.Results[i].Payload = jsontext.Value(`{"output":"` + strings.Repeat("x", 20_000) + `"}`)
		}
	}
	r.TotalTests, r.Passed, r.Failed, r.Errored = cases, cases, 0, 0
	return p
}

// seen is what anybody sees of a team at one moment.
func seen(t *testing.T, d *db.DB, team uuid.UUID) string {
	t.Helper()
	var runs, results, payloads, counted int
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, `select (select count(*) from eval_runs where team_id = ?), (select count(*) from eval_results where team_id = ?),
			(select count(*) from eval_payloads where team_id = ?), (select coalesce(sum(total), 0) from daily_evals where team_id = ?)`,
			team, team, team, team).Scan(&runs, &results, &payloads, &counted)
	})
	if err != nil {
		t.Error(err)
	}
	return fmt.Sprintf("%d runs, %d results, %d payloads, %d counted", runs, results, payloads, counted)
}

const nothing = "0 runs, 0 results, 0 payloads, 0 counted"

// A run of very many rows comes at once for whoever looks, others write while it
// is being written, and it is there once however often it is sent.
func TestLargeRun(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	const cases = 15_000
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, other := dbtest.Team(t, d, "a"), dbtest.Team(t, d, "b")
		as, they := dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, other, "member")
		whole := fmt.Sprintf("1 runs, %d results, %d payloads, %d counted", cases, cases/100, cases)
		var between int // small writes that were committed while the large one went on
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				p := aRun(other, fmt.Sprint("small", i), dbtest.Day(1))
				if _, err := ingest.Store(t.Context(), d, they, p); err != nil {
					t.Error(err)
				}
				switch got := seen(t, d, team); {
				case got == nothing:
					between++
				case got != whole:
					t.Errorf("seen in the middle: %s", got)
				}
			}
		})
		p := aLargeRun(team, "1", cases)
		for i, want := range []bool{false, true} {
			got, err := ingest.Store(t.Context(), d, as, p)
			if err != nil || got.ID != p.Run.ID || got.Duplicate != want {
				t.Errorf("push %d: %+v, %v", i, got, err)
			}
		}
		stop()
		wg.Wait()
		if got := seen(t, d, team); got != whole {
			t.Errorf("seen at the end: %s", got)
		}
		if n := dbtest.Count(t, d, `select count(*) from eval_cases where team_id = ?`, team); n != cases {
			t.Errorf("%d cases", n)
		}
		if d.Dialect() == db.SQLite && between < 3 {
			t.Errorf("%d small pushes were written while a large one was, which has eight parts", between)
		}
		differ, err := d.CheckRollups(t.Context())
		if err != nil || len(differ) > 0 {
			t.Error(differ, err)
		}
	})
}

// What was written of a run that ends in an error is gone, and so is what a
// killed server left: by Clean, or when the run is sent again.
func TestLargeRunEnds(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		as := dbtest.Member(t, d, team, "member")
		broken := aLargeRun(team, "1", 10_000)
		broken.Run.Costs[1].Calls = -1 // is refused before
		if _, err := ingest.Store(ctx, d, as, broken); code(err) != "23514" {
			t.Fatal(err)
		}
		if d.Dialect() != db.SQLite {
			return
		}
		// A trigger that refuses one of the last results stands for a disk that is full.
		dbtest.Exec(t, d, `create trigger full before insert on eval_cases when new.name = 'case 9999' begin select raise(abort, 'disk full'); end`)
		p := aLargeRun(team, "1", 10_000)
		if _, err := ingest.Store(ctx, d, as, p); err == nil {
			t.Fatal("no error")
		}
		left := func() (n int) {
			for _, q := range []string{`select count(*) from eval_cases`, `select count(*) from cairn_hidden_runs`, `select count(*) from eval_results_` + p.Run.RunAt.Format("200601"),
				`select count(*) from eval_payloads_` + p.Run.RunAt.Format("200601")} {
				n += dbtest.Count(t, d, q)
			}
			return n
		}
		if got := seen(t, d, team); got != nothing || left() != 0 {
			t.Errorf("after an error: %s, %d rows left", got, left())
		}
		dbtest.Exec(t, d, `drop trigger full`)

		// Killed: its rows are there and hidden.
		kill := func() {
			t.Helper()
			err := d.UpdateLoad(ctx, db.ServerItself, db.Load{Part: true}, func(tx *db.Tx) error {
				if err := tx.Hide(ctx, team, p.Run.ID, p.Run.RunAt); err != nil {
					return err
				}
				for i := range 5000 {
					if _, err := tx.Exec(ctx, `insert into eval_cases (team_id, repo_slug, name, id) values (?, 'acme/app', 'x', ?)`, team, i); err != nil {
						return err
					}
					_, err := tx.Exec(ctx, `insert into eval_results_`+p.Run.RunAt.Format("200601")+` (team_id, run_id, run_at, status, case_id) values (?, ?, 0, 0, ?)`, team, p.Run.ID, i)
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := seen(t, d, team); got != nothing {
				t.Errorf("after a kill: %s", got)
			}
		}
		kill()
		if err := ingest.Clean(ctx, d); err != nil || left() != 0 {
			t.Errorf("%v, %d rows are left of a killed server's run", err, left())
		}
		kill()
		if _, err := ingest.Store(ctx, d, as, p); err != nil {
			t.Fatal(err)
		}
		if got := seen(t, d, team); got != "1 runs, 10000 results, 100 payloads, 10000 counted" {
			t.Errorf("sent again: %s", got)
		}
		if err := ingest.Clean(ctx, d); err != nil || dbtest.Count(t, d, `select count(*) from eval_results`) != 10_000 {
			t.Errorf("a run that is whole was cleaned: %v", err)
		}
	})
}

// Large runs of one team come one after another; the same one from two places is one.
func TestLargeRunsAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		as := dbtest.Member(t, d, team, "member")
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				if _, err := ingest.Store(ctx, d, as, aLargeRun(team, fmt.Sprint("k", i%2), 4500)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := seen(t, d, team); got != "2 runs, 9000 results, 90 payloads, 9000 counted" {
			t.Error(got)
		}
	})
}

// Few large runs are in memory at once; who waits too long is told so.
func TestRoom(t *testing.T) {
	t.Parallel()
	leave, err := ingest.Enter(t.Context(), make([]byte, 30<<20))
	if err != nil {
		t.Fatal(err)
	}
	small, err := ingest.Enter(t.Context(), make([]byte, 1000))
	if err != nil {
		t.Fatal(err)
	}
	small()
	gone, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := ingest.Enter(gone, make([]byte, 30<<20)); err == nil {
		t.Error("two runs of 30 MB at once")
	}
	leave()
	leave, err = ingest.Enter(t.Context(), make([]byte, 100<<20))
	if err != nil {
		t.Fatal(err)
	}
	leave()
}

// TestSmallElements: many cases of few bytes count as much as they take.
func TestSmallElements(t *testing.T) {
	for _, list := range []string{"[" + strings.Repeat("{},", 2<<20) + "{}]", "[" + strings.Repeat("null,", 2<<20) + "{}]"} {
		if leave, err := ingest.Enter(t.Context(), []byte(`{"p_team":"x","p_run":{"results":`+list+`}}`)); err == nil {
			leave()
			t.Errorf("%d bytes are let in", len(list))
		}
	}
	leave, err := ingest.Enter(t.Context(), []byte(`{"p_run":{"meta":{"a":[`+strings.Repeat("1,", 4<<20)+`1]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	leave()
}
