package plan

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strconv"

	"cairn/internal/atomicfile"
)

// maxJournal is the size in bytes above which old entries are dropped, and
// with them the way to undo them and what they removed.
const maxJournal = 8 << 20

// shorten leaves of a journal that has grown the newest entries, half of maxJournal
// at most but at least one. What was kept for the others is removed while the next
// change is being made; see dropped.
func (j *journal) shorten() error {
	if fi, err := os.Stat(j.name); err != nil || fi.Size() <= maxJournal {
		return nil
	}
	b, err := os.ReadFile(j.name)
	if err != nil {
		return err
	}
	from, first := lastEntries(b, maxJournal/2)
	if from == 0 {
		return nil
	}
	if err := atomicfile.WriteFile(j.name, b[from:], 0o644); err != nil {
		return err
	}
	j.entries = slices.DeleteFunc(j.entries, func(e entry) bool { return e.ID < first })
	j.dropping.Go(func() { j.w.dropBefore(first) })
	return nil
}

// lastEntries returns where the newest entries begin that have at most so many
// bytes together, or the newest alone, and the first of these.
func lastEntries(b []byte, most int) (from, first int) {
	at, id := len(b), 0 // of the entry that is looked at, line by line from its last
	for at > 0 {
		start := bytes.LastIndexByte(b[:at-1], '\n') + 1
		if n := entryID(b[start:at]); n > 0 {
			if id > 0 && n != id { // so that entry is whole
				if first > 0 && len(b)-at > most {
					return from, first
				}
				from, first = at, id
			}
			id = n
		}
		at = start
	}
	if first == 0 || len(b) <= most {
		return 0, id
	}
	return from, first
}

// entryID returns which entry a line is of; 0 for what is no line of the journal's.
// Some lines are long: only what they begin with is read.
func entryID(line []byte) int {
	rest, ok := bytes.CutPrefix(line, []byte(`{"id":`))
	if !ok {
		return 0
	}
	id, err := strconv.Atoi(string(rest[:max(0, bytes.IndexAny(rest, ",}"))]))
	if err != nil {
		return 0
	}
	return id
}

// dropBefore removes what was kept for entries that the journal no longer has.
func (w *Workspace) dropBefore(first int) {
	for _, kind := range []string{w.trash(0), w.kept(0)} {
		dir := path.Dir(kind)
		found, _ := os.ReadDir(w.Abs(dir))
		for _, e := range found {
			if id, err := strconv.Atoi(e.Name()); err == nil && id < first {
				_ = os.RemoveAll(w.Abs(path.Join(dir, e.Name())))
			}
		}
	}
}
