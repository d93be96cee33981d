package plan

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Entry is a file or directory in a directory.
type Entry struct {
	Name string
	Dir  bool
}

// ReadDir returns what is in a directory, by name; nothing when it is not
// there. A symbolic link that leads out of the project is left out.
func (tx *Tx) ReadDir(rel string) ([]Entry, error) {
	rel = path.Clean(rel)
	found := map[string]bool{} // name → is a directory
	if at, ok := tx.onDisk(rel); ok {
		if err := tx.readDisk(at, found); err != nil {
			return nil, err
		}
	}
	// What a step moved away was under its old name, or under an older step's.
	for _, s := range tx.steps {
		if s.from != "" && path.Dir(s.from) == rel {
			delete(found, path.Base(s.from))
		}
		if name, ok := childOf(rel, s.to); ok {
			found[name] = found[name] || s.to != path.Join(rel, name) || tx.isDir(s.to)
		}
	}
	for name := range tx.files {
		if child, ok := childOf(rel, name); ok {
			found[child] = found[child] || name != path.Join(rel, child)
		}
	}
	out := make([]Entry, 0, len(found))
	for name, dir := range found {
		out = append(out, Entry{name, dir})
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

func (tx *Tx) readDisk(rel string, found map[string]bool) error {
	err := tx.checkDir(rel)
	if errors.Is(err, fs.ErrNotExist) { // a file is above it
		return nil
	}
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(tx.Abs(rel))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return &InputError{Path: rel, What: "cannot be listed: " + err.Error()}
	}
	for _, e := range entries {
		dir := e.IsDir()
		at := path.Join(rel, e.Name())
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			if tx.inside(at) != nil {
				continue
			}
			fi, err := os.Stat(tx.Abs(at))
			dir = err == nil && fi.IsDir()
		case dir: // below one that is inside, and no link itself
			tx.dirs[at] = nil
		case e.Type().IsRegular():
			tx.regular[at] = true
		}
		found[e.Name()] = dir
	}
	return nil
}

// isDir reports whether what a step brought to rel is a directory.
func (tx *Tx) isDir(rel string) bool {
	if slices.Contains(tx.steps, step{to: rel}) {
		return true
	}
	at, ok := tx.onDisk(rel)
	if !ok {
		return false
	}
	fi, err := os.Stat(tx.Abs(at))
	return err == nil && fi.IsDir()
}

// onDisk returns where the file that will be at rel is now; ok is false when
// a step moves what is there away.
func (tx *Tx) onDisk(rel string) (at string, ok bool) {
	for i := len(tx.steps) - 1; i >= 0; i-- {
		s := tx.steps[i]
		if s.from == "" {
			continue
		}
		if back, under := rebase(rel, s.to, s.from); under {
			rel = back
		} else if _, under := rebase(rel, s.from, ""); under {
			return "", false
		}
	}
	return rel, true
}

// rebase returns name with from, which is it or above it, replaced by to.
func rebase(name, from, to string) (string, bool) {
	rest, ok := strings.CutPrefix(name, from)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return to + rest, true
}

// childOf returns which entry of dir the path name is or is under.
func childOf(dir, name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, dir+"/")
	if !ok {
		return "", false
	}
	child, _, _ := strings.Cut(rest, "/")
	return child, true
}
