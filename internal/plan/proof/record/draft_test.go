package record

import (
	"strings"
	"testing"

	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
)

func verdictOf() *Verdict {
	return &Verdict{Commit: "6f3c2a1d00", Proven: true, Counts: map[string]int{"proven": 3, "unchecked": 1, "accepted": 1}, Claims: []Claim{
		{ID: "01-01/1", Kind: "verify", Verdict: Proven, What: "task 01-01/1: red before, green at HEAD", Runs: []Run{
			{For: "before", Command: "go test ./a | cat", Commit: "aaaaaaaaaa", Exit: 1, Seconds: 0.5},
			{For: "after", Command: "go test ./a | cat", Commit: "6f3c2a1d00", Exit: 0, Seconds: 1.25},
		}},
		{ID: "A-01", Kind: "requirement", Verdict: Proven, What: "A-01 sums: a.go, a_test.go", Found: []string{"a.go", "a_test.go"}},
		{ID: "coverage go", Kind: "coverage", Verdict: Proven, What: "9 of 10 changed lines of go run in tests (90 %)"},
		{ID: "coverage python", Kind: "coverage", Verdict: Unchecked, What: "coverage.py is not installed"},
		{ID: "D-02", Kind: "decision", Verdict: Accepted, What: "D-02 logs (accepted: Ada: seen in the demo)"},
	}}
}

// A report has each command with its exit codes, commit and time, and what no command saw.
func TestMarkdown(t *testing.T) {
	got := strings.Join(verdictOf().Markdown(), "\n")
	for _, want := range []string{
		"`cairn plan prove` at `6f3c2a1`: 3 proven, 1 accepted, 1 unchecked.",
		"| 01-01/1 proven | `go test ./a \\| cat` | exit 1 | exit 0 | `6f3c2a1` | 1.2 s |",
		"- proven: 9 of 10 changed lines", "- unchecked: coverage.py is not installed", "- accepted: D-02 logs (accepted: Ada: seen in the demo)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A verification and acceptance tests begin with what the proof found, and stay documents
// that are read as before.
func TestDraft(t *testing.T) {
	v, err := template.Fill("verification", map[string]string{"gaps": "None."})
	if err != nil {
		t.Fatal(err)
	}
	verdictOf().Draft("verification", v)
	if text := v.String(); !strings.Contains(text, "| A-01 | proven | a.go, a_test.go |") || strings.Index(text, "## Proof") > strings.Index(text, "## Human Verification") || !strings.Contains(text, "| 01-01/1 proven |") {
		t.Error(text)
	}
	u, err := template.Scaffold("UAT", nil)
	if err != nil {
		t.Fatal(err)
	}
	text := doc.Parse([]byte(u))
	verdictOf().Draft("uat", text)
	if s := text.String(); !strings.Contains(s, "## Proven by Commands\n\n- A-01 sums: a.go, a_test.go\n- not checked by any command: coverage.py is not installed\n\n## Summary") || len(doc.ReadUAT(text).Tests) != 0 {
		t.Error(s)
	}
}
