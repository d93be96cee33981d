package plancmd

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/test/plantest"
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
	review := command.Link(Commands(Prompts{}))[reviewVerbs()[0].Path]
	for _, tt := range []struct {
		reviewer string
		max      int
		want     string
	}{
		{"", 0, "shortened"}, {"gemini", 0, "shortened"}, {"codex", 0, ""}, {"lm-studio", 0, "shortened"},
		{"lm-studio", 9000, ""}, {"codex", 300, "300 are allowed"},
	} {
		flags := map[string]any{"reviewer": tt.reviewer, "max-tokens": tt.max}
		res, err := review.Run(command.NewCall(context.Background(), &command.Env{Dir: root, Getenv: os.Getenv}, review, []string{"1"}, flags))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got, _, _ = strings.Cut(res.Said, " ")
			if n := reviewTokens(t, res); tt.reviewer == "lm-studio" && tt.max == 0 && n > 1500 || n < 300 {
				t.Errorf("%+v: %d tokens", tt, n)
			}
		}
		if !strings.HasSuffix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func reviewTokens(t *testing.T, res *answer.Answer) int {
	t.Helper()
	v, err := answer.Get(res.Data, "tokens")
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
