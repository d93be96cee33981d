package stats

import "math"

// McNemarPower is the exact probability that McNemar's p over n independent
// cases is below alpha, in either direction, where each case is lost with
// probability pLost, gained with pGained, and else passes or fails in both.
// With pLost = pGained it is the size of the test.
//
// The number of discordant cases is Binomial(n, pLost+pGained), and that of
// lost cases among them binomial again; the power is the sum over both of what
// McNemar calls: Duffy, "Asymptotic and exact power for the McNemar test and
// its analogue with R controls per case", Biometrics 40 (1984).
//
// n = 0 gives 0. NaN for n < 0, negative probabilities or a sum above 1, and
// an alpha that is not inside 0..1.
func McNemarPower(n int, pLost, pGained, alpha float64) float64 {
	counts := newCriticalCounts(alpha)
	return clamp01(counts.lossCalled(n, pLost, pGained) + counts.lossCalled(n, pGained, pLost))
}

// Drops works out what tests at one alpha can show; many of them have much in common.
type Drops struct{ counts criticalCounts }

// NewDrops returns a Drops at alpha.
func NewDrops(alpha float64) *Drops { return &Drops{newCriticalCounts(alpha)} }

// MinDetectable is the smallest drop in pass rate (0..1: 0.2 is 20 points)
// that a comparison of n cases would call a loss with at least the probability
// power (usually 0.8): McNemar's p below alpha, and more cases lost than
// gained. passRate is that of A. ok is false where even a drop to 0 would be
// missed too often; drop is NaN then.
//
// It assumes that a case passes in A and in B independently: lost with
// passRate·(1−passRate+drop), gained with (1−passRate)·(passRate−drop). With
// passRate 1 that is "cases flip one way only", the most favorable there is;
// below 1 outcomes that also flip back need a larger drop. Cases that mostly
// keep their outcome flip back less often than that, and show a smaller one.
// 12 cases at alpha 0.05 and power 0.8 show a drop of 58 points with passRate 1,
// of 64 with 0.8, and none under 50 with any (see SmallestSignificantDrop).
//
// The power is exact (McNemarPower), and so is the result, to 1e-6.
//
// ok is false, too, for n < 0, and for a passRate, alpha or power that is not
// inside 0..1 (passRate may be 1).
func (d *Drops) MinDetectable(n int, passRate, power float64) (drop float64, ok bool) {
	if n < 0 || !(passRate > 0 && passRate <= 1 && power > 0 && power < 1) {
		return math.NaN(), false
	}
	over := func(drop float64) float64 { // how far the power is above what is wanted
		after := math.Max(0, passRate-drop)
		return d.counts.lossCalled(n, passRate*(1-after), (1-passRate)*after) - power
	}
	missed, drop := 0., passRate
	below, above := -power, math.NaN()
	look := func(at float64) {
		if at <= missed || at >= drop {
			return
		}
		if v := over(at); v >= 0 {
			drop, above = at, v
		} else {
			missed, below = at, v
		}
	}
	// The normal approximation is close, and the power is smooth in the drop: looking
	// beside what is expected ends sooner than halving alone.
	if guess := d.approximate(n, passRate, power); !math.IsNaN(guess) {
		look(guess * 1.05)
		look(guess * 0.95)
	}
	if drop == passRate { // else what is more than enough need not be worked out
		if above = over(passRate); !(above >= 0) {
			return math.NaN(), false
		}
	}
	const exact = 1e-6
	for drop-missed > exact {
		at := missed + (drop-missed)*below/(below-above)
		look(at + exact/3)
		look(at - exact/3)
		look((missed + drop) / 2)
	}
	return drop, true
}

// approximate is MinDetectable by the normal approximation (Connor, Biometrics 43,
// 1987), without a promise.
func (d *Drops) approximate(n int, passRate, power float64) float64 {
	z, drop := normalQuantile(power), 0.
	for range 30 { // a fixed point
		after := math.Max(0, passRate-drop)
		differ := passRate*(1-after) + (1-passRate)*after
		drop = (d.counts.z*math.Sqrt(differ) + z*math.Sqrt(math.Max(0, differ-drop*drop))) / math.Sqrt(float64(n))
	}
	return drop
}

// SmallestSignificantDrop is the drop in pass rate below which no outcome of n
// cases is significant, whatever they do: k/n for the smallest k such that k
// cases lost and none gained have a p below alpha. For 12 cases it is 0.5
// (6 of 12), for 200 it is 0.03: "12 cases cannot show a drop under 50
// points". It needs no assumption. What will be seen more often than not is a
// larger drop: Drops.MinDetectable.
//
// ok is false, and drop NaN, where n cases can show nothing, for n < 0, and for
// an alpha that is not inside 0..1.
func SmallestSignificantDrop(n int, alpha float64) (drop float64, ok bool) {
	if !(alpha > 0 && alpha < 1) {
		return math.NaN(), false
	}
	for k := 1; k <= n; k++ {
		if p, _ := McNemar(k, 0); p < alpha {
			return float64(k) / float64(n), true
		}
	}
	return math.NaN(), false
}

// criticalCounts remembers, for a number of discordant cases, how many must
// have been lost for McNemar's p to be below alpha: a power asks for many
// numbers, a search for the same ones again.
type criticalCounts struct {
	alpha, z float64
	known    map[int]int
}

func newCriticalCounts(alpha float64) criticalCounts {
	return criticalCounts{alpha, zTwoSided(1 - alpha), map[int]int{}}
}

// of is the smallest count above half of discordant that is significant, and
// one more than discordant where none is. The search starts at the answer of
// the normal approximation, which is close.
func (c criticalCounts) of(discordant int) int {
	if k, ok := c.known[discordant]; ok {
		return k
	}
	significant := func(k int) bool {
		p, _ := McNemar(k, discordant-k)
		return p < c.alpha
	}
	m := float64(discordant)
	k := min(discordant+1, int(math.Ceil((m+c.z*math.Sqrt(m))/2)))
	for k <= discordant && !significant(k) {
		k++
	}
	for 2*(k-1) > discordant && significant(k-1) {
		k--
	}
	c.known[discordant] = k
	return k
}

// lossCalled is the probability that a comparison of n cases is significant
// and more cases were lost than gained.
func (c criticalCounts) lossCalled(n int, pLost, pGained float64) (p float64) {
	differ := pLost + pGained
	if n < 0 || !(pLost >= 0 && pGained >= 0 && differ <= 1+1e-12) || math.IsNaN(c.z) {
		return math.NaN()
	}
	if n == 0 || differ == 0 {
		return 0
	}
	differ = math.Min(1, differ)
	toLost := math.Min(1, pLost/differ)
	mean := float64(n) * differ
	reach := 7*math.Sqrt(mean*(1-differ)) + 40 // nothing is beyond it: 1e-11
	from := max(0, int(mean-reach))
	tail, critical := 0., 0 // P(X ≥ critical) of m trials
	of := 0.                // P(m discordant cases)
	for m := from; m <= min(n, int(mean+reach)); m++ {
		anew := n < stepped || (m-from)%renewed == 0
		if anew || differ == 1 {
			of = binomialPMF(m, n, differ)
		} else {
			of *= float64(n-m+1) / float64(m) * (differ / (1 - differ))
		}
		if k := c.of(m); anew {
			tail, critical = BinomialTail(k, m, toLost), k
		} else { // one trial more, and then another count
			tail += toLost * pmfWithin(critical-1, m-1, toLost)
			for ; critical < k; critical++ {
				tail -= pmfWithin(critical, m, toLost)
			}
			for ; critical > k; critical-- {
				tail += pmfWithin(critical-1, m, toLost)
			}
		}
		p += of * tail
	}
	return clamp01(p)
}

const (
	stepped = 1000 // cases, from which on tails follow from one another; below, all are summed
	renewed = 64   // after so many trials a tail is summed anew, before roundings add up
)

// pmfWithin is binomialPMF, and 0 for a k that n trials cannot have.
func pmfWithin(k, n int, p float64) float64 {
	if k < 0 || k > n {
		return 0
	}
	return binomialPMF(k, n, p)
}
