package grade

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
)

// trialCases makes one case of every trial.
func trialCases(t testing.TB) []cases.Case {
	var yaml strings.Builder
	for i, tr := range trials {
		keys, input := "", "{}"
		if tr.keys != "" {
			keys = ", " + tr.keys
		}
		if tr.input != "" {
			input = tr.input
		}
		fmt.Fprintf(&yaml, "- {name: c%d, input: %s, expectations: [{type: %s%s}]}\n", i, input, tr.kind, keys)
	}
	all, problems := readYAML(yaml.String(), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return all
}

// every grades one output against every trial, and holds what is always true.
func every(t *testing.T, all []cases.Case, output []byte) {
	var outputs []Output
	for _, c := range all {
		outputs = append(outputs, Output{Name: c.Name, Raw: output})
	}
	if err := decode(outputs); err != nil {
		return
	}
	report, err := Grade(context.Background(), all, outputs, Options{})
	if err != nil {
		return // scores of the output that are outside of their scale
	}
	for _, r := range report.Run.Results {
		if (r.Status == result.Fail) != (len(r.Failures) > 0) {
			t.Errorf("%s is %s with %d failures", r.Name, r.Status, len(r.Failures))
		}
		for _, f := range r.Failures {
			if f.Message == "" {
				t.Errorf("%s: a failure without a message", r.Name)
			}
		}
	}
	data, err := result.Encode(report.Run)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := result.Decode(data); err != nil {
		t.Errorf("the run cannot be read again: %v", err)
	}
}

// FuzzChecks holds for any JSON: no check panics, and what they say is a run.
func FuzzChecks(f *testing.F) {
	for _, tr := range trials {
		for _, output := range append(tr.pass, tr.fail...) {
			f.Add([]byte(output))
		}
	}
	all := trialCases(f)
	f.Fuzz(func(t *testing.T, output []byte) { every(t, all, output) })
}

// Values of every kind stand where the checks look.
func TestRandomOutputs(t *testing.T) {
	all := trialCases(t)
	var names []string
	for _, s := range Specs() {
		for _, path := range s.Reads {
			if head, _, _ := strings.Cut(path, "."); head != "" {
				names = append(names, head)
			}
		}
	}
	names = append(names, "name", "theme", "severity", "score", "members", "text", "commentary", "original", "sources", "outline", "url", "id", "input", "function", "attendees", "status")
	r := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) any
	value = func(depth int) any {
		switch k := r.IntN(9); {
		case k == 0:
			return nil
		case k == 1:
			return r.IntN(2) == 0
		case k == 2:
			return r.NormFloat64() * 100
		case k <= 4 || depth == 0:
			return []string{"", " ", "a b", "https://a.b/c", "red", "Group 1", "👍", "# h\n```\nx", "é\u0301", "<b>&amp;", "](", "http://[", "%zz?"}[r.IntN(13)]
		case k <= 6:
			list := make([]any, r.IntN(4))
			for i := range list {
				list[i] = value(depth - 1)
			}
			return list
		}
		object := map[string]any{}
		for range r.IntN(5) {
			object[names[r.IntN(len(names))]] = value(depth - 1)
		}
		return object
	}
	for range 40 {
		object := map[string]any{}
		for range 30 {
			object[names[r.IntN(len(names))]] = value(3)
		}
		data, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		every(t, all, data)
	}
}

// FuzzOutputs holds for any file of outputs: one sentence, or outputs with names.
func FuzzOutputs(f *testing.F) {
	for _, s := range []string{`{"a":{}}`, `[{"name":"a","output":{}}]`, "{\"name\":\"a\",\"output\":1}\n{\"name\":\"b\",\"output\":{}}", `{"schema_version":1,"all_results":[{"name":"a","passed":true}]}`, `{"a":{"output":{},"attempt":2}}`, `[`, `{"a":1}{`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		outputs, err := ReadOutputs("o", data)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("no sentence: %q", err)
			}
			return
		}
		if len(outputs) == 0 {
			t.Error("no outputs, and no error")
		}
		if _, err := oneOutput("o", "n", data); err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("no sentence: %q", err)
		}
	})
}
