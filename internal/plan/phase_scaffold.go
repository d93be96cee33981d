package plan

import (
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
	"cairn/internal/term"
)

// ScaffoldKinds are the files that ScaffoldFile makes.
func ScaffoldKinds() []string { return []string{"context", "uat", "verification"} }

// ScaffoldFile makes an empty CONTEXT, UAT or VERIFICATION of a phase and
// returns its path. One that is there is left alone.
func (tx *Tx) ScaffoldFile(p *Phase, kind, name string) (file string, created bool) {
	if p.Dir == "" {
		must.Fail(term.Hint(&PhaseError{p.ID.String(), "has no directory"}, "cairn plan phase scaffold %s directory makes it", p.ID))
	}
	if !slices.Contains(ScaffoldKinds(), kind) {
		must.Fail(&InputError{Path: kind, What: "is not one of " + strings.Join(ScaffoldKinds(), ", ")})
	}
	kind = strings.ToUpper(kind)
	file = path.Join(p.Dir, p.ID.Padded()+"-"+kind+".md")
	if there := p.File(kind); there != "" {
		return path.Join(p.Dir, there), false
	}
	if name == "" {
		name = p.Name
	}
	text := must.Get(template.Scaffold(kind, map[string]string{
		"dir": path.Base(p.Dir), "number": p.ID.String(), "name": doc.OneLine(name), "date": tx.now().Format(time.DateOnly),
	}))
	tx.Write(file, []byte(text))
	return file, true
}

// ScaffoldDir makes the directory of a phase that has none, or returns the
// one it has.
func (tx *Tx) ScaffoldDir(id doc.PhaseID, slug, code string) (dir string, created bool) {
	p := tx.Phase(id)
	if p != nil && p.Dir != "" && p.Archived == "" {
		return p.Dir, false
	}
	dir = tx.dirOf(id, slug, code)
	tx.makeDir(dir)
	return dir, true
}
