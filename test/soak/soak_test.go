package soak_test

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
	"cairn/test/soak"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// What scripts/soak does with 10,000,000 rows.
func TestOnePercent(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		report, err := soak.Run(t.Context(), d, soak.Options{Rows: 100_000, Asked: 1, Now: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		if report.Rows != 100_000 || report.Runs != 1000 || len(report.Figures) < 12 || len(report.Pages) < 50 || report.Bytes == 0 {
			t.Errorf("%+v", report)
		}
		t.Log("\n" + soak.Markdown([]soak.Report{report}))
	})
}

// A database that was filled is known again, with the same teams.
func TestSeed(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if teams, err := soak.Filled(t.Context(), d); err != nil || teams != nil {
			t.Errorf("an empty one: %v, %v", teams, err)
		}
		made, err := soak.Seed(t.Context(), d, soak.Options{Rows: 4000, Teams: 2, Now: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		again, err := soak.Filled(t.Context(), d)
		if err != nil || len(made) != 2 || len(again) != 2 {
			t.Fatalf("%d and %d teams, %v", len(made), len(again), err)
		}
		for i, a := range made {
			b := again[i]
			if a.ID != b.ID || a.Slug != b.Slug || !slices.Equal(a.People, b.People) || !slices.Equal(a.Cases, b.Cases) || len(a.Repos) == 0 || len(a.Suites) == 0 {
				t.Errorf("team %d: made %s %s, found %s %s", i, a.ID, a.Slug, b.ID, b.Slug)
			}
			if n := dbtest.Count(t, d, `select count(*) from eval_runs where team_id = ?`, a.ID); n != len(b.Runs) || n < 10 {
				t.Errorf("team %d has %d runs, %d are found", i, n, len(b.Runs))
			}
			if n := dbtest.Count(t, d, `select count(*) from teams where id = ? and slug = ?`, a.ID, a.Slug); n != 1 {
				t.Errorf("team %d is not there as %s", i, a.Slug)
			}
		}
		if _, err := soak.Seed(t.Context(), d, soak.Options{Rows: 4000, Teams: 2, Now: time.Now()}); err == nil {
			t.Error("filled twice")
		}
		over, stop := context.WithCancel(t.Context())
		stop()
		if _, err := soak.Filled(over, d); err == nil {
			t.Error("found after the end")
		}
	})
}
