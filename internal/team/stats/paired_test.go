package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Airways before and after a transplantation, 7 worse and 1 better of 21, as in
// Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014); and what can
// be worked out by hand.
func TestPairedDifference(t *testing.T) {
	for _, test := range []struct {
		worse, better float64
		n             int
		lo, hi        float64
	}{
		{7, 1, 21, -0.517, -0.026},
		{0, 0, 73, -0.0500, 0.0500}, // z²/(n+z²)
		{0, 0, 0, -1, 1},
	} {
		lo, hi := PairedDifference(test.worse, test.better, test.n, 0.95)
		if math.Abs(lo-test.lo) > 5e-4 || math.Abs(hi-test.hi) > 5e-4 {
			t.Errorf("%g worse and %g better of %d: %.4f … %.4f, want %.4f … %.4f", test.worse, test.better, test.n, lo, hi, test.lo, test.hi)
		}
	}
	lo, hi := PairedDifference(15, 3, 100, 0.95)
	back, forth := PairedDifference(3, 15, 100, 0.95)
	if math.Abs(lo+forth) > 1e-6 || math.Abs(hi+back) > 1e-6 || !(lo < -0.12 && hi > -0.12) {
		t.Errorf("%v … %v and turned round %v … %v", lo, hi, back, forth)
	}
	for _, bad := range [][2]float64{{-1, 0}, {60, 60}} {
		if lo, hi := PairedDifference(bad[0], bad[1], 100, 0.95); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("%v: %v … %v", bad, lo, hi)
		}
	}
}

// chanceShown is the exact probability that n cases, each worse with the
// probability worse and better with better, have an interval above −margin.
func chanceShown(n int, worse, better, margin float64) (p float64) {
	for w := range n + 1 {
		atW := binomialPMF(w, n, worse)
		if atW < 1e-12 {
			continue
		}
		for b := range n - w + 1 {
			q := binomialPMF(b, n-w, better/(1-worse))
			if q < 1e-12 {
				continue
			}
			if lo, _ := PairedDifference(float64(w), float64(b), n, 0.95); lo >= -margin {
				p += atW * q
			}
		}
	}
	return p
}

// What is just so much worse is seldom called "at most so much worse".
func TestNonInferiorityHoldsItsLevel(t *testing.T) {
	worst := 0.
	for _, n := range []int{20, 40, 80, 160} {
		for _, margin := range []float64{0.02, 0.05, 0.1} {
			for _, better := range []float64{0.01, 0.05, 0.1, 0.2} {
				p := chanceShown(n, better+margin, better, margin)
				worst = math.Max(worst, p)
			}
		}
	}
	t.Logf("at most %.4f", worst)
	if worst > 0.035 {
		t.Errorf("shown with probability %.4f though it is worse by the margin", worst)
	}
}

// As many cases as are said to be needed show it about four times in five.
func TestCasesToShow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		worse, better float64
		n             int
		margin        float64
	}{{10, 10, 100, 0.05}, {3, 2, 100, 0.05}, {20, 10, 60, 0.1}} {
		need := CasesToShow(test.worse, test.better, test.n, test.margin, 0.95, 0.8)
		shown, side := 0, (test.worse+test.better)/float64(test.n)/2
		const runs = 2000
		for range runs {
			worse, better := 0., 0.
			for range need {
				switch u := random.Float64(); {
				case u < side:
					worse++
				case u < 2*side:
					better++
				}
			}
			if lo, _ := PairedDifference(worse, better, need, 0.95); lo >= -test.margin {
				shown++
			}
		}
		share := float64(shown) / runs
		t.Logf("%+v: %d cases, shown in %.1f %%", test, need, share*100)
		if share < 0.75 || share > 0.86 {
			t.Errorf("%+v: %d cases show it in %.1f %%", test, need, share*100)
		}
	}
	if CasesToShow(0, 0, 0, 0.05, 0.95, 0.8) != 0 || CasesToShow(1, 1, 10, 0, 0.95, 0.8) != 0 || CasesToShow(0, 0, 10, 0.05, 0.95, 0.8) < 30 {
		t.Error("what cannot be said is not 0, or nothing seen needs nothing")
	}
}
