// Package live is a run of evals while it is going on: what a runner tells of
// it, line by line, becomes the state of a run that can be shown at any time.
//
// The format is in docs/eval-watch.md; go test -json and runs of version 1
// that grow are understood too. Packages of the team part may import it. It
// opens no file and asks no clock: lines and times are given to it. What a
// page makes of a run belongs to package watch.
package live

import (
	"fmt"
	"time"

	"cairn/internal/team/result"
)

// keepBytes is how much of what tests put out one run keeps; of what comes
// later only outcome, failures and figures are kept.
const keepBytes = 64 << 20

// A Run is what is known so far.
type Run struct {
	Suite, Label, Branch, SHA, Tool string

	PID  int    // of the runner, 0 is not known
	Host string // where that process is; "" is here

	Expected int // how many results there will be; 0 is not known
	Started  time.Time
	Heard    time.Time // when the last line came
	LastDone time.Time // when the last result came
	Ended    time.Time // zero until a runner says that it is done
	Aborted  string    // why it ended early, as the runner says

	Lines  int
	Broken Broken
	Counts result.Counts
	Going  int // tests that are running
	Rows   []Row
	Costs  []result.Cost // by model, as the runner tells them apart from results

	Generation int // how often everything was forgotten, for a run that began anew

	changes  uint64
	at       map[string]int // key and attempt → row
	tries    map[string]int // key → the last attempt
	caseUSD  float64
	kept     int
	packages map[string]*goPackage
	docs     map[string]document
}

// A Row is one attempt at one case.
type Row struct {
	result.Result           // Status is "" while it runs
	Since         time.Time // when it began, zero is not known
	Group         bool      // it is no test of its own, those under it are
	Message       string    // why it did not pass, in one line
	Changed       uint64    // larger than that of every row that changed before
}

// Broken are the lines that could not be read.
type Broken struct {
	Lines int
	Last  int    // its number, from 1
	Text  string // its beginning
	Why   string
}

// Changes is the Changed of the row that changed last.
func (run *Run) Changes() uint64 { return run.changes }

// Reset forgets the run: the stream begins anew.
func (run *Run) Reset() { *run = Run{Generation: run.Generation + 1, changes: run.changes} }

// A Spent is what the run cost so far.
type Spent struct {
	USD       float64
	Estimated bool   // by a table of prices, not counted by the runner
	Unknown   string // a model whose tokens are in no sum
}

// Spent adds up what the run cost so far. Costs that the runner tells apart
// from results count alone when they tell dollars: those of the results are
// among them. Where nobody tells dollars, price says what tokens cost; it may
// be nil.
func (run *Run) Spent(price func(result.Cost) (usd float64, known bool)) (s Spent) {
	var told float64
	for _, c := range run.Costs {
		told += c.CostUSD
	}
	if told == 0 && run.caseUSD > 0 {
		return Spent{USD: run.caseUSD}
	}
	for _, c := range run.Costs {
		usd, known := c.CostUSD, c.CostUSD > 0
		if !known && price != nil {
			usd, known = price(c)
			s.Estimated = s.Estimated || known && usd > 0
		}
		if !known {
			s.Unknown = c.Model
			continue
		}
		s.USD += usd
	}
	return s
}

// Tokens are all that the run used so far, as far as the runner tells.
func (run *Run) Tokens() (n int64) {
	for _, c := range run.Costs {
		n += c.InputTokens + c.OutputTokens + c.CacheReadTokens + c.CacheWriteTokens
	}
	return n
}

// Left is how long the rest will take if it goes on as it went; ok is false
// where that cannot be told. Two results are needed: the first one alone says
// little, and nothing where tests run side by side.
func (run *Run) Left(now time.Time) (left time.Duration, ok bool) {
	done := run.Counts.Total
	if done < 2 || run.Expected <= done || run.Started.IsZero() || !run.Ended.IsZero() {
		return 0, false
	}
	each := run.LastDone.Sub(run.Started) / time.Duration(done)
	return max(0, each*time.Duration(run.Expected-done)-now.Sub(run.LastDone)), each > 0
}

// Result is the run as it is so far, in the format of version 1: what is
// running is left out.
func (run *Run) Result() *result.Run {
	out := &result.Run{
		SchemaVersion: result.Version, Suite: run.Suite, Label: run.Label, GitBranch: run.Branch, GitSHA: run.SHA, Tool: run.Tool,
		Timestamp: result.Time{Time: run.Started}, Costs: run.Costs, Results: []result.Result{},
	}
	for i := range run.Rows {
		if run.Rows[i].Status != "" && !run.Rows[i].Group {
			out.Results = append(out.Results, run.Rows[i].Result)
		}
	}
	if !run.Ended.IsZero() && !run.Started.IsZero() {
		out.WallClockMS = float64(run.Ended.Sub(run.Started).Milliseconds())
	}
	out.Recount()
	out.Derive()
	return out
}

// key is the identity of a result's case; see result.Run.Key.
func (run *Run) key(r *result.Result) string { return (&result.Run{Suite: run.Suite}).Key(r) }

func withTry(key string, try int) string { return fmt.Sprintf("%s\x00%d", key, try) }

// running notes that a test has begun.
func (run *Run) running(r result.Result, now time.Time) {
	r.Status, r.Passed = "", false
	i := run.row(&r, true)
	run.touch(i)
	run.Rows[i].Since = now
}

// done notes how a test ended.
func (run *Run) done(r result.Result, now time.Time) {
	i := run.row(&r, false)
	row := &run.Rows[i]
	if row.Group {
		row.Group = false
	} else if row.Status == "" {
		run.Going--
	} else {
		run.uncount(row)
	}
	r.Attempt = row.Attempt
	row.Result = run.bounded(r)
	row.Message = message(&row.Result)
	run.Counts.Count(r.Status)
	run.caseUSD += r.CostUSD
	run.LastDone = now
	run.touch(i)
}

// row finds the row that an event is about, or makes it: a test that runs, the
// attempt that is named, else the next one.
func (run *Run) row(r *result.Result, begins bool) int {
	if run.at == nil {
		run.at, run.tries = map[string]int{}, map[string]int{}
	}
	key := run.key(r)
	last := run.tries[key]
	try := max(r.Attempt, 0)
	if try == 0 {
		try = last
		if i, ok := run.at[withTry(key, last)]; !ok || run.Rows[i].Status != "" || begins {
			try = last + 1
		}
	}
	if i, ok := run.at[withTry(key, try)]; ok {
		if begins && run.Rows[i].Status != "" { // runs again
			run.uncount(&run.Rows[i])
			run.Rows[i].Result = *r
			run.Going++
		}
		return i
	}
	row := Row{Result: *r}
	row.Status, row.Passed, row.Attempt = "", false, 0
	if try > 1 {
		row.Attempt = try
	}
	run.Rows = append(run.Rows, row)
	run.at[withTry(key, try)] = len(run.Rows) - 1
	run.tries[key] = max(last, try)
	run.Going++
	return len(run.Rows) - 1
}

// group makes a row that runs one that only stands for others.
func (run *Run) group(i int) {
	if row := &run.Rows[i]; !row.Group && row.Status == "" {
		row.Group = true
		run.Going--
		run.touch(i)
	}
}

func (run *Run) touch(i int) {
	run.changes++
	run.Rows[i].Changed = run.changes
}

// uncount takes back what a row that is written again had added.
func (run *Run) uncount(row *Row) {
	c := &run.Counts
	c.Total--
	switch row.Status {
	case result.Pass:
		c.Passed--
	case result.Fail:
		c.Failed--
	case result.Skip:
		c.Skipped--
	case result.Error:
		c.Errored--
	}
	run.caseUSD -= row.CostUSD
}

// bounded takes the large parts out of a result when much is kept already.
func (run *Run) bounded(r result.Result) result.Result {
	size := len(r.Output) + len(r.Comparison) + len(r.X) + len(r.ResponsePreview)
	if run.kept+size > keepBytes {
		r.Output, r.Comparison, r.X, r.ResponsePreview = nil, nil, nil, ""
		return r
	}
	run.kept += size
	return r
}
