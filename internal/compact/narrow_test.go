package compact

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// An output that cannot be cut between its lines, and of which the host shows
// a part, keeps what explains the failure and names its way back.
func TestWhatTheHostWouldClip(t *testing.T) {
	exit := 1
	filler := func(n int) string { return strings.Repeat("rye spelt wheat oat ", n/20) }
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s %d\n", strings.Repeat(string(rune('a'+i%26)), 20+i%40), i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text string
		keep []string
	}{
		"one line":      {filler(7000) + "throw new TypeError: brick is not a function at oven.js:4:2;" + filler(6900), []string{"TypeError: brick is not a function at oven.js:4:2"}},
		"a few lines":   {filler(6000) + "\n" + `{"status":500,"x":"` + filler(3000) + `","error":"no flour in store 7","y":"` + filler(3000) + "\"}\n" + "done\n", []string{`"error":"no flour in store 7"`, "done"}},
		"at either end": {"ERROR: begins badly " + filler(7500) + "\n" + filler(7000) + " and ends with Error: no oven\n", []string{"ERROR: begins badly", "and ends with Error: no oven"}},
	} {
		for _, most := range []int{10_000, 0} {
			dir := t.TempDir()
			res := Compact(Envelope{Command: "sh run.sh", CombinedText: c.text, ExitCode: &exit}, Options{Level: Normal, Tee: Tee{Dir: dir, Most: most}})
			if most == 0 {
				if name == "at either end" && !res.Meta.Unchanged {
					t.Errorf("%s: cut for a host that shows all", name)
				}
				continue
			}
			if len(res.Reduced) > most || !strings.HasPrefix(res.Reduced, HeaderPrefix) || !strings.Contains(res.Reduced, "compact show "+res.Meta.TeeID) || res.Meta.TeeFile == nil {
				t.Fatalf("%s: %d bytes: %.200s", name, len(res.Reduced), res.Reduced)
			}
			if stored, err := os.ReadFile(*res.Meta.TeeFile); err != nil || string(stored) != c.text {
				t.Errorf("%s: stored %d bytes of %d: %v", name, len(stored), len(c.text), err)
			}
			for _, k := range c.keep {
				if !strings.Contains(res.Reduced, k) {
					t.Errorf("%s: lost %s", name, k)
				}
			}
		}
	}
	if got := narrow(many(400)+"cc: error: no such file: oven.c\n"+many(400), 5000); len(got) > 5000 || !strings.Contains(got, "cc: error: no such file: oven.c") || !strings.HasPrefix(got, "aaaa") || !strings.HasSuffix(got, " 399\n") {
		t.Errorf("%d bytes of very many lines:\n%s", len(got), got)
	}
	if got := narrow(strings.Repeat("é", 20_000), 4000); len(got) > 4100 || strings.Contains(got, "\uFFFD") || !strings.Contains(got, "bytes …]") {
		t.Errorf("%d bytes: %.100s", len(got), got)
	}
}
