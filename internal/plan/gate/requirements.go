package gate

import (
	"slices"

	"cairn/internal/plan/doc"
)

// Requirement is one that the roadmap or the traceability table gives to a
// phase.
type Requirement struct {
	ID   string
	Text string // of REQUIREMENTS.md; "" when it is not there
	Done bool   // ticked there
	File string // where the phase is given it
	Line int    // counted from 1
}

// Requirements is the gate of the phase's requirements. In the plan and
// execute stages each must be claimed by a plan (its frontmatter's
// requirements); in the verify stage each must be completed, in a summary or
// in REQUIREMENTS.md. It blocks.
func Requirements(stage Stage, wanted []Requirement, plans, summaries []File) Result {
	r := Result{Gate: "requirements", Stage: stage, Type: Quality, Blocking: true}
	if len(wanted) == 0 {
		return r.skip("the roadmap gives the phase no requirement")
	}
	in, keys, claimed, remedy := plans, []string{"requirements", "requirements_addressed", "requirements-addressed"}, "claimed by a plan", "add it to the requirements of the plan that serves it"
	if stage == Verify {
		in, keys, claimed, remedy = summaries, []string{"requirements-completed", "requirements_completed"}, "completed", "add it to requirements-completed of the summary that completes it"
	}
	var have []string
	for _, f := range in {
		have = append(have, frontIDs(f.Text, keys)...)
	}
	var missing []Missing
	for _, w := range wanted {
		if slices.Contains(have, w.ID) || stage == Verify && w.Done {
			continue
		}
		missing = append(missing, Missing{
			ID: w.ID, Category: "requirement", Text: w.Text, File: w.File, Line: w.Line,
			Remedies: []string{remedy, "give it to another phase in ROADMAP.md, or drop it from REQUIREMENTS.md"},
		})
	}
	if stage != Verify {
		for _, p := range plans {
			if len(frontIDs(p.Text, keys)) == 0 {
				r.Warnings = append(r.Warnings, p.Path+" serves no requirement")
			}
		}
	}
	return r.judge(missing, every(len(wanted), "requirement")+" "+claimed,
		some(len(missing), len(wanted), "requirement", " of the phase")+" not "+claimed+":")
}

// frontIDs returns the ids in the frontmatter's lists of those names.
func frontIDs(t *doc.Text, keys []string) []string {
	var out []string
	for _, key := range keys {
		for _, id := range t.Front().Get(key).Strings() {
			out = append(out, doc.RequirementIDs(id)...)
		}
	}
	return out
}
