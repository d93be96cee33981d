package plan

import (
	"cmp"
	"slices"

	"cairn/internal/plan/doc"
)

// Claim is what one place of the documents says of whether a phase is
// complete. Places that say nothing of it make no claim.
type Claim struct {
	Source ClaimSource
	Path   string
	Line   int // counted from 1; 0 for a directory
	Done   bool
	Text   string // what stands there
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
	for _, c := range p.Claims() {
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

// claim gives the phases what the roadmap says of them.
func (tx *Tx) claim(r *doc.Roadmap, version string, phases []*Phase) {
	rel := tx.Path("ROADMAP.md")
	for _, p := range phases {
		p.claims = nil
		add := func(source ClaimSource, line int, said doc.Said, text string) {
			if said != doc.Silent {
				p.claims = append(p.claims, Claim{source, rel, line + 1, said == doc.SaysDone, text})
			}
		}
		if b := p.Box; b != nil {
			add(ClaimBox, b.Line, map[bool]doc.Said{true: doc.SaysDone, false: doc.SaysOpen}[b.Done], b.Text)
		}
		if p.current {
			if row, ok := r.ProgressRow(p.ID, version); ok {
				add(ClaimRow, row.Line(), doc.Says(row.Cell("Status")), row.Cell("Status"))
			}
		}
		if s := p.Section; s != nil && s.Shipped {
			add(ClaimMilestone, s.Line, doc.SaysDone, s.Text)
		}
		slices.SortStableFunc(p.claims, func(a, b Claim) int { return cmp.Compare(a.Line, b.Line) })
	}
}
