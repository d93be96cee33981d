package plan

import (
	"context"
	"errors"
	"strings"
	"time"

	"cairn/internal/must"
	"cairn/internal/term"
)

// Redone is a change that Redo made again. ID is its new one.
type Redone struct {
	ID      int       `json:"id"`
	Command string    `json:"command"`
	Time    time.Time `json:"time"` // of the change that was undone
	Paths   []string  `json:"paths"`
	Change  *Change   `json:"-"`
}

// ErrNothingToRedo says that the last change was not an undo.
var ErrNothingToRedo = errors.New("nothing to redo")

// Redo makes the change again that the last Undo took back: another Redo the one
// before. After any other change, and where a file is not as the undo left it, it
// is an error that changes nothing.
func (w *Workspace) Redo(ctx context.Context) (*Redone, error) {
	out := &Redone{Paths: []string{}}
	change, err := w.update(ctx, func(tx *Tx) (entry, error) {
		j, err := w.readJournal()
		if err != nil {
			return entry{}, err
		}
		undo, of, err := j.redoable()
		if err != nil {
			return entry{}, err
		}
		out.Command, out.Time = of.Command, of.Time
		return entry{Command: of.Command, Redoes: undo.ID}, tx.replay(of, undo)
	})
	if err != nil {
		return nil, err
	}
	out.ID, out.Change = change.ID, change
	seen := map[string]bool{}
	for _, f := range change.Files {
		if !seen[f.Path] {
			seen[f.Path] = true
			out.Paths = append(out.Paths, f.Path)
		}
	}
	return out, nil
}

// redoable returns the newest undo that no other change came after and that was
// not redone, and the change that it took back.
func (j *journal) redoable() (undo, of entry, err error) {
	var undos []entry
	var since string // the change that came after the last undo
	for _, e := range j.entries {
		switch {
		case e.Undoes > 0:
			undos = append(undos, e)
		case e.Redoes > 0 && len(undos) > 0 && undos[len(undos)-1].ID == e.Redoes:
			undos = undos[:len(undos)-1]
		default:
			if len(undos) > 0 {
				since = e.Command
			}
			undos = nil
		}
	}
	if len(undos) == 0 {
		err := j.nothing(ErrNothingToRedo)
		if since != "" && errors.Is(err, ErrNothingToRedo) {
			err = term.Hint(err, "%q changed the plan after the last undo; cairn plan log lists the changes", since)
		}
		return undo, of, err
	}
	undo = undos[len(undos)-1]
	for _, e := range j.entries {
		if e.ID == undo.Undoes && e.Undoes == 0 {
			return undo, e, nil
		}
	}
	return undo, of, ErrNothingToRedo
}

// replay stages the change once more, from what its undo kept.
func (tx *Tx) replay(of, undo entry) error {
	kept := map[string]op{}
	for _, o := range undo.Ops {
		kept[o.Path] = o
	}
	trash := tx.Workspace.trash(of.ID) + "/"
	for _, o := range of.Ops {
		to := o.Path
		if rest, ok := strings.CutPrefix(to+"/", trash); ok { // a removal has the trash of its own entry
			to = strings.TrimSuffix(tx.trash+"/"+rest, "/")
		}
		switch o.Op {
		case opMkdir:
			if !strings.HasPrefix(o.Path+"/", trash) {
				tx.Mkdir(to)
			}
		case opMove:
			if !tx.Has(o.From) {
				return changedSinceUndo(o.From, "is gone")
			}
			if tx.Has(to) {
				return changedSinceUndo(to, "is there again")
			}
			tx.Move(o.From, to)
		case opWrite:
			if err := tx.replayWrite(o, kept); err != nil {
				return err
			}
		}
	}
	return nil
}

func (tx *Tx) replayWrite(o op, kept map[string]op) error {
	k, ok := kept[o.Path]
	if !ok {
		return term.Hint(ErrNothingToRedo, "the undo kept nothing of %s", o.Path)
	}
	if o.New {
		if tx.Has(o.Path) {
			return changedSinceUndo(o.Path, "is there again")
		}
	} else {
		was := o.Was
		if was == "" {
			was = hash(o.Before)
		}
		if b, err := tx.ReadBytes(o.Path); err != nil || hash(b) != was {
			return changedSinceUndo(o.Path, "has changed")
		}
	}
	tx.Write(o.Path, must.Get(tx.readKept(k)))
	return nil
}

func changedSinceUndo(rel, what string) error {
	return term.Hint(errors.New(rel+" "+what+" since the undo"), "nothing was changed; git diff shows what was edited")
}
