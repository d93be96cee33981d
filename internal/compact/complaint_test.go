package compact

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/compact/record"
)

// What a tool or the shell says about itself stands among the content it
// lists, wherever it happened, and a parser of that content knows no such
// line.
func TestComplaintsInContent(t *testing.T) {
	var commits, entries, rows strings.Builder
	for i := range 300 {
		fmt.Fprintf(&commits, "commit %040x\nAuthor: A <a@example.com>\nDate:   Sat Aug 24 14:31:00 2024 +0100\n\n    Change %d\n\n    Its reason, at length.\n\n", i+1, i)
		fmt.Fprintf(&entries, "    \"node_modules/p%d\": {\n      \"version\": \"1.0.%d\",\n      \"license\": \"MIT\"\n    },\n", i, i)
		fmt.Fprintf(&rows, "%d,name%d,%d\n", i, i, i*7)
	}
	for _, c := range []struct{ command, output, at, complaint string }{
		{"git log -300", commits.String(), "Date:   Sat", "fatal: unable to read tree 1f2e3d4c"},
		{"cat package-lock.json", "{\n  \"packages\": {\n" + entries.String() + "  }\n}\n", "      \"license\"", "cat: b.json: Permission denied"},
		{"psql --csv -c 'select * from t'", "id,name,n\n" + rows.String(), "20,name20", "bash: line 1:  4711 Killed                  psql"},
	} {
		i := strings.LastIndex(c.output, c.at)
		out := Compact(Envelope{Command: c.command, CombinedText: c.output[:i] + c.complaint + "\n" + c.output[i:], ExitCode: new(1)}, Options{Level: Normal})
		if !strings.Contains(out.Reduced, c.complaint) || out.Meta.Unchanged {
			t.Errorf("%s (%s): the complaint is lost or nothing was cut:\n%s", c.command, out.Meta.Rule, out.Reduced)
		}
	}
}

// What a parser takes for fine is brought back when it says itself that
// something broke, but not out of content, whose words say nothing.
func TestGuardLooksTwice(t *testing.T) {
	for text, want := range map[string][2]int{ // lines brought back: of a tool's output, of content
		"TypeError: rate is undefined":       {1, 0},
		"lib/a.js:3:1: error: x is not a y":  {1, 0},
		"psql: cannot open a: not a file":    {1, 1},
		"error: 3 tests failed":              {0, 1},
		"the error: message of another test": {0, 0},
	} {
		for i, data := range []bool{false, true} {
			g := guard{data: data}
			g.second(record.Line{Text: text})
			if back, _ := g.restore(true, nil); len(back) != want[i] {
				t.Errorf("%s: data %v: %d lines", text, data, len(back))
			}
		}
	}
}
