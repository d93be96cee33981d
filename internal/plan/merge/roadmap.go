package merge

import (
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// roadmap merges ROADMAP.md. A phase keeps what it is called by in all three
// versions, whatever its number became in them: first every version is given the
// numbers that the phases will have, then their sections, checklist lines and rows
// are merged as records.
func (m *merger) roadmap(t [3]*doc.Text) part {
	t, carried := m.carry(t)
	n := number(t)
	var p [3]part
	for i := range t {
		p[i] = readRoadmap(n.renumbered(i))
	}
	for _, id := range n.revived { // one removed it, the other has worked on it
		p[0].drop(id)
	}
	for _, id := range n.removed {
		for i := range p {
			p[i].drop(id)
		}
	}
	m.settle, m.less = settleRoadmap, before
	merged := m.document(p[0], p[1], p[2])
	if n.moved {
		merged.sort(before)
	}
	whole := n.restore(merged)
	for _, c := range carried {
		c.Into(whole)
	}
	return part{lines: whole.Lines(0, whole.Len())}
}

// phaseMark stands in a key before a phase's milestone and id.
const phaseMark = "phase\x00"

func phaseKey(version string, shipped bool, id doc.PhaseID) string {
	if shipped {
		version = "shipped " + version
	}
	id.Code = ""
	return phaseMark + version + "\x00" + id.String()
}

// keyID returns what a key says of a phase.
func keyID(key string) (version string, id doc.PhaseID, ok bool) {
	at := strings.LastIndex(key, phaseMark)
	if at < 0 {
		return "", id, false
	}
	version, written, _ := strings.Cut(key[at+len(phaseMark):], "\x00")
	id, ok = doc.ParsePhaseID(written)
	return version, id, ok
}

// before is the order of phases within a milestone.
func before(a, b string) (less, ok bool) {
	av, aid, ok1 := keyID(a)
	bv, bid, ok2 := keyID(b)
	return aid.Compare(bid) < 0, ok1 && ok2 && av == bv
}

func readRoadmap(t *doc.Text) part {
	r := doc.ReadRoadmap(t)
	heads, items, rows := map[int]string{}, map[int]string{}, map[int]string{}
	for _, p := range r.Phases {
		heads[p.Line] = phaseKey(p.Version, p.Shipped, p.ID)
	}
	for _, b := range r.Boxes {
		items[b.Line] = phaseKey(b.Version, b.Shipped, b.ID)
	}
	for _, row := range r.ProgressRows("") {
		rows[row.Line()] = phaseKey(row.Version, false, row.ID)
	}
	return read(t, names{
		heading: func(h doc.Heading) string { return heads[h.Line] },
		item:    func(it doc.Item) string { return items[it.Line] },
		row:     func(tb doc.Table, n int) string { return rows[tb.Line+2+n] },
	})
}

// drop takes the parts of a phase out, so that the other version has them new.
func (p *part) drop(id doc.PhaseID) {
	p.parts = slices.DeleteFunc(p.parts, func(q part) bool {
		_, own, ok := keyID(q.key)
		return ok && own.Same(id) && !strings.HasPrefix(q.key[strings.LastIndex(q.key, phaseMark)+len(phaseMark):], "shipped")
	})
	for i := range p.parts {
		p.parts[i].drop(id)
	}
}

// sort puts phases into the order of their numbers, in the places that they have.
// A phase with sections of its own keeps its place, and so do all then.
func (p *part) sort(less func(a, b string) (less, ok bool)) {
	at := map[string][]int{} // by milestone
	for i := range p.parts {
		version, _, ok := keyID(p.parts[i].key)
		if ok {
			at[version] = append(at[version], i)
		} else if i > 0 && p.parts[i].kind == section {
			if _, _, above := keyID(p.parts[i-1].key); above && level(p.parts[i]) > level(p.parts[i-1]) {
				return
			}
		}
		p.parts[i].sort(less)
	}
	for _, places := range at {
		sorted := make([]part, len(places))
		for k, i := range places {
			sorted[k] = p.parts[i]
		}
		slices.SortStableFunc(sorted, func(a, b part) int {
			if is, _ := less(a.key, b.key); is {
				return -1
			}
			if is, _ := less(b.key, a.key); is {
				return 1
			}
			return 0
		})
		for k, i := range places {
			p.parts[i] = sorted[k]
		}
	}
}

// settleRoadmap settles what two people changed of a phase: counts are added up,
// lists united, what is ticked stays so. A name or a goal is not ours to choose.
func settleRoadmap(p place, was, ours, theirs string) (string, bool) {
	name := strings.ToLower(p.name)
	switch {
	case p.kind == item:
		return boxes(was, ours, theirs)
	case p.kind == field && name == "plans":
		return settleValue(was, ours, theirs, countBoth)
	case p.kind == field && (name == "requirements" || name == "depends on"):
		return settleValue(was, ours, theirs, listBoth)
	case p.kind == row && strings.HasPrefix(name, "plans"):
		return countBoth(was, ours, theirs)
	case p.kind == row && name == "status":
		return rank(ours, theirs, "Not started", "Planned", "In Progress", "Complete")
	}
	return "", false
}

// numbering says which number each phase of the three versions will have.
type numbering struct {
	texts   [3]*doc.Text
	to      [3]map[string]map[doc.PhaseID]doc.PhaseID // by version of the document, then milestone
	revived []doc.PhaseID
	removed []doc.PhaseID
	moved   bool                                   // two had one number
	gone    map[string]map[doc.PhaseID]doc.PhaseID // numbers that phases have on their way out, and had
}

func (n *numbering) renumbered(i int) *doc.Text {
	t := n.texts[i].Clone()
	for version, to := range n.to[i] {
		plan.RenumberRoadmap(t, version, to)
	}
	return t
}

// restore gives back their numbers to phases that are gone and still named.
func (n *numbering) restore(p part) *doc.Text {
	t := docOf(p.all())
	for version, to := range n.gone {
		plan.RenumberRoadmap(t, version, to)
		for from, was := range to { // of a phase that is another milestone's by now
			n.everywhere(t, from.String(), was.String())
		}
	}
	return t
}

// everywhere replaces a number that only this merge has made.
func (n *numbering) everywhere(t *doc.Text, from, to string) {
	if slices.ContainsFunc(n.texts[:], func(t *doc.Text) bool { return strings.Contains(t.String(), from) }) {
		return
	}
	for i := range t.Len() {
		t.SetLine(i, strings.ReplaceAll(t.Line(i), from, to))
	}
}
