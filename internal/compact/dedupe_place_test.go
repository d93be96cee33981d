package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Errors that say the same of two places are not one error: each place is told,
// whoever prints them and whatever stands in front.
func TestErrorsOfTwoPlaces(t *testing.T) {
	for _, command := range []string{"docker compose up", "glab ci trace", "cat build.log", "./check.sh"} {
		for _, front := range []string{"", "worker-1  | ", "2026-03-04T10:00:00.12Z 01O "} {
			var b strings.Builder
			var parts []string // they may stand grouped by file
			for i := range 6 {
				file, at := fmt.Sprintf("part%d.ts", i/2), fmt.Sprintf("%d,%d", 10+i, 3*i+1)
				parts = append(parts, file, at)
				fmt.Fprintf(&b, "%slib/%s(%s): error TS2305: Module '\"left-pad\"' has no exported member 'pad%s'.\n", front, file, at, strings.Repeat("s", i%2))
			}
			holds(t, reduce(command, b.String()), 60, parts...)
		}
	}
}
