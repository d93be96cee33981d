package lifecycle

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
)

// reopened reports whether something is open in a phase that the roadmap calls complete: a
// plan that closes a gap waits, or verification and a person both found a gap since.
func (l *Look) reopened(p *plan.Phase) bool {
	if len(l.waiting(p)) > 0 {
		return true
	}
	t := l.document(p, "UAT")
	return t != nil && (len(doc.ReadUAT(t).Issues()) > 0 || len(openGaps(t)) > 0) && l.gaps(p)
}

// waiting returns the plans that close a gap and are not executed yet.
func (l *Look) waiting(p *plan.Phase) (out []doc.Plan) {
	for _, f := range p.Plans {
		if f.Summary != "" {
			continue
		}
		if d := doc.ReadPlan(must.Get(l.Read(path.Join(p.Dir, f.Path)))); d.GapClosure {
			out = append(out, d)
		}
	}
	return out
}

// gaps reports whether the verification found gaps that no plan has closed, and nobody has
// said that the phase is complete all the same.
func (l *Look) gaps(p *plan.Phase) bool {
	return p.Archived == "" && l.Verification(p).Gaps() && !l.outdated(p) && !l.Forced(p)
}

// Forced reports whether STATE.md says that the phase was completed by force.
func (l *Look) Forced(p *plan.Phase) bool {
	if !l.Has(l.Path("STATE.md")) {
		return false
	}
	return slices.ContainsFunc(l.State().ListDecisions(), func(d plan.Decision) bool {
		id, ok := doc.ParsePhaseID(d.Phase)
		return ok && id.Same(p.ID) && strings.HasPrefix(d.Summary, "Completed by force")
	})
}

// Undone returns the requirements of a phase that a gap leaves undone; found is false
// without a gap. Where nothing names those it is about, it is about all.
func (l *Look) Undone(p *plan.Phase) (ids []string, found bool) {
	waiting := l.waiting(p)
	if len(waiting) == 0 && !l.gaps(p) {
		return nil, false
	}
	all := p.Requirements(l.Roadmap())
	var text strings.Builder
	for _, d := range waiting {
		text.WriteString(strings.Join(d.Requirements, " ") + "\n")
	}
	for _, kind := range []string{"VERIFICATION", "UAT"} {
		if t := l.document(p, kind); t != nil {
			if s, ok := t.Section("Gaps"); ok {
				text.WriteString(t.Span(s.Start, s.End))
			}
		}
	}
	for _, id := range all {
		if gate.HasID(text.String(), id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		ids = all
	}
	return ids, true
}

// Undelivered returns why requirements cannot be called complete: no executed plan of their
// phase could have delivered them, or a gap is open. What no phase has is not judged.
func (l *Look) Undelivered(ids []string) (out []gate.Missing) {
	r := l.Roadmap()
	for _, id := range ids {
		var why []gate.Missing
		for _, p := range l.Phases(plan.Current) {
			if !slices.ContainsFunc(p.Requirements(r), func(s string) bool { return strings.EqualFold(s, id) }) {
				continue
			}
			m := l.undelivered(p, id)
			if m == nil {
				why = nil
				break
			}
			why = append(why, *m)
		}
		out = append(out, why...)
	}
	return out
}

func (l *Look) undelivered(p *plan.Phase, id string) *gate.Missing {
	number := p.ID.String()
	m := &gate.Missing{ID: id, Category: "precondition", Condition: "delivered", File: p.Dir, Remedies: []string{"execute what delivers it: execute-phase " + number}}
	if undone, found := l.Undone(p); found && slices.Contains(undone, id) {
		m.Text, m.Remedies = "phase "+number+" has a gap open", []string{"close it: plan-phase " + number + " --gaps"}
		return m
	}
	if l.Closed(p) {
		return nil
	}
	claimed, executed := false, 0
	for _, f := range p.Plans {
		claims := slices.Contains(l.PlanRequirements(p, f), id)
		claimed = claimed || claims
		if f.Summary == "" {
			continue
		}
		executed++
		s := doc.ReadSummary(must.Get(l.Read(path.Join(p.Dir, f.Summary))))
		if claims || slices.Contains(s.Requirements, id) {
			return nil
		}
	}
	switch {
	case executed == 0:
		m.Text = "no plan of phase " + number + ", whose it is, is executed"
	case claimed:
		m.Text = "the plans of phase " + number + " that claim it are not executed"
	default:
		return nil // none says which it delivers
	}
	return m
}
