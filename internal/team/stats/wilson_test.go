package stats

import (
	"math"
	"testing"
)

// R 4.2.2: prop.test(x, n, conf.level=…, correct=FALSE)$conf.int. 81 of 263 is
// the example of Newcombe, Statistics in Medicine 17 (1998), method 3:
// 0.2553 to 0.3662.
func TestWilsonAgainstR(t *testing.T) {
	for _, c := range []struct {
		passed, total  int
		confidence     float64
		wantLo, wantHi float64
	}{
		{0, 10, .95, 0, 0.27753279986288915},
		{0, 10, .99, 0, 0.39885409330490795},
		{1, 10, .95, 0.017876213095072892, 0.404150026795238371},
		{8, 10, .95, 0.49016247153664183, 0.94331784854562473},
		{10, 10, .95, 0.72246720013711085, 1},
		{56, 100, .95, 0.46228104651676982, 0.65327973369839198},
		{56, 100, .99, 0.43239135947026258, 0.68014215800383881},
		{81, 263, .95, 0.25528851987827428, 0.36620957698280016},
		{999999, 1000000, .95, 0.99999433508819568, 0.99999982347542327},
	} {
		lo, hi := Wilson(c.passed, c.total, c.confidence)
		if !close(lo, c.wantLo, 1e-12) || !close(hi, c.wantHi, 1e-12) {
			t.Errorf("Wilson(%d, %d, %g) = %.17g, %.17g; R has %.17g, %.17g",
				c.passed, c.total, c.confidence, lo, hi, c.wantLo, c.wantHi)
		}
	}
}

func TestWilsonProperties(t *testing.T) {
	for n := 1; n <= 60; n++ {
		last := -1.
		for x := 0; x <= n; x++ {
			lo, hi := Wilson(x, n, 0.95)
			mirrorLo, mirrorHi := Wilson(n-x, n, 0.95)
			rate := float64(x) / float64(n)
			if !(0 <= lo && lo <= rate && rate <= hi && hi <= 1 && hi-lo > 0) {
				t.Fatalf("%d of %d: %g to %g", x, n, lo, hi)
			}
			if math.Abs(lo-(1-mirrorHi)) > 1e-12 || math.Abs(hi-(1-mirrorLo)) > 1e-12 {
				t.Fatalf("%d of %d is not the mirror of %d", x, n, n-x)
			}
			if lo < last {
				t.Fatalf("%d of %d: more passed, lower bound fell", x, n)
			}
			last = lo
			if wideLo, wideHi := Wilson(x, n, 0.99); wideLo > lo || wideHi < hi {
				t.Fatalf("%d of %d: more confidence, narrower", x, n)
			}
		}
	}
}

func TestWilsonEdges(t *testing.T) {
	if lo, hi := Wilson(0, 0, 0.95); lo != 0 || hi != 1 {
		t.Errorf("nothing ran: %g to %g, want 0 to 1", lo, hi)
	}
	for _, c := range []struct {
		passed, total int
		confidence    float64
	}{{-1, 5, .95}, {6, 5, .95}, {1, -1, .95}, {1, 5, 0}, {1, 5, 1}, {1, 5, 95}, {1, 5, math.NaN()}} {
		if lo, hi := Wilson(c.passed, c.total, c.confidence); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("%+v: %g to %g, want NaN", c, lo, hi)
		}
	}
}

func FuzzWilson(f *testing.F) {
	f.Add(3, 5, 0.95)
	f.Add(math.MaxInt, math.MaxInt, 0.5)
	f.Add(0, 0, math.NaN())
	f.Fuzz(func(t *testing.T, passed, total int, confidence float64) {
		lo, hi := Wilson(passed, total, confidence)
		valid := passed >= 0 && passed <= total && confidence > 0 && confidence < 1
		if valid != (0 <= lo && lo <= hi && hi <= 1) {
			t.Fatalf("Wilson(%d, %d, %g) = %g, %g", passed, total, confidence, lo, hi)
		}
	})
}

func TestWilsonMean(t *testing.T) {
	for _, c := range []struct {
		rates  []float64
		passed int // Wilson's of so many is the interval, and where part is not 0 that of one more is as near
		part   float64
	}{
		{[]float64{1, 0, 1, 1}, 3, 0},
		{[]float64{0.5, 0.5, 1, 1}, 3, 0},
		{[]float64{1. / 3, 1. / 3, 1. / 3, 1}, 2, 0},
		{[]float64{1, 0.25, 0, 0}, 1, 0.25},
		{[]float64{1}, 1, 0},
		{[]float64{0.5}, 0, 0.5},
	} {
		n := len(c.rates)
		mean, lo, hi := WilsonMean(c.rates, 0.95)
		wlo, whi := Wilson(c.passed, n, 0.95)
		if c.part > 0 {
			lo2, hi2 := Wilson(c.passed+1, n, 0.95)
			wlo, whi = wlo+c.part*(lo2-wlo), whi+c.part*(hi2-whi)
		}
		if math.Abs(mean-(float64(c.passed)+c.part)/float64(n)) > 1e-12 || math.Abs(lo-wlo) > 1e-12 || math.Abs(hi-whi) > 1e-12 {
			t.Errorf("%v: %v (%v–%v), want %v–%v", c.rates, mean, lo, hi, wlo, whi)
		}
	}
	if mean, lo, hi := WilsonMean(nil, 0.95); !math.IsNaN(mean) || lo != 0 || hi != 1 {
		t.Errorf("no rate: %v, %v, %v", mean, lo, hi)
	}
	for _, bad := range [][]float64{{1.1}, {-0.1}, {math.NaN()}} {
		if mean, lo, _ := WilsonMean(bad, 0.95); !math.IsNaN(mean) || !math.IsNaN(lo) {
			t.Errorf("%v: %v", bad, mean)
		}
	}
}
