package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Whatever STATE.md holds and whatever is added to it: the new entry is found
// again, and every line that was in the body is still there, in order.
func FuzzStateKeepsEveryLine(f *testing.F) {
	for _, name := range []string{"ws", "fresh"} {
		b, err := os.ReadFile(filepath.Join("testdata", "state", name, ".planning", "STATE.md"))
		if err != nil {
			f.Fatal(err)
		}
		for _, text := range hostile {
			f.Add(b, text)
		}
	}
	f.Add([]byte("---\r\nprogress: {percent: 3}\r\n---\r\n## Decisions\r\n- a\r\n  - b\r\n## Blockers"), "x")
	f.Add([]byte("## Blockers\n```\n- in code\n"), "x")
	f.Add([]byte("---\nstatus: [\n---\n# S\n## Decisions\n| Phase | Decision |\n|--|--|\n"), "a|b")
	w, err := At(f.TempDir(), "", "")
	if err != nil {
		f.Fatal(err)
	}
	w.Now = func() time.Time { return time.Unix(0, 0) }
	f.Fuzz(func(t *testing.T, state []byte, text string) {
		tx := newTx(w)
		tx.files[w.Path("STATE.md")] = &file{before: state, data: state}
		s := tx.State()
		before := s.Lines(s.Body(), s.Len())
		decisions, blockers := len(s.ListDecisions()), len(s.ListBlockers())
		s.Decide(Decision{"1", "because " + text, text})
		if n := len(s.ListDecisions()); n != decisions+1 {
			t.Errorf("%d decisions, then %d, in\n%q", decisions, n, s)
		}
		s.Block("because " + text)
		if n := len(s.ListBlockers()); n != blockers+1 {
			t.Errorf("%d blockers, then %d, in\n%q", blockers, n, s)
		}
		if must.Catch(s.derive) == nil { // else the frontmatter cannot be edited, and nothing is written
			linesStay(t, before, s.Lines(s.Body(), s.Len()))
		}
	})
}

// linesStay reports the first line of before that is not in after, in order. A
// line that says that there is nothing may go.
func linesStay(t *testing.T, before, after []string) {
	t.Helper()
	for _, line := range before {
		line = strings.TrimSuffix(line, "\r") // the last line may have ended so, and now has a line feed
		i := 0
		for i < len(after) && strings.TrimSuffix(after[i], "\r") != line {
			i++
		}
		low := strings.ToLower(line)
		if i == len(after) {
			if !strings.Contains(low, "no") && strings.Trim(doc.OneLine(low), " \t-*_().—–/|a") != "" {
				t.Errorf("the line %q is gone", line)
			}
			continue
		}
		after = after[i+1:]
	}
}
