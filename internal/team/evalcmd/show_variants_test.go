package evalcmd

import (
	"fmt"
	"strings"
	"testing"

	"cairn/internal/answer"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// The answers of a case's variants stand beside each other, no line is wider than
// the terminal, and nothing of them is lost.
func TestColumns(t *testing.T) {
	run := &result.Run{Suite: "s"}
	for _, variant := range []string{"a", "b"} {
		r := result.Result{Name: "case", Variant: variant, Output: []byte(fmt.Sprintf(`{"response":"%s says\n\nhttps://example.com/%s \u001b[31mred 日本語日本語日本語日本語日本語"}`, variant, strings.Repeat(variant, 90)))}
		r.Set(result.Pass)
		run.Results = append(run.Results, r)
	}
	list, err := eval.FindCases(eval.Tallies(run), "case")
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %d cases", err, len(list))
	}
	for _, width := range []int{0, 120, 80, 60, 40} {
		var b strings.Builder
		columns(&answer.Page{Writer: &b, Width: width}, list)
		said := b.String()
		for line := range strings.Lines(said) {
			if n := text.Width(strings.TrimRight(line, "\n")); width >= 60 && n > width {
				t.Errorf("at %d a line of %d: %q", width, n, line)
			}
		}
		if got := strings.Count(said, "a"); got < 90 || strings.Contains(said, "\x1b") || strings.Contains(said, "…") || strings.Contains(said, "│") != (width != 40) {
			t.Errorf("at %d: %d of a\n%s", width, got, said)
		}
	}
}
