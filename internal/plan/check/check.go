// Package check judges documents of a plan against each other and against the
// project's files: is a plan complete, are its artifacts and links there, do
// the paths it names exist, does a summary tell the truth.
//
// Packages verb and query print what it finds. A check changes nothing, runs
// nothing and knows no command; what it needs of the project it asks through
// Files.
package check

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Finding is something wrong in a document.
type Finding struct {
	Line int    `json:"line,omitempty"` // counted from 1, 0 for the whole document
	What string `json:"what"`
}

// Texts returns what the findings say.
func Texts(fs []Finding) []string {
	out := make([]string, len(fs))
	for i, f := range fs {
		out[i] = f.What
	}
	return out
}

// Files are a project's files by their paths as documents write them.
type Files interface {
	Has(name string) bool                    // a file or directory
	Read(name string) (text string, ok bool) // a file of a sensible size
}

// maxRead is how much of a file is read: more is not source.
const maxRead = 4 << 20

// Dir is the Files of a project's directory. Paths that lead out of it,
// directly or by a symbolic link, are not there; but ~/ is the user's home.
type Dir string

func (d Dir) Has(name string) bool {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return false
		}
		_, err = os.Stat(filepath.Join(home, filepath.FromSlash(rest)))
		return err == nil
	}
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return false
	}
	defer func() { _ = root.Close() }()
	_, err = root.Stat(d.local(name))
	return err == nil
}

func (d Dir) Read(name string) (string, bool) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return "", false
	}
	defer func() { _ = root.Close() }()
	if fi, err := root.Stat(d.local(name)); err != nil || !fi.Mode().IsRegular() {
		return "", false // opening a pipe would wait for its writer
	}
	f, err := root.Open(d.local(name))
	if err != nil {
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxRead))
	return string(b), err == nil
}

// local returns the path relative to the directory.
func (d Dir) local(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		if rel, err := filepath.Rel(string(d), name); err == nil {
			return rel
		}
	}
	return filepath.Clean(name)
}
