package eval

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// Confidence is that of every interval, and 1 less it what p is held against.
const (
	Confidence = 0.95
	Alpha      = 0.05
)

// A Tally is how one case went in a run, over all its attempts.
type Tally struct {
	Key        string // as result.Run.Key gives it
	Suite      string
	Title      string
	Category   string
	Counts     result.Counts
	CostUSD    float64 // of all attempts
	DurationMS float64 // of all attempts
	Results    []*result.Result
}

// Tallies sums a run's results by case, in the order of the run.
func Tallies(run *result.Run) []*Tally {
	at := make(map[string]*Tally, len(run.Results))
	tallies := make([]*Tally, 0, len(run.Results))
	for i := range run.Results {
		r := &run.Results[i]
		key := run.Key(r)
		t := at[key]
		if t == nil {
			t = &Tally{Key: key, Suite: cmp.Or(r.Suite, run.Suite), Title: r.Title(), Category: r.Category}
			at[key] = t
			tallies = append(tallies, t)
		}
		t.Counts.Count(r.Status)
		t.CostUSD += r.CostUSD
		t.DurationMS += r.DurationMS
		t.Results = append(t.Results, r)
	}
	return tallies
}

// bySuite parts the tallies of a run by the suites of their results.
func bySuite(run *result.Run) map[string][]*Tally {
	suites := map[string][]*Tally{}
	for _, t := range Tallies(run) {
		suites[t.Suite] = append(suites[t.Suite], t)
	}
	return suites
}

// Flaky reports whether the case both passed and failed.
func (t *Tally) Flaky() bool { return t.Counts.Passed > 0 && t.Counts.Failed > 0 }

// Repeats are the judged attempts, as package stats wants them.
func (t *Tally) Repeats() stats.Repeats {
	return stats.Repeats{Ran: t.Counts.Judged(), Passed: t.Counts.Passed}
}

// Mark is how the case went in one sign: ✓ passed, ✗ failed, ~ both, ! could
// not be judged, – skipped.
func (t *Tally) Mark() string {
	switch n := t.Counts; {
	case t.Flaky():
		return "~"
	case n.Passed > 0:
		return "✓"
	case n.Failed > 0:
		return "✗"
	case n.Errored > 0:
		return "!"
	}
	return "–"
}

// A Rate is the mean of the pass rates of cases, and its interval.
type Rate struct {
	Cases int     `json:"cases"` // that were judged
	Mean  float64 `json:"rate"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// RateOf returns the pass rate of cases, as stats.WilsonMean gives it; ok is
// false where none was judged.
func RateOf(tallies []*Tally) (rate Rate, ok bool) {
	var shares []float64
	for _, t := range tallies {
		if share, ok := t.Counts.Rate(); ok {
			shares = append(shares, share)
		}
	}
	if len(shares) == 0 {
		return Rate{}, false
	}
	mean, lo, hi := stats.WilsonMean(shares, Confidence)
	return Rate{len(shares), mean, lo, hi}, true
}

// Total adds up how all attempts ended.
func Total(tallies []*Tally) (sum result.Counts) {
	for _, t := range tallies {
		sum.Add(t.Counts)
	}
	return sum
}

// A Group is the tallies of one suite or category.
type Group struct {
	Name    string
	Tallies []*Tally
}

// GroupBy puts tallies into groups, in the order of the names.
func GroupBy(tallies []*Tally, name func(*Tally) string) (groups []Group) {
	at := map[string]int{}
	for _, t := range tallies {
		n := name(t)
		i, ok := at[n]
		if !ok {
			i = len(groups)
			at[n] = i
			groups = append(groups, Group{Name: n})
		}
		groups[i].Tallies = append(groups[i].Tallies, t)
	}
	slices.SortFunc(groups, func(a, b Group) int { return strings.Compare(a.Name, b.Name) })
	return groups
}

// A Score is the mean of one criterion on one scale: first over the attempts
// of a case, then over the cases.
type Score struct {
	Criterion string       `json:"criterion"` // "" is the score of the whole
	Scale     result.Scale `json:"scale"`
	Cases     int          `json:"cases"`
	Mean      float64      `json:"mean"`
}

// Scores returns the means of all criteria, those of two scales apart. The
// score of the whole comes first.
func Scores(tallies []*Tally) []Score {
	type kind struct {
		criterion string
		scale     result.Scale
	}
	type sum struct {
		n   int
		sum float64
	}
	all := map[kind]sum{}
	for _, t := range tallies {
		own := map[kind]sum{}
		add := func(criterion string, scale result.Scale, v float64) {
			if scale.Is("") {
				scale = "0-1"
			}
			k := kind{criterion, scale}
			own[k] = sum{own[k].n + 1, own[k].sum + v}
		}
		for _, r := range t.Results {
			if r.Status != result.Pass && r.Status != result.Fail {
				continue
			}
			if r.Score != nil {
				add("", r.Scale, *r.Score)
			}
			for criterion, v := range r.JudgeScores {
				add(criterion, r.Scale, v)
			}
		}
		for k, s := range own {
			all[k] = sum{all[k].n + 1, all[k].sum + s.sum/float64(s.n)}
		}
	}
	scores := make([]Score, 0, len(all))
	for k, s := range all {
		scores = append(scores, Score{k.criterion, k.scale, s.n, s.sum / float64(s.n)})
	}
	slices.SortFunc(scores, func(a, b Score) int {
		return cmp.Or(strings.Compare(a.Criterion, b.Criterion), cmp.Compare(a.Scale, b.Scale))
	})
	return scores
}

// Reason is the first thing that is said of why an attempt did not pass.
func (t *Tally) Reason() string {
	for _, r := range t.Results {
		if r.Status == result.Pass || r.Status == result.Skip {
			continue
		}
		text := r.Error
		if len(r.Failures) > 0 {
			text = r.Failures[0].Message
		}
		text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
		if n := len(r.Failures); n > 1 {
			text += " (and " + strconv.Itoa(n-1) + " more)"
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// A Pairing sets the cases of two runs side by side.
type Pairing struct {
	Cases  int     `json:"cases"`  // judged in both
	Better int     `json:"better"` // passed more often in the second
	Worse  int     `json:"worse"`
	P      float64 `json:"p"` // McNemar's, two-sided: exact up to 25 cases that differ, mid-p past that
}

// Pair compares the cases of a with those of b. Of a case with more attempts on
// one side, only as many count as the other has: a case that is tried more
// often fails more often, too.
func Pair(a, b []*Tally) (p Pairing) {
	first := make(map[string]*Tally, len(a))
	for _, t := range a {
		first[t.Key] = t
	}
	for _, t := range b {
		before := first[t.Key]
		if before == nil {
			continue
		}
		n := min(before.Counts.Judged(), t.Counts.Judged())
		if n == 0 {
			continue
		}
		p.Cases++
		switch was, is := before.passesIn(n), t.passesIn(n); {
		case is > was:
			p.Better++
		case is < was:
			p.Worse++
		}
	}
	p.P, _ = stats.McNemar(p.Worse, p.Better)
	return p
}

// passesIn is how many of the first n judged attempts passed.
func (t *Tally) passesIn(n int) (passed int) {
	for _, r := range t.Results {
		switch {
		case n == 0:
			return passed
		case r.Status == result.Pass:
			passed++
			n--
		case r.Status == result.Fail:
			n--
		}
	}
	return passed
}
