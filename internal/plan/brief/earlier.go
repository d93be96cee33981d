package brief

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/decision"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/quote"
	"cairn/internal/plan/template"
)

// Bounds of what a phase is told of earlier ones.
const (
	earlierTokens    = 1000
	earlierPhases    = 12 // whose summaries and learnings are read
	earlierPitfalls  = 6
	earlierDecisions = 30
	earlierLearnings = 10
)

// earlier adds what earlier phases leave to this one, and for who discusses it the
// next free id of a decision.
func (b *builder) earlier() {
	of := decision.Read(b.tx)
	b.Earlier = findEarlier(b.tx, of, b.found)
	if b.request.Workflow == "phase-op" {
		b.Phase.NextDecision = doc.DecisionID(of.Next())
	}
}

// FindEarlier is what earlier phases leave to a phase, as [quote.Note] fences it:
// the pitfalls that research found for it, what the phases before it provide, the
// decisions that hold and what was learned. Those that it depends on come first. It
// is "" for a phase that nothing was done before.
func FindEarlier(tx *plan.Tx, p *plan.Phase) string { return findEarlier(tx, decision.Read(tx), p) }

func findEarlier(tx *plan.Tx, of *decision.Register, p *plan.Phase) string {
	before := earlierThan(tx, p)
	n := &quote.Note{Head: "What earlier phases and research leave to phase " + p.ID.String() + ".", Tokens: earlierTokens}

	pitfalls := pitfallsOf(tx, p)
	n.AddList(quote.List{Heading: "pitfalls that research names for this phase", What: "pitfalls", Where: path.Join(tx.Shared("research"), "PITFALLS.md"), All: len(pitfalls)},
		earlierPitfalls, func(i int) string { return pitfalls[i] })

	var provided, learned []string
	for _, e := range before[:min(len(before), earlierPhases)] {
		provided = append(provided, provides(tx, e)...)
		learned = append(learned, learnings(tx, e)...)
	}
	n.AddList(quote.List{Heading: "what earlier phases provide", What: "phases", Where: "cairn plan digest", All: len(provided)},
		len(provided), func(i int) string { return provided[i] })

	var decided []string
	for _, e := range before {
		for _, d := range of.Of(e.Phase) {
			if d.ID != "" && d.Trackable() {
				decided = append(decided, d.Ref+": "+d.Text+following(" — ", d.Why))
			}
		}
	}
	n.AddList(quote.List{Heading: "decisions of earlier phases that hold", What: "decisions", Where: "cairn plan decisions list --all", All: len(decided)},
		earlierDecisions, func(i int) string { return decided[i] })
	n.AddList(quote.List{Heading: "what was learned", What: "learnings", Where: tx.Path("phases") + "/*/*-LEARNINGS.md", All: len(learned)},
		earlierLearnings, func(i int) string { return learned[i] })
	if n.Empty() {
		return ""
	}
	return n.Text()
}

func following(mark, s string) string {
	if s == "" {
		return ""
	}
	return mark + s
}

// before is an earlier phase.
type before struct {
	*plan.Phase
	needed bool // the phase depends on it, itself or through others
}

// earlierThan returns the phases before one that have a directory: those that it
// depends on, then the others, of each kind the last first.
func earlierThan(tx *plan.Tx, p *plan.Phase) (out []before) {
	all, r := tx.Phases(plan.Everything), tx.Roadmap()
	needed := map[*plan.Phase]bool{}
	var follow func(q *plan.Phase)
	follow = func(q *plan.Phase) {
		for _, id := range doc.DependsOn(field(r, q, "Depends on")) {
			i := slices.IndexFunc(all, func(e *plan.Phase) bool { return e.ID.Same(id) && e.Archived == "" })
			if i < 0 {
				i = slices.IndexFunc(all, func(e *plan.Phase) bool { return e.ID.Same(id) })
			}
			if i >= 0 && !needed[all[i]] {
				needed[all[i]] = true
				follow(all[i])
			}
		}
	}
	follow(p)
	for _, e := range slices.Backward(all) {
		isSelf := e.Dir == p.Dir && e.ID.Same(p.ID)
		isBefore := e.Archived != "" && p.Archived == "" || e.ID.Compare(p.ID) < 0
		if e.Dir != "" && !isSelf && !e.ID.Backlog() && (needed[e] || isBefore) {
			out = append(out, before{e, needed[e]})
		}
	}
	slices.SortStableFunc(out, func(a, b before) int {
		switch {
		case a.needed == b.needed:
			return 0
		case a.needed:
			return -1
		}
		return 1
	})
	return out
}

// provides is what the summaries of a phase say later work should know, on one line.
func provides(tx *plan.Tx, e before) []string {
	d := tx.DigestOf(e.Phase)
	var provide, patterns, decided []string
	for _, p := range d.Phases {
		provide, patterns = append(provide, p.Provides...), append(patterns, p.Patterns...)
	}
	for _, k := range d.Decisions {
		decided = append(decided, k.Text)
	}
	var parts []string
	for _, part := range []struct {
		label string
		list  []string
	}{{"", provide}, {"patterns: ", patterns}, {"stack: ", d.Tech}, {"decided: ", decided}} {
		if len(part.list) > 0 {
			parts = append(parts, part.label+strings.Join(part.list, ", "))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	name := e.ID.Padded() + " " + e.Name
	if e.needed {
		name += " (this phase depends on it)"
	}
	return []string{name + ": " + strings.Join(parts, "; ")}
}

// learnings are the lessons, patterns and surprises of a phase's LEARNINGS.md.
func learnings(tx *plan.Tx, e before) (out []string) {
	name := e.File("LEARNINGS")
	if name == "" {
		return nil
	}
	t := must.Get(tx.Read(path.Join(e.Dir, name)))
	for _, heading := range []string{"Lessons", "Surprises", "Patterns"} {
		s, ok := t.Section(heading)
		if !ok {
			continue
		}
		for _, it := range t.Items(s.Start, s.End) {
			if it.Indent == 0 && !template.IsGap(it.Text, "learnings") && !strings.Contains(it.Text, "→ dismissed") && !strings.Contains(it.Text, "→ graduated") {
				out = append(out, e.ID.Padded()+": "+it.Text)
			}
		}
	}
	return out
}
