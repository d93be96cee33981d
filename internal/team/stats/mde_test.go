package stats

import (
	"math"
	"testing"
)

// The sum over all (lost, gained) of the trinomial probabilities of those that
// McNemar calls, with Python's fractions and math.comb.
func TestMcNemarPowerAgainstFractions(t *testing.T) {
	for _, c := range []struct {
		n                     int
		pLost, pGained, alpha float64
		want                  float64
	}{
		{12, .5, .05, .05, 0.4200858447800835},
		{12, .1, .1, .05, 0.000542749854},
		{20, .32, .12, .05, 0.16420312238762344},
		{40, .32, .12, .05, 0.40403944127383523},
		{40, .5, .3, .01, 0.11358758544841334},
		{6, 1, 0, .05, 1},
		{5, 1, 0, .05, 0},
		{6, 1, 0, 2. / 64, 0}, // p below alpha, not at it
		{12, 0, 0, .05, 0},
		{0, .3, .1, .05, 0},
	} {
		if got := McNemarPower(c.n, c.pLost, c.pGained, c.alpha); !close(got, c.want, 1e-11) {
			t.Errorf("McNemarPower(%d, %g, %g, %g) = %.17g, want %.17g", c.n, c.pLost, c.pGained, c.alpha, got, c.want)
		}
		if turned := McNemarPower(c.n, c.pGained, c.pLost, c.alpha); !close(turned, c.want, 1e-11) {
			t.Errorf("lost and gained exchanged: %.17g, want %.17g", turned, c.want)
		}
	}
	// Both probabilities from decimals may add up to a little more than 1.
	if got := McNemarPower(50, .7, .1+.2, .05); !(got > 0.7 && got <= 1) {
		t.Errorf("all cases discordant: %g", got)
	}
}

func TestMcNemarPowerOutside(t *testing.T) {
	nan := math.NaN()
	for _, a := range [][4]float64{
		{-1, .1, .1, .05}, {9, -.1, .1, .05}, {9, .1, -.1, .05}, {9, .6, .6, .05}, {9, .5, .5001, .05},
		{9, nan, .1, .05}, {9, .1, nan, .05}, {9, .1, .1, 0}, {9, .1, .1, 1}, {9, .1, .1, nan},
	} {
		if got := McNemarPower(int(a[0]), a[1], a[2], a[3]); !math.IsNaN(got) {
			t.Errorf("McNemarPower%v = %g, want NaN", a, got)
		}
	}
}

// The same search in Python over the fractions above.
func TestMinDetectable(t *testing.T) {
	for _, c := range []struct {
		n        int
		passRate float64
		want     float64
		ok       bool
	}{
		{12, 1, 0.57793891, true},
		{12, .9, 0.63117002, true},
		{12, .8, 0.64125814, true},
		{30, .8, 0.37876115, true},
		{5, 1, 0, false}, // 5 of 5 lost is p = 0.0625
		{8, .8, 0, false},
		{0, .8, 0, false},
	} {
		got, ok := NewDrops(.05).MinDetectable(c.n, c.passRate, .8)
		if ok != c.ok || ok && math.Abs(got-c.want) > 2e-6 || !ok && !math.IsNaN(got) {
			t.Errorf("MinDetectable(%d, %g) = %.8f, %v; want %.8f, %v", c.n, c.passRate, got, ok, c.want, c.ok)
		}
	}
}

func TestMinDetectableOutside(t *testing.T) {
	nan := math.NaN()
	for _, a := range [][4]float64{
		{-1, .9, .05, .8}, {50, 0, .05, .8}, {50, -.1, .05, .8}, {50, 1.1, .05, .8}, {50, 90, .05, .8}, {50, nan, .05, .8},
		{50, .9, 0, .8}, {50, .9, 1, .8}, {50, .9, nan, .8}, {50, .9, .05, 0}, {50, .9, .05, 1}, {50, 1, .05, 1}, {50, .9, .05, 80}, {50, .9, .05, nan},
	} {
		if got, ok := NewDrops(a[2]).MinDetectable(int(a[0]), a[1], a[3]); ok || !math.IsNaN(got) {
			t.Errorf("MinDetectable%v = %g, %v; want NaN, false", a, got, ok)
		}
	}
}

// Count by count, for levels from "every other" to "one in 10 million".
func TestCriticalCounts(t *testing.T) {
	for _, alpha := range []float64{.9, .5, .2, .1, .05, .02, .01, .001, 1e-7} {
		counts := newCriticalCounts(alpha)
		for m := 0; m <= 130; m++ {
			want := m/2 + 1
			for want <= m {
				if p, _ := McNemar(want, m-want); p < alpha {
					break
				}
				want++
			}
			for range 2 { // computed, then remembered
				if got := counts.of(m); got != want {
					t.Errorf("alpha %g, %d discordant: %d, want %d", alpha, m, got, want)
				}
			}
		}
	}
}

// It is what it says: with the drop the loss is called often enough, with a
// little less it is not, with any larger one it is.
func TestMinDetectableIsTheSmallest(t *testing.T) {
	for _, n := range []int{12, 50, 200} {
		for _, passRate := range []float64{1, .9, .7} {
			for _, power := range []float64{.5, .8, .95} {
				drop, ok := NewDrops(.05).MinDetectable(n, passRate, power)
				if !ok {
					continue
				}
				called := func(drop float64) float64 {
					return newCriticalCounts(.05).lossCalled(n, passRate*(1-passRate+drop), (1-passRate)*(passRate-drop))
				}
				if called(drop) < power || called(drop-2e-6) >= power {
					t.Errorf("n %d, pass rate %g: %g is called with %g, want %g", n, passRate, drop, called(drop), power)
				}
				for larger := drop; larger < passRate; larger += 0.02 {
					if called(larger) < power {
						t.Errorf("n %d, pass rate %g: %g is found, %g is not", n, passRate, drop, larger)
					}
				}
				if floor, _ := SmallestSignificantDrop(n, .05); power > .5 && drop < floor {
					t.Errorf("n %d: a drop of %g is called more often than not, but none under %g can be", n, drop, floor)
				}
			}
		}
	}
}

// "12 cases cannot show a drop under 50 points", at every pass rate.
func TestTwelveCasesCannotShowADropUnder50Points(t *testing.T) {
	if drop, ok := SmallestSignificantDrop(12, .05); drop != .5 || !ok {
		t.Errorf("SmallestSignificantDrop(12) = %g, %v", drop, ok)
	}
	for passRate := .02; passRate <= 1; passRate += .02 {
		if drop, ok := NewDrops(.05).MinDetectable(12, passRate, .8); ok && drop < .5 {
			t.Errorf("pass rate %g: %g", passRate, drop)
		}
	}
}

func TestSmallestSignificantDrop(t *testing.T) {
	for _, c := range []struct {
		n     int
		alpha float64
		want  float64
		ok    bool
	}{
		{6, .05, 1, true}, {200, .05, .03, true}, {1_000_000, .05, 6e-6, true},
		{6, 2. / 64, 0, false}, {7, 2. / 64, 1, true}, // p below alpha, not at it
		{5, .05, 0, false}, {0, .05, 0, false}, {-3, .05, 0, false}, {12, 0, 0, false}, {12, 1, 0, false}, {12, math.NaN(), 0, false},
		{1_000_000_000, 1e-300, 997e-9, true},
	} {
		got, ok := SmallestSignificantDrop(c.n, c.alpha)
		if ok != c.ok || ok && !close(got, c.want, 1e-12) || !ok && !math.IsNaN(got) {
			t.Errorf("SmallestSignificantDrop(%d, %g) = %g, %v; want %g, %v", c.n, c.alpha, got, ok, c.want, c.ok)
		}
	}
}

// No significant outcome at all has a smaller net loss.
func TestSmallestSignificantDropIsTheSmallest(t *testing.T) {
	const n = 60
	for _, alpha := range []float64{.2, .05, .01, .001, 1e-5, 1e-7} {
		drop, _ := SmallestSignificantDrop(n, alpha)
		for lost := 0; lost <= n; lost++ {
			for gained := 0; gained < lost && lost+gained <= n; gained++ {
				if p, _ := McNemar(lost, gained); p < alpha && float64(lost-gained)/n < drop {
					t.Errorf("alpha %g: %d lost, %d gained are significant, but under %g", alpha, lost, gained, drop)
				}
			}
		}
	}
}

func FuzzMinDetectable(f *testing.F) {
	f.Add(12, 1., .05, .8)
	f.Add(200, .8, 1e-9, .999)
	f.Add(-1, math.NaN(), 2., 0.)
	f.Fuzz(func(t *testing.T, n int, passRate, alpha, power float64) {
		n %= 2000
		drop, ok := NewDrops(alpha).MinDetectable(n, passRate, power)
		valid := passRate > 0 && passRate <= 1 && alpha > 0 && alpha < 1 && power > 0 && power < 1
		if ok && (!valid || !(drop > 0 && drop <= passRate)) || !ok && !math.IsNaN(drop) {
			t.Fatalf("MinDetectable(%d, %g, %g, %g) = %g, %v", n, passRate, alpha, power, drop, ok)
		}
	})
}

func BenchmarkMinDetectable(b *testing.B) {
	for b.Loop() {
		NewDrops(.05).MinDetectable(5000, .9, .8)
	}
}
