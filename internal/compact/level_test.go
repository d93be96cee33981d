package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/compact/lines"
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
			usual := f.Lost(a.Reduced) // nothing, or the test of normal says so
			for _, k := range f.Lost(b.Reduced) {
				if slices.Contains(usual, k) {
					continue
				}
				if at, _, _ := strings.Cut(k, " "); lines.Location(k) == "" || !strings.Contains(b.Reduced, strings.TrimSuffix(at, ":")) { // of equal ones, the place is enough
					t.Errorf("%s: lost %q", name, k)
				}
			}
		}
	}
	t.Logf("%d bytes at level normal, %d at level aggressive; less in %d", normal, aggressive, less)
	if aggressive*100 > normal*85 || less < 60 {
		t.Error("aggressive is no more than normal")
	}
}

// At the level aggressive a list is also cut if the command limits its length,
// but keeps more rows than a list without a limit.
func TestAggressiveCutsWhatWasAskedFor(t *testing.T) {
	var log strings.Builder
	for i := range 600 {
		fmt.Fprintf(&log, "%07x a change of part %d that says in its subject what it is for\n", 0xabc1234+i*7919, i)
	}
	rows := func(command string, level Level) int {
		res := Compact(Envelope{Tool: "Bash", Command: command, CombinedText: log.String()}, Options{Level: level, Tee: Tee{Dir: t.TempDir()}})
		if n := strings.Count(res.Reduced, " a change of part "); n == 600 || res.Meta.TeeID != "" {
			return n
		}
		t.Errorf("%s, %s: no way back", command, level)
		return 0
	}
	const asked, open = "git log --oneline -600", "git log --oneline"
	if all, n, free := rows(asked, Normal), rows(asked, Aggressive), rows(open, Aggressive); n > all/2 || n < all/4 || free >= n || free < 20 {
		t.Errorf("aggressive shows %d of 600 rows where normal shows %d, and %d where none were asked for", n, all, free)
	}
}
