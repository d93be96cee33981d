package ingest_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/compare"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/eval"
	"cairn/internal/team/pushed"
	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"

	"cairn/test/cairntest"

	"github.com/google/uuid"
)

const samples = "../../result/reader/testdata/samples"

// readSample reads a file as a push does; a second reading is another run, a day
// later, in which every third case went differently.
func readSample(t *testing.T, name string, other bool) *result.Run {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := reader.Read(name, data)
	if err != nil {
		t.Fatal(err)
	}
	run := f.Runs[0]
	eval.Context{Repo: "acme/app", Branch: "main", SHA: "abc", Hostname: "h", Suite: "s", Time: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}.Fill(run)
	eval.Strip(run)
	if other {
		run.Timestamp.Time = run.Timestamp.AddDate(0, 0, 1)
		for i := range run.Results {
			r := &run.Results[i]
			if i%3 == 0 && r.Status == result.Pass {
				r.Set(result.Fail)
				r.CostUSD *= 1.37
			}
		}
		if run.Total <= len(run.Results) {
			run.Recount()
		}
	}
	if err := run.Identify(); err != nil {
		t.Fatal(err)
	}
	return run
}

// through pushes a run and reads it back.
func through(t *testing.T, d *db.DB, as db.Identity, team uuid.UUID, run *result.Run) *result.Run {
	t.Helper()
	w, err := pushed.EvalRun(run, team, "acme/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := push(d, as, wire.EvalPush{Team: team, Run: w}); err != nil {
		t.Fatal(err)
	}
	var stored wire.EvalRun
	err = d.View(t.Context(), as, func(tx *db.Tx) error {
		stored, err = figures.Run(t.Context(), tx, team, w.ID)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	back, err := pushed.RunOf(stored)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// alike makes equal what the way there and back may change: the order, the
// number of a first attempt, where a suite is named, times by up to 1 in 100.
func alike(t *testing.T, run, back *result.Run) {
	t.Helper()
	for _, r := range [...]*result.Run{run, back} {
		for i := range r.Results {
			one := &r.Results[i]
			one.Suite, one.Attempt = cmp.Or(one.Suite, r.Suite), one.Try()
			if one.Comparison.Kind() == 'n' { // said to be nothing
				one.Comparison = nil
			}
		}
		r.Suite, r.Timestamp.Time = "", r.Timestamp.UTC().Truncate(time.Microsecond)
		slices.SortStableFunc(r.Results, func(a, b result.Result) int {
			return cmp.Or(strings.Compare(r.Key(&a), r.Key(&b)), cmp.Compare(a.Attempt, b.Attempt))
		})
		slices.SortFunc(r.Costs, func(a, b result.Cost) int { return strings.Compare(a.Model, b.Model) })
	}
	for i := range min(len(run.Results), len(back.Results)) {
		a, b := &run.Results[i], &back.Results[i]
		if math.Abs(a.DurationMS-b.DurationMS) > a.DurationMS/100 {
			t.Errorf("%s took %v ms, comes back as %v", a.Name, a.DurationMS, b.DurationMS)
		}
		b.DurationMS = a.DurationMS
	}
}

func canonical(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	data, err = json.MarshalIndent(plain, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func differ(t *testing.T, what string, got, want any) {
	t.Helper()
	a, b := strings.Split(canonical(t, got), "\n"), strings.Split(canonical(t, want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s differs in line %d:\n got %s\nwant %s", what, i, strings.Join(a[max(0, i-3):min(len(a), i+3)], "\n"), strings.Join(b[max(0, i-3):min(len(b), i+3)], "\n"))
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d lines, want %d", what, len(a), len(b))
	}
}

func TestThereAndBack(t *testing.T) {
	cairntest.NoRace(t)
	t.Parallel()
	files, err := os.ReadDir(samples)
	if err != nil || len(files) < 20 {
		t.Fatal(len(files), err)
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i, f := range files {
			t.Run(f.Name(), func(t *testing.T) {
				team := dbtest.Team(t, d, fmt.Sprint("t", i))
				as := dbtest.Member(t, d, team, "member")
				a, b := readSample(t, f.Name(), false), readSample(t, f.Name(), true)
				backA, backB := through(t, d, as, team, a), through(t, d, as, team, b)
				alike(t, a, backA)
				alike(t, b, backB)
				if backA.ID != a.ID || backA.IngestKey != a.IngestKey {
					t.Errorf("%s comes back as %s", a.ID, backA.ID)
				}
				differ(t, "the run", backA, a)
				differ(t, "compare", compare.Runs(backA, backB, compare.Options{Seed: 1}), compare.Runs(a, b, compare.Options{Seed: 1}))
				differ(t, "trend and leaderboard", inTime(t, backA, backB), inTime(t, a, b))
			})
		}
	})
}

// inTime is what trend and leaderboard make of two runs.
func inTime(t *testing.T, runs ...*result.Run) any {
	t.Helper()
	s := eval.Open(t.TempDir())
	var entries []eval.Entry
	for _, run := range slices.Backward(runs) {
		e, _, err := s.Put(run)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return []any{s.Trend(entries, eval.TrendOptions{}), s.Contests(entries, "", eval.ByModel, 0), s.Contests(entries, "", eval.ByVariant, 0)}
}
