package eval

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// A Series is one suite in time: the runs that can be set side by side, which
// are those of one repository, kind and judges' tier.
type Series struct {
	Repo      string  `json:"repo,omitzero"`
	Suite     string  `json:"suite"`
	Kind      string  `json:"kind,omitzero"`
	JudgeTier string  `json:"judge_tier,omitzero"`
	Points    []Point `json:"points"` // the oldest first

	FlakeRate *float64 `json:"flake_rate,omitempty"` // of the cases that ran more than once on one commit
	Repeated  int      `json:"repeated,omitzero"`    // how many those are
	Change    *Change  `json:"change,omitempty"`     // where the pass rate went up or down, if that is more than noise
	Cases     []Line   `json:"cases,omitempty"`
}

// A Point is one run of a series.
type Point struct {
	ID      string        `json:"id"`
	Time    result.Time   `json:"timestamp"`
	Label   string        `json:"label,omitzero"`
	Branch  string        `json:"git_branch,omitzero"`
	SHA     string        `json:"git_sha,omitzero"`
	Dirty   bool          `json:"git_dirty,omitzero"`
	Counts  result.Counts `json:"counts"`              // of the attempts in this suite
	Rate    *Rate         `json:"pass_rate,omitempty"` // absent where nothing was judged
	CostUSD float64       `json:"cost_usd,omitzero"`
	prompt  string        // its hash
	tallies []*Tally
}

// TrendOptions say which runs make a trend.
type TrendOptions struct {
	Suite string // only this; "" is every
	Runs  int    // of each series the newest so many; 0 is all
}

// Trend reads the runs of entries, the newest first as from List, and puts
// them into series, by name. A run that was removed meanwhile is left out.
func (s *Store) Trend(entries []Entry, opts TrendOptions) []Series {
	read := map[string]*result.Run{} // each file once
	var all []Series
	for _, m := range seriesOf(entries, opts.Suite, opts.Runs) {
		series := Series{Repo: m.repo, Suite: m.suite, Kind: m.kind, JudgeTier: m.tier}
		for _, e := range slices.Backward(m.entries) {
			run, ok := read[e.File]
			if !ok {
				run, _ = s.Load(e)
				read[e.File] = run
			}
			if run != nil {
				series.Points = append(series.Points, pointOf(e, run, m.suite))
			}
		}
		if len(series.Points) > 0 {
			series.settle()
			all = append(all, series)
		}
	}
	judgeChanges(all)
	return all
}

func pointOf(e Entry, run *result.Run, suite string) Point {
	p := Point{ID: e.ID, Time: e.Time, Label: e.Label, Branch: e.Branch, SHA: e.SHA, Dirty: e.Dirty, prompt: e.PromptSHA}
	for _, t := range Tallies(run) {
		if t.Suite == suite {
			p.tallies = append(p.tallies, t)
			p.CostUSD += t.CostUSD
		}
	}
	p.Counts = Total(p.tallies)
	if rate, ok := RateOf(p.tallies); ok {
		p.Rate = &rate
	}
	if len(e.suites()) == 1 { // what the run says of itself is of this suite
		p.Counts = e.Counts
		p.CostUSD = max(p.CostUSD, e.CostUSD)
		if share, ok := e.Rate(); ok && p.Rate == nil { // a file of sums
			lo, hi := stats.Wilson(e.Passed, e.Judged(), Confidence)
			p.Rate = &Rate{e.Judged(), share, lo, hi}
		}
	}
	return p
}

// settle fills in what follows from the points.
func (s *Series) settle() {
	s.Cases = linesOf(s.Points)
	repeats := repeatsOf(s.Points)
	if rate, n := stats.FlakeRate(repeats); n > 0 {
		s.FlakeRate, s.Repeated = &rate, n
	}
	s.Change = changeOf(s.Points)
}

// repeatsOf returns, of every case, how it went on the commit where it ran
// more than once, if any is: one where it was flaky, before others.
func repeatsOf(points []Point) []stats.Repeats {
	type at struct{ key, code string }
	sums := map[at]stats.Repeats{}
	for _, p := range points {
		code := "commit " + p.SHA + " " + p.prompt + " " + p.Label
		if p.SHA == "" || p.Dirty {
			code = "run " + p.ID
		}
		for _, t := range p.tallies {
			k, r := at{t.Key, code}, t.Repeats()
			sums[k] = stats.Repeats{Ran: sums[k].Ran + r.Ran, Passed: sums[k].Passed + r.Passed}
		}
	}
	found := map[string]stats.Repeats{}
	for k, r := range sums {
		flaky := r.Passed > 0 && r.Passed < r.Ran
		if have, ok := found[k.key]; r.Ran > 1 && (!ok || flaky && !(have.Passed > 0 && have.Passed < have.Ran)) {
			found[k.key] = r
		}
	}
	repeats := make([]stats.Repeats, 0, len(found))
	for _, r := range found {
		repeats = append(repeats, r)
	}
	return repeats
}

// WithCases keeps the cases with a word in their name; a name that is equal
// leaves the others out.
func WithCases(all []Series, word string) (kept []Series) {
	equal := false
	for _, s := range all {
		equal = equal || slices.ContainsFunc(s.Cases, func(l Line) bool { return l.Title == word })
	}
	for _, s := range all {
		s.Cases = slices.DeleteFunc(s.Cases, func(l Line) bool {
			return equal && l.Title != word || !strings.Contains(strings.ToLower(l.Title), strings.ToLower(word))
		})
		if len(s.Cases) > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// Common lists what runs have, such as branches: that of the most runs first.
func Common(all []Series, of func(Point) string) []string {
	runs := map[string]int{}
	for _, s := range all {
		for _, p := range s.Points {
			runs[of(p)]++
		}
	}
	delete(runs, "")
	names := slices.Sorted(maps.Keys(runs))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(runs[b], runs[a]) })
	return names
}
