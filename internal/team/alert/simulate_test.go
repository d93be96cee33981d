package alert

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// A suite under simulation: its cases' true pass rates, and how much whole runs
// differ: the standard deviation of a shift on the logistic scale.
type suite struct {
	rates  []float64
	shift  float64
	at     time.Time
	runs   []Run // of the main branch, the newest last
	alert  *Alert
	random *rand.Rand
}

func newSuite(cases int, rate, shift float64, random *rand.Rand) *suite {
	s := &suite{shift: shift, random: random, at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	for range cases {
		s.rates = append(s.rates, rate)
	}
	for range HistoryRuns {
		s.runs = append(s.runs, s.run(0))
	}
	return s
}

// run makes one push's; drop is taken from every pass rate.
func (s *suite) run(drop float64) Run {
	s.at = s.at.Add(time.Hour)
	r := Run{At: s.at}
	e := math.Exp(s.shift * s.random.NormFloat64())
	for i, rate := range s.rates {
		rate = max(0, rate-drop)
		rate = rate / (rate + (1-rate)*e)
		t := Tally{Case: int64(i), Passed: 1}
		if s.random.Float64() >= rate {
			t = Tally{Case: int64(i), Failed: 1}
		}
		r.Cases = append(r.Cases, t)
	}
	return r
}

// push judges a run as the store does: runs of an open alert, and of one that
// was resolved as recovered, are no history.
func (s *suite) push(drop float64, series int) News {
	r := s.run(drop)
	history := s.runs[max(0, len(s.runs)-HistoryRuns):]
	next, news := Step(s.alert, Series{}, r, Judge(r, history, series), r.At)
	if next != nil {
		s.alert = next
	}
	if s.alert != nil && s.alert.State == Resolved {
		s.alert = nil
	}
	if s.alert == nil {
		s.runs = append(s.runs, r)
	}
	return news
}

// full is whether the long form runs, which docs/alerts.md has the figures of.
func full() bool { return os.Getenv("CAIRN_SIMULATE") != "" }

// falseWeeks is how many of weeks had an alert that fires while nothing changed:
// suites × 20 pushes each. A week begins with a history of its own.
func falseWeeks(weeks, suites, cases int, rate, shift float64, seed uint64) (fired int) {
	random := rand.New(rand.NewPCG(seed, 1))
	for range weeks {
		was := false
		for range suites {
			s := newSuite(cases, rate, shift, random)
			for range 20 {
				was = s.push(0, suites) == NewFiring || was
			}
		}
		if was {
			fired++
		}
	}
	return fired
}

// Nothing changes: in less than one of a hundred weeks an alert fires.
func TestFalseAlarms(t *testing.T) {
	cairntest.Long(t)
	weeks := 100
	if full() {
		weeks = 1000
	}
	for _, cases := range []int{12, 50} {
		for _, rate := range []float64{.99, .9, .5} {
			n := falseWeeks(weeks, 5, cases, rate, 0, uint64(cases))
			t.Logf("| 5 | %d | %g | 0 | %d of %d |", cases, rate, n, weeks)
			if n*100 >= weeks && n > 1 {
				t.Errorf("%d cases at %g: %d of %d weeks have a false alarm", cases, rate, n, weeks)
			}
		}
	}
	if !full() {
		return
	}
	for _, c := range []struct {
		suites, cases int
		rate, shift   float64
	}{{25, 50, .9, 0}, {25, 12, .5, 0}, {5, 50, .9, .5}, {5, 50, .9, 1}, {5, 50, .5, .5}, {5, 12, .9, .5}, {5, 12, .9, 1}} {
		t.Logf("| %d | %d | %g | %g | %d of %d |", c.suites, c.cases, c.rate, c.shift, falseWeeks(weeks, c.suites, c.cases, c.rate, c.shift, 7), weeks)
	}
}

// pushesUntil returns after how many pushes with a drop an alert fired, at most most.
func pushesUntil(trials, cases int, rate, drop, shift float64, most int) (by []int) {
	random := rand.New(rand.NewPCG(uint64(cases), 2))
	by = make([]int, most+1)
	for range trials {
		s := newSuite(cases, rate, shift, random)
		for n := 1; n <= most; n++ {
			if s.push(drop, 5) == NewFiring {
				for k := n; k <= most; k++ {
					by[k]++
				}
				break
			}
		}
	}
	return by
}

// A drop of 40 points over 50 cases fires with the first push or the second.
func TestDrops(t *testing.T) {
	trials := 60
	if full() {
		trials = 1000
	}
	for _, rate := range []float64{.99, .9, .5} {
		by := pushesUntil(trials, 50, rate, .4, 0, 2)
		t.Logf("| 50 | %g | 0.4 | %d of %d with the first push, %d with the second", rate, by[1], trials, by[2])
		if by[2]*100 < 95*trials {
			t.Errorf("at %g: %d of %d fire with the second push", rate, by[2], trials)
		}
	}
	if !full() {
		return
	}
	for _, cases := range []int{12, 50} {
		for _, rate := range []float64{.99, .9, .5} {
			for _, drop := range []float64{.4, .3, .2, .1, .05} {
				by := pushesUntil(trials, cases, rate, drop, 0, 10)
				percent := func(n int) string { return fmt.Sprintf("%.1f", float64(by[n])*100/float64(trials)) }
				t.Logf("| %d | %g | %g | %s | %s | %s | %s |", cases, rate, drop, percent(1), percent(2), percent(5), percent(10))
			}
		}
	}
}
