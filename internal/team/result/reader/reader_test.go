package reader

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// want is what stands in a sample, counted by hand or by the tool that wrote it.
type want struct {
	file, format                            string
	results, pass, fail, skip, errs, repeat int // repeat: results that are attempts past the first
	variants                                int
	kind                                    string
	cost                                    float64
	warnings                                int
}

var wants = [...]want{
	{"v1.json", "cairn v1", 5, 2, 1, 1, 1, 1, 1, "", 0.75, 0},
	{"eval-result.gstack.json", "gstack v1", 2, 1, 1, 0, 0, 0, 0, "e2e", 0.61, 0},
	{"go-test.json", "go test -json", 7, 3, 2, 1, 1, 0, 0, "eval", 0.0063, 0},
	{"go-test-count2.json", "go test -json", 2, 2, 0, 0, 0, 1, 0, "unit", 0, 0},
	{"go-test-count3.json", "go test -json", 15, 9, 6, 0, 0, 10, 0, "eval", 0.003, 0},
	{"go-test-exit-mixed.json", "go test -json", 2, 1, 0, 0, 1, 0, 0, "eval", 0.001, 1},
	{"go-test-no-build.json", "go test -json", 2, 0, 0, 0, 2, 0, 0, "unit", 0, 0},
	{"go-test-panic-timeout.json", "go test -json", 12, 6, 3, 0, 3, 0, 0, "eval", 0.001, 0},
	{"inspect.json", "Inspect AI JSON", 1, 0, 1, 0, 0, 0, 0, "eval", 0, 0},
	{"inspect.eval", "Inspect AI .eval", 1, 0, 1, 0, 0, 0, 0, "eval", 0, 0},
	{"inspect-cancelled.json", "Inspect AI JSON", 3, 2, 1, 0, 0, 0, 0, "eval", 0, 1},
	{"inspect-choices.eval", "Inspect AI .eval", 1, 0, 1, 0, 0, 0, 0, "eval", 0, 0},
	{"inspect-epochs.eval", "Inspect AI .eval", 4, 3, 1, 0, 0, 2, 0, "eval", 0, 0},
	{"inspect-ten.eval", "Inspect AI .eval", 10, 0, 0, 0, 10, 0, 0, "eval", 0, 1},
	{"inspect-unscored.json", "Inspect AI JSON", 1, 0, 0, 0, 1, 1, 0, "eval", 0, 2},
	{"deepeval.json", "DeepEval JSON", 4, 1, 2, 0, 1, 0, 0, "eval", 0.0036, 0},
	{"deepeval-conversations.json", "DeepEval JSON", 2, 1, 1, 0, 0, 0, 0, "eval", 0.0004, 0},
	{"jest.json", "Jest JSON", 6, 2, 2, 2, 0, 0, 0, "unit", 0, 0},
	{"jest-retry-unloadable.json", "Jest JSON", 10, 3, 5, 1, 1, 4, 0, "unit", 0, 1},
	{"vitest.json", "Vitest JSON", 6, 2, 2, 2, 0, 0, 0, "unit", 0, 0},
	{"vitest-retry.json", "Vitest JSON", 6, 2, 2, 2, 0, 0, 0, "unit", 0, 0},
	{"vitest-retry-unloadable.json", "Vitest JSON", 10, 4, 4, 1, 1, 3, 0, "unit", 0, 2},
	{"vitest-junit.xml", "JUnit XML", 6, 2, 2, 2, 0, 0, 0, "unit", 0, 0},
	{"vitest-retry-junit.xml", "JUnit XML", 8, 4, 3, 1, 0, 1, 0, "unit", 0, 1},
	{"promptfoo-results.json", "promptfoo JSON", 24, 12, 8, 0, 4, 12, 4, "eval", 0.0168, 0},
	{"promptfoo-results.jsonl", "promptfoo JSONL", 24, 12, 8, 0, 4, 12, 4, "eval", 0.0168, 0},
	{"promptfoo-results.yaml", "promptfoo YAML", 24, 12, 8, 0, 4, 12, 4, "eval", 0.0168, 0},
	{"promptfoo-results.xml", "promptfoo XML", 24, 12, 8, 0, 4, 12, 4, "eval", 0.0168, 0},
	{"promptfoo-results.csv", "promptfoo CSV", 24, 12, 8, 0, 4, 12, 4, "eval", 0, 0},
	{"promptfoo-graded.json", "promptfoo JSON", 20, 14, 4, 0, 2, 0, 4, "eval", 0.0168, 8},
	{"promptfoo-graded.jsonl", "promptfoo JSONL", 20, 14, 4, 0, 2, 0, 4, "eval", 0.0168, 8},
	{"promptfoo-graded.yaml", "promptfoo YAML", 20, 14, 4, 0, 2, 0, 4, "eval", 0.0168, 8},
	{"promptfoo-graded.xml", "promptfoo XML", 20, 14, 4, 0, 2, 0, 4, "eval", 0.0168, 8},
	{"promptfoo-graded.csv", "promptfoo CSV", 20, 14, 4, 0, 2, 0, 4, "eval", 0, 8},
	{"promptfoo-graded.junit.xml", "JUnit XML", 20, 14, 4, 0, 2, 0, 4, "eval", 0, 0},
	{"promptfoo.junit.xml", "JUnit XML", 12, 6, 4, 0, 2, 0, 4, "eval", 0, 0},
	{"pytest-junit.xml", "JUnit XML", 7, 3, 1, 2, 1, 0, 0, "eval", 0.0063, 0},
	{"pytest-junit-xunit1.xml", "JUnit XML", 7, 3, 1, 2, 1, 0, 0, "eval", 0.0063, 0},
	{"pytest-rerun-subtests.xml", "JUnit XML", 8, 4, 3, 0, 1, 0, 0, "eval", 0, 0},
	{"pytest-unloadable.xml", "JUnit XML", 1, 0, 0, 0, 1, 0, 0, "unit", 0, 0},
	{"surefire-rerun.xml", "JUnit XML", 8, 2, 3, 1, 2, 3, 0, "unit", 0, 1},
}

func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "samples", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func read1(t testing.TB, name string) (File, *result.Run) {
	t.Helper()
	f, err := Read(name, sample(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return f, f.Runs[0]
}

// got counts a run as want does.
func got(name string, f File) want {
	run := f.Runs[0]
	w := want{file: name, format: f.Format, results: len(run.Results), kind: run.Kind, cost: float64(int(run.TotalCostUSD*1e6+0.5)) / 1e6, warnings: len(f.Warnings)}
	variants := map[string]bool{}
	for i := range run.Results {
		r := &run.Results[i]
		switch r.Status {
		case result.Pass:
			w.pass++
		case result.Fail:
			w.fail++
		case result.Skip:
			w.skip++
		case result.Error:
			w.errs++
		}
		if r.Try() > 1 {
			w.repeat++
		}
		if r.Variant != "" {
			variants[r.Variant] = true
		}
	}
	w.variants = len(variants)
	return w
}

func TestSamples(t *testing.T) {
	for _, w := range wants {
		f, run := read1(t, w.file)
		if g := got(w.file, f); g != w {
			t.Errorf("%s:\n got %+v\nwant %+v\n%q", w.file, g, w, f.Warnings)
		}
		if c := run.Counts; c.Total != w.results || c.Passed != w.pass || c.Failed != w.fail || c.Skipped != w.skip || c.Errored != w.errs {
			t.Errorf("%s: counts %+v", w.file, c)
		}
		for i := range run.Results {
			r := &run.Results[i]
			if (r.Status == result.Error) != (r.Error != "") || (r.Status == result.Fail) != (len(r.Failures) > 0) && w.format != "cairn v1" && w.format != "gstack v1" {
				t.Errorf("%s: %s is %s with error %q and failures %v", w.file, r.Title(), r.Status, r.Error, r.Failures)
			}
		}
	}
	files, err := os.ReadDir("testdata/samples")
	if err != nil || len(files) != len(wants) {
		t.Errorf("%d samples, %d in the table: %v", len(files), len(wants), err)
	}
}

// What was read is written, read again and written again, and nothing changes.
func TestRoundTrip(t *testing.T) {
	for _, w := range wants {
		_, run := read1(t, w.file)
		out, err := result.Encode(run)
		if err != nil {
			t.Errorf("%s: %v", w.file, err)
			continue
		}
		again, warnings, err := result.Decode(out)
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %q", w.file, err, warnings)
			continue
		}
		if a, b := canonical(t, run), canonical(t, again); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: changed\n%s\n%s", w.file, a, b)
		}
		second, err := result.Encode(again)
		if err != nil || !bytes.Equal(out, second) {
			t.Errorf("%s: the second file differs: %v", w.file, err)
		}
	}
}

func canonical(t *testing.T, run *result.Run) string {
	data, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	v := jsontext.Value(data)
	if err := v.Canonicalize(); err != nil {
		t.Fatal(err)
	}
	return string(v)
}

// The same eval is the same cases in every form that promptfoo writes.
func TestPromptfooForms(t *testing.T) {
	ids := func(name string) (list []string) {
		_, run := read1(t, name)
		for i := range run.Results {
			r := &run.Results[i]
			list = append(list, strings.Join([]string{r.CaseID, r.Name, r.Variant, string(r.Status), string(rune('0' + r.Try()))}, " "))
		}
		return list
	}
	all := ids("promptfoo-results.json")
	for _, form := range []string{"jsonl", "yaml", "xml", "csv"} {
		if other := ids("promptfoo-results." + form); !reflect.DeepEqual(all, other) {
			t.Errorf("%s:\n%q\n%q", form, all, other)
		}
	}
	if all[0] != "a5451823b708a105 housing mention echo-a · prompt 1 pass 1" {
		t.Errorf("the identity of a case changed, so that stored runs match no new ones: %s", all[0])
	}
}

// What is no file of results says what it is, in one sentence.
func TestRefused(t *testing.T) {
	for name, say := range map[string]string{
		"auth.json": "sign-in tokens", "claude-history.jsonl": "history of prompts", "config.yaml": "settings", "eval-partial-heartbeat.md": "notes about gstack's running evals",
		"go-test.stderr": "such as go-test.json", "greptile-history.md": "Greptile", "inspect-no-samples.json": "without samples", "promptfoo-results.html": "-o results.json",
		"qa-baseline.json": "QA report", "retro-global.json": "over all projects", "retro.json": "retrospective", "reviews.jsonl": "reviews", "ship-log.branch-only.json": "ship log",
		"sync-queue.json": "sync", "timeline.jsonl": "timeline",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "refused", name))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(name, data)
		if err == nil || !strings.Contains(err.Error(), say) || !strings.HasPrefix(err.Error(), name+": ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
