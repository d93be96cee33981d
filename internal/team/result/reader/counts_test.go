package reader

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/team/result"
)

// differs says of which files our counts are not those that the file states, and
// why. Everything else is exact.
var differs = map[string]struct {
	own result.Counts
	why string
}{
	"go-test.json":                 {result.Counts{Total: 6, Passed: 3, Failed: 2, Skipped: 1}, "a package that does not build is an error"},
	"go-test-no-build.json":        {result.Counts{}, "packages that do not build are errors"},
	"go-test-exit-mixed.json":      {result.Counts{Total: 1, Passed: 1}, "a package that failed without a failed test is an error"},
	"go-test-count3.json":          {result.Counts{Total: 12, Passed: 9, Failed: 3}, "a test that failed although its subtests passed is a case"},
	"go-test-panic-timeout.json":   {result.Counts{Total: 8, Passed: 6, Failed: 2}, "tests that a panic or a timeout ended have no last event; a test that failed beside its subtests is a case"},
	"deepeval.json":                {result.Counts{Total: 4, Passed: 1, Failed: 3}, "what a metric could not judge is an error, and no failure"},
	"inspect-unscored.json":        {result.Counts{Total: 4, Passed: 4}, "the log holds one of four samples, without its scores"},
	"jest-retry-unloadable.json":   {result.Counts{Total: 6, Passed: 3, Failed: 1, Skipped: 1, Errored: 1}, "retries are attempts"},
	"vitest-retry-unloadable.json": {result.Counts{Total: 7, Passed: 4, Failed: 2, Skipped: 1}, "retries are attempts; a file that does not load is an error"},
	"surefire-rerun.xml":           {result.Counts{Total: 5, Passed: 2, Failed: 1, Skipped: 1, Errored: 1}, "reruns are attempts"},
	"pytest-rerun-subtests.xml":    {result.Counts{Total: 12, Passed: 8, Failed: 3, Errored: 1}, "pytest counts subtests and reruns that it does not list"},
}

// The counts of each stored file are those that the tool that wrote it states in
// it: the summary that its own reporter prints.
func TestCountsOfTheTools(t *testing.T) {
	stated := 0
	for _, w := range wants {
		own, ok := ownCounts(t, w.file)
		if !ok {
			continue
		}
		stated++
		_, run := read1(t, w.file)
		d, known := differs[w.file]
		switch {
		case known && own != d.own:
			t.Errorf("%s states %+v, and the table says %+v", w.file, own, d.own)
		case known && own == run.Counts:
			t.Errorf("%s: the counts are the same: %s", w.file, d.why)
		case !known && own != run.Counts:
			t.Errorf("%s states %+v; read are %+v", w.file, own, run.Counts)
		}
	}
	if stated < 30 {
		t.Errorf("only %d files state counts", stated)
	}
}

// ownCounts is what a file says of itself. Lines and CSV say nothing: promptfoo's
// are held to the JSON of the same run.
func ownCounts(t *testing.T, file string) (n result.Counts, ok bool) {
	data := sample(t, file)
	name, form, _ := strings.Cut(file, ".")
	switch {
	case strings.HasPrefix(name, "promptfoo") && form != "junit.xml":
		if form == "csv" || form == "jsonl" {
			data, form = sample(t, name+".json"), "json"
		}
		stat := func(word string) int {
			m := regexp.MustCompile(`(?:"|<|\b)` + word + `(?:"?: ?|>)(\d+)`).FindSubmatch(data[strings.LastIndex(string(data), "stats"+map[string]string{"json": `"`, "yaml": ":", "xml": ">"}[form]):])
			if m == nil && form == "xml" { // the element is closed behind it
				m = regexp.MustCompile(`<` + word + `>(\d+)`).FindSubmatch(data)
			}
			if m == nil {
				t.Fatalf("%s states no %s", file, word)
			}
			v, _ := strconv.Atoi(string(m[1]))
			return v
		}
		n = result.Counts{Passed: stat("successes"), Failed: stat("failures"), Errored: stat("errors")}
	case form == "xml" || form == "junit.xml":
		n = junitCounts(t, data)
	case strings.HasPrefix(name, "go-test"):
		n = goCounts(data)
	case strings.HasPrefix(name, "jest"), strings.HasPrefix(name, "vitest"):
		var s struct{ NumPassedTests, NumFailedTests, NumPendingTests, NumTodoTests, NumRuntimeErrorTestSuites int }
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		n = result.Counts{Passed: s.NumPassedTests, Failed: s.NumFailedTests, Skipped: s.NumPendingTests + s.NumTodoTests, Errored: s.NumRuntimeErrorTestSuites}
	case strings.HasPrefix(name, "deepeval"):
		var s struct{ TestPassed, TestFailed int }
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		n = result.Counts{Passed: s.TestPassed, Failed: s.TestFailed}
	case strings.HasPrefix(name, "inspect"):
		return inspectCounts(t, file, data)
	default: // ours, and gstack's
		var s struct {
			Passed, Failed, Skipped, Errored int
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		n = result.Counts{Passed: s.Passed, Failed: s.Failed, Skipped: s.Skipped, Errored: s.Errored}
	}
	n.Total = n.Passed + n.Failed + n.Skipped + n.Errored
	return n, true
}

// junitCounts adds up what the suites state of themselves.
func junitCounts(t *testing.T, data []byte) (n result.Counts) {
	dec := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "testsuite" {
			continue
		}
		stated := map[string]int{}
		for _, a := range start.Attr {
			stated[a.Name.Local], _ = strconv.Atoi(a.Value)
		}
		n.Failed += stated["failures"]
		n.Errored += stated["errors"]
		n.Skipped += stated["skipped"]
		n.Passed += stated["tests"] - stated["failures"] - stated["errors"] - stated["skipped"]
	}
}

// goCounts counts the tests that go test says passed, failed and were skipped, but
// for those that only have subtests.
func goCounts(data []byte) (n result.Counts) {
	type event struct{ Action, Package, Test string }
	var ends []event
	parents := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		var e event
		if json.Unmarshal([]byte(line), &e) != nil || e.Test == "" {
			continue
		}
		if i := strings.LastIndex(e.Test, "/"); i >= 0 {
			parents[e.Package+e.Test[:i]] = true
		}
		if e.Action == "pass" || e.Action == "fail" || e.Action == "skip" {
			ends = append(ends, e)
		}
	}
	for _, e := range ends {
		if !parents[e.Package+e.Test] {
			n.Count(result.Status(e.Action))
		}
	}
	return n
}

// inspectCounts takes the samples that Inspect scored and the accuracy that it
// worked out of one scorer's.
func inspectCounts(t *testing.T, file string, data []byte) (n result.Counts, ok bool) {
	if strings.HasSuffix(file, ".eval") {
		data = inZip(t, data, "header.json")
	}
	var log struct {
		Results struct {
			Total  int `json:"total_samples"`
			Scores []struct {
				Metrics map[string]struct{ Value float64 }
			}
		}
	}
	if err := json.Unmarshal(withoutNaN(data), &log); err != nil {
		t.Fatal(err)
	}
	n.Total = log.Results.Total
	if len(log.Results.Scores) != 1 {
		return n, false
	}
	accuracy, ok := log.Results.Scores[0].Metrics["accuracy"]
	n.Passed = int(math.Round(accuracy.Value * float64(n.Total)))
	n.Failed = n.Total - n.Passed
	return n, ok
}

func inZip(t *testing.T, data []byte, name string) []byte {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
