package lifecycle

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/proof/record"
	"cairn/internal/text"
)

// proven: the last proof of the phase, if there is one, leaves nothing unproven and is
// of the code that there is. That of a phase on which later ones are built is not asked
// what became of its code since, and a quick look does not ask git.
func proven(l *Look, p *plan.Phase) []gate.Missing {
	file := record.File(p)
	if !slices.Contains(p.Files, path.Base(file)) {
		return nil
	}
	again := "cairn plan prove " + p.ID.String()
	last := record.Last(record.Parse(must.Get(l.ReadBytes(file))))
	switch {
	case last == nil:
		return want("proof", "the proof of the phase was not finished", file, again)
	case !last.Proven:
		open := last.Unproven
		if len(open) > 3 {
			open = append(slices.Clone(open[:3]), "…")
		}
		return want("proof", text.Count(len(last.Unproven), "claim")+" unproven: "+strings.Join(open, ", "), file, again+" says what would prove each")
	case l.quick || l.builtUpon(p):
		return nil
	}
	tree, err := record.Tree(l.context, l.Root)
	if err != nil {
		return want("proof", "whether it is of the code that there is was not seen: "+err.Error(), file, again)
	}
	if last.For != record.Key(tree, record.Claims(l.Tx, p)) {
		return want("proof", "the code or the plans changed since it was made", file, again)
	}
	return nil
}

// builtUpon reports whether plans of a later phase were executed.
func (l *Look) builtUpon(p *plan.Phase) bool {
	return slices.ContainsFunc(l.Phases(plan.Current), func(q *plan.Phase) bool { return q.ID.Compare(p.ID) > 0 && q.Executed() > 0 })
}
