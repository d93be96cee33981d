package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What a comparison promises, on made-up runs: it calls a regression where
// McNemar's p is below 0.05 and more cases were lost than gained.

func calledRegression(lost, gained int) bool {
	p, _ := McNemar(lost, gained)
	return p < 0.05 && lost > gained
}

// play runs each case once before and once after.
func play(random *rand.Rand, before, after []float64) (lost, gained int) {
	for i := range before {
		passedBefore, passedAfter := random.Float64() < before[i], random.Float64() < after[i]
		if passedBefore && !passedAfter {
			lost++
		}
		if !passedBefore && passedAfter {
			gained++
		}
	}
	return lost, gained
}

// cycle is n cases that have these pass rates in turn.
func cycle(n int, rates ...float64) []float64 {
	return slices.Repeat(rates, n/len(rates)+1)[:n]
}

// chanceOfAlarm is the exact probability that a comparison of two runs of
// unchanged cases is called a regression: over the distribution of the number
// of discordant cases, of which each then is lost by a fair coin.
func chanceOfAlarm(rates []float64) float64 {
	discordant := []float64{1} // [m] = P(m discordant) among the cases so far
	for _, p := range rates {
		differ := 2 * p * (1 - p)
		next := make([]float64, len(discordant)+1)
		for m, q := range discordant {
			next[m] += q * (1 - differ)
			next[m+1] += q * differ
		}
		discordant = next
	}
	critical, sum := newCriticalCounts(0.05), 0.
	for m, q := range discordant {
		sum += q * BinomialTail(critical.of(m), m, 0.5)
	}
	return sum
}

// Nothing changed, every case passes by its own rate: at most 2.5 % of the
// comparisons are called a regression. The exact probability is the proof: with
// 200 cases it comes so near to the limit that four in ten sets of 1,000 runs
// have more than 25 alarms. The seeded runs show that the formula speaks of
// what happens, and that the mixtures together stay below the limit.
func TestNoiseIsNotCalledARegression(t *testing.T) {
	const runs = 1000
	for _, n := range []int{12, 50, 200} {
		all := 0
		mixtures := map[string][]float64{
			"a bit of all": cycle(n, .99, .9, .8, .5),
			"mostly safe":  cycle(n, .99, .99, .99, .9),
			"all at .8":    cycle(n, .8),
			"all coins":    cycle(n, .5),
			"safe and not": cycle(n, 1, .5, 0),
		}
		for name, rates := range mixtures {
			exact := chanceOfAlarm(rates)
			random, alarms := rand.New(rand.NewPCG(2026, uint64(n))), 0
			for range runs {
				if calledRegression(play(random, rates, rates)) {
					alarms++
				}
			}
			all += alarms
			if exact > 0.025 {
				t.Errorf("n = %d, %s: called with probability %.5f", n, name, exact)
			}
			if off := math.Abs(float64(alarms) - runs*exact); off > 4*math.Sqrt(runs*exact)+1 {
				t.Errorf("n = %d, %s: %d of %d runs called, the formula says %.4f", n, name, alarms, runs, exact)
			}
			t.Logf("n = %3d, %-12s: exactly %.4f, %2d of %d", n, name, exact, alarms, runs)
		}
		if share := float64(all) / float64(runs*len(mixtures)); share > 0.025 {
			t.Errorf("n = %d: %.4f of all runs called", n, share)
		}
	}
}

// Mid-p does not hold its level for every single number of discordant cases
// (29 discordant: 20 lost are called, 3.07 % by chance). Over the numbers that
// noise gives it does: two runs of an unchanged case differ with 2p(1−p), at
// most ½, and up to ⅔ nothing in this grid passes 2.5 %. Cases that differ
// almost surely, which only a runner that alternates could give, reach 3.3 %.
func TestFalseAlarmsOverAGridOfDiscordance(t *testing.T) {
	critical := newCriticalCounts(0.05)
	largest := func(from, to float64) (worst float64) {
		for _, n := range []int{6, 12, 20, 26, 30, 40, 50, 52, 75, 96, 100, 130, 150, 200, 276, 400, 1000} {
			for differ := from; differ <= to+1e-9; differ += 0.01 {
				worst = math.Max(worst, critical.lossCalled(n, differ/2, differ/2))
			}
		}
		return worst
	}
	if worst := largest(.01, .67); worst > 0.025 {
		t.Errorf("up to ⅔ discordant: called with probability %.5f", worst)
	} else {
		t.Logf("up to ⅔ discordant: at most %.5f", worst)
	}
	if worst := largest(.68, 1); worst > 0.033 || worst < 0.032 {
		t.Errorf("past ⅔ discordant: called with probability %.5f, the comment says 3.3 %%", worst)
	}
	if got := BinomialTail(critical.of(29), 29, .5); critical.of(29) != 20 || math.Round(got*1e4) != 307 {
		t.Errorf("29 discordant: %d lost are called, %.4f by chance", critical.of(29), got)
	}
}

func TestSixOfSixLostAtTwelveCasesIsCalled(t *testing.T) {
	if p, method := McNemar(6, 0); p != 0.03125 || method != "exact" || !calledRegression(6, 0) {
		t.Errorf("6 lost, none gained: p = %g, %s", p, method)
	}
	if calledRegression(5, 0) || calledRegression(0, 6) {
		t.Error("5 lost, or 6 gained, are called a regression")
	}
}

// From .8 to .6 over 200 independent cases.
func TestDropOver200CasesIsFound(t *testing.T) {
	before, after := cycle(200, .8), cycle(200, .6)
	random, found := rand.New(rand.NewPCG(1, 200)), 0
	for range 1000 {
		if calledRegression(play(random, before, after)) {
			found++
		}
	}
	exact := McNemarPower(200, .8*.4, .2*.6, .05)
	if found < 950 || math.Round(exact*1000) != 993 {
		t.Errorf("found in %d of 1,000 runs, the formula says %.4f", found, exact)
	}
	t.Logf("%d of 1,000, exactly %.4f", found, exact)
}

// The same drop in one of several suites that are looked at together, and in
// all of them: how often Holm's adjusted p finds the suite that fell, and how
// often it calls any suite where none did.
func TestPowerUnderHolm(t *testing.T) {
	for _, c := range []struct {
		suites           int
		oneFell, allFell float64 // share found, of the suites that fell
	}{{5, .96, .98}, {10, .93, .98}} {
		// p below 0.05/m is called whatever the others do.
		if exact := McNemarPower(200, .8*.4, .2*.6, .05/float64(c.suites)); exact < c.oneFell {
			t.Errorf("%d suites: one that fell is found with %.4f", c.suites, exact)
		} else {
			t.Logf("%d suites, one fell: found with at least %.4f", c.suites, exact)
		}
		for _, fell := range []int{0, 1, c.suites} {
			const runs = 300
			random := rand.New(rand.NewPCG(uint64(fell), uint64(c.suites)))
			before, after := cycle(200, .8), cycle(200, .6)
			found, alarms := 0, 0
			for range runs {
				p, lost := make([]float64, c.suites), make([]bool, c.suites)
				for i := range p {
					now := before
					if i < fell {
						now = after
					}
					l, g := play(random, before, now)
					p[i], _ = McNemar(l, g)
					lost[i] = l > g
				}
				alarm := false
				for i, adjusted := range Holm(p) {
					if called := adjusted < .05 && lost[i]; called && i < fell {
						found++
					} else if called {
						alarm = true
					}
				}
				if alarm {
					alarms++
				}
			}
			want := map[int]float64{0: 0, 1: c.oneFell, c.suites: c.allFell}[fell]
			if share := float64(found) / float64(max(1, runs*fell)); share < want {
				t.Errorf("%d suites, %d fell: %.3f found", c.suites, fell, share)
			} else {
				t.Logf("%d suites, %d fell: %.3f found, %d of %d runs with a false alarm", c.suites, fell, share, alarms, runs)
			}
			if alarms > runs*5/100 {
				t.Errorf("%d suites, %d fell: %d of %d runs with a false alarm", c.suites, fell, alarms, runs)
			}
		}
	}
}
