package reader

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// more are the members of a result that promptfoo's rows have beside those of the
// format.
type more struct {
	Vars     map[string]any
	Prompt   string
	Metadata map[string]any
	Tokens   map[string]float64
	Checks   []check
	Other    map[string]float64 `json:"other_scores"`
}

type check struct {
	Passed            bool
	Score             *float64
	Type, Metric      string
	Reason            string
	Value             any
	Threshold, Weight *float64
	Checks            []check
}

func moreOf(t *testing.T, r *result.Result) (m more) {
	t.Helper()
	if len(r.X) > 0 {
		if err := json.Unmarshal(r.X, &m); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func caseOf(t *testing.T, run *result.Run, title string) *result.Result {
	t.Helper()
	i := slices.IndexFunc(run.Results, func(r result.Result) bool { return r.Title() == title })
	if i < 0 {
		t.Fatalf("no %q", title)
	}
	return &run.Results[i]
}

// What a person would look for is there: the prompt as it was sent, metadata, each
// check with its weight whether it held or not, what grading used.
func TestPromptfooKeeps(t *testing.T) {
	for _, form := range []string{"json", "jsonl", "yaml", "xml"} {
		_, run := read1(t, "promptfoo-graded."+form)
		r := caseOf(t, run, "housing [local-js · prompt 1]")
		m := moreOf(t, r)
		if m.Prompt != "Summarise: housing policy" || m.Vars["topic"] != "housing policy" || m.Metadata["owner"] != "ada" || m.Metadata["model"] != "local-1" || m.Metadata["_promptfooFileMetadata"] != nil {
			t.Errorf("%s: %s", form, r.X)
		}
		if want := map[string]float64{"input": 20, "output": 10, "grading_input": 40, "grading_output": 17}; !maps.Equal(m.Tokens, want) {
			t.Errorf("%s: %v", form, m.Tokens)
		}
		var checks []string
		for _, c := range m.Checks {
			if !c.Passed || c.Score == nil {
				t.Errorf("%s: %+v", form, c)
			}
			checks = append(checks, c.Type+" "+c.Metric+" "+c.Reason)
		}
		if want := []string{"contains mentions Assertion passed", "javascript brevity Assertion passed", "llm-rubric tone polite enough"}; !slices.Equal(checks, want) || *m.Checks[1].Weight != 2 || *m.Checks[2].Weight != 3 || *m.Checks[2].Threshold != 0.5 || m.Checks[0].Weight != nil {
			t.Errorf("%s: %q", form, checks)
		}
		if want := map[string]float64{"mentions": 1, "brevity": 1, "tone": 0.9}; !maps.Equal(r.JudgeScores, want) {
			t.Errorf("%s: %v", form, r.JudgeScores)
		}

		// A set counts once, although promptfoo lists its members again behind it.
		r = caseOf(t, run, "topic=rail, never [echo · prompt 1]")
		m = moreOf(t, r)
		var failed []string
		for _, f := range r.Failures {
			failed = append(failed, f.Message)
		}
		if want := []string{"it is rude", `Expected output to contain "Local"`, `Expected output to contain "zzz"`}; !slices.Equal(failed, want) {
			t.Errorf("%s: %q", form, failed)
		}
		if n := len(m.Checks); n != 3 || m.Checks[2].Type != "assert-set" || len(m.Checks[2].Checks) != 2 || !m.Checks[0].Passed || m.Checks[1].Passed {
			t.Errorf("%s: %+v", form, m.Checks)
		}

		// Figures that are no share are kept, and not compared.
		r = caseOf(t, run, "long=[REDACTED], topic=one more [echo · prompt 2]")
		if m = moreOf(t, r); m.Other["score"] != 5 || m.Other["count"] != 5 || r.Score != nil || len(r.JudgeScores) > 0 {
			t.Errorf("%s: %+v", form, m.Other)
		}
	}
}

// The tokens of a run are those that promptfoo sums up itself, grading's apart.
func TestPromptfooTokens(t *testing.T) {
	for _, form := range []string{"json", "jsonl", "yaml", "xml"} {
		_, run := read1(t, "promptfoo-graded."+form)
		got := map[string][2]int64{}
		for _, c := range run.Costs {
			got[c.Model] = [2]int64{c.InputTokens, c.OutputTokens}
		}
		if want := map[string][2]int64{"local-js": {160, 80}, "grading by file://grader.js": {320, 136}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", form, got)
		}
	}
}

// What a case consists of is the same in every form of a file that has it. CSV has
// a column for a variable that only some tests have, which the old id of a case
// takes for an empty one.
func TestPromptfooIdentity(t *testing.T) {
	_, want := read1(t, "promptfoo-graded.json")
	if p := want.Prompts; len(p) != 2 || p[1] != (result.Prompt{Name: "prompt 2", ID: result.ContentID("TL;DR of {{topic}}"), Text: "TL;DR of {{topic}}"}) {
		t.Errorf("%+v", p)
	}
	for _, form := range []string{"jsonl", "yaml", "xml", "csv"} {
		_, run := read1(t, "promptfoo-graded."+form)
		if !reflect.DeepEqual(run.Prompts, want.Prompts) {
			t.Errorf("%s: %+v", form, run.Prompts)
		}
		for i, r := range run.Results {
			if w := want.Results[i]; r.Content() != w.Content() || r.CaseID != w.CaseID && form != "csv" || r.Content().Input == "" {
				t.Errorf("%s: %s: %+v, not %+v", form, r.Title(), r.Content(), w.Content())
			}
		}
	}
}

// Labels are told from texts, templates from what was sent, and two prompts of one
// label from each other.
func TestPromptfooLabels(t *testing.T) {
	row := func(column, label, raw string) string {
		return `{"success":true,"testIdx":0,"promptIdx":` + column + `,"provider":"p","prompt":{"label":"` + label + `","raw":"` + raw + `"},"vars":{"n":1}}`
	}
	_, run := readText(t, "a.json", `{"evalId":"x","results":{"prompts":[{"label":"short","raw":"Say {{n}}"},{"label":"prompts/a.txt: Do say {{n}}","raw":"Do say {{n}}"},{"label":"Say it","raw":"Say it"},{"label":"short","raw":"Tell {{n}}"}],"results":[`+
		strings.Join([]string{row("0", "short", "Say 1"), row("1", "prompts/a.txt: Do say {{n}}", "Do say 1"), row("2", "Say it", "Say it"), row("3", "short", "Tell 1")}, ",")+`]}}`)
	want := []result.Prompt{
		{Name: "short", ID: result.ContentID("Say {{n}}"), Label: "short", Text: "Say {{n}}"},
		{Name: "prompts/a.txt", ID: result.ContentID("Do say {{n}}"), Label: "prompts/a.txt", Text: "Do say {{n}}"},
		{Name: "Say it", ID: result.ContentID("Say it"), Text: "Say it"},
		{Name: "short (4)", ID: result.ContentID("Tell {{n}}"), Label: "short", Text: "Tell {{n}}"},
	}
	if !reflect.DeepEqual(run.Prompts, want) || len(run.Results) != 4 || run.Results[3].Try() != 1 || run.Results[3].Variant != "p · short (4)" {
		t.Errorf("%+v\n%+v", run.Prompts, run.Results)
	}
}

// A long variable is kept whole.
func TestPromptfooLongVars(t *testing.T) {
	long := strings.Repeat("x", 20_000)
	_, run := readText(t, "a.jsonl", `{"success":true,"testIdx":0,"promptIdx":0,"provider":"p","prompt":{"label":"Say"},"vars":{"document":"`+long+`"}}`)
	if m := moreOf(t, &run.Results[0]); m.Vars["document"] != long {
		t.Errorf("%.200s", run.Results[0].X)
	}
}
