package plancmd

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// documentArg names one document of the project.
var documentArg = command.Arg{Name: "FILE", Help: "a path in the project; or a plan by its id, such as 02-01, which is 02-01-PLAN.md"}

// document returns the document that FILE names and its path. A plan's id
// stands for the phase's file of that kind: PLAN or SUMMARY.
func document(c *Call, tx *plan.Tx, kind string) (*doc.Text, string) {
	return documentOf(c, tx, c.Arg("FILE"), kind)
}

func documentOf(c *Call, tx *plan.Tx, name, kind string) (*doc.Text, string) {
	rel := documentPath(c, tx, name, kind)
	t, err := tx.Read(rel)
	if errors.Is(err, fs.ErrNotExist) {
		fail(term.Hint(&plan.InputError{Path: name, What: "there is no such file"}, "give a path relative to the project, or a plan's id such as 02-01"))
	}
	must.OK(err)
	return t, rel
}

func documentPath(c *Call, tx *plan.Tx, name, kind string) string {
	if filepath.IsAbs(name) {
		return c.Rel(name)
	}
	rel := path.Clean(filepath.ToSlash(name))
	if path.Ext(name) != "" || tx.Has(rel) {
		return rel
	}
	p, f := tx.Plan(name)
	switch {
	case p == nil:
		return rel
	case kind != "SUMMARY":
		return path.Join(p.Dir, f.Path)
	case f.Summary == "":
		fail(&plan.InputError{Path: name, What: "the plan has no summary yet"})
	}
	return path.Join(p.Dir, f.Summary)
}
