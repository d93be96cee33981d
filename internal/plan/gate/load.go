package gate

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Read returns a document. One that is not text, such as a file in UTF-16, is
// an error: read as text it would have nothing in it, and a gate would pass.
func Read(tx *plan.Tx, rel string) (*File, error) {
	b, err := tx.ReadBytes(rel)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(b, 0) >= 0 {
		return nil, &plan.InputError{Path: rel, What: "is not UTF-8 text"}
	}
	t, err := tx.Read(rel)
	return &File{rel, t}, err
}

// ReadIfThere is Read; nil for a file that is not there.
func ReadIfThere(tx *plan.Tx, rel string) *File {
	f, err := Read(tx, rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	must.OK(err)
	return f
}

// Document returns the phase's document of that kind, such as CONTEXT; nil
// when it has none.
func Document(tx *plan.Tx, p *plan.Phase, kind string) *File {
	name := p.File(kind)
	if name == "" {
		return nil
	}
	return must.Get(Read(tx, path.Join(p.Dir, name)))
}

// Plans returns the phase's plans.
func Plans(tx *plan.Tx, p *plan.Phase) []File {
	var names []string
	for _, f := range p.Plans {
		names = append(names, f.Path)
	}
	return readAll(tx, p, names)
}

// Summaries returns the phase's summaries, those of no plan too.
func Summaries(tx *plan.Tx, p *plan.Phase) []File {
	var names []string
	for _, f := range p.Plans {
		if f.Summary != "" {
			names = append(names, f.Summary)
		}
	}
	return readAll(tx, p, append(names, p.Orphans()...))
}

func readAll(tx *plan.Tx, p *plan.Phase, names []string) []File {
	var out []File
	for _, name := range names {
		out = append(out, *must.Get(Read(tx, path.Join(p.Dir, name))))
	}
	return out
}

// Wanted returns the requirements that ROADMAP.md gives to the phase, and
// those that the traceability table of REQUIREMENTS.md does.
func Wanted(tx *plan.Tx, p *plan.Phase) []Requirement {
	var out []Requirement
	add := func(id, file string, line int) {
		if !slices.ContainsFunc(out, func(r Requirement) bool { return r.ID == id }) {
			out = append(out, Requirement{ID: id, File: file, Line: line + 1})
		}
	}
	f, _ := p.Field(tx.Roadmap(), "Requirements")
	for _, id := range doc.RequirementIDs(f.Value) {
		add(id, tx.Path("ROADMAP.md"), f.Line)
	}
	reqs := ReadIfThere(tx, tx.Path("REQUIREMENTS.md"))
	if reqs == nil {
		return out
	}
	for _, table := range reqs.Tables(reqs.Body(), reqs.Len()) {
		for i := range table.Rows {
			if column := table.Column("Phase"); column > 0 && isPhase(table.Cell(i, column), p.ID) {
				for _, id := range doc.RequirementIDs(table.Cell(i, 0)) {
					add(id, reqs.Path, table.Line+2+i)
				}
			}
		}
	}
	for i := range out {
		out[i].Text, out[i].Done = described(reqs.Text, out[i].ID)
	}
	return out
}

// isPhase reads a cell such as `2`, `Phase 2` or `Phase 2: API`.
func isPhase(cell string, id doc.PhaseID) bool {
	if len(cell) > 6 && strings.EqualFold(cell[:6], "phase ") {
		cell = cell[6:]
	}
	cell, _, _ = strings.Cut(cell, ":")
	is, ok := doc.ParsePhaseID(cell)
	return ok && is.Same(id)
}

// described returns the text of a requirement's line, `- [ ] **ID**: text`.
func described(t *doc.Text, id string) (text string, done bool) {
	for _, it := range t.Items(t.Body(), t.Len()) {
		rest, ok := strings.CutPrefix(strings.TrimLeft(it.Text, "*"), id)
		if ok && it.Box && !idGoesOn(rest) {
			return strings.TrimLeft(rest, "*: "), it.Done
		}
	}
	return "", false
}
