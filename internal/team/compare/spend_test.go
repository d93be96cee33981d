package compare

import (
	"fmt"
	"testing"

	"cairn/internal/team/result"
)

// What one run does not say is not free: such cases are in no figure, and are counted.
func TestSpendNotKnown(t *testing.T) {
	of := func(cost, ms func(i int) float64) *result.Run {
		run := &result.Run{Suite: "s"}
		for i := range 10 {
			r := result.Result{Name: fmt.Sprint("c", i), CostUSD: cost(i), DurationMS: ms(i)}
			r.Set(result.Pass)
			run.Results = append(run.Results, r)
		}
		run.Derive()
		return run
	}
	all := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	half := func(v float64) func(int) float64 { return func(i int) float64 { return v * float64(i%2) } }
	for _, tt := range []struct {
		a, b *result.Run
		want string
	}{
		{of(all(.1), all(0)), of(all(.1), all(0)), "[{cost $0.10 a case over 10 cases, unchanged runs $1.00 → $1.00}]"},
		{of(all(.1), all(0)), of(half(.1), all(0)), "[{cost $0.10 a case over 5 cases, unchanged; known in A only for 5 more cases runs $1.00 → at least $0.50}]"},
		{of(half(.1), all(0)), of(all(.1), all(0)), "[{cost $0.10 a case over 5 cases, unchanged; known in B only for 5 more cases runs at least $0.50 → $1.00}]"},
		{of(all(.1), all(0)), of(all(0), all(0)), "[{cost known of no case in both runs; known in A only for 10 more cases runs $1.00 → not known}]"},
		{of(all(0), all(0)), of(all(0), all(0)), "[]"},
		{of(all(0), all(1000)), of(all(0), half(1000)), "[{time 1s a case over 5 cases, unchanged; known in A only for 5 more cases runs 10s → at least 5s}]"},
		// A clock of hundredths shows 0 for what took a moment.
		{of(all(0), all(10)), of(all(0), half(10)), "[{time 10ms → 5ms a case over 10 cases, −5ms (−50 %) [−8ms … −2ms] runs 100ms → 50ms}]"},
	} {
		c := Runs(tt.a, tt.b, Options{})
		if got := fmt.Sprint(c.spent()); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
		cost, _ := c.SpendOf("s")
		if whole := c.Cost; whole != nil && (cost.OnlyA != whole.OnlyA || cost.OnlyB != whole.OnlyB || cost.Cases != whole.Cases && whole.Cases > 0) {
			t.Errorf("of the suite %+v, of the run %+v", cost, whole)
		}
	}
}
