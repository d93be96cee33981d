// Package soak fills a database with years of made-up results and measures
// what the dashboard asks of it. scripts/soak runs it at full size, a test of
// this package at one in a hundred. The product imports nothing of test/.
package soak

import (
	"context"
	"fmt"
	"time"

	"cairn/internal/team/db"
)

// Options say how much there is to be.
type Options struct {
	Rows  int // of eval_results
	Asked int // how often each figure is asked for
	Teams int // of one size; 0 for five, the first with two fifths of everything
	Now   time.Time
}

// A Report is what was measured of one database.
type Report struct {
	Database string
	Rows     int // of eval_results
	Runs     int
	Payloads int
	Load     time.Duration
	Bytes    int64
	Figures  []Figure
	Pages    []Figure      // whole views; their rows are bytes of HTML
	Push     Figure        // of a run of 100 cases, one after the other, into all that
	Drop     time.Duration // of a month
	Dropped  int           // rows of it
}

// A Figure is one question and how long its answers took.
type Figure struct {
	Name     string
	P50, P99 time.Duration
	Rows     int // of the last answer
}

// Run fills an empty, migrated database and measures it. It fails where rows
// are missing or a daily sum is wrong.
func Run(ctx context.Context, d *db.DB, o Options) (Report, error) {
	w := newWorld(o)
	report := Report{Database: d.Dialect().String()}
	began := time.Now()
	if err := w.load(ctx, d, &report); err != nil {
		return report, err
	}
	if err := d.Analyze(ctx); err != nil {
		return report, err
	}
	report.Load = time.Since(began)
	var err error
	if report.Bytes, err = d.Size(ctx); err != nil {
		return report, err
	}
	if err := check(ctx, d, "eval_results", report.Rows); err != nil {
		return report, err
	}
	if err := check(ctx, d, "eval_payloads", report.Payloads); err != nil {
		return report, err
	}
	if report.Figures, err = w.measure(ctx, d, o.Asked); err != nil {
		return report, err
	}
	if report.Pages, err = w.pages(ctx, d, min(o.Asked, max(20, o.Asked/10))); err != nil {
		return report, err
	}
	report.Push, err = times("push", o.Asked, func() (int, error) { return 1, w.push(ctx, d) })
	if err != nil {
		return report, err
	}
	pushed := (warmUp + o.Asked) * casesPerRun
	began = time.Now()
	months, err := d.DropMonthsBefore(ctx, w.months[1])
	report.Drop = time.Since(began)
	switch {
	case err != nil:
		return report, err
	case months != 1:
		return report, fmt.Errorf("%d months were dropped, not 1", months)
	}
	if err := check(ctx, d, "eval_results", report.Rows+pushed-w.first); err != nil {
		return report, err
	}
	report.Dropped = w.first
	wrong, err := d.CheckRollups(ctx)
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%d daily sums are wrong; %s", len(wrong), wrong[0])
	}
	return report, err
}

func check(ctx context.Context, d *db.DB, table string, want int) error {
	var n int
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, "select count(*) from "+table).Scan(&n)
	})
	if err == nil && n != want {
		err = fmt.Errorf("%s has %d rows, not %d", table, n, want)
	}
	return err
}
