package plan

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
)

// Entry is a file or directory in a directory.
type Entry struct {
	Name    string
	Dir     bool
	regular bool // on disk, a file and no link
	link    bool
	outside bool // a link that leads out of the project
}

func (e Entry) leadsOut() bool { return e.outside }

// ReadDir returns what is in a directory, by name; nothing when it is not
// there. A symbolic link that leads out of the project is left out.
func (tx *Tx) ReadDir(rel string) []Entry {
	rel = path.Clean(rel)
	var entries []Entry
	if at, ok := tx.onDisk(rel); ok {
		entries = tx.readDisk(at)
		if slices.ContainsFunc(entries, Entry.leadsOut) {
			entries = slices.DeleteFunc(slices.Clone(entries), Entry.leadsOut)
		}
	}
	return tx.staged(rel, entries)
}

// staged returns the entries of a directory as they will be.
func (tx *Tx) staged(rel string, entries []Entry) []Entry {
	found := map[string]bool{} // name → is a directory
	gone := map[string]bool{}
	// What a step moved away was under its old name, or under an older step's.
	for _, n := range tx.below[rel] {
		s := tx.steps[n]
		if name, ok := childOf(rel, s.from); ok && len(name) == len(s.from)-len(rel)-1 {
			gone[name] = true
			delete(found, name)
		}
		if name, ok := childOf(rel, s.to); ok {
			found[name] = found[name] || s.to != path.Join(rel, name) || tx.isDir(s.to)
		}
	}
	for name, f := range tx.files {
		if f.before != nil { // on disk, or brought by a step
			continue
		}
		if child, ok := childOf(rel, name); ok {
			found[child] = found[child] || name != path.Join(rel, child)
		}
	}
	if len(found)+len(gone) == 0 {
		return entries
	}
	var out []Entry
	for _, e := range entries {
		if dir, again := found[e.Name]; again {
			e.Dir = e.Dir && !gone[e.Name] || dir
			delete(found, e.Name)
		} else if gone[e.Name] {
			continue
		}
		out = append(out, e)
	}
	for name, dir := range found {
		out = append(out, Entry{Name: name, Dir: dir})
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// readDisk lists a directory of the disk, once in the life of tx: what tx
// changes is not on the disk before its end.
func (tx *Tx) readDisk(rel string) []Entry {
	if entries, ok := tx.listed[rel]; ok {
		return entries
	}
	err := tx.checkDir(rel)
	if errors.Is(err, fs.ErrNotExist) { // a file is above it
		return nil
	}
	must.OK(err)
	entries := must.Get(tx.list(rel))
	tx.keepList(rel, entries)
	return entries
}

// list lists a directory of the disk. It changes nothing of tx.
func (w *Workspace) list(rel string) ([]Entry, error) {
	found, err := os.ReadDir(w.Abs(rel))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, &InputError{Path: rel, What: "cannot be listed: " + err.Error()}
	}
	entries := make([]Entry, 0, len(found))
	for _, f := range found {
		e := Entry{Name: f.Name(), Dir: f.IsDir(), regular: f.Type().IsRegular()}
		if f.Type()&fs.ModeSymlink != 0 {
			at := path.Join(rel, e.Name)
			e.link, e.outside = true, w.inside(at) != nil
			if !e.outside {
				fi, err := os.Stat(w.Abs(at))
				e.Dir = err == nil && fi.IsDir()
			}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func (tx *Tx) keepList(rel string, entries []Entry) {
	tx.listed[rel] = entries
	for _, e := range entries {
		if e.Dir && !e.link { // below one that is inside
			tx.dirs[path.Join(rel, e.Name)] = nil
		}
	}
}

// isRegular reports whether readDisk saw the file, and that it is no link.
func (tx *Tx) isRegular(rel string) bool {
	e, _, _ := tx.seen(rel)
	return e.regular
}

// seen returns what readDisk saw at a path of the disk; unknown says that it did
// not look there, or that the name is one that the disk may take for another's.
func (tx *Tx) seen(rel string) (e Entry, there, unknown bool) {
	entries, listed := tx.listed[path.Dir(rel)]
	name := path.Base(rel)
	i, there := slices.BinarySearchFunc(entries, name, func(e Entry, name string) int { return strings.Compare(e.Name, name) })
	if there {
		return entries[i], true, false
	}
	isAlike := func(e Entry) bool { return strings.EqualFold(e.Name, name) }
	isPlain := strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 }) < 0
	return Entry{}, false, !listed || !isPlain || slices.ContainsFunc(entries, isAlike)
}

// isDir reports whether what a step brought to rel is a directory.
func (tx *Tx) isDir(rel string) bool {
	if tx.made[rel] {
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
	for before := len(tx.steps); ; {
		last, end := -1, ""
		for dir := rel; dir != "." && dir != "/"; dir = path.Dir(dir) {
			moves := tx.ends[dir]
			if n, _ := slices.BinarySearch(moves, before); n > 0 && moves[n-1] > last {
				last, end = moves[n-1], dir
			}
		}
		switch {
		case last < 0:
			return rel, true
		case tx.steps[last].to != end:
			return "", false
		}
		rel, before = tx.steps[last].from+rel[len(end):], last
	}
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
	if len(name) <= len(dir) || name[len(dir)] != '/' || name[:len(dir)] != dir {
		return "", false
	}
	child, _, _ := strings.Cut(name[len(dir)+1:], "/")
	return child, true
}
