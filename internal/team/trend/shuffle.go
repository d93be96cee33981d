package trend

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	mostOrders = 100_000
	// enough orders with as large a step are a p that more would not change much.
	enough = 30
	seed   = 1
)

// shuffled is the share of the orders of runs that have as large a step
// somewhere. Orders are drawn until enough have, or so many that p is small;
// the one that was seen is counted too, so p is never 0.
//
// Source: Besag and Clifford, Biometrika 78 (1991), for the stopping.
func shuffled(rates []float64, step float64) float64 {
	known := slices.DeleteFunc(slices.Clone(rates), math.IsNaN)
	slices.Sort(known) // the same p for the same runs in any order
	random := rand.New(rand.NewPCG(seed, uint64(len(known))))
	most := max(mostOrders/10, min(mostOrders, 5_000_000/len(known)))
	hits := 0
	for drawn := 1; drawn < most; drawn++ {
		random.Shuffle(len(known), func(i, k int) { known[i], known[k] = known[k], known[i] })
		if _, d := Split(known); d >= step*(1-1e-9) {
			if hits++; hits == enough {
				return float64(hits) / float64(drawn)
			}
		}
	}
	return float64(hits+1) / float64(most)
}
