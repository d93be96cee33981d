package link

import (
	"slices"
	"testing"
)

// Every outcome of a record has its place among the better and the worse: one that
// has none would be printed as the best.
func TestOutcomes(t *testing.T) {
	for _, how := range []string{Synced, Offline, Setup, Full, Later, Refused} {
		if !slices.Contains(outcomes, how) {
			t.Errorf("%q has no place", how)
		}
	}
}
