// Package plan is a project's planning directory: .planning/ and what may
// happen to it. A Workspace gives its documents to View and Update; the
// phases of roadmap, disk and archive are joined in one model that counters,
// gates and edits all use; every edit of state, roadmap, phases, requirements
// and milestones lives here.
//
// The packages under it read documents (doc) or build on this one (gate,
// wave, verb, query). It never parses arguments, prints or knows an agent.
package plan

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/term"
)

// Planning is the name of the planning directory.
const Planning = ".planning"

// Workspace is a planning directory, or one workstream of it. Paths given to
// and returned by it are slash paths relative to Root, such as
// ".planning/STATE.md".
type Workspace struct {
	Root   string           // the project, absolute
	Stream string           // the workstream, "" for none
	dir    string           // ".planning" or ".planning/workstreams/NAME"
	shared string           // ".planning" or, of a sub-project, ".planning/NAME"
	By     string           // who changes it, for the journal; "" is not known
	DryRun bool             // Update changes nothing and tells what it would change
	Now    func() time.Time // the clock; nil is time.Now
	merged bool             // no document has the markers of a merge

	progress term.Progress // of a change that takes long; see ShowProgress
}

// ActiveStream is the file of the planning directory that names the workstream which
// is worked on.
const ActiveStream = "active-workstream"

// ErrNoProject says that there is no planning directory.
var ErrNoProject = errors.New("no planning directory")

// Open returns the workspace of the project that dir belongs to (see
// [FindRoot]) and the workstream of that name; "" is none. It reads no file
// of the plan. The planning directory need not exist; see Exists.
func Open(dir, stream string) (*Workspace, error) {
	root, err := FindRoot(dir)
	if err != nil {
		return nil, err
	}
	return At(root, "", stream)
}

// At returns the workspace of root itself. A sub-project, if it is not "", has
// its planning directory under .planning/ by that name.
func At(root, project, stream string) (*Workspace, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	w := &Workspace{Root: root, shared: path.Join(Planning, project)}
	w.dir = w.shared
	if stream == "" {
		return w, nil
	}
	if !ValidStream(stream) {
		return nil, term.Hint(fmt.Errorf("%q is not a workstream's name", stream), "letters, digits, dots, dashes and underscores, beginning with a letter or digit")
	}
	w.Stream, w.dir = stream, path.Join(w.shared, "workstreams", stream)
	return w, nil
}

// ValidStream reports whether a workstream may have that name.
func ValidStream(name string) bool {
	outside := func(r rune) bool {
		return !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", r)
	}
	return name != "" && strings.IndexByte("._-", name[0]) < 0 && !strings.ContainsFunc(name, outside) && !strings.Contains(name, "..")
}

// Path returns the path of a file of this workspace: of the workstream, if
// there is one.
func (w *Workspace) Path(elem ...string) string {
	return path.Join(append([]string{w.dir}, elem...)...)
}

// Shared returns the path of a file that all workstreams share, such as
// PROJECT.md or config.json.
func (w *Workspace) Shared(elem ...string) string {
	return path.Join(append([]string{w.shared}, elem...)...)
}

// Abs returns the path as the operating system wants it.
func (w *Workspace) Abs(rel string) string { return filepath.Join(w.Root, filepath.FromSlash(rel)) }

// Rel returns an absolute path relative to Root, or it unchanged when it is
// outside.
func (w *Workspace) Rel(abs string) string {
	rel, err := filepath.Rel(w.Root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(abs)
	}
	return filepath.ToSlash(rel)
}

// ShowProgress has a change that takes long show on a terminal how far it is.
func (w *Workspace) ShowProgress(on io.Writer) { w.progress = *term.NewProgress(on) }

// Exists reports whether the planning directory (of the workstream) is there.
func (w *Workspace) Exists() bool {
	fi, err := os.Stat(w.Abs(w.dir))
	return err == nil && fi.IsDir()
}

// now returns the time in UTC: dates in the plan are the same wherever it is
// written.
func (w *Workspace) now() time.Time {
	if w.Now != nil {
		return w.Now().UTC()
	}
	return time.Now().UTC()
}

// View calls fn with the documents as they are. Nothing that fn does to them
// is kept, and nothing is locked or written.
func (w *Workspace) View(fn func(*Tx) error) error {
	return newTx(w).do(fn)
}
