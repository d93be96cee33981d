// Package soak fills a database with years of made-up results and measures
// what the dashboard asks of it. scripts/soak runs it at full size, a test of
// this package at one in a hundred. The product imports nothing of test/.
package soak

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/internal/text"
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
	err := d.Get(ctx, "select count(*) from "+table, nil, &n)
	if err == nil && n != want {
		err = fmt.Errorf("%s has %d rows, not %d", table, n, want)
	}
	return err
}

// Markdown is a table of reports of the same size, a column or two for each.
func Markdown(reports []Report) string {
	var b strings.Builder
	line := func(first string, cell func(Report) string) {
		b.WriteString("| " + first + " |")
		for _, r := range reports {
			b.WriteString(" " + cell(r) + " |")
		}
		b.WriteByte('\n')
	}
	line("", func(r Report) string { return r.Database })
	line("---", func(Report) string { return "---" })
	line("result rows", func(r Report) string { return text.Thousands(r.Rows) })
	line("runs", func(r Report) string { return text.Thousands(r.Runs) })
	line("payloads", func(r Report) string { return text.Thousands(r.Payloads) })
	line("load", func(r Report) string {
		return fmt.Sprintf("%.0f s, %s rows/s", r.Load.Seconds(), text.Thousands(int(float64(r.Rows)/r.Load.Seconds())))
	})
	line("on disk", func(r Report) string { return fmt.Sprintf("%.0f MB", float64(r.Bytes)/1e6) })
	line("a run of 100 cases pushed, p50 / p99", func(r Report) string { return shown(r.Push.P50) + " / " + shown(r.Push.P99) })
	line("a month dropped", func(r Report) string { return fmt.Sprintf("%s (%s rows)", shown(r.Drop), text.Thousands(r.Dropped)) })
	times := func(title string, of func(Report) []Figure) {
		b.WriteString("\n")
		line(title, func(r Report) string { return r.Database })
		line("---", func(Report) string { return "---:" })
		for i, f := range of(reports[0]) {
			line(f.Name, func(r Report) string { return shown(of(r)[i].P50) + " / " + shown(of(r)[i].P99) })
		}
	}
	times("p50 / p99 of", func(r Report) []Figure { return r.Figures })
	times("p50 / p99 of the page", func(r Report) []Figure { return r.Pages })
	return b.String()
}

func shown(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	if ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// push stores one run more, of now, as a request does.
func (w *world) push(ctx context.Context, d *db.DB) error {
	t := &w.teams[0]
	as := t.member(1)
	repo, suite := rand.IntN(repos), rand.IntN(suites)
	run := wire.EvalRun{
		RunAt: time.Now(), IngestKey: "pushed-" + uuid.NewString(), RepoSlug: repoName(repo), Branch: "main", Label: "main", Suite: suiteName(suite),
		TotalTests: casesPerRun, Passed: 90, Failed: 10, TotalCostUSD: 0.4,
		Costs: []wire.EvalCost{{Model: "model-0", Calls: 100, InputTokens: 40_000, EstimatedCostUSD: 0.4}},
	}
	run.ID = wire.RunID(t.id, run.IngestKey)
	for c, id := range t.cases[repo][suite] {
		score, ms := 0.5, int64(1200)
		run.Cases = append(run.Cases, wire.EvalCase{ID: id, Suite: run.Suite, Name: CaseName(c)})
		one := wire.EvalResult{CaseID: id, Score: &score, DurationMS: &ms}
		if c%10 == 0 {
			one.Status, one.Payload = 1, jsontext.Value(payload(c))
		}
		run.Results = append(run.Results, one)
	}
	return d.Update(ctx, as, func(tx *db.Tx) error {
		got, err := ingest.Push(ctx, tx, as, wire.EvalPush{Team: t.id, Run: run})
		if err == nil && got.Duplicate {
			err = fmt.Errorf("run %s was there already", got.ID)
		}
		return err
	})
}
