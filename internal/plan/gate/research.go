package gate

import (
	"fmt"

	"cairn/internal/text"
)

// Research is the gate before planning: RESEARCH.md leaves no question open.
// It blocks. A question that the research recommends an answer to is none that
// stops the work; an answer that no person has confirmed is a warning.
func Research(research *File) Result {
	r := Result{Gate: "research", Stage: Plan, Type: Quality, Blocking: true}
	if research == nil {
		return r.skip("the phase has no RESEARCH.md")
	}
	var missing []Missing
	questions := research.OpenQuestions()
	for i, q := range questions {
		if q.Resolved {
			continue
		}
		if q.Answer != "" {
			r.Warnings = append(r.Warnings, fmt.Sprintf("Q%d [%s:%d] is answered by the recommendation alone: %s", i+1, research.Path, q.Line+1, text.Cut(q.Answer, 120)))
			continue
		}
		missing = append(missing, Missing{
			ID: fmt.Sprintf("Q%d", i+1), Text: q.Text, File: research.Path, Line: q.Line + 1,
			Remedies: []string{"answer it: RESOLVED and the answer on its line, or a line below it that begins with Recommendation:", "ask the user, and write the answer into CONTEXT.md as a decision"},
		})
	}
	return r.judge(missing, "RESEARCH.md leaves no question open", some(len(missing), len(questions), "question", " of RESEARCH.md")+" open:")
}
