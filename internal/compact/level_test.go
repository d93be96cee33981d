package compact

import (
	"strings"
	"testing"
)

// Aggressive gives up rows, warnings and context that normal keeps, and no
// line that a fixture must have.
func TestAggressiveCutsMore(t *testing.T) {
	normal, aggressive, less := 0, 0, 0
	for _, name := range fixtures(t) {
		f := readFixture(t, name)
		a, b := Compact(f.Envelope, Options{Level: Normal}), Compact(f.Envelope, Options{Level: Aggressive})
		normal, aggressive = normal+len(a.Reduced), aggressive+len(b.Reduced)
		if len(b.Reduced) < len(a.Reduced) {
			less++
		}
		if b.Meta.FailureSignal == "exit" {
			for _, k := range f.Lost(b.Reduced) {
				if sp, ok := parseSpot(k); !ok || !strings.Contains(b.Reduced, sp.at) { // of equal ones, the place is enough
					t.Errorf("%s: lost %q", name, k)
				}
			}
		}
	}
	t.Logf("%d bytes at level normal, %d at level aggressive; less in %d", normal, aggressive, less)
	if aggressive*20 > normal*19 || less < 30 {
		t.Error("aggressive is no more than normal")
	}
}
