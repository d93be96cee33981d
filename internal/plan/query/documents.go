package query

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
)

// at returns a path that was typed: in the project, and for a bare command in
// the working directory.
func (c *call) at(name string) string { return under(c.Root, name) }

func under(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// path is at for a name that may be any text.
func (c *call) path(name string) string {
	require(!strings.ContainsRune(name, 0), "usage", "file path contains null bytes")
	return c.at(name)
}

// document reads a file that the caller named, wherever it is; without it that
// is the answer.
func (c *call) document(name string) *doc.Text {
	t := c.find(name)
	if t == nil {
		finish(problem("File not found", member{"path", name}))
	}
	return t
}

// find is document that returns nil for a file that is not there.
func (c *call) find(name string) *doc.Text {
	abs := c.path(name)
	if fi, err := os.Stat(abs); err == nil && fi.IsDir() {
		return nil
	}
	b, err := plan.ReadFile(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return doc.Parse(must.Get(b, err))
}

// edit changes a file that the caller named: one of the plan under its lock
// and with an entry in the journal, any other file whole.
func (c *call) edit(name string, change func(*doc.Text)) {
	abs := c.path(name)
	if rel := c.Rel(abs); strings.HasPrefix(rel, plan.Planning+"/") {
		c.change(func(tx *plan.Tx) { change(must.Get(tx.Read(rel))) })
		return
	}
	t := c.document(name)
	change(t)
	must.OK(atomicfile.WriteFile(abs, t.Bytes(), 0o644))
}

// rel returns a path as a Tx takes it.
func (c *call) rel(name string) string {
	if filepath.IsAbs(name) {
		return c.Rel(name)
	}
	return path.Clean(filepath.ToSlash(name))
}

// documentsIn returns the plans, or summaries, in a phase's directory.
func documentsIn(tx *plan.Tx, dir, kind string) (out []gate.File) {
	for _, at := range []string{"", "plans"} {
		for _, e := range tx.ReadDir(path.Join(dir, at)) {
			nested := at != "" && strings.HasPrefix(e.Name, kind+"-") && strings.HasSuffix(e.Name, ".md")
			if !e.Dir && (nested || plan.IsDocument(e.Name, kind)) {
				out = append(out, *must.Get(gate.Read(tx, path.Join(dir, at, e.Name))))
			}
		}
	}
	return out
}
