package lifecycle

import (
	"path"

	"cairn/internal/plan"
)

// Unfinished returns what the phases of a milestone still lack. One that the
// roadmap calls complete lacks only what its files deny: a summary, or a
// verification without gaps.
func (l *Look) Unfinished(version string) []plan.Unfinished {
	var out []plan.Unfinished
	for _, p := range l.MilestonePhases(version) {
		if p.Archived != "" {
			continue
		}
		u := l.Denied(p)
		if l.Closed(p) {
			u.NoPlans = false // what the roadmap calls complete may have had none
		} else {
			u.Open = l.open(p)
		}
		if u.Any() {
			out = append(out, u)
		}
	}
	return out
}

// Denied returns what the phase's directory says against its completion.
func (l *Look) Denied(p *plan.Phase) plan.Unfinished {
	u := plan.Unfinished{Phase: p.ID.String(), Plans: []string{}, NoPlans: len(l.Lacks(p, "plans")) > 0}
	for _, m := range l.Lacks(p, "summaries") {
		u.Plans = append(u.Plans, m.ID)
	}
	if len(l.Lacks(p, "verification")) > 0 && l.Verification(p).Gaps() && !l.outdated(p) {
		u.Gaps = p.File("VERIFICATION")
	}
	return u
}

// deniedSince reports whether the files of a complete phase contradict that: a plan
// without a summary, or gaps.
func (l *Look) deniedSince(p *plan.Phase) bool {
	u := l.Denied(p)
	u.NoPlans = false
	return u.Any()
}

// Unsettled returns a sentence for everything that the phase's verification and
// acceptance tests leave open, of those that are there.
func (l *Look) Unsettled(p *plan.Phase) []string {
	out := []string{}
	for _, kind := range []string{"UAT", "VERIFICATION"} {
		if p.File(kind) == "" {
			continue
		}
		for _, m := range l.Lacks(p, map[string]string{"UAT": "uat", "VERIFICATION": "verification"}[kind]) {
			out = append(out, path.Base(m.File)+": "+m.ID+": "+m.Text)
		}
	}
	return out
}

// open returns what keeps a phase from being complete, a phrase each, but for
// what [plan.Unfinished] says itself, and an audit of the documents.
func (l *Look) open(p *plan.Phase) []string {
	unmet := l.Unmet(p, Finish)
	if len(unmet) == 0 {
		return []string{"it is not completed: cairn plan phase complete " + p.ID.String()}
	}
	var out []string
	for _, m := range unmet {
		switch {
		case m.Condition == "plans", m.Condition == "summaries":
		case m.Condition == "verification" && p.File("VERIFICATION") != "", m.Condition == "uat" && p.File("UAT") != "": // told of the document
		default:
			out = append(out, m.ID+": "+m.Text)
		}
	}
	return out
}
