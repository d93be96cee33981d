package trend

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// levels makes a series of runs whose cases pass as often as said.
func levels(runs ...[]float64) Series[int] {
	s := Series[int]{Cases: func(from, to int) (all []map[int]float64) {
		for _, run := range runs[from:to] {
			shares := map[int]float64{}
			for c, share := range run {
				if !math.IsNaN(share) {
					shares[c] = share
				}
			}
			all = append(all, shares)
		}
		return all
	}}
	for _, run := range runs {
		rate, _ := mean(run)
		s.Rates = append(s.Rates, rate)
	}
	return s
}

var none = math.NaN()

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		rates []float64
		at    int
	}{{nil, 0}, {[]float64{1}, 0}, {[]float64{.5, .5, .5}, 0}, {[]float64{1, 0}, 1}, {[]float64{1, .9, 1, .2, .3}, 3}, {[]float64{1, none, none, 0, 0}, 3}, {[]float64{none, 1}, 0}, {[]float64{none, .2, .9, none}, 2}} {
		if at, _ := Split(c.rates); at != c.at {
			t.Errorf("%v: %d, want %d", c.rates, at, c.at)
		}
	}
}

// The newest run alone can be the change, six cases of six at least; cases that
// are not judged on both sides have no say.
func TestTheNewestRun(t *testing.T) {
	good := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	bad := []float64{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, none}
	got := Changes([]Series[int]{levels(good, good, bad), levels(good, good)}, nil)
	if len(got[0]) != 1 || len(got[1]) != 0 {
		t.Fatalf("%+v", got)
	}
	if c := got[0][0]; c.At != 2 || c.Window != 1 || c.Cases != 10 || !(c.P > 2*2./256 && c.P < .022) || c.Regressed != 8 || c.Fixed != 0 || len(c.Moved) != 8 || c.Moved[0] != (Moved[int]{0, 1, 0}) || !c.Fell() {
		t.Errorf("%+v", c)
	}
	if two := Changes([]Series[int]{levels(good, good, bad), levels(good, good, bad)}, nil); two[0][0].P != 2*got[0][0].P {
		t.Errorf("two suites: %+v", two)
	}
	if three := Changes([]Series[int]{levels(good, good, bad), levels(good, good, bad), levels(good, good, bad)}, nil); len(three[0]) != 0 {
		t.Errorf("three suites: %+v", three)
	}
	five := []float64{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}
	if got := Changes([]Series[int]{levels(good, good, five)}, nil); len(got[0]) != 0 {
		t.Errorf("five cases: %+v", got)
	}
}

// A fall and the rise after it are two changes, each with its own levels.
func TestTwoChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	var runs [][]float64
	for r := range 36 {
		run := make([]float64, 40)
		for c := range run {
			if random.Float64() < .95 && (c >= 15 || r < 10 || r >= 22) {
				run[c] = 1
			}
		}
		runs = append(runs, run)
	}
	got := Changes([]Series[int]{levels(runs...)}, nil)[0]
	if len(got) != 2 || got[0].At != 10 || got[1].At != 22 || !got[0].Fell() || got[1].Fell() {
		t.Fatalf("%+v", got)
	}
	if got[0].Window != 10 || got[1].Window != 12 || got[0].Before < .9 || got[0].After > .7 || got[1].Before > .7 || got[1].After < .9 || got[0].Regressed != 15 || got[1].Fixed != 15 {
		t.Errorf("%+v", got)
	}
	var names []int
	for _, m := range got[0].Moved {
		if m.Case >= 15 && m.Before-m.After > .5 {
			t.Errorf("case %d did not fall: %+v", m.Case, m)
		}
		names = append(names, m.Case)
	}
	if len(names) < 14 || len(names) > 18 {
		t.Errorf("they make it up: %v", names)
	}
}

// New cases that fail lower the rate, but no case fell.
func TestNewCases(t *testing.T) {
	var runs [][]float64
	for r := range 24 {
		run := []float64{1, 1, 1, 1, 1, 1, 1, 1, none, none, none, none}
		for c := 8; c < 12 && r >= 12; c++ {
			run[c] = 0
		}
		run[r%8] = 0
		runs = append(runs, run)
	}
	if got := Changes([]Series[int]{levels(runs...)}, nil)[0]; len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// The same runs give the same answer.
func TestSameAnswer(t *testing.T) {
	all := made{suites: 3, runs: 24, cases: 50, rate: .95, at: 18, fall: 12, drop: .9}.series(rand.New(rand.NewPCG(1, 1)))
	if a, b := Changes(all, nil), Changes(all, nil); !reflect.DeepEqual(a, b) {
		t.Errorf("%v and %v", a, b)
	}
}

// Few runs whose cases fell may have had a bad day: that is not known, and said. Cases
// that stay, or more runs, are no such matter.
func TestTooFew(t *testing.T) {
	good, bad := make([]float64, 50), make([]float64, 50)
	for i := range good {
		good[i] = 1
		if bad[i] = 1; i < 8 {
			bad[i] = 0
		}
	}
	for _, c := range []struct {
		runs [][]float64
		few  bool
	}{{[][]float64{good, bad}, true}, {[][]float64{good, good}, false}, {[][]float64{good}, false}, {[][]float64{good, good, good, good, good, bad}, false}} {
		s := levels(c.runs...)
		if got := TooFew(&s); got != c.few {
			t.Errorf("%d runs: %v; %+v", len(c.runs), got, Changes([]Series[int]{s}, nil))
		}
	}
}
