package query

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
)

// path returns where a file that the caller named is.
func (c *call) path(name string) (string, error) {
	if strings.ContainsRune(name, 0) {
		return "", fail("usage", "file path contains null bytes")
	}
	return under(c.Root, name), nil
}

// document reads a file that the caller named, wherever it is; nil when it is
// not there.
func (c *call) document(name string) (*doc.Text, error) {
	abs, err := c.path(name)
	if err != nil {
		return nil, err
	}
	if fi, err := os.Stat(abs); err == nil && fi.IsDir() {
		return nil, nil
	}
	b, err := plan.ReadFile(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return doc.Parse(b), nil
}

// edit changes a file that the caller named: one of the plan under its lock
// and with an entry in the journal, any other file whole.
func (c *call) edit(command, name string, change func(*doc.Text) error) error {
	abs, err := c.path(name)
	if err != nil {
		return err
	}
	if rel := c.Rel(abs); strings.HasPrefix(rel, plan.Planning+"/") {
		_, err := c.Update(c.context, command, func(tx *plan.Tx) error {
			t, err := tx.Read(rel)
			if err != nil {
				return err
			}
			return change(t)
		})
		return err
	}
	t, err := c.document(name)
	if err != nil {
		return err
	}
	if err := change(t); err != nil {
		return err
	}
	return atomicfile.WriteFile(abs, t.Bytes(), 0o644)
}

// notFound is what the old tool says of a file that is not there.
func notFound(name string) result {
	return data(object{{"error", "File not found"}, {"path", name}})
}

// fromHere returns a path that was typed. It is for bare commands, whose root
// is the working directory.
func (c *call) fromHere(name string) string { return under(c.Root, name) }

// rel returns a path as a Tx takes it.
func (c *call) rel(name string) string {
	if filepath.IsAbs(name) {
		return c.Rel(name)
	}
	return path.Clean(filepath.ToSlash(name))
}

// documentsIn returns the plans, or summaries, in a phase's directory.
func documentsIn(tx *plan.Tx, dir, kind string) ([]gate.File, error) {
	var names []string
	for _, at := range []string{"", "plans"} {
		entries, err := tx.ReadDir(path.Join(dir, at))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			nested := at != "" && strings.HasPrefix(e.Name, kind+"-") && strings.HasSuffix(e.Name, ".md")
			if !e.Dir && (nested || plan.IsDocument(e.Name, kind)) {
				names = append(names, path.Join(dir, at, e.Name))
			}
		}
	}
	var out []gate.File
	for _, name := range names {
		f, err := gate.Read(tx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, *f)
	}
	return out, nil
}
