package eval

import (
	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

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
