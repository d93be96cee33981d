package soak_test

import (
	"os"
	"testing"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/dbtest"
	"cairn/internal/team/db/pgtest"
	"cairn/internal/team/db/soak"
	"cairn/test/cairntest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// What scripts/soak does with 10,000,000 rows.
func TestOnePercent(t *testing.T) {
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
