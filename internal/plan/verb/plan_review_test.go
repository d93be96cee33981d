package verb

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/plantest"
)

// The prompt's length is what the call says, else what the settings say of
// the reviewer, else of all; one that cannot be made short enough is an error.
func TestReviewPromptLength(t *testing.T) {
	root := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	plantest.Write(t, root, map[string]string{
		".planning/ROADMAP.md": "### Phase 1: A\n", ".planning/phases/01-a/01-01-PLAN.md": strings.Repeat("p", 8000),
		".planning/config.json": `{"review": {"max_prompt_tokens": 2000, "max_prompt_tokens_per_reviewer": {"lm_studio": 1500, "codex": 9000}}}`,
	})
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		reviewer string
		max      int
		want     string
	}{
		{"", 0, "shortened"}, {"gemini", 0, "shortened"}, {"codex", 0, ""}, {"lm-studio", 0, "shortened"},
		{"lm-studio", 9000, ""}, {"codex", 300, "300 are allowed"},
	} {
		c := NewCall(context.Background(), w, reviewVerbs()[0], []string{"1"}, map[string]any{"reviewer": tt.reviewer, "max-tokens": tt.max})
		res, err := c.verb.Run(c)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got, _, _ = strings.Cut(res.Talk, " ")
			if n := reviewTokens(t, res); tt.reviewer == "lm-studio" && tt.max == 0 && n > 1500 || n < 300 {
				t.Errorf("%+v: %d tokens", tt, n)
			}
		}
		if !strings.HasSuffix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func reviewTokens(t *testing.T, res *Result) int {
	t.Helper()
	v, err := Get(res.Data, "tokens")
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
