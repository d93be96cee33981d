package compare

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// A Score is one criterion of a suite, or of all suites together, over the cases
// that have it on the same scale in both runs. More is better.
type Score struct {
	Suite     string `json:"suite"`
	Pooled    bool   `json:"pooled,omitempty"` // over all suites; Suite is ""
	Criterion string `json:"criterion"`        // of the judges; "" is the result's own score
	Scale     string `json:"scale,omitempty"`
	Cases     int    `json:"cases"`

	A      float64  `json:"a"` // means of the inputs' means
	B      float64  `json:"b"`
	Diff   float64  `json:"diff"`
	Lo     *float64 `json:"lo,omitempty"` // of the difference: paired bootstrap
	Hi     *float64 `json:"hi,omitempty"`
	Method string   `json:"method,omitempty"` // of the interval: bca or percentile

	P       *float64 `json:"p,omitempty"`      // two-sided, of random signs
	PHolm   *float64 `json:"p_holm,omitempty"` // adjusted for all criteria that were tested
	Verdict Verdict  `json:"verdict"`
	Why     string   `json:"why,omitempty"` // of what is not comparable

	gathering
}

// Where is the suite before a person.
func (s Score) Where() string {
	if s.Pooled {
		return "(all suites)"
	}
	return suiteName(s.Suite)
}

// Title is how the criterion is called before a person.
func (s Score) Title() string { return cmp.Or(s.Criterion, "score") }

// testScores compares the scores of all suites and judges them together: a fall
// that is spread over many suites shows in the pooled row of its criterion. Where
// there are pooled rows, they share one half of α by Holm and the suites the other.
func testScores(pairs []*pair, opts Options) []Score {
	rows := scoreRows(pairs)
	pooled := pooledScores(rows)
	rows = append(pooled, rows...)
	parallel(len(rows), func(i int) { rows[i].test(opts) })
	p := make([]float64, len(rows))
	for i := range rows {
		if p[i] = math.NaN(); rows[i].P != nil {
			p[i] = *rows[i].P
		}
	}
	half := 1.
	if len(pooled) > 0 {
		half = 2
	}
	for i, adjusted := range slices.Concat(stats.Holm(p[:len(pooled)]), stats.Holm(p[len(pooled):])) {
		s := &rows[i]
		if s.P == nil {
			continue
		}
		adjusted = min(1, half*adjusted)
		s.PHolm = &adjusted
		switch {
		case adjusted < opts.Alpha && s.Diff < 0:
			s.Verdict = Regression
		case adjusted < opts.Alpha:
			s.Verdict = Improvement
		}
	}
	return rows
}

// pooledScores are the criteria that several suites have on one scale.
func pooledScores(rows []Score) (pooled []Score) {
	type id struct{ criterion, scale string }
	suites := map[id][]unit{}
	several := map[id]bool{}
	for _, s := range rows {
		if key := (id{s.Criterion, s.Scale}); s.Why == "" {
			several[key] = len(suites[key]) > 0
			suites[key] = append(suites[key], s.units...)
		}
	}
	for _, s := range rows {
		if key := (id{s.Criterion, s.Scale}); s.Why == "" && several[key] {
			several[key] = false
			all := Score{Pooled: true, Criterion: s.Criterion, Scale: s.Scale, gathering: gathering{units: suites[key]}}
			for _, u := range all.units {
				all.Cases += int(u.cases)
			}
			pooled = append(pooled, all)
		}
	}
	return pooled
}

// scoreRows gathers the figures of each criterion and scale.
func scoreRows(pairs []*pair) []Score {
	type id struct{ suite, criterion, scale, why string }
	index := map[id]int{}
	var rows []Score
	add := func(p *pair, name string, before, after float64) {
		key := id{suite: p.Suite, criterion: name}
		a, okA := p.A.scale(p.a)
		b, okB := p.B.scale(p.b)
		switch {
		case !okA || !okB:
			key.why = "attempts of one case are on several scales"
		case a != b:
			key.why = a + " in A, " + b + " in B"
		default:
			key.scale = a
		}
		i, ok := index[key]
		if !ok {
			i = len(rows)
			index[key] = i
			rows = append(rows, Score{Suite: p.Suite, Criterion: name, Scale: key.scale, Why: key.why})
		}
		s := &rows[i]
		s.Cases++
		if key.why != "" {
			return
		}
		s.add(p, before, after)
	}
	for _, p := range pairs {
		if !p.scored || p.Quarantined || len(p.a) == 0 || len(p.b) == 0 {
			continue
		}
		if p.scoredWhole {
			add(p, "", p.scoreA, p.scoreB)
		}
		if p.ranA.Scale != "" && p.ranA.Scores == nil {
			continue // no criterion of A was judged
		}
		for _, name := range criteria(p.a) {
			if before, after, ok := means(p.a, p.b, criterion(name)); ok {
				add(p, name, before, after)
			}
		}
	}
	slices.SortStableFunc(rows, func(s, t Score) int {
		return cmp.Or(strings.Compare(s.Suite, t.Suite), strings.Compare(s.Criterion, t.Criterion),
			strings.Compare(s.Scale, t.Scale), strings.Compare(s.Why, t.Why))
	})
	return rows
}

// test computes the interval and the p-value of one row.
func (s *Score) test(opts Options) {
	if s.Why != "" {
		s.Verdict = NotComparable
		return
	}
	diffs := make([]float64, len(s.units))
	for i, u := range s.units {
		s.A, s.B, diffs[i] = s.A+u.a/u.cases, s.B+u.b/u.cases, (u.b-u.a)/u.cases
	}
	n := float64(len(diffs))
	s.A, s.B = s.A/n, s.B/n
	slices.Sort(diffs) // once for both that follow
	interval := stats.PairedBootstrap(diffs, resamples(len(diffs)), opts.Confidence, opts.Seed)
	s.Diff = interval.Estimate
	s.Lo, s.Hi, s.Method = ends(interval)
	p, _ := stats.SignFlip(diffs, resamples(len(diffs)), opts.Seed)
	s.P, s.Verdict = &p, NoDifference
	s.gathering = gathering{}
}

// ends are those of an interval, nil where there is none.
func ends(i stats.Interval) (lo, hi *float64, method string) {
	if i.Method == "none" {
		return nil, nil, ""
	}
	return &i.Lo, &i.Hi, i.Method
}

// resamples is how often n cases are drawn again: 10,000 times, and for large n,
// where fewer do, as often as 2 million draws allow, but 2,000 times.
func resamples(n int) int { return min(10_000, max(2_000, 2_000_000/max(1, n))) }

func scoreVerdict(scores []Score) Verdict {
	found := Verdict("")
	for _, s := range scores {
		switch {
		case s.Verdict == Regression:
			return Regression
		case s.Verdict == Improvement, found == "", found == NotComparable && s.Verdict == NoDifference:
			found = s.Verdict
		}
	}
	return found
}

// differentJudges reports whether the scores come from judges of two tiers.
func differentJudges(a, b *result.Run) bool {
	return a.JudgeTier != "" && b.JudgeTier != "" && a.JudgeTier != b.JudgeTier
}

// parallel calls do with 0 to n−1, on as many processors as there are.
func parallel(n int, do func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
