package alert

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"cairn/internal/team/stats"
)

const (
	// HistoryRuns is how many runs of the main branch a case is judged by.
	HistoryRuns = 20
	// LeastRuns is how many there must be, of the suite and of each case.
	LeastRuns = 5

	// pendingLevel and onceLevel are the p below which a push is bad, and so bad
	// that no second one is waited for; goodLevel that from which it is good.
	pendingLevel, onceLevel, goodLevel = .005, 1e-6, .05
	// watched is the number of series for which the levels above are; with more
	// of them each one has to be surer, so that all together stay as seldom wrong.
	watched = 5

	// least is the least p that is told of: PostgreSQL's real ends at 1e-37.
	least = 1e-30

	mostWorst = 5
)

// A Verdict is what a push looks like.
type Verdict uint8

const (
	Unknown Verdict = iota // there is too little to judge by
	Good
	Doubtful // neither good nor bad
	Bad
	Severe
)

// A Judgment of a run.
type Judgment struct {
	Verdict  Verdict
	Why      string  // of Unknown: one clause, as "3 runs on main, 5 are needed"
	P        float64 // of as many failures or more, if nothing changed; 1e-30 at least
	Expected float64 // share of the judged cases that should pass
	Observed float64 // that did
	Cases    int     // that were judged
	Left     int     // cases of the run that were not: they are too new
	Runs     int     // of the history
	// Spread is how much more than by chance the history's runs may differ from
	// each other: 1 is by chance, 4 is twice the standard deviation.
	Spread float64
	Worst  []Worst
}

// Judge compares a run with the newest runs of the main branch before it, in
// any order, HistoryRuns at most. series is how many series of the team had a
// push in the last week.
//
// If nothing changed, case i fails with the probability that is expected of it
// after its history: Jeffreys' (failed + ½)/(runs + 1), which is what the
// posterior predicts for one more run, so that it has the doubt of so few runs
// in it. The number of failures is then Poisson binomial, and P is its upper
// tail; where the history's runs differ by more than chance, because a whole
// run has good and bad days, the tail is the mean over such days.
func Judge(run Run, history []Run, series int) Judgment {
	j := Judgment{Runs: len(history), P: 1, Spread: 1}
	if len(history) < LeastRuns {
		j.Why = fmt.Sprintf("%d runs on the main branch, %d are needed", len(history), LeastRuns)
		return j
	}
	past := pastOf(history)
	var failing []float64 // of each judged case: its probability to fail
	var failed, expected float64
	for _, t := range run.Cases {
		p := past[t.Case]
		if t.Passed+t.Failed == 0 {
			continue
		}
		if p == nil || p.runs < LeastRuns {
			j.Left++
			continue
		}
		rate := p.smoothed()
		failing = append(failing, 1-rate)
		failed += t.failed()
		expected += rate
		if t.Failed > 0 {
			j.Worst = append(j.Worst, Worst{Case: t.Case, Expected: rate, Passed: t.Passed, Of: t.Passed + t.Failed})
		}
	}
	j.Cases = len(failing)
	if j.Cases == 0 {
		j.Why = "no case of it was judged before"
		if j.Left == 0 {
			j.Why = "no case of it passed or failed"
		}
		return j
	}
	slices.SortFunc(j.Worst, func(a, b Worst) int {
		return cmp.Or(cmp.Compare(b.surprise(), a.surprise()), cmp.Compare(a.Case, b.Case))
	})
	j.Worst = j.Worst[:min(mostWorst, len(j.Worst))]
	j.Expected, j.Observed = expected/float64(j.Cases), 1-failed/float64(j.Cases)
	j.Spread = spread(history, past)
	// Repeats are averaged in the case; part of a failure does not count as one.
	j.P = max(least, tail(failing, int(failed+1e-9), j.Spread, len(history)))
	j.Verdict = verdict(j.P, series)
	return j
}

func (w Worst) surprise() float64 { return w.Expected - float64(w.Passed)/float64(w.Of) }

func verdict(p float64, series int) Verdict {
	share := min(1, watched/float64(max(series, 1)))
	switch {
	case p < onceLevel*share:
		return Severe
	case p < pendingLevel*math.Sqrt(share): // two of them in a row: the product
		return Bad
	case p >= goodLevel:
		return Good
	}
	return Doubtful
}

// A past is how a case went in the history: passed is a sum of shares.
type past struct {
	passed float64
	runs   int
}

func pastOf(history []Run) map[int64]*past {
	all := map[int64]*past{}
	for _, r := range history {
		for _, t := range r.Cases {
			if t.Passed+t.Failed == 0 {
				continue
			}
			p := all[t.Case]
			if p == nil {
				p = &past{}
				all[t.Case] = p
			}
			p.runs++
			p.passed += 1 - t.failed()
		}
	}
	return all
}

// smoothed is the pass rate with half a pass and half a failure added, the mean of
// what Jeffreys' prior leaves: a failure of a case that passed 20 of 20 times is
// rare (1 in 42), not impossible. Jeffreys, Theory of Probability (1961); Brown, Cai
// and DasGupta, Statistical Science 16 (2001), 4.3.
func (p *past) smoothed() float64 { return (p.passed + .5) / (float64(p.runs) + 1) }

// spread is Pearson's dispersion of the runs' numbers of failures around what
// their cases' own rates expect. McCullagh and Nelder, Generalized Linear Models
// (1989), 4.5. So few runs may differ less than they will: it is the larger one
// that would look like this in one of four histories, and never below 1.
func spread(history []Run, all map[int64]*past) float64 {
	sum, n := 0., 0
	for _, r := range history {
		off, variance := 0., 0.
		for _, t := range r.Cases {
			p := all[t.Case]
			if p == nil || t.Passed+t.Failed == 0 {
				continue
			}
			off += t.failed() - (1 - p.passed/float64(p.runs))
			s := p.smoothed()
			variance += s * (1 - s)
		}
		if variance > 0 {
			sum += off * off / variance
			n++
		}
	}
	if n < 2 {
		return 1
	}
	return max(1, sum/lowChiSquare(float64(n-1)))
}

// lowChiSquare is the lower quartile of χ² by Wilson and Hilferty, PNAS 17 (1931).
func lowChiSquare(freedom float64) float64 {
	const quartile = -.6745
	part := 2 / (9 * freedom)
	return freedom * math.Pow(1-part+quartile*math.Sqrt(part), 3)
}

// tail is the probability of failed failures or more. With a spread above 1
// each run has a shift of its own on the logistic scale, as large as the spread
// asks for: its variance σ² adds σ²V² to the variance V of the sum. As σ is
// estimated from runs, the shift is Student's t, not normal.
func tail(failing []float64, failed int, spread float64, runs int) float64 {
	rates := make([]float64, len(failing))
	variance := 0.
	for i, q := range failing {
		rates[i] = 1 - q
		variance += q * (1 - q)
	}
	if spread <= 1 || failed <= 0 {
		return stats.FailureTail(rates, failed)
	}
	sigma := math.Sqrt((spread - 1) / variance)
	sum, weights := 0., 0.
	freedom := float64(runs - 1)
	for x := -20.; x <= 20; x += .5 { // the trapezoidal rule is exact enough for such a bell at this step
		w := math.Pow(1+x*x/freedom, -(freedom+1)/2)
		for i, q := range failing {
			rates[i] = 1 / (1 + q/(1-q)*math.Exp(sigma*x))
		}
		sum += w * stats.FailureTail(rates, failed)
		weights += w
	}
	return sum / weights
}
