package plan

import (
	"cmp"
	"slices"

	"cairn/internal/plan/doc"
)

// Claim is what one place of the documents says of whether a phase is
// complete. Places that say nothing of it make no claim.
type Claim struct {
	Source ClaimSource `json:"source"`
	Path   string      `json:"path"`
	Line   int         `json:"line,omitempty"` // counted from 1; 0 for a directory
	Done   bool        `json:"done"`
	Text   string      `json:"text"` // what stands there
}

// ClaimSource is the kind of place that a claim stands in.
type ClaimSource string

const (
	ClaimBox       ClaimSource = "checklist" // - [x] **Phase 2: API**
	ClaimHeading   ClaimSource = "heading"   // ### Phase 2: API ✓ COMPLETE
	ClaimStatus    ClaimSource = "status"    // **Status**: Complete, in its section
	ClaimRow       ClaimSource = "table"     // | 2. API | 3/3 | Complete | … |
	ClaimMilestone ClaimSource = "milestone" // - ✅ **v1.0** — Phases 1-3 (shipped), or its <details>
	ClaimArchive   ClaimSource = "archive"   // milestones/v1.0-phases/02-api
)

// Claims returns what the documents say of whether the phase is complete, in
// the order of the roadmap's lines; the archive comes last.
func (p *Phase) Claims() []Claim {
	out := slices.Clone(p.claims)
	if p.Archived != "" {
		out = append(out, Claim{Source: ClaimArchive, Path: p.Dir, Done: true, Text: p.Archived})
	}
	return out
}

// Claimed says what the claims come to: SaysDone when there is one of
// completion and none against it, SaysOpen when there is one against it, and
// Silent when there is none.
func (p *Phase) Claimed() doc.Said {
	said := doc.Silent
	if p.Archived != "" {
		said = doc.SaysDone
	}
	for _, c := range p.claims {
		if !c.Done {
			return doc.SaysOpen
		}
		said = doc.SaysDone
	}
	return said
}

// Disputed returns the claims when one contradicts another, else nothing.
func (p *Phase) Disputed() []Claim {
	claims := p.Claims()
	is := func(done bool) func(Claim) bool { return func(c Claim) bool { return c.Done == done } }
	if !slices.ContainsFunc(claims, is(true)) || !slices.ContainsFunc(claims, is(false)) {
		return nil
	}
	return claims
}

func (p *Phase) claim(source ClaimSource, line int, said doc.Said, text string) {
	if said != doc.Silent {
		p.claims = append(p.claims, Claim{Source: source, Line: line + 1, Done: said == doc.SaysDone, Text: text})
	}
}

// claims adds what sections and milestones say of the phases, after every place
// that names a single phase was joined.
func (j *joiner) claims(r *doc.Roadmap, rel string) {
	shipped := map[string]doc.Milestone{}
	open := map[string]bool{} // milestones in work
	for _, m := range r.Milestones {
		if m.State == doc.MilestoneShipped && m.Through == "" {
			if _, ok := shipped[m.Version]; !ok {
				shipped[m.Version] = m
			}
		} else {
			open[m.Version] = true
		}
	}
	for _, p := range j.out {
		for _, s := range p.sections {
			p.claim(ClaimHeading, s.Line, s.Said, s.Text)
			if f, ok := r.PhaseField(*s, "Status"); ok {
				p.claim(ClaimStatus, f.Line, doc.Says(f.Value), f.Value)
			}
		}
		m, ok := shipped[p.Milestone]
		switch s := p.Section; {
		case ok && p.Milestone != "" && !open[p.Milestone]:
			p.claim(ClaimMilestone, m.Line, doc.SaysDone, m.Heading)
		case s != nil && s.Shipped:
			p.claim(ClaimMilestone, s.Line, doc.SaysDone, s.Text)
		case p.Box != nil && p.Box.Shipped:
			p.claim(ClaimMilestone, p.Box.Line, doc.SaysDone, p.Box.Text)
		default:
			j.claimRange(r, p)
		}
		for i := range p.claims {
			if p.claims[i].Source != ClaimArchive {
				p.claims[i].Path = rel
			}
		}
		slices.SortStableFunc(p.claims, func(a, b Claim) int { return cmp.Compare(a.Line, b.Line) })
	}
}

// claimRange adds what is said of the phase with others of its milestone. A
// number that several phases have is taken for the milestone's alone, unless
// enough milestones with that number were shipped for all of them.
func (j *joiner) claimRange(r *doc.Roadmap, p *Phase) {
	var found *doc.PhaseRange
	for i, g := range r.Ranges {
		switch {
		case !g.Holds(p.ID):
		case g.Said != doc.SaysDone && (g.Version == p.Milestone || p.current && g.Version == j.version):
			return // its own milestone is in work
		case g.Said == doc.SaysDone && (g.Version == p.Milestone || g.Version == "" && !p.current || p.Milestone == "" && (j.only(p.ID) != nil || j.allShipped(r, p.ID))):
			if found == nil {
				found = &r.Ranges[i]
			}
		}
	}
	if found != nil {
		p.claim(ClaimMilestone, found.Line, doc.SaysDone, found.Text)
	}
}

// allShipped reports whether each phase of a number is of a milestone that was
// shipped, whichever: as many as there are phases were, and none is in work.
func (j *joiner) allShipped(r *doc.Roadmap, id doc.PhaseID) bool {
	versions := map[string]bool{}
	for _, g := range r.Ranges {
		switch {
		case !g.Holds(id):
		case g.Said != doc.SaysDone:
			return false
		case g.Version != "":
			versions[g.Version] = true
		}
	}
	n := 0
	for _, q := range j.by[id.Number] {
		if q.ID.Same(id) {
			n++
			if q.current && !q.bare() {
				return false
			}
		}
	}
	return n <= len(versions)
}

// only returns the phase of a number when there is one and no more, else nil.
func (j *joiner) only(id doc.PhaseID) *Phase {
	var found *Phase
	for _, q := range j.by[id.Number] {
		if !q.ID.Same(id) {
			continue
		}
		if found != nil {
			return nil
		}
		found = q
	}
	return found
}
