package gate

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/term"
)

var update = flag.Bool("update", false, "write the golden files")

func init() { time.Local = time.UTC }

// sample has a rule of every status.
func sample(t *testing.T) *Report {
	before, after := run("p*12 p"), run("p*6 f*6 -")
	after.GitSHA, after.GitBranch, after.Label = "91be44aa00c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5", "dev/fix", "dev_fix"
	before.GitSHA, before.GitBranch, before.Label = "4f0c2d1", "main", "main"
	after.Results[6].Name = "names <b>markup</b> & | \x1b[31m @owner"
	before.Results[6].Name = after.Results[6].Name
	r := Check(after, before, "", decode(t, `[gate]
baseline = "merge-base"
max_duration_increase_pct = 50

[suite.default]
max_lost = 0
must_pass = ["case 01"]
criteria.accuracy = { no_regression = true }

[suite.s]
max_gone = 2
min_pass_rate = 0.9
`), 0, nil)
	r.Run.Ref, r.Baseline.Ref = "latest", "merge-base"
	r.Rules = append(r.Rules, Rule{Suite: "t", Rule: "max_lost", Status: Skip, Reason: "no baseline"})
	return r
}

func TestGolden(t *testing.T) {
	r := sample(t)
	var text, colored bytes.Buffer
	if err := r.Text(&text, false); err != nil {
		t.Fatal(err)
	}
	if err := r.Text(&colored, term.Paint(true)); err != nil {
		t.Fatal(err)
	}
	junit, err := r.JUnit()
	if err != nil {
		t.Fatal(err)
	}
	check, err := r.CheckRun("cairn eval gate", r.Run.GitSHA, ".cairn/eval-policy.toml")
	if err != nil {
		t.Fatal(err)
	}
	short := *r
	short.Comparison = nil // has a golden file of its own
	data, err := json.MarshalIndent(short, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]byte{
		"gate.txt": text.Bytes(), "gate-color.txt": colored.Bytes(), "gate.md": []byte(r.Markdown()), "gate.xml": junit, "gate-check.json": check,
		"gate.json": append(data, '\n'), "gate-workflow.txt": []byte(r.Workflow(".cairn/eval-policy.toml")),
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(file, got, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
			t.Errorf("%s differs; -update writes it:\n%s", file, got)
		}
		if name != "gate-color.txt" && bytes.ContainsRune(got, '\x1b') {
			t.Errorf("%s: a stranger's control character", name)
		}
	}
	var suites junitSuites
	if err := xml.Unmarshal(junit, &suites); err != nil || suites.Failures != r.Count(Fail) || suites.Tests != len(r.Rules) {
		t.Errorf("the XML says %d of %d: %v", suites.Failures, suites.Tests, err)
	}
}

// GitHub refuses a body with too much of anything.
func TestCheckRunLimits(t *testing.T) {
	r := sample(t)
	long := strings.Repeat("ü", 400)
	for i := range 400 {
		r.Rules = append(r.Rules, Rule{Suite: long, Rule: "max_lost", Status: Fail, Reason: strings.Repeat("ö ", 4000), Cases: []string{long}, Line: i + 1})
	}
	data, err := r.CheckRun("n", "sha", "p")
	if err != nil {
		t.Fatal(err)
	}
	var c checkRun
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	if n := len(c.Output.Annotations); n != 50 {
		t.Errorf("%d annotations", n)
	}
	if len(c.Output.Summary) > 65_535 || len(c.Output.Text) > 65_535 || c.Conclusion != "failure" {
		t.Errorf("summary %d, text %d, %s", len(c.Output.Summary), len(c.Output.Text), c.Conclusion)
	}
	if n := strings.Count(r.Workflow("p"), "\n::error"); n > 10 {
		t.Errorf("%d annotations of a step", n)
	}
}
