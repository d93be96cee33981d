package grade

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
	"cairn/test/cairntest"
)

// What is too long to compare is an error, not a pass and not a failure, also
// under not; and it is said at once.
func TestTooLongToCompare(t *testing.T) {
	long := strings.Repeat("a ", 1<<20)
	for _, keys := range []string{
		`type: levenshtein, value: a, max_distance: 99999999`,
		`type: levenshtein, value: a, min_similarity: 0`,
		`type: rouge, value: a, measure: precision`,
		`type: response_excludes, patterns: [x, "/(` + strings.Repeat("y", 600) + `)+$/"]`,
		`type: response_contains_any, patterns: [x, "/(` + strings.Repeat("y", 600) + `)+$/"]`,
		`type: field_contains, field: response, patterns: ["/(` + strings.Repeat("y", 600) + `)+$/"]`,
	} {
		for _, yaml := range []string{keys, `type: not, expectation: {` + keys + `}`, `type: any_of, expectations: [{` + keys + `}, {type: worthy}]`} {
			all, problems := readYAML("name: c\nexpectations: [{"+yaml+"}]\n", nil)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			data, _ := json.Marshal(map[string]string{"response": long})
			began := time.Now()
			r := graded(t, all[0], string(data))
			if r.Status != result.Error || !strings.Contains(r.Error, "too long to ") || len(r.Failures) > 0 {
				t.Errorf("%s: %s %q %v", yaml, r.Status, r.Error, r.Failures)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%s took %v", yaml, took)
			}
		}
	}
	// but any_of that holds without it does
	all, _ := readYAML("name: c\nexpectations: [{type: any_of, expectations: [{type: levenshtein, value: a, max_distance: 1}, {type: worthy}]}]\n", nil)
	data, _ := json.Marshal(map[string]any{"response": long, "worthy": true})
	if r := graded(t, all[0], string(data)); !r.Passed {
		t.Errorf("%s %q", r.Status, r.Error)
	}
}

// Brackets that never close are not read for ever.
func TestHostileJSON(t *testing.T) {
	cairntest.Long(t)
	for _, s := range []string{strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18), strings.Repeat("[1,", 1<<19), strings.Repeat(`["`, 1<<18), strings.Repeat("[]", 1<<19)} {
		data, _ := json.Marshal(map[string]string{"response": s})
		for _, keys := range []string{"", `schema: {type: object}`} {
			began := time.Now()
			r := graded(t, caseOf(t, "contains_json", keys, ""), string(data))
			if r.Passed && (keys != "" || !strings.HasPrefix(s, "[]")) {
				t.Errorf("%s… passes", s[:9])
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%s… took %v", s[:9], took)
			}
		}
	}
}

// A schema whose references multiply ends in an error, and is not tried again.
func TestCostlySchema(t *testing.T) {
	cairntest.Long(t)
	c := caseOf(t, "json_schema", `schema: {$ref: "#/$defs/a", $defs: {a: {anyOf: [{$ref: "#/$defs/b", minimum: 1}, {$ref: "#/$defs/b", minimum: 1}]}, b: {items: {anyOf: [{$ref: "#/$defs/a"}, {$ref: "#/$defs/a"}]}, type: array}}}`, "")
	deep := `{"response":` + strings.Repeat("[", 60) + "1" + strings.Repeat("]", 60) + "}"
	for range 2 {
		if r := graded(t, c, deep); r.Status != result.Error || !strings.Contains(r.Error, "takes longer than 5s") {
			t.Errorf("%s %q %v", r.Status, r.Error, r.Failures)
		}
	}
}

// The figures are those of the definitions.
func TestLikeness(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"", "abc", 3}, {"abc", "", 3}, {"", "", 0}, {"flaw", "lawn", 2}, {"gumbo", "gambol", 2}, {"漢字", "字", 1}, {"ab", "ba", 2}} {
		if got := levenshtein([]rune(tt.a), []rune(tt.b)); got != tt.want {
			t.Errorf("%q, %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	word := func() []rune {
		r := make([]rune, rng.IntN(7))
		for i := range r {
			r[i] = rune('a' + rng.IntN(3))
		}
		return r
	}
	for range 500 {
		a, b, c := word(), word(), word()
		d := levenshtein(a, b)
		if d != levenshtein(b, a) || d != slow(a, b) || d > levenshtein(a, c)+levenshtein(c, b) {
			t.Fatalf("%q, %q: %d", string(a), string(b), d)
		}
	}
	// "the cat sat on the mat" and "the cat the cat": the is there twice in both
	said, wanted := wordList("the cat the cat"), wordList("The cat sat on the mat!")
	want := map[string]float64{"recall": 3. / 6, "precision": 3. / 4, "f1": 0.6}
	if got := rouge(said, wanted, 1); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	want = map[string]float64{"recall": 1. / 5, "precision": 1. / 3, "f1": 2 * (1. / 5) * (1. / 3) / (1./5 + 1./3)}
	if got := rouge(said, wanted, 2); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := wordList("Don't “stop”, 3.5 漢字かな"); strings.Join(got, "|") != "don|t|stop|3|5|漢|字|か|な" {
		t.Errorf("%q", got)
	}
}

// slow is the definition of the distance.
func slow(a, b []rune) int {
	switch {
	case len(a) == 0:
		return len(b)
	case len(b) == 0:
		return len(a)
	case a[0] == b[0]:
		return slow(a[1:], b[1:])
	}
	return 1 + min(slow(a[1:], b), slow(a, b[1:]), slow(a[1:], b[1:]))
}

// What runners tell beside the output is taken before what is in it.
func TestMeasuresBesideTheOutput(t *testing.T) {
	const yaml = `{name: c, expectations: [{type: latency, max_ms: 10}, {type: cost, max_usd: 0.5}, {type: tokens, max: 5}, {type: turns, max: 2}]}`
	for outputs, want := range map[string]string{
		`{"name":"c","output":"x","duration_ms":10,"cost_usd":0,"usage":{"input_tokens":2,"output_tokens":3},"turns":2}`: "",
		`{"name":"c","output":{"duration_ms":1},"duration_ms":11,"cost_usd":0.6,"usage":6,"turns":[1,2,3]}`:              "milliseconds: 11, at most 10 wanted|dollars: 0.6, at most 0.5 wanted|total tokens: 6, at most 5 wanted|turns: 3, at most 2 wanted",
		`{"name":"c","output":"x"}`: "output has no duration ms (looked at duration_ms, latency_ms)|output has no cost usd (looked at cost_usd, total_cost_usd)|output has no usage (looked at usage, token_usage, tokens)|output has no num turns (looked at num_turns, turns, messages)",
	} {
		var said []string
		for _, f := range gradeAll(t, yaml, outputs, Options{}).Run.Results[0].Failures {
			said = append(said, f.Message)
		}
		if got := strings.Join(said, "|"); got != want {
			t.Errorf("%s\n%s\nwant %s", outputs, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	const yaml = `
- {name: c, expectations: [{type: command, run: "grep -q x"}]}
- {name: d, expectations: [{type: command, run: [grep, -q, x], timeout_seconds: 2, path: data}]}
- {name: e, expectations: [{type: not, expectation: {type: command, run: exit 1}}]}
`
	outputs := `{"c":"x","d":{"data":{"a":1}},"e":{"other":1}}`
	report := gradeAll(t, yaml, outputs, Options{})
	for _, r := range report.Run.Results {
		if r.Status != result.Error || !strings.Contains(r.Error, "without --allow-commands") {
			t.Errorf("%s is %s: %q", r.Name, r.Status, r.Error)
		}
	}
	var programs []Program
	answers := []Ran{{}, {Exit: 1, Said: "no x\n"}, {Exit: 1}}
	run := func(p Program) (Ran, error) {
		programs = append(programs, p)
		return answers[len(programs)-1], nil
	}
	report = gradeAll(t, yaml, outputs, Options{Run: run})
	r := report.Run.Results
	if r[0].Status != result.Pass || r[1].Status != result.Fail || r[1].Failures[0].Message != "grep -q x exited with 1: no x" || r[2].Status != result.Pass {
		t.Errorf("%+v", r)
	}
	want := []Program{
		{Line: "grep -q x", Case: "c", Stdin: []byte("x"), Timeout: time.Minute},
		{Args: []string{"grep", "-q", "x"}, Case: "d", Stdin: []byte("{\"a\":1}\n"), Timeout: 2 * time.Second},
		{Line: "exit 1", Case: "e", Stdin: []byte("{\"other\":1}\n"), Timeout: time.Minute},
	}
	if !reflect.DeepEqual(programs, want) {
		t.Errorf("%+v", programs)
	}
	report = gradeAll(t, yaml, outputs, Options{Run: func(Program) (Ran, error) { return Ran{}, errors.New("no such program") }})
	for _, r := range report.Run.Results {
		if r.Status != result.Error || r.Error != "command: no such program" {
			t.Errorf("%s is %s: %q", r.Name, r.Status, r.Error)
		}
	}
}
