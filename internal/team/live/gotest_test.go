package live

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// A capture of go test -json: a panic, a package that does not build, subtests.
func TestGoTest(t *testing.T) {
	data, err := os.ReadFile("testdata/go-test.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	run := &Run{}
	for line := range bytes.Lines(data) {
		run.Line(line, noon)
	}
	want := map[string]string{
		"TestEval/must_cite_sources": "pass", "TestEval/no_hallucination": "fail", "TestSkipped": "skip",
		"TestPanic/inner": "fail", "example.com/evals/broken": "error", "TestFine": "pass",
	}
	for _, r := range run.Rows {
		if r.Group {
			continue
		}
		if r.Name == "TestEval" || r.Name == "TestPanic" {
			t.Errorf("%s has subtests, and is none of its own", r.Name)
		}
		if s, ok := want[r.Name]; ok && s != string(r.Status) {
			t.Errorf("%s: %s, want %s", r.Name, r.Status, s)
		}
		delete(want, r.Name)
		if r.Name == "example.com/evals/broken" && !strings.Contains(r.Error, "undefined: undefined") {
			t.Errorf("the build failed because: %q", r.Error)
		}
		if r.Name == "TestFine" && r.Model != "claude-sonnet-4-6" {
			t.Errorf("%s ran on %q", r.Name, r.Model)
		}
		if r.Name == "TestEval/no_hallucination" && !strings.Contains(r.Message, "_test.go:") {
			t.Errorf("message %q", r.Message)
		}
	}
	if len(want) > 0 || run.Open() != 0 || run.Going != 0 || run.Broken.Lines > 0 {
		t.Errorf("missing %v, %d packages open, %d running, broken %+v", want, run.Open(), run.Going, run.Broken)
	}
	if s, why := run.State(Around{Now: noon, Over: true}); s != Finished {
		t.Errorf("%s %s", s, why)
	}
}

// A test that a panic elsewhere cut off is an error, not a failure.
func TestGoTestCutOff(t *testing.T) {
	run := told(`{"Action":"start","Package":"p"}`, `{"Action":"run","Package":"p","Test":"TestA"}`, `{"Action":"output","Package":"p","Test":"TestA","Output":"halfway\n"}`, `{"Action":"fail","Package":"p"}`)
	if rowsOf(run) != "TestA error" || run.Rows[0].Error != "did not end: halfway" {
		t.Errorf("%s: %q", rowsOf(run), run.Rows[0].Error)
	}
	run = told(`{"Action":"start","Package":"p"}`, `{"Action":"output","Package":"p","Output":"TestMain says no\n"}`, `{"Action":"fail","Package":"p"}`)
	if rowsOf(run) != "p error" || run.Rows[0].Error != "TestMain says no" {
		t.Errorf("%s: %q", rowsOf(run), run.Rows[0].Error)
	}
}

func TestGoGroups(t *testing.T) {
	event := func(action, test string) string {
		return fmt.Sprintf(`{"Action":%q,"Package":"p","Test":%q}`, action, test)
	}
	for _, c := range []struct {
		lines []string
		want  result.Counts
	}{
		{[]string{event("run", "T"), event("run", "T/a/b"), event("pass", "T/a/b"), event("pass", "T")}, result.Counts{Total: 1, Passed: 1}},
		{[]string{event("run", "T"), event("run", "T/a"), event("fail", "T/a"), event("fail", "T")}, result.Counts{Total: 1, Failed: 1}},
		{[]string{event("run", "T"), event("run", "T/a"), event("pass", "T/a"), event("fail", "T")}, result.Counts{Total: 2, Passed: 1, Failed: 1}},
		{[]string{event("run", "T"), event("run", "T/a"), `{"Action":"fail","Package":"p"}`}, result.Counts{Total: 1, Errored: 1}},
		{[]string{event("run", "T"), event("pass", "T"), event("run", "T"), event("fail", "T")}, result.Counts{Total: 2, Passed: 1, Failed: 1}},
		{[]string{event("run", "T"), `{"Action":"output","Package":"p","Test":"T","Output":"panic: test timed out after 1s\n"}`, event("fail", "T"), `{"Action":"fail","Package":"p"}`}, result.Counts{Total: 1, Errored: 1}},
	} {
		run := told(c.lines...)
		if run.Counts != c.want || run.Going != 0 || run.Result().Counts != c.want {
			t.Errorf("%v: %+v and %d running, want %+v", c.lines, run.Counts, run.Going, c.want)
		}
	}
}
