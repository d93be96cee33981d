// The command soak fills both databases with years of made-up results, asks
// them for every figure and every page of the dashboard, and prints what that took as
// Markdown: docs/team-scale.md is made of it. It needs PostgreSQL's programs and
// 5 GB where temporary files are, for 10,000,000 rows.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cairn/internal/team/db"
	"cairn/test/pgtest"
	"cairn/test/soak"
)

func main() {
	rows := flag.Int("rows", 10_000_000, "how many results there are to be")
	asked := flag.Int("asked", 200, "how often each figure is asked for")
	flag.Parse()
	var reports []soak.Report
	for _, run := range []func(soak.Options) (soak.Report, error){sqlite, postgres} { // one after the other: both need the disk
		report, err := run(soak.Options{Rows: *rows, Asked: *asked, Now: time.Now()})
		if err != nil {
			fmt.Fprintln(os.Stderr, "soak:", report.Database, err)
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "%s\n", soak.Markdown([]soak.Report{report}))
		reports = append(reports, report)
	}
	fmt.Print(soak.Markdown(reports))
}

func sqlite(o soak.Options) (soak.Report, error) {
	dir, err := os.MkdirTemp("", "cairn-soak")
	if err != nil {
		return soak.Report{}, err
	}
	defer os.RemoveAll(dir)
	return measure(filepath.Join(dir, "cairn.db"), o)
}

func postgres(o soak.Options) (soak.Report, error) {
	c, err := pgtest.Start()
	if err != nil {
		return soak.Report{}, err
	}
	defer c.Stop()
	url, err := c.Database()
	if err != nil {
		return soak.Report{}, err
	}
	return measure(url, o)
}

func measure(url string, o soak.Options) (soak.Report, error) {
	ctx := context.Background()
	d, err := db.Open(ctx, url, db.Options{Timeout: 10 * time.Minute})
	if err != nil {
		return soak.Report{}, err
	}
	defer d.Close()
	if _, err := d.Migrate(ctx, false); err != nil {
		return soak.Report{}, err
	}
	return soak.Run(ctx, d, o)
}
