package result

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

func TestDecode(t *testing.T) {
	data, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	run, warnings, err := Decode(data)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if want := (Counts{Total: 5, Passed: 2, Failed: 1, Skipped: 1, Errored: 1}); run.Counts != want {
		t.Errorf("counts %+v, want %+v", run.Counts, want)
	}
	if run.JudgeTier != "standard" || run.TotalCostUSD != 0.75 || run.ByCategory["tools"].Total != 1 {
		t.Errorf("derived: tier %q, cost %v, categories %v", run.JudgeTier, run.TotalCostUSD, run.ByCategory)
	}
	if got := run.Results[1].Failures[1].Message; got != "a message alone" {
		t.Errorf("failure %q", got)
	}
}

// What is read and written again is the same, whatever members a runner adds.
func TestRoundTrip(t *testing.T) {
	data, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Encode(run)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Encode(again)
	if err != nil || string(second) != string(out) {
		t.Errorf("the second round differs: %v\n%s\n%s", err, out, second)
	}
	var before, after any
	if err := errors.Join(json.Unmarshal(data, &before), json.Unmarshal(out, &after)); err != nil {
		t.Fatal(err)
	}
	if lost := missing("", before, after); len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
}

// missing lists what before holds and after does not.
func missing(path string, before, after any) (lost []string) {
	switch b := before.(type) {
	case map[string]any:
		a, _ := after.(map[string]any)
		for k, v := range b {
			if v == nil || v == 0.0 || v == "" {
				continue // written as absent
			}
			if list, ok := v.([]any); ok && len(list) == 0 {
				continue
			}
			lost = append(lost, missing(path+"."+k, v, a[k])...)
		}
	case []any:
		a, _ := after.([]any)
		if len(a) != len(b) {
			return []string{path}
		}
		for i := range b {
			lost = append(lost, missing(path+"[]", b[i], a[i])...)
		}
	default:
		if s, ok := before.(string); ok && path == ".all_results[].failures[]" {
			m, _ := after.(map[string]any)
			after, before = m["message"], s
		}
		if before != after {
			return []string{path}
		}
	}
	return lost
}

func TestDecodeErrors(t *testing.T) {
	one := func(s string) string { return `{"schema_version":1,"all_results":[` + s + `]}` }
	tests := map[string]struct{ in, want string }{
		"empty":         {"", "empty"},
		"truncated":     {`{"schema_version":1,` + "\n" + `"all_results":[{"name":"a"`, "line 2: all_results[0]: the file ends in the middle of the JSON"},
		"no version":    {`{"all_results":[]}`, "schema_version: missing; 1 is wanted"},
		"newer":         {`{"schema_version":2,"all_results":[]}`, "schema_version: 2 is not known; 1 is wanted"},
		"wrong type":    {one(`{"name":1,"passed":true}`), "line 1: all_results[0].name: a number where a string is wanted"},
		"nan":           {one(`{"name":"a","passed":true,"duration_ms":NaN}`), "NaN and Infinity are no JSON numbers"},
		"too large":     {one(`{"name":"a","passed":true,"duration_ms":1e999}`), "all_results[0].duration_ms"},
		"negative":      {one(`{"name":"a","passed":true,"duration_ms":-5}`), "all_results[0].duration_ms: -5 is negative"},
		"no outcome":    {one(`{"name":"a"}`), "all_results[0].passed: missing"},
		"contradiction": {one(`{"name":"a","passed":true,"status":"fail"}`), "all_results[0].passed: true, but status says fail"},
		"no name":       {one(`{"passed":true}`), "all_results[0].name: missing"},
		"duplicate":     {one(`{"name":"a","passed":true},{"name":"a","passed":false}`), `all_results[1].name: "a" was already in all_results[0]; number repeats with "attempt"`},
		"member twice":  {one(`{"name":"a","name":"b","passed":true}`), "all_results[0].name: stands there twice"},
		"scale":         {one(`{"name":"a","passed":true,"judge_scores":{"clarity":4}}`), `all_results[0].judge_scores.clarity: 4 is outside 0 to 1; say "scale"`},
		"negative sum":  {`{"schema_version":1,"total":-1,"all_results":[]}`, "total: -1 is negative"},
		"too few":       {`{"schema_version":1,"total":1,"all_results":[{"name":"a","passed":true},{"name":"b","passed":true}]}`, "total: 1, but all_results holds 2"},
		"not adding up": {`{"schema_version":1,"total":9,"passed":7,"failed":1,"all_results":[]}`, "total: 9, but passed, failed, skipped and errored add up to 8"},
		"passed":        {`{"schema_version":1,"total":1,"passed":1,"all_results":[{"name":"a","passed":false}]}`, "passed: 1, but 0 of all_results passed"},
		"time":          {`{"schema_version":1,"timestamp":"yesterday","all_results":[]}`, `timestamp: "yesterday" is no time`},
		"tokens":        {`{"schema_version":1,"all_results":[],"costs":[{"model":"m","calls":-1}]}`, "costs[0].calls: -1 is negative"},
		"model twice":   {`{"schema_version":1,"all_results":[],"costs":[{"model":"m"},{"model":"m"}]}`, `costs[1].model: "m" was already in costs[0]`},
		"deep":          {`{"schema_version":1,"x":` + strings.Repeat("[", 20000), "nested too deep"},
		"zone":          {`{"schema_version":1,"timestamp":"2026-03-15T10:30:00+24:00","all_results":[]}`, "is no time"},
		"fraction":      {one(`{"name":"a","passed":true,"attempt":1.5}`), "line 1: all_results[0].attempt: a whole number is wanted"},
		"huge count":    {one(`{"name":"a","passed":true,"attempt":99999999999999999999}`), "all_results[0].attempt: the number is too large"},
		"infinity":      {one(`{"name":"a","passed":true,"duration_ms":-Infinity}`), "NaN and Infinity are no JSON numbers"},
		"plus":          {one(`{"name":"a","passed":true,"duration_ms":+Inf}`), "all_results[0].duration_ms: invalid character '+' at start of value"},
		"surrogate":     {one(`{"name":"\ud83d","passed":true}`), `all_results[0].name: half a surrogate pair`},
		"an object":     {`{"schema_version":1,"all_results":{}}`, "all_results: an object where a list is wanted"},
		"an array":      {`[]`, "a list where an object is wanted"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := Decode([]byte(tt.in))
			var problems Problems
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// A judge that gave no score did not give 0.
func TestNullScores(t *testing.T) {
	run, _, err := Decode([]byte(`{"schema_version":1,"all_results":[{"name":"a","passed":false,"score":null,"judge_scores":{"x":null,"y":0.5},"failures":[{"message":"m","scores":{"x":null}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if r := run.Results[0]; len(r.JudgeScores) != 1 || r.JudgeScores["y"] != 0.5 || r.Score != nil || r.Failures[0].Scores != nil {
		t.Errorf("%+v", r)
	}
}

// The older format's sample lists one result of 18.
func TestDecodePartOfTheResults(t *testing.T) {
	run, warnings, err := Decode([]byte(`{"schema_version":1,"total":18,"passed":17,"failed":1,
		"by_category":{"posts":{"passed":16,"total":17},"tools":{"passed":1,"failed":0}},"all_results":[{"name":"a","passed":true}]}`))
	if err != nil || len(warnings) != 1 {
		t.Fatal(err, warnings)
	}
	if run.Total != 18 || run.Failed != 1 || run.ByCategory["posts"].Failed != 1 || run.ByCategory["tools"].Total != 1 {
		t.Errorf("%+v %v", run.Counts, run.ByCategory)
	}
}

func TestKeys(t *testing.T) {
	run := Run{Suite: "s", Results: []Result{{Name: "a"}, {Name: "a", Variant: "v"}, {Name: "a"}, {Name: "b", CaseID: "7"}, {Name: "c", CaseID: "7"}}}
	run.NumberAttempts()
	var tries []int
	for _, r := range run.Results {
		tries = append(tries, r.Try())
	}
	if want := []int{1, 1, 2, 1, 2}; !equal(tries, want) {
		t.Errorf("attempts %v, want %v", tries, want)
	}
	if err := run.Identify(); err != nil || len(run.IngestKey) != 64 {
		t.Fatal(err, run.IngestKey)
	}
	id := run.ID
	run.Hostname = "other"
	if err := run.Identify(); err != nil || run.ID != id {
		t.Errorf("another host is another run: %v", err)
	}
	run.Results[0].Set(Fail)
	if err := run.Identify(); err != nil || run.ID == id {
		t.Errorf("another content is the same run: %v", err)
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Seeds are short, and -fuzzminimizetime 10x belongs to the call: Go makes each
// find of a run shorter for up to a minute and executes nothing else meanwhile.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"schema_version":1,"timestamp":"2026-03-15T10:30:00Z","total":1,"passed":1,"failed":0,"x":{"a":[1]},"by_category":{"c":{"passed":1,"total":1}},"costs":[{"model":"m","calls":1}],"all_results":[{"name":"a","status":"pass","scale":"1-5","score":2,"output":{},"judge_scores":{"a":1,"b":null}}]}`))
	f.Add([]byte(`{"schema_version":1,"all_results":[{"name":"a","passed":true,"failures":["x",{"message":"m","scores":{"a":0.5}}]}],"failures":[{"test_name":"a","error":"e"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, _, err := Decode(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a sentence: %q", err)
			}
			return
		}
		out, err := Encode(run)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := Decode(out); err != nil {
			t.Errorf("what was written cannot be read: %v\n%s", err, out)
		}
		if err := run.Identify(); err != nil {
			t.Error(err)
		}
	})
}
