package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Tx is one look at a planning directory, or one change of it. Reads see what
// the Tx has staged; nothing is written before Update's function returns. What
// goes wrong ends that function, and View or Update return it; see package must.
type Tx struct {
	*Workspace
	files  map[string]*file   // read or staged, by where they will be; see put and drop
	under  map[string]int     // how many of files are under a directory
	listed map[string][]Entry // directories on disk, by name
	steps  []step             // moves and new directories, in order
	ends   map[string][]int   // the moves from or to a path, in order
	below  map[string][]int   // the steps from or to what is below a directory, in order
	made   map[string]bool    // new directories
	dirs   map[string]error   // directories that were checked
	trash  string             // where Remove moves to

	roadmap      *doc.Roadmap // as it was last read
	roadmapEdits int
}

// file is one file of a Tx. Its content is text once it was read as a
// document, else data.
type file struct {
	before []byte // on disk; nil when it is not there
	text   *doc.Text
	data   []byte
}

// step is a structural change: a move, or a new directory when from is "".
type step struct{ from, to string }

func newTx(w *Workspace) *Tx {
	return &Tx{
		Workspace: w, files: map[string]*file{}, under: map[string]int{}, listed: map[string][]Entry{},
		ends: map[string][]int{}, below: map[string][]int{}, made: map[string]bool{}, dirs: map[string]error{},
	}
}

// put has the file be at rel.
func (tx *Tx) put(rel string, f *file) {
	if tx.files[rel] == nil {
		tx.count(rel, 1)
	}
	tx.files[rel] = f
}

// drop forgets the file at rel.
func (tx *Tx) drop(rel string) {
	delete(tx.files, rel)
	tx.count(rel, -1)
}

func (tx *Tx) count(rel string, n int) {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		tx.under[dir] += n
	}
}

// do calls fn, which ends where something goes wrong; see must.
func (tx *Tx) do(fn func(*Tx) error) error {
	return must.Catch(func() { must.OK(fn(tx)) })
}

// Read returns a file as a document. A file that is not there is an error
// that is [fs.ErrNotExist]. Edits of the document are kept by Update.
func (tx *Tx) Read(rel string) (*doc.Text, error) {
	f, err := tx.load(rel)
	if err != nil {
		return nil, err
	}
	if f.text == nil {
		f.text = doc.Parse(f.data)
	}
	return f.text, nil
}

// ReadIfThere is Read, and nil for a file that is not there.
func (tx *Tx) ReadIfThere(rel string) *doc.Text {
	t, err := tx.Read(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	must.OK(err)
	return t
}

// ReadBytes returns a file's bytes; see Read.
func (tx *Tx) ReadBytes(rel string) ([]byte, error) {
	f, err := tx.load(rel)
	if err != nil {
		return nil, err
	}
	return f.bytes(), nil
}

// Has reports whether there is a file or directory at rel.
func (tx *Tx) Has(rel string) bool {
	rel = path.Clean(rel)
	if tx.files[rel] != nil || tx.under[rel] > 0 || tx.made[rel] {
		return true
	}
	at, ok := tx.onDisk(rel)
	if !ok || tx.checkDir(path.Dir(at)) != nil {
		return false
	}
	if e, there, unknown := tx.seen(at); !unknown && !e.link {
		return there
	}
	_, err := os.Stat(tx.Abs(at))
	return err == nil
}

// Write stages a file's content. Only files under the planning directory can
// be written.
func (tx *Tx) Write(rel string, data []byte) {
	must.OK(tx.writable(rel))
	f, err := tx.load(rel)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = &file{}, nil
	}
	must.OK(err)
	if data == nil {
		data = []byte{} // there, and empty
	}
	f.text, f.data = nil, data
	tx.put(path.Clean(rel), f)
}

// Mkdir stages a directory and those above it.
func (tx *Tx) Mkdir(rel string) {
	rel = path.Clean(rel)
	if tx.Has(rel) {
		return
	}
	must.OK(tx.writable(rel))
	tx.step(step{to: rel})
	tx.made[rel] = true
}

func (tx *Tx) step(s step) {
	n := len(tx.steps)
	for _, rel := range []string{s.from, s.to} {
		for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
			if known := tx.below[dir]; len(known) == 0 || known[len(known)-1] != n {
				tx.below[dir] = append(known, n)
			}
		}
	}
	tx.steps = append(tx.steps, s)
}

// Move stages the renaming of a file or directory. What is at to already is
// an error.
func (tx *Tx) Move(from, to string) {
	from, to = path.Clean(from), path.Clean(to)
	switch {
	case from == to:
		return
	case !tx.Has(from):
		must.Fail(&fs.PathError{Op: "move", Path: from, Err: fs.ErrNotExist})
	case tx.Has(to):
		must.Fail(&fs.PathError{Op: "move", Path: to, Err: fs.ErrExist})
	}
	for _, rel := range []string{from, to} {
		must.OK(tx.writable(rel))
	}
	// A file that this Tx made moves as content, the rest on disk.
	if at, ok := tx.onDisk(from); ok && (tx.isRegular(at) || exists(tx.Abs(at))) {
		tx.ends[from] = append(tx.ends[from], len(tx.steps))
		tx.ends[to] = append(tx.ends[to], len(tx.steps))
		tx.step(step{from, to})
	}
	if tx.files[from] == nil && tx.under[from] == 0 {
		return
	}
	for name, f := range maps.Clone(tx.files) {
		if moved, ok := rebase(name, from, to); ok {
			tx.drop(name)
			tx.put(moved, f)
		}
	}
}

// Remove stages the removal of a file or directory. What is removed is kept
// in the planning directory's trash until its journal entry is dropped.
func (tx *Tx) Remove(rel string) {
	tx.Move(rel, path.Join(tx.trash, strconv.Itoa(len(tx.steps)), path.Base(rel)))
}

func (f *file) bytes() []byte {
	if f.text != nil {
		return f.text.Bytes()
	}
	return f.data
}

func (tx *Tx) load(rel string) (*file, error) {
	rel = path.Clean(rel)
	if f, ok := tx.files[rel]; ok {
		return f, nil
	}
	at, ok := tx.onDisk(rel)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: rel, Err: fs.ErrNotExist}
	}
	if err := tx.checkDir(path.Dir(at)); err != nil {
		return nil, err
	}
	b, err := tx.readFile(at)
	if err != nil {
		return nil, err
	}
	f := &file{before: b, data: b}
	tx.put(rel, f)
	return f, nil
}

// readFile reads a regular file of the project. It changes nothing of tx.
func (tx *Tx) readFile(rel string) ([]byte, error) { return tx.readInto(rel, nil) }

// readInto is readFile into a buffer that is used again, as far as it is large enough.
func (tx *Tx) readInto(rel string, buffer []byte) ([]byte, error) {
	name := tx.Abs(rel)
	if tx.isRegular(rel) {
		return readRegular(name, rel, buffer)
	}
	if fi, err := os.Lstat(name); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		if err := tx.inside(rel); err != nil {
			return nil, err
		}
	}
	return readFile(name, rel)
}

// checkDir makes sure once per directory that it does not lead out of the
// project. A plain directory in one that was checked needs one look, not one
// at every name above it.
func (tx *Tx) checkDir(rel string) error {
	err, ok := tx.dirs[rel]
	if !ok {
		if !tx.isPlainDir(rel) || tx.checkDir(path.Dir(rel)) != nil {
			err = tx.inside(rel)
		}
		tx.dirs[rel] = err
	}
	return err
}

func (tx *Tx) isPlainDir(rel string) bool {
	if rel == "." || !filepath.IsLocal(filepath.FromSlash(rel)) {
		return false
	}
	fi, err := os.Lstat(tx.Abs(rel))
	return err == nil && fi.Mode().Type() == fs.ModeDir
}

// writable is [Workspace.writable], with the directory looked at once.
func (tx *Tx) writable(rel string) error {
	if err := inPlan(rel); err != nil {
		return err
	}
	rel = path.Clean(rel)
	if at, ok := tx.onDisk(rel); ok && tx.isLink(at) {
		return tx.inside(at)
	}
	return tx.checkDir(path.Dir(rel))
}

func (tx *Tx) isLink(rel string) bool {
	if e, _, unknown := tx.seen(rel); !unknown {
		return e.link
	}
	fi, err := os.Lstat(tx.Abs(rel))
	return err == nil && fi.Mode()&fs.ModeSymlink != 0
}

// inside makes sure that rel, with every symbolic link followed, is in the
// project. What does not exist yet is judged by what is above it.
func (w *Workspace) inside(rel string) error {
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return &InputError{Path: rel, What: "is outside of the project"}
	}
	if w.plainPath(rel) {
		return nil
	}
	root, err := filepath.EvalSymlinks(w.Root)
	if err != nil {
		return err
	}
	for name := w.Abs(rel); ; name = filepath.Dir(name) {
		real, err := filepath.EvalSymlinks(name)
		if errors.Is(err, fs.ErrNotExist) && name != w.Root {
			if fi, lerr := os.Lstat(name); lerr == nil && fi.Mode()&fs.ModeSymlink != 0 {
				return &InputError{Path: rel, What: "is a symbolic link to nothing"}
			}
			continue
		}
		if err != nil {
			return readError(err, rel)
		}
		if in, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(in) {
			return &InputError{Path: rel, What: "leads out of the project by a symbolic link"}
		}
		return nil
	}
}

// plainPath reports whether what there is of a path in the project are
// directories, and at its end maybe a file: no link, and nothing in the way.
func (w *Workspace) plainPath(rel string) bool {
	rel = path.Clean(rel)
	for end := 0; end < len(rel); end++ {
		n := strings.IndexByte(rel[end:], '/')
		if n < 0 {
			n = len(rel) - end
		}
		end += n
		fi, err := os.Lstat(w.Abs(rel[:end]))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return true
		case err != nil || fi.Mode()&fs.ModeSymlink != 0 || end < len(rel) && !fi.IsDir():
			return false
		}
	}
	return true
}

// writable makes sure that a path of the plan is meant.
func (w *Workspace) writable(rel string) error {
	if err := inPlan(rel); err != nil {
		return err
	}
	return w.inside(rel)
}

// inPlan makes sure of it as far as the path tells.
func inPlan(rel string) error {
	if clean := path.Clean(rel); clean != Planning && !strings.HasPrefix(clean, Planning+"/") || strings.ContainsRune(rel, 0) {
		return &InputError{Path: rel, What: "is outside of " + Planning}
	}
	return nil
}

// InputError is about a file of the user's: what is wrong with it and where.
type InputError struct {
	Path string
	Line int // counted from 1; 0 for the whole file
	What string
}

func (e *InputError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.What)
	}
	if e.Path == "" {
		return e.What
	}
	return e.Path + ": " + e.What
}
