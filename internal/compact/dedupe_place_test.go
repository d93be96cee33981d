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
			var each []string
			for i := range 6 {
				file, at := fmt.Sprintf("lib/part%d.ts", i/2), fmt.Sprintf("(%d,%d)", 10+i, 3*i+1)
				each = append(each, fmt.Sprintf("%s%s: error TS2305: Module '\"left-pad\"' has no exported member 'pad%s'.", file, at, strings.Repeat("s", i%2)))
				fmt.Fprintf(&b, "%s%s\n", front, each[i])
			}
			res := reduce(command, b.String())
			for _, l := range each {
				if place, _, _ := strings.Cut(l, ": "); !Shows(res.Reduced, l) && !strings.Contains(res.Reduced, place) {
					t.Errorf("%s: lost %s in\n%s", command, l, res.Reduced)
				}
			}
		}
	}
}
