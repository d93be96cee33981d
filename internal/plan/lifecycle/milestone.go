package lifecycle

import "cairn/internal/plan"

// Unfinished returns what the phases of a milestone still lack. One that the
// roadmap calls complete lacks only what its files deny: a summary, or a
// verification without gaps.
func (l *Look) Unfinished(version string) []plan.Unfinished {
	var out []plan.Unfinished
	for _, p := range l.MilestonePhases(version) {
		if p.Archived != "" {
			continue
		}
		u := l.Tx.Unfinished(p)
		if l.Closed(p) {
			u.NoPlans = false
		} else {
			u.Open = l.open(p)
		}
		if u.Any() {
			out = append(out, u)
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
