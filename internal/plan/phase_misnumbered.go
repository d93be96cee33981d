package plan

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Misnumbered is a file that has the number of another phase than its directory:
// git moved it there when the other branch had renamed the directory.
type Misnumbered struct {
	Dir, Name string
	To        string // its new name
	from, to  doc.PhaseID
}

// Misnumbered finds them. A directory in which no file has its number is left
// alone, unless the file itself names it by its words: somebody's own way.
func (tx *Tx) Misnumbered() (out []Misnumbered) {
	for _, p := range tx.phaseDirs(tx.Path("phases"), "") {
		id := func(name string) doc.PhaseID {
			own, rest, ok := doc.DirPhaseID(name)
			if kind := strings.TrimSuffix(rest, ".md"); !ok || own.Number < 0 || kind != strings.ToUpper(kind) { // 2024-notes.md
				return p.ID
			}
			return own
		}
		right := slices.ContainsFunc(p.Files, func(name string) bool {
			own, _, ok := doc.DirPhaseID(name)
			return ok && own.Same(p.ID)
		})
		names := slices.Clone(p.Files)
		for _, name := range p.Files {
			own := id(name)
			if own.Same(p.ID) || path.Dir(name) != "." || !strings.HasSuffix(name, ".md") || !right && !tx.saysDir(p, name) {
				continue
			}
			to := newName(name, own, p.ID)
			for n := 2; slices.Contains(names, to); n++ { // a plan of that number is there
				to = nextPlanName(newName(name, own, p.ID), n)
			}
			names = append(names, to)
			out = append(out, Misnumbered{p.Dir, name, to, own, p.ID})
		}
	}
	return out
}

// saysDir reports whether a file's frontmatter names a phase of the directory's
// words, with whatever number.
func (tx *Tx) saysDir(p *Phase, name string) bool {
	t, err := tx.Read(path.Join(p.Dir, name))
	if err != nil {
		return false
	}
	_, slug, ok := doc.DirPhaseID(t.Front().Get("phase").Text())
	return ok && slug != "" && slug == p.Slug
}

// nextPlanName is the name with the number of its plan raised by n-1: 02-03-PLAN.md
// of 02-02-PLAN.md; of what is no plan's with the number behind it.
func nextPlanName(name string, n int) string {
	phase, rest, ok := strings.Cut(name, "-")
	number, kind, ok2 := strings.Cut(rest, "-")
	if at, err := strconv.Atoi(number); ok && ok2 && err == nil {
		text := strconv.Itoa(at + n - 1)
		return phase + "-" + strings.Repeat("0", max(len(number)-len(text), 0)) + text + "-" + kind
	}
	return strings.TrimSuffix(name, ".md") + "-" + strconv.Itoa(n) + ".md"
}

// Renumber gives a file the number of its directory, in its name and its frontmatter.
func (tx *Tx) Renumber(m Misnumbered) {
	from, to := path.Join(m.Dir, m.Name), path.Join(m.Dir, m.To)
	t := must.Get(tx.Read(from))
	rn := renumbering{{&Phase{ID: m.from}, m.to}}
	if err := rn.setFront(t, rn.moved(m.Dir), nil); err != nil {
		must.Fail(&InputError{Path: from, What: err.Error()})
	}
	tx.Move(from, to)
}
