package plancmd

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/content"
	"cairn/internal/plan/settings"
)

// reviewInstructions is the piece of content that a reviewing model is told
// first.
const reviewInstructions = "workflows/review/instructions"

// projectHead is how many lines of PROJECT.md a prompt keeps that has to be
// shortened.
const projectHead = 40

func reviewVerbs() []*command.Command {
	return []*command.Command{{
		Path: "plan plan review-prompt", Short: "Print the prompt for a review of a phase's plans",
		Long: "Prints the prompt for a review of a phase's unexecuted plans by another model:\n" +
			"instructions, roadmap section, project, requirements, decisions, research, plans.\n" +
			"review.max_prompt_tokens limits its size, and for one reviewer\n" +
			"review.max_prompt_tokens_per_reviewer.NAME. The least important parts are cut first.",
		Args: []command.Arg{{Name: "PHASE", Help: "its number, such as 3, 2.1 or CK-03"}},
		Flags: []command.Flag{
			{Name: "reviewer", Default: "", Help: "who reads it, such as codex: for the settings"},
			{Name: "max-tokens", Default: 0, Help: "tokens it may have, whatever the settings say"},
		},
		Examples: []string{"cairn plan plan review-prompt 2", "cairn plan plan review-prompt 2 --reviewer ollama --max-tokens 8000"},
		Effect:   command.Reads, Run: reads(reviewPrompt),
	}}
}

func reviewPrompt(c *Call, tx *plan.Tx) *answer.Answer {
	phase := c.phase(tx)
	p := brief.ReviewPrompt(tx, phase)
	p.Instructions = must.Get(content.Expand(must.Get(content.Find(reviewInstructions)), content.Plain()))
	budget := c.Int("max-tokens")
	if budget <= 0 {
		budget = reviewBudget(settings.Load(tx), c.String("reviewer"))
	}
	if budget > 0 {
		p.Fit(budget, projectHead)
	}
	text := p.String()
	tokens := brief.PromptTokens(text)
	if budget > 0 && tokens > budget {
		return fail(fmt.Errorf("the prompt has %d tokens at least, and %d are allowed", tokens, budget))
	}
	data := struct {
		Tokens    int      `json:"tokens"`
		Omitted   []string `json:"omitted"`
		Truncated int      `json:"truncated_percent"`
		Prompt    string   `json:"prompt"`
	}{tokens, answer.List(p.Omitted), p.Truncated, text}
	res := &answer.Answer{Data: data, View: answer.Text(func(w io.Writer) { fmt.Fprint(w, text) })}
	if p.Cut() {
		res.Said = fmt.Sprintf("shortened to %d tokens: %d %% of the plans cut, left out: %s", tokens, p.Truncated, cmp.Or(strings.Join(p.Omitted, ", "), "nothing"))
	}
	return res
}

// reviewBudget returns how many tokens a reviewer's prompt may have; 0 for
// any number.
func reviewBudget(s *settings.Settings, reviewer string) int {
	keys := []string{"review.max_prompt_tokens"}
	if reviewer != "" {
		one := "review.max_prompt_tokens_per_reviewer."
		keys = []string{one + reviewer, one + strings.ReplaceAll(reviewer, "-", "_"), keys[0]}
	}
	for _, key := range keys {
		if v, ok := s.Value(key); ok {
			if n, isNumber := v.Any.(int); isNumber && n > 0 {
				return n
			}
		}
	}
	return 0
}
