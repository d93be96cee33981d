package stats_test

import (
	"fmt"

	"cairn/internal/team/stats"
)

// 100 cases: 53 passed in both runs, 15 only before, 3 only now, 29 in neither.
func ExampleMcNemar() {
	p, method := stats.McNemar(15, 3)
	fmt.Printf("p = %.4f (%s)\n", p, method)
	// Output:
	// p = 0.0075 (exact)
}

func ExampleWilson() {
	lo, hi := stats.Wilson(10, 10, 0.95)
	fmt.Printf("10 of 10 passed: %.0f to %.0f %%\n", 100*lo, 100*hi)
	// Output:
	// 10 of 10 passed: 72 to 100 %
}

func ExamplePairedBootstrap() {
	diffs := []float64{-.1, -.3, 0, -.2, .1, -.4, -.1, 0, -.2, -.3}
	in := stats.PairedBootstrap(diffs, 2000, 0.95, 1)
	p, method := stats.SignFlip(diffs, 2000, 1)
	fmt.Printf("mean %.2f, from %.2f to %.2f (%s)\n", in.Estimate, in.Lo, in.Hi, in.Method)
	fmt.Printf("p = %.4f (%s)\n", p, method)
	// Output:
	// mean -0.15, from -0.24 to -0.06 (bca)
	// p = 0.0312 (exact)
}

func ExampleHolm() {
	fmt.Printf("%.2f\n", stats.Holm([]float64{.01, .04, .03, .005}))
	// Output:
	// [0.03 0.06 0.06 0.02]
}

func ExampleDrops_MinDetectable() {
	floor, _ := stats.SmallestSignificantDrop(12, 0.05)
	drop, _ := stats.NewDrops(0.05).MinDetectable(12, 0.9, 0.8)
	fmt.Printf("12 cases cannot show a drop under %.0f points\n", 100*floor)
	fmt.Printf("and find one of %.0f in 8 of 10 comparisons\n", 100*drop)
	_, ok := stats.NewDrops(0.05).MinDetectable(5, 0.9, 0.8)
	fmt.Println("5 cases can show one:", ok)
	// Output:
	// 12 cases cannot show a drop under 50 points
	// and find one of 63 in 8 of 10 comparisons
	// 5 cases can show one: false
}

func ExamplePassAtK() {
	fmt.Printf("10 tries, 7 passed: pass@3 %.3f, pass^3 %.3f\n", stats.PassAtK(10, 7, 3), stats.PassHatK(10, 7, 3))
	// Output:
	// 10 tries, 7 passed: pass@3 0.992, pass^3 0.292
}

func ExampleFlakeRate() {
	cases := []stats.Repeats{{Ran: 3, Passed: 3}, {Ran: 3, Passed: 2}, {Ran: 3}, {Ran: 1, Passed: 1}}
	rate, repeated := stats.FlakeRate(cases)
	fmt.Printf("%.0f %% of %d repeated cases\n", 100*rate, repeated)
	// Output:
	// 33 % of 3 repeated cases
}

// Two judges and 50 items: both said yes to 20 and no to 15.
func ExampleCohenKappa() {
	kappa, ok := stats.CohenKappa([][]int{{20, 5}, {10, 15}})
	fmt.Printf("%.1f %v\n", kappa, ok)
	_, ok = stats.CohenKappa([][]int{{50, 0}, {0, 0}})
	fmt.Println("both said yes to everything:", ok)
	// Output:
	// 0.4 true
	// both said yes to everything: false
}

// Four judges, three subjects, two categories.
func ExampleFleissKappa() {
	kappa, ok := stats.FleissKappa([][]int{{4, 0}, {1, 3}, {0, 4}})
	fmt.Printf("%.2f %v\n", kappa, ok)
	// Output:
	// 0.66 true
}
