package eval

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
)

// promptfooFile is what promptfoo writes on a day: those of the prompts pass that
// begin with "good". Three of its cases have one description.
func promptfooFile(t *testing.T, day int, prompts ...string) *result.Run {
	t.Helper()
	type object = map[string]any
	var texts, rows []object
	for _, p := range prompts {
		texts = append(texts, object{"raw": p + " {{q}}", "label": p + " {{q}}", "provider": "m"})
	}
	for test := range 23 {
		description := fmt.Sprintf("case %02d", test)
		if test >= 20 {
			description = "one of three"
		}
		for i, p := range prompts {
			rows = append(rows, object{"testIdx": test, "promptIdx": i, "success": strings.HasPrefix(p, "good"), "provider": object{"id": "m"}, "vars": object{"q": fmt.Sprint("q", test)},
				"prompt": object{"raw": p + fmt.Sprint(" q", test), "label": p + " {{q}}"}, "response": object{"output": p}, "testCase": object{"description": description}})
		}
	}
	data, err := json.Marshal(object{"evalId": "e", "config": object{"description": "shop"}, "results": object{"version": 3, "timestamp": time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC), "prompts": texts, "results": rows, "stats": object{}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := reader.Read("results.json", data)
	if err != nil {
		t.Fatal(err)
	}
	run := f.Runs[0]
	run.SchemaVersion, run.GitSHA, run.GitBranch = 1, fmt.Sprintf("%040x", day), "main"
	run.Derive()
	return run
}

// An inserted prompt changes the numbers of those behind it: no case fell or rose. One
// that was edited in place goes on, and is said to be edited.
func TestPromptsInTime(t *testing.T) {
	for _, tt := range []struct {
		what      string
		first     []string
		then      []string
		edited    string
		dropped   bool
		histories string // of case 03, by variant, as a set of runs a sign
	}{
		{"inserted", []string{"good one", "good two"}, []string{"bad new", "good one", "good two"}, "", false,
			"m · prompt 1: ....✗✗✗✗; m · prompt 2: ✓✓✓✓✓✓✓✓; m · prompt 3: ✓✓✓✓✓✓✓✓; "},
		{"moved", []string{"good one", "bad two"}, []string{"bad two", "good one"}, "", false, "m · prompt 1: ✗✗✗✗✗✗✗✗; m · prompt 2: ✓✓✓✓✓✓✓✓; "},
		{"taken out", []string{"bad one", "good two"}, []string{"good two"}, "", false, "m · prompt 1 (other text): ✗✗✗✗....; m · prompt 1: ✓✓✓✓✓✓✓✓; "},
		{"edited", []string{"good one", "good two"}, []string{"bad one", "good two"}, "prompt 1", true, "m · prompt 1: ✓✓✓✓✗✗✗✗; m · prompt 2: ✓✓✓✓✓✓✓✓; "},
	} {
		var runs []*result.Run
		for day := 1; day <= 8; day++ {
			prompts := tt.first
			if day > 4 {
				prompts = tt.then
			}
			run := promptfooFile(t, day, prompts...)
			if day == 1 { // as an older version stored it
				run.Prompts = nil
				for i := range run.Results {
					run.Results[i].Identity = nil
				}
			}
			runs = append(runs, run)
		}
		s, entries := storeOf(t, runs...)
		series := s.Trend(entries, TrendOptions{})[0]
		if got := len(series.Changes) > 0; got != tt.dropped {
			t.Errorf("%s: changes %+v", tt.what, series.Changes)
		}
		got, three := "", 0
		for _, l := range series.Cases {
			if strings.HasPrefix(l.Title, "case 03") {
				marks := ""
				for _, m := range l.Marks {
					marks += m
					if m == "" {
						marks += "."
					}
				}
				got += strings.Trim(strings.TrimPrefix(l.Title, "case 03"), " []") + ": " + marks + "; "
			} else if strings.HasPrefix(l.Title, "one of three") {
				three++
			}
		}
		if !sameParts(got, tt.histories) || three != 3*strings.Count(tt.histories, ";") {
			t.Errorf("%s: %s and %d of three", tt.what, got, three)
		}
		for i, p := range series.Points {
			if said := strings.Join(p.Edited, ", "); i == 4 && said != tt.edited || i != 4 && said != "" {
				t.Errorf("%s: run %d says edited: %s", tt.what, i, said)
			}
		}
	}
}

func sameParts(a, b string) bool {
	for part := range strings.SplitSeq(b, "; ") {
		if !strings.Contains(a, part) {
			return false
		}
	}
	return len(a) == len(b)
}
