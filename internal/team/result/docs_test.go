package result

import (
	"os"
	"strings"
	"testing"
)

// The examples of docs/eval-format.md are what they say, the sentences are said.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../../docs/eval-format.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), "```json\n")
	if len(parts) != 3 {
		t.Fatalf("%d examples", len(parts)-1)
	}
	for i, want := range []Counts{{Total: 2, Passed: 1, Failed: 1}, {Total: 3, Passed: 1, Failed: 1, Errored: 1}} {
		example, _, _ := strings.Cut(parts[i+1], "```")
		run, warnings, err := Decode([]byte(example))
		if err != nil || len(warnings) > 0 || run.Counts != want {
			t.Errorf("example %d: %v %q %+v", i, err, warnings, run)
		}
	}
	for _, name := range [...]string{"name", "status", "passed", "duration_ms", "attempt", "scale", "case_id", "by_category", "error"} {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("the page does not know %s", name)
		}
	}
	seven := strings.Repeat("\n", 6)
	four := `{"name":"a","passed":true},{"name":"b","passed":true},{"name":"c","passed":true},`
	list := func(r string) string { return `{"schema_version":1,` + seven + `"all_results":[` + four + r + `]}` }
	for sentence, in := range map[string]string{
		"line 2: all_results[0]: the file ends in the middle of the JSON":                                              "{\"schema_version\":1,\n\"all_results\":[{\"name\":\"a\"",
		"schema_version: missing; 1 is wanted":                                                                         `{"all_results":[]}`,
		"line 7: all_results[3].duration_ms: a string where a number is wanted":                                        list(`{"name":"d","duration_ms":"5"}`),
		"line 7: all_results[3].duration_ms: NaN and Infinity are no JSON numbers; leave the member out or write null": list(`{"name":"d","duration_ms":NaN}`),
		"line 7: all_results[3].attempt: a whole number is wanted":                                                     list(`{"name":"d","passed":true,"attempt":1.0}`),
		"line 7: all_results[3].name: stands there twice":                                                              list(`{"name":"d","name":"d"}`),
		`all_results[3].name: "a" was already in all_results[0]; number repeats with "attempt"`:                        list(`{"name":"a","passed":true}`),
		"all_results[3].passed: missing; true, false or a status is wanted":                                            list(`{"name":"d"}`),
		"all_results[3].passed: true, but status says fail":                                                            list(`{"name":"d","passed":true,"status":"fail"}`),
		"all_results[3].duration_ms: -5 is negative or too large":                                                      list(`{"name":"d","passed":true,"duration_ms":-5}`),
		`all_results[3].judge_scores.clarity: 4 is outside 0 to 1; say "scale" where another is meant`:                 list(`{"name":"d","passed":true,"judge_scores":{"clarity":4}}`),
		`timestamp: "yesterday" is no time: one like 2026-03-15T10:30:00Z is wanted`:                                   `{"schema_version":1,"timestamp":"yesterday","all_results":[]}`,
		"total: 9, but passed, failed, skipped and errored add up to 8":                                                `{"schema_version":1,"total":9,"passed":7,"failed":1,"all_results":[]}`,
		"passed: 1, but 0 of all_results passed":                                                                       `{"schema_version":1,"total":1,"passed":1,"failed":0,"all_results":[{"name":"a","passed":false}]}`,
		`costs[1].model: "m" was already in costs[0]`:                                                                  `{"schema_version":1,"all_results":[],"costs":[{"model":"m"},{"model":"m"}]}`,
	} {
		if !strings.Contains(string(page), "`"+sentence+"`") {
			t.Errorf("the page does not say %q", sentence)
		}
		if _, _, err := Decode([]byte(in)); err == nil || !strings.Contains(err.Error(), sentence) {
			t.Errorf("%q: %v", sentence, err)
		}
	}
}
