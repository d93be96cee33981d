package grade

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
)

func readCases(t *testing.T, yaml string, profiles *cases.Profiles) []cases.Case {
	t.Helper()
	all, problems := readYAML(yaml, profiles)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return all
}

func gradeAll(t *testing.T, yaml, outputs string, opts Options) *Report {
	t.Helper()
	read, err := ReadOutputs("o.json", []byte(outputs))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Grade(context.Background(), readCases(t, yaml, opts.Profiles), read, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

const two = `
- {name: a, category: x, tags: [t], expectations: [{type: body_contains, patterns: ["1"]}, {type: has_title}]}
- {name: b, expectations: [{type: body_contains, patterns: ["1"]}]}
`

// What is not there is an error, and so is an output that is no object.
func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		outputs string
		want    [2]result.Status
		err     string // of a
	}{
		{`{"a":{"body":"1","title":"t"},"b":{"body":"2"}}`, [2]result.Status{"pass", "fail"}, ""},
		{`{"a":{"body":"1"},"b":{"body":"1"}}`, [2]result.Status{"fail", "pass"}, ""},
		{`{"b":{"body":"1"}}`, [2]result.Status{"error", "pass"}, "no output"},
		{`{"a":1,"b":null}`, [2]result.Status{"error", "error"}, "the output must be an object, a list or a text, not a number"},
		{`[{"name":"a","error":"timeout"},{"name":"b","output":{"body":"1"}}]`, [2]result.Status{"error", "pass"}, "timeout"},
	} {
		report := gradeAll(t, two, tt.outputs, Options{Suite: "s"})
		r := report.Run.Results
		if got := [2]result.Status{r[0].Status, r[1].Status}; got != tt.want || r[0].Error != tt.err {
			t.Errorf("%s: %v %q", tt.outputs, got, r[0].Error)
		}
	}
}

// A text is what the agent answered, wherever an output may stand.
func TestOutputThatIsText(t *testing.T) {
	const said = `
- {name: a, expectations: [{type: response_contains, patterns: ["blue"]}, {type: field_is, field: response, value: "The sky is \"blue\""}]}
- {name: b, expectations: [{type: response_contains, patterns: ["blue"]}]}
`
	for _, outputs := range []string{
		`{"a":"The sky is \"blue\"","b":"The sky is green"}`,
		`[{"name":"a","output":"The sky is \"blue\""},{"name":"b","output":""}]`,
		"{\"name\":\"a\",\"output\":\"The sky is \\\"blue\\\"\"}\n{\"name\":\"b\",\"output\":\"\"}",
	} {
		report := gradeAll(t, said, outputs, Options{Suite: "s"})
		r := report.Run.Results
		if r[0].Status != "pass" || r[1].Status != "fail" || string(r[0].Output) != `{"response":"The sky is \"blue\""}` {
			t.Errorf("%s: %s %q, %s; output %s", outputs, r[0].Status, r[0].Error, r[1].Status, r[0].Output)
		}
	}
}

func TestFailureShape(t *testing.T) {
	report := gradeAll(t, two, `{"a":{"body":"x","title":"t"},"b":{"body":"1"}}`, Options{Suite: "s"})
	want := result.Failure{Type: "deterministic", ExpectationType: "body_contains", Check: "body_contains", Pattern: "1", Message: "pattern not found in output: 1"}
	r := report.Run.Results[0]
	if !reflect.DeepEqual(r.Failures, []result.Failure{want}) || r.Category != "x" || r.Tags[0] != "t" || r.ResponsePreview != "x" {
		t.Errorf("%+v", r)
	}
	data, err := result.Encode(report.Run)
	if err != nil {
		t.Fatal(err)
	}
	if _, warnings, err := result.Decode(data); err != nil || len(warnings) > 0 {
		t.Error(err, warnings)
	}
}

func TestOutputForms(t *testing.T) {
	v1 := `{"schema_version":1,"all_results":[{"name":"a","passed":true,"duration_ms":5,"output":{"body":"1"}}]}`
	for _, tt := range []struct {
		in   string
		want []string // name#attempt body duration
	}{
		{`{"a":{"body":"1"},"b":{"output":{"body":"2"},"duration_ms":7}}`, []string{"a#0 1 0", "b#0 2 7"}},
		{`{"a":{"output":{"body":"1"},"own":1}}`, []string{"a#0 <nil> 0"}}, // an output that has a member "output"
		{"{\"name\":\"a\",\"output\":{\"body\":\"1\"}}\n{\"name\":\"a\",\"output\":{\"body\":\"2\"},\"attempt\":2}\n", []string{"a#0 1 0", "a#2 2 0"}},
		{`[{"name":"a","output":{"body":"1"},"duration_ms":3}]`, []string{"a#0 1 3"}},
		{v1, []string{"a#0 1 5"}},
		{strings.Replace(v1, `"passed":true`, `"status":"error","error":"not judged: 429"`, 1), []string{"a#0 1 5"}},
	} {
		outputs, err := ReadOutputs("o", []byte(tt.in))
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, o := range outputs {
			body, _ := lookup(o.Value, "body")
			got = append(got, fmt.Sprintf("%s#%d %v %v", o.Name, o.Attempt, body, o.DurationMS)+o.Error)
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q", tt.in, got)
		}
	}
	for in, want := range map[string]string{
		`{"a":{}} {"b":{},"c":{}}`:          "o: line 1: the value has no name",
		`7`:                                 "o: line 1: outputs are an object or a list",
		`{}`:                                "o: holds no outputs",
		``:                                  "o: holds no outputs",
		`{"a":`:                             "o: line 1: the file ends in the middle of the JSON",
		"{\"name\":\"a\",\"output\":{}}\n7": "o: line 2: the value is no entry, an object with name and output",
		`[{"output":{}}]`:                   "o: line 1: entry 0 has no name",
		`[{"name":"a","attempt":-1}]`:       "o: a: attempt, duration_ms and cost_usd cannot be negative",
		`{"a":{"x":1,"x":2}}`:               `o: line 1: this is no JSON: duplicate object member name in /a/x`,
		`{"a":{"x":NaN}}`:                   "o: line 1: this is no JSON: ",
	} {
		if _, err := ReadOutputs("o", []byte(in)); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", in, err)
		}
	}
}

func TestOutputDir(t *testing.T) {
	dir := fstest.MapFS{"a.json": {Data: []byte(`{"body":"1"}`)}, "sub/b.json": {Data: []byte(`{"output":{"body":"2"},"model":"m"}`)}, "quick.json": {Data: []byte(`{}`)}, "notes.txt": {}}
	outputs, err := ReadOutputDir("d", dir, func(path string) bool { return path == "quick.json" })
	if err != nil || len(outputs) != 2 || outputs[0].Name != "a" || outputs[1].Name != "sub/b" || outputs[1].Model != "m" {
		t.Errorf("%v %+v", err, outputs)
	}
	if _, err := ReadOutputDir("d", fstest.MapFS{}, nil); err == nil {
		t.Error("an empty directory is taken")
	}
}

func TestAttempts(t *testing.T) {
	report := gradeAll(t, two, `[{"name":"b","output":{"body":"1"}},{"name":"b","output":{"body":"2"}},{"name":"nobody","output":{}}]`, Options{})
	r := report.Run.Results
	if len(r) != 3 || r[1].Try() != 1 || r[2].Try() != 2 || r[2].Passed || report.Unused[0] != "nobody" || report.Missing[0] != "a" {
		t.Errorf("%+v", report)
	}
	outputs, _ := ReadOutputs("o", []byte(`[{"name":"b","output":{},"attempt":2},{"name":"b","output":{},"attempt":2}]`))
	if _, err := Grade(context.Background(), readCases(t, two, nil), outputs, Options{}); err == nil {
		t.Error("the same attempt twice is taken")
	}
}

// Of very many failures of one expectation the first are told.
func TestManyFailures(t *testing.T) {
	links := ""
	for i := range 1000 {
		links += fmt.Sprintf("https://a.b/%d ", i)
	}
	output, err := json.Marshal(map[string]any{"body": links, "sources": []string{}})
	if err != nil {
		t.Fatal(err)
	}
	r := graded(t, caseOf(t, "urls_from_sources", "", ""), string(output))
	if n := len(r.Failures); n != 21 || r.Failures[20].Message != "and 980 more" {
		t.Errorf("%d failures, the last is %+v", n, r.Failures[n-1])
	}
}

// Neither many outputs nor an address without end take long: in the square of
// their length this test would not end.
func TestLargeOutputs(t *testing.T) {
	lines := strings.Repeat("{\"name\":\"b\",\"output\":{\"body\":\"1\"}}\n", 100_000)
	if outputs, err := ReadOutputs("o", []byte(lines+"{\"name\":1}")); err == nil || !strings.Contains(err.Error(), "line 100001") {
		t.Error(len(outputs), err)
	}
	if n := tweetLength("https://a.b/" + strings.Repeat(")", 1_000_000)); n == 0 {
		t.Error(n)
	}
}

// Cases of the same name in two suites have outputs of their own.
func TestSuites(t *testing.T) {
	yaml := "- {name: a, suite: x, expectations: [{type: has_title}]}\n- {name: a, expectations: [{type: has_title}]}"
	report := gradeAll(t, yaml, `[{"name":"a","suite":"x","output":{"title":"t"}},{"name":"a","suite":"y","output":{}}]`, Options{Suite: "y"})
	r := report.Run.Results
	if len(r) != 2 || r[0].Suite != "x" || !r[0].Passed || r[1].Suite != "" || r[1].Passed {
		t.Errorf("%+v", r)
	}
}

// fixed is a judge that gives every criterion a score.
type fixed struct {
	scores map[string]float64
	err    error // of every question
	gaveUp error
	asked  *[]Question
}

func (f fixed) Judge(_ context.Context, questions []Question) ([]Verdict, error) {
	*f.asked = append(*f.asked, questions...)
	verdicts := make([]Verdict, len(questions))
	for i := range verdicts {
		verdicts[i] = Verdict{Scores: f.scores, Reasoning: "so", Opinions: []result.Opinion{{Model: "m", Scores: f.scores}}, Err: f.err}
	}
	return verdicts, f.gaveUp
}

const judged = `
- name: only
  user_message: hello
  expectations: [{type: quality_check, judge_profile: strict, criteria: {accuracy: 0.9, tone: }}]
- name: both
  expectations: [{type: has_title}, {type: voice_check, criteria: {warm: 0.5}}]
`

func TestJudge(t *testing.T) {
	profiles, problems := cases.ReadProfiles("p", []byte("profiles: {strict: {tier: full, criteria: {tone: 0.6}}}"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	outputs := `{"only":{"body":"x"},"both":{"title":"x"}}`
	report := gradeAll(t, judged, outputs, Options{Profiles: profiles})
	r := report.Run.Results
	if r[0].Status != result.Skip || r[1].Status != result.Pass || string(r[1].X) != `{"not_judged":["voice_check"]}` || report.NotJudged != 2 {
		t.Errorf("%+v", report)
	}

	var asked []Question
	judge := fixed{scores: map[string]float64{"accuracy": 0.95, "tone": 0.5, "warm": 0.5}, asked: &asked}
	report = gradeAll(t, judged, outputs, Options{Profiles: profiles, Judge: judge})
	r = report.Run.Results
	if r[0].Status != result.Fail || r[1].Status != result.Pass || report.NotJudged != 0 || r[0].JudgeReasoning != "so" || len(r[0].JudgeScores) != 2 {
		t.Errorf("%+v", report.Run)
	}
	if want := `{"judges":[{"model":"m","scores":{"accuracy":0.95,"tone":0.5,"warm":0.5}}],"judge_thresholds":{"warm":0.5}}`; string(r[1].X) != want {
		t.Errorf("%s", r[1].X)
	}
	f := r[0].Failures[0]
	if f.Type != "threshold" || f.Criterion != "tone" || string(f.Expected) != "0.6" || string(f.Actual) != "0.5" || len(f.Details) != 1 || len(f.Scores) != 2 ||
		f.Message != "quality check failed: 1 of 2 criteria below threshold" {
		t.Errorf("%+v", f)
	}
	if q := asked[0]; len(asked) != 2 || string(q.Input) != `{"user_message":"hello"}` || q.Profile.Tier != "full" || string(q.Output) != `{"body":"x"}` {
		t.Errorf("%+v", asked)
	}

	// scores that are there are taken, and nobody is asked
	asked = nil
	brought := `[{"name":"only","output":{},"judge_scores":{"accuracy":0.9,"tone":0.6}},{"name":"both","output":{"title":"x","judge_scores":{"warm":0.4}}}]`
	report = gradeAll(t, judged, brought, Options{Profiles: profiles, Judge: judge})
	if r = report.Run.Results; r[0].Status != result.Pass || r[1].Status != result.Fail || len(asked) > 0 {
		t.Errorf("%+v", report.Run)
	}

	// no answer, one that leaves a criterion out, one outside of the scale
	for _, bad := range []fixed{{err: errors.New("429")}, {scores: map[string]float64{"tone": 1}}, {scores: map[string]float64{"accuracy": 7, "tone": 1}}} {
		bad.asked = &asked
		report = gradeAll(t, judged, `{"only":{},"both":{"title":"x"}}`, Options{Profiles: profiles, Judge: bad})
		if r = report.Run.Results; r[0].Status != result.Error || !strings.HasPrefix(r[0].Error, "not judged: ") {
			t.Errorf("%+v", r[0])
		}
	}
	read, err := ReadOutputs("o", []byte(outputs))
	if err != nil {
		t.Fatal(err)
	}
	down := errors.New("no network")
	if _, err := Grade(context.Background(), readCases(t, judged, profiles), read, Options{Profiles: profiles, Judge: fixed{gaveUp: down, asked: &asked}}); !errors.Is(err, down) {
		t.Errorf("the judge gave up, and grading says %v", err)
	}
}

// The same judges, asked about two expectations, are listed once.
func TestOpinionsJoin(t *testing.T) {
	p := &paper{}
	p.heard([]result.Opinion{{Model: "m", Scores: map[string]float64{"a": 1}}, {Model: "n", Scores: map[string]float64{"a": 0}}})
	p.heard([]result.Opinion{{Model: "m", Scores: map[string]float64{"b": 1}}, {Model: "n", Scores: map[string]float64{"b": 0}}})
	if len(p.opinions) != 2 || len(p.opinions[0].Scores) != 2 {
		t.Errorf("%+v", p.opinions)
	}
	p.heard([]result.Opinion{{Model: "m", Error: "timeout"}})
	if len(p.opinions) != 3 {
		t.Errorf("%+v", p.opinions)
	}
}

const ab = `
name: c
expectations: [{type: has_title}]
comparison: {type: ab_test, tolerance: 0.05, flaky_criteria: {tone: 0.1}}
`

func TestComparison(t *testing.T) {
	for _, tt := range []struct {
		outputs string
		status  result.Status
		worse   string // criteria
	}{
		{`{"c":{"title":"x","control_scores":{"a":0.8},"treatment_scores":{"a":0.75}}}`, "pass", ""}, // exactly the tolerance
		{`{"c":{"title":"x","control_scores":{"a":0.8,"tone":0.8},"treatment_scores":{"a":0.74,"tone":0.7}}}`, "fail", "a"},
		{`{"c":{"title":"x","comparison":{"control_scores":{"tone":0.8},"treatment_scores":{"tone":0.69}}}}`, "fail", "tone"},
		{`[{"name":"c","output":{"title":"x"},"comparison":{"control_scores":{"a":1},"treatment_scores":{"a":1}}}]`, "pass", ""},
		{`[{"name":"c@control","output":{},"judge_scores":{"a":0.9}},{"name":"c@control","output":{},"judge_scores":{"a":0.7}},{"name":"c@treatment","output":{"title":"x"},"judge_scores":{"a":0.76}}]`, "pass", ""},
		{`[{"name":"c@control","output":{},"judge_scores":{"a":0.9}},{"name":"c@treatment","output":{"title":"x"},"judge_scores":{"a":0.76}}]`, "fail", "a"},
		{`{"c":{"title":"x"}}`, "fail", ""},
		{`{"c":{"title":"x","control_scores":{"a":1,"b":1},"treatment_scores":{"a":1}}}`, "fail", "b"},
		{`{"c":{"title":"x","control_scores":{"a":1},"treatment_scores":{"a":1,"b":1}}}`, "fail", "b"},
	} {
		r := gradeAll(t, ab, tt.outputs, Options{}).Run.Results[0]
		criteria := ""
		for _, f := range r.Failures {
			criteria += f.Criterion
		}
		if r.Status != tt.status || criteria != tt.worse {
			t.Errorf("%s: %s %+v", tt.outputs, r.Status, r.Failures)
		}
	}
	waits := "{name: c, expectations: [{type: quality_check, criteria: [a]}], comparison: {type: ab_test}}"
	if report := gradeAll(t, waits, `{"c@control":{},"c@treatment":{}}`, Options{}); report.Run.Results[0].Status != result.Skip || report.NotJudged != 2 {
		t.Errorf("%+v", report.Run.Results[0])
	}
	r := gradeAll(t, ab, `{"c":{"title":"x","control_scores":{"a":0.8},"treatment_scores":{"a":0.85}}}`, Options{}).Run.Results[0]
	want := `{"type":"ab_test","control_scores":{"a":0.8},"treatment_scores":{"a":0.85},"deltas":[{"criterion":"a","control":0.8,"treatment":0.85,"delta":0.05}],"tolerance":0.05,"flaky_criteria":{"tone":0.1}}`
	if string(r.Comparison) != want {
		t.Errorf("%s", r.Comparison)
	}
}

const tiers = `
name: c
expectations: [{type: has_title, min_words: 2}]
tier_chain:
  - {tier: quick, model: small, output_file: quick.json}
  - {tier: full, model: large, input_from: quick.json}
`

func TestChain(t *testing.T) {
	file := func(name string) ([]byte, error) {
		if name != "quick.json" {
			return nil, errors.New("no such file")
		}
		return []byte(`{"title":"one"}`), nil
	}
	for _, tt := range []struct {
		outputs string
		file    func(string) ([]byte, error)
		status  result.Status
		tiers   string
	}{
		{`{"c":{"title":"one two"}}`, file, "pass", "quick fail 0/1, full pass 1/1"},
		{`{"c@quick":{"title":"a b"},"c@full":{"title":"a"}}`, nil, "fail", "quick pass 1/1, full fail 0/1"},
		{`{"c@full":{"title":"a b"}}`, nil, "pass", "quick error 0/0, full pass 1/1"},
		{`{"c@quick":{"title":"a b"}}`, nil, "error", "quick pass 1/1, full error 0/0"},
	} {
		report := gradeAll(t, tiers, tt.outputs, Options{File: tt.file})
		r := report.Run.Results
		var c chain
		if err := json.Unmarshal(r[0].Comparison, &c); err != nil || len(r) != 1 {
			t.Fatal(err, len(r))
		}
		var shown []string
		for _, row := range c.Tiers {
			shown = append(shown, fmt.Sprintf("%s %s %d/%d", row.Tier, row.Status, row.Held, row.Of))
		}
		if got := strings.Join(shown, ", "); got != tt.tiers || r[0].Status != tt.status || len(report.Unused) > 0 {
			t.Errorf("%s: %s, %s, %v", tt.outputs, r[0].Status, got, report.Unused)
		}
	}
}

// A thousand cases of ten expectations are read and graded at once.
func TestMany(t *testing.T) {
	var yaml, outputs strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&yaml, "- name: case%d\n  expectations:\n", i)
		for range 10 {
			yaml.WriteString("    - {type: body_contains, patterns: ['/\\bhous(e|ing)\\b/i', plain]}\n")
		}
		fmt.Fprintf(&outputs, "{\"name\":\"case%d\",\"output\":{\"body\":%q}}\n", i, strings.Repeat("plain text about Housing. ", 40))
	}
	start := time.Now()
	report := gradeAll(t, yaml.String(), outputs.String(), Options{})
	if report.Run.Passed != 1000 {
		t.Errorf("%+v", report.Run.Counts)
	}
	t.Logf("%d bytes of YAML read and graded in %v", yaml.Len(), time.Since(start))
}

func readYAML(yaml string, profiles *cases.Profiles) ([]cases.Case, cases.Problems) {
	l := cases.Loader{Specs: Specs(), Profiles: profiles, Stdin: strings.NewReader(yaml)}
	set, problems, err := l.Load([]string{cases.Stdin})
	if err != nil {
		panic(err) // stdin can be read
	}
	return set.Cases, problems
}
