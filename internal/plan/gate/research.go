package gate

import "fmt"

// Research is the gate before planning: RESEARCH.md leaves no question open.
// It blocks.
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
		missing = append(missing, Missing{
			ID: fmt.Sprintf("Q%d", i+1), Text: q.Text, File: research.Path, Line: q.Line + 1,
			Remedies: []string{"answer it on its line, with the word RESOLVED", "ask the user, and write the answer into CONTEXT.md as a decision"},
		})
	}
	return r.judge(missing, "RESEARCH.md leaves no question open", some(len(missing), len(questions), "question", " of RESEARCH.md")+" open:")
}
