package plan

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"cairn/internal/atomicfile"
	"cairn/internal/term"
)

// The journal is .planning/.journal.jsonl: for every Update a line with what
// it is about to do and what was there before, a line after each move of which
// the disk will not tell, and one that says that all of it is done. An entry without that was cut short:
// the next Update ends it, an undo forwards, a change backwards unless all of
// it is on the disk.
type journal struct {
	w       *Workspace
	name    string
	entries []entry // as far as they were read; see openJournal
	next    int
	damaged int      // the first line that is not one of the journal's; 0 for none
	out     *os.File // while many lines are appended
	torn    bool     // what was appended last was cut short

	dropping sync.WaitGroup // what removes the files of entries that were dropped
}

// openJournal reads as much as the next entry needs: when the last line says
// that its entry was done, nothing else.
func (w *Workspace) openJournal() (*journal, error) {
	name, err := w.ownFile(w.Shared(journalName))
	if err != nil {
		return nil, err
	}
	j := &journal{w: w, name: name, next: 1}
	if err := w.ignoreOwn(); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return j, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(fi.Size(), 256))
	if _, err := f.ReadAt(tail, fi.Size()-int64(len(tail))); err != nil {
		return nil, err
	}
	line := bytes.TrimSuffix(tail, []byte("\n"))
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	var last entry
	if json.Unmarshal(line, &last) == nil && last.Done {
		j.next = last.ID + 1
		return j, nil
	}
	return j, j.load()
}

// load reads every entry. A line cut short by a crash is passed over: what it
// announced was not begun.
func (j *journal) load() error {
	f, err := os.Open(j.name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && fi.Size() > 16*maxJournal {
		return term.Hint(&InputError{Path: j.w.Rel(j.name), What: fmt.Sprintf("%d MB are no journal of cairn's", fi.Size()>>20)},
			"move it away: what it holds can then no longer be undone")
	}
	r := bufio.NewReader(f)
	j.entries, j.damaged = nil, 0
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		var e entry
		isOurs := json.Unmarshal(line, &e) == nil && e.ours()
		if !isOurs && j.damaged == 0 && len(bytes.TrimSpace(line)) > 0 && !(err != nil && bytes.HasPrefix(line, []byte(`{"id":`))) {
			j.damaged = n // and no line that a crash cut short
		}
		if isOurs {
			j.next = max(j.next, e.ID+1)
			switch n := len(j.entries) - 1; {
			case len(e.Ops) > 0 || e.Undoes > 0:
				j.entries = append(j.entries, e)
			case n < 0 || j.entries[n].ID != e.ID:
			case e.Void:
				j.entries = j.entries[:n]
			default:
				last := &j.entries[n]
				last.At, last.Left, last.Done = max(e.At, last.At), cmp.Or(e.Left, last.Left), e.Done
			}
		}
		if err != nil {
			return nil
		}
	}
}

// ours tells a line of the journal from other JSON.
func (e *entry) ours() bool {
	return e.ID > 0 && (len(e.Ops) > 0 || e.Undoes > 0 || e.At > 0 || e.Left > 0 || e.Done)
}

// recover ends an entry that was cut short, and drops old entries from a
// journal that has grown.
func (j *journal) recover() error {
	if n := len(j.entries) - 1; n >= 0 && !j.entries[n].Done {
		for _, name := range j.w.Leftovers() { // nobody else writes: the lock is ours
			_ = os.Remove(j.w.Abs(name))
		}
		if err := j.end(j.entries[n]); err != nil {
			return term.Hint(fmt.Errorf("%q was cut short and cannot be taken back: %w", j.entries[n].Command, err),
				"fix that, or move %s away and look at the plan with git diff", j.w.Shared(journalName))
		}
		return j.load()
	}
	return j.shorten()
}

// end brings the plan to before or after an entry that was cut short: an
// undo is carried on, a change that is whole on the disk stays, any other is
// taken back.
func (j *journal) end(e entry) error {
	last := entry{ID: e.ID, Done: true}
	if e.Undoes > 0 {
		i := slices.IndexFunc(j.entries, func(of entry) bool { return of.ID == e.Undoes })
		if i >= 0 {
			ops := j.entries[i].Ops
			if e.Left > 0 {
				ops = ops[:min(e.Left, len(ops))]
			}
			if err := j.takeBack(e.ID, ops, false); err != nil {
				return err
			}
		}
		return j.append(last, false)
	}
	done := e.Ops[:j.w.reached(e)]
	if len(done) < len(e.Ops) || j.w.changedSince(e.Ops) != nil {
		if err := j.takeBack(e.ID, done, false); err != nil {
			return err
		}
		last.Void = true
		defer j.forget(e.ID)
	}
	return j.append(last, false)
}

// reached returns how many ops of an entry that was cut short may be done.
// All moves before At are; a move after that is, if what it moved is there and
// gone from where it was. Where names go round that is true of moves that are
// yet to come, too, so it is only asked of the next. Other ops tell by
// themselves whether they were done.
func (w *Workspace) reached(e entry) int {
	if e.Left > 0 {
		return min(e.Left, len(e.Ops))
	}
	for i, o := range e.Ops {
		if o.Op == opMove && i >= e.At && (!exists(w.Abs(o.Path)) || exists(w.Abs(o.From))) {
			return i
		}
	}
	return len(e.Ops)
}

// apply writes the entry, does it, and writes that it was done. When any of
// that fails what was done is taken back.
func (j *journal) apply(e entry, c *Change) error {
	if err := j.keep(&e); err != nil {
		return err
	}
	if err := j.append(e, true); err != nil {
		return err
	}
	defer j.holdOpen()()
	w := j.w
	w.progress.BeginCount("changing the plan", int64(len(e.Ops)))
	defer w.progress.End()
	content := map[string][]byte{}
	for _, f := range c.Files {
		content[f.Path] = f.After
	}
	done, unclear := 0, unclear(e.Ops)
	var err error
	for done < len(e.Ops) && err == nil {
		if n := writesFrom(e.Ops[done:]); n > 0 {
			err = w.replaceAll(e.Ops[done:done+n], func(o op) (pending, error) { return w.stage(o, content[o.Path]) })
			done += n // as far as they were: each tells by itself
			continue
		}
		o := e.Ops[done]
		if err = w.do(o, content[o.Path]); err == nil {
			if done++; unclear[done-1] {
				err = j.append(entry{ID: e.ID, At: done}, false)
			}
			w.progress.Add(1)
		}
	}
	if err == nil {
		err = j.append(entry{ID: e.ID, Done: true}, false)
	}
	if err == nil {
		return nil
	}
	if berr := j.takeBack(e.ID, e.Ops[:done], false); berr != nil {
		return term.Hint(errors.Join(err, berr), "the next command that changes the plan takes the rest back")
	}
	// Without this line the next Update finds that there is nothing to take back.
	_ = j.append(entry{ID: e.ID, Done: true, Void: true}, false)
	j.forget(e.ID)
	return err
}

// unclear returns of which moves the disk no longer tells that they were done, once
// those after them are: one takes on what they moved, or puts something where that
// was. Of the many moves that renumber a phase's files there is none.
func unclear(ops []op) []bool {
	out := make([]bool, len(ops))
	touched := map[string]bool{}
	isTouched := func(rel string) bool {
		for ; rel != "."; rel = path.Dir(rel) {
			if touched[rel] {
				return true
			}
		}
		return false
	}
	for i, o := range slices.Backward(ops) {
		out[i] = o.Op == opMove && (isTouched(o.Path) || isTouched(o.From))
		if o.Op == opWrite && !o.New {
			continue // what was moved is still there, with other bytes
		}
		touched[o.Path] = true
		if o.Op == opMove {
			touched[o.From] = true
		}
	}
	return out
}

// unclearBack is unclear while ops are taken back, the last first. The first move
// that is taken back counts, too: that it was says which way it goes.
func unclearBack(ops []op) []bool {
	backwards := slices.Clone(ops)
	slices.Reverse(backwards)
	out := unclear(backwards)
	slices.Reverse(out)
	for i, o := range slices.Backward(ops) {
		if o.Op == opMove {
			out[i] = true
			break
		}
	}
	return out
}

// takeBack undoes ops, the last first, and notes for the entry of that id how
// many are left where the disk would not tell; see [Workspace.takeBack]. It goes
// on where the note cannot be written: only a crash would need it.
func (j *journal) takeBack(id int, ops []op, force bool) error {
	defer j.holdOpen()()
	w := j.w
	unclear := unclearBack(ops)
	for i := len(ops); i > 0; {
		if from := lastWrites(ops[:i]); from < i {
			writes := slices.Clone(ops[from:i])
			slices.Reverse(writes)
			if err := w.replaceAll(writes, func(o op) (pending, error) { return w.stageBack(o, force) }); err != nil {
				return err
			}
			i = from
			continue
		}
		i--
		if err := w.takeBack(ops[i], force); err != nil {
			return err
		}
		w.progress.Add(1)
		if unclear[i] && i > 0 {
			_ = j.append(entry{ID: id, Left: i}, false)
		}
	}
	return nil
}

// holdOpen keeps the journal open for what is appended until the function that
// it returns is called.
func (j *journal) holdOpen() (release func()) {
	if j.out != nil {
		return func() {}
	}
	f, err := j.open()
	if err != nil {
		return func() {} // append will say so
	}
	j.out = f
	return func() {
		j.out = nil
		_ = f.Close()
	}
}

// open opens the journal to append lines. One that was cut short is ended.
func (j *journal) open() (*os.File, error) {
	f, err := os.OpenFile(j.name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if fi, err := f.Stat(); err == nil && fi.Size() > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], fi.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.Write([]byte("\n"))
			if err != nil {
				return nil, errors.Join(err, f.Close())
			}
		}
	}
	return f, nil
}

func (j *journal) append(e entry, sync bool) (err error) {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if j.out == nil {
		if j.out, err = j.open(); err != nil {
			return err
		}
		defer func() {
			err = errors.Join(err, j.out.Close())
			j.out = nil
		}()
	}
	line = append(line, '\n')
	if j.torn {
		line = append([]byte("\n"), line...)
	}
	n, err := j.out.Write(line)
	j.torn = n > 0 && n < len(line)
	if err == nil && sync {
		err = j.out.Sync()
	}
	return err
}

// ignoreOwn makes git ignore what is cairn's own in the planning directory.
func (w *Workspace) ignoreOwn() error {
	name, err := w.ownFile(w.Shared(".gitignore"))
	if err != nil {
		return err
	}
	if exists(name) {
		b, err := ReadFile(name)
		if err != nil {
			return err
		}
		n := len(b)
		for own := range strings.Lines(ownIgnored) {
			if bytes.Contains(b, []byte(strings.Trim(own, "/\n"))) {
				continue
			}
			if len(b) > 0 && b[len(b)-1] != '\n' {
				b = append(b, '\n')
			}
			b = append(b, own...)
		}
		if len(b) == n {
			return nil
		}
		return atomicfile.WriteFile(name, b, 0o644)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteFile(name, []byte("/.gitignore\n"+ownIgnored), 0o644)
}

const ownIgnored = "/" + journalName + "\n/" + ownDir + "/\n" + atomicfile.Temporary + "\n"
