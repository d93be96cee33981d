package eval

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
	"cairn/internal/text"
)

// A Series is one suite in time: the runs that can be set side by side, which
// are those of one repository, kind and judges' tier.
type Series struct {
	Repo      string  `json:"repo,omitzero"`
	Suite     string  `json:"suite"`
	Kind      string  `json:"kind,omitzero"`
	JudgeTier string  `json:"judge_tier,omitzero"`
	Points    []Point `json:"points"` // the oldest first

	FlakeRate *float64 `json:"flake_rate,omitempty"`  // of the cases that ran more than once on one commit
	Repeated  int      `json:"repeated,omitzero"`     // how many those are
	Change    *Change  `json:"change,omitempty"`      // the newest of Changes
	Changes   []Change `json:"changes,omitempty"`     // where the pass rate went up or down, if that is more than noise
	TooFew    bool     `json:"too_few_runs,omitzero"` // the cases moved, but so few runs may have had a bad or a good day
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
	Edited  []string      `json:"edited_prompts,omitempty"` // prompts with another text than in the run before
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
	members := seriesOf(entries, opts.Suite, opts.Runs)
	all := make([]Series, len(members))
	wanted := map[string][]int{} // by the file of a run, the series that it is a point of
	for i, m := range members {
		all[i] = Series{Repo: m.repo, Suite: m.suite, Kind: m.kind, JudgeTier: m.tier}
		for _, e := range m.entries {
			wanted[e.File] = append(wanted[e.File], i)
		}
	}
	prompted := make([]prompted, len(all))
	for _, e := range slices.Backward(entries) {
		of := wanted[e.File]
		if len(of) == 0 {
			continue
		}
		delete(wanted, e.File)
		run, err := s.Load(e)
		if err != nil {
			continue
		}
		suites := bySuite(run)
		for _, i := range of {
			prompted[i].add(run)
			all[i].Points = append(all[i].Points, pointOf(e, suites[all[i].Suite]))
		}
	}
	for i := range all {
		prompted[i].align(&all[i])
	}
	all = slices.DeleteFunc(all, func(s Series) bool { return len(s.Points) == 0 })
	for i := range all {
		all[i].settle()
	}
	changesOf(all)
	return all
}

// prompted are the runs of a series, and whether any says with which prompts its cases
// were tried.
type prompted struct {
	runs []*result.Run
	any  bool
}

func (p *prompted) add(run *result.Run) {
	p.runs = append(p.runs, run)
	p.any = p.any || len(run.Prompts) > 0
}

// align has the cases of all points called as those of the newest, where prompts
// moved, and notes where their texts changed.
func (p *prompted) align(s *Series) {
	if !p.any {
		return
	}
	aligned, called := result.Aligned(p.runs)
	for i, run := range aligned {
		s.Points[i].Edited = called[i].Edited
		if run != p.runs[i] {
			s.Points[i].tallies = bySuite(run)[s.Suite]
		}
	}
}

// pointOf makes a point of how the cases of its suite went in a run.
func pointOf(e Entry, tallies []*Tally) Point {
	p := Point{ID: e.ID, Time: e.Time, Label: e.Label, Branch: e.Branch, SHA: e.SHA, Dirty: e.Dirty, prompt: e.PromptSHA, tallies: tallies}
	for _, t := range tallies {
		p.CostUSD += t.CostUSD
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
	return slices.Collect(maps.Values(found))
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

// seriesKey is what runs have in common that can be set side by side.
type seriesKey struct{ repo, suite, kind, tier string }

// members are a series with its entries, the newest first.
type members struct {
	seriesKey
	entries []Entry
}

// seriesOf sorts entries, the newest first, into series by name: of each the
// newest so many, 0 for all, and of one suite only where that is not "".
func seriesOf(entries []Entry, suite string, most int) []members {
	at := map[seriesKey]int{}
	var all []members
	for _, e := range entries {
		for _, s := range e.suites() {
			if suite != "" && s != suite {
				continue
			}
			k := seriesKey{e.Repo, s, e.Kind, e.JudgeTier}
			i, ok := at[k]
			if !ok {
				i = len(all)
				at[k] = i
				all = append(all, members{seriesKey: k})
			}
			if most == 0 || len(all[i].entries) < most {
				all[i].entries = append(all[i].entries, e)
			}
		}
	}
	slices.SortFunc(all, func(a, b members) int {
		return cmp.Or(text.Natural(a.suite, b.suite), strings.Compare(a.repo, b.repo), strings.Compare(a.kind, b.kind), strings.Compare(a.tier, b.tier))
	})
	return all
}

// A Line is one case in the runs of a series.
type Line struct {
	Key      string   `json:"-"`
	Title    string   `json:"title"`
	Category string   `json:"category,omitzero"`
	Marks    []string `json:"marks"`         // as Tally.Mark, one for each point; "" where the case was not run
	Judged   int      `json:"judged"`        // runs in which it passed or failed
	Share    float64  `json:"pass_rate"`     // mean over those
	Flips    int      `json:"flips"`         // from passed to failed or back, between runs that follow one another
	Since    int      `json:"failing_since"` // the point from which on it failed whenever it was judged; -1 where it did not fail last
}

// linesOf follows the cases through the points. What fails now comes first,
// then what failed most.
func linesOf(points []Point) []Line {
	at := map[string]int{}
	var all []Line
	for i, p := range points {
		for _, t := range p.tallies {
			k, ok := at[t.Key]
			if !ok {
				k = len(all)
				at[t.Key] = k
				all = append(all, Line{Key: t.Key, Marks: make([]string, len(points)), Since: -1})
			}
			l := &all[k]
			l.Title, l.Category, l.Marks[i] = t.Title, t.Category, t.Mark()
			if share, ok := t.Counts.Rate(); ok {
				l.Judged++
				l.Share += share
			}
		}
	}
	for i := range all {
		all[i].settle()
	}
	slices.SortStableFunc(all, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Share, b.Share), text.Natural(a.Title, b.Title))
	})
	return all
}

func (l *Line) settle() {
	if l.Judged > 0 {
		l.Share /= float64(l.Judged)
	}
	last := ""
	for i, mark := range l.Marks {
		if !judged(mark) {
			continue
		}
		if last != "" && mark != last {
			l.Flips++
		}
		switch {
		case mark != "✗":
			l.Since = -1
		case l.Since < 0:
			l.Since = i
		}
		last = mark
	}
}

// Last is how the case went when it was judged last, "" where it never was.
func (l *Line) Last() string {
	for _, mark := range slices.Backward(l.Marks) {
		if judged(mark) {
			return mark
		}
	}
	return ""
}

func judged(mark string) bool { return mark == "✓" || mark == "✗" || mark == "~" }

func (l *Line) rank() int { return slices.Index([]string{"✗", "~", "✓", ""}, l.Last()) }
