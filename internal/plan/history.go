package plan

import (
	"slices"
	"time"
)

// A Past is a change that cairn made to the plan, as the journal has it. Old ones
// are dropped where the journal has grown.
type Past struct {
	ID      int       `json:"id"`
	Time    time.Time `json:"time"`
	Command string    `json:"command"`
	By      string    `json:"by,omitempty"` // "" where the journal does not say
	Paths   []string  `json:"paths"`
	Undone  bool      `json:"undone"`
	Undo    bool      `json:"undo"`             // what undo takes back next
	Edited  string    `json:"edited,omitempty"` // why undo would refuse without force: what was edited since
}

// readJournal reads the journal as it is, without the lock.
func (w *Workspace) readJournal() (*journal, error) {
	name, err := w.ownFile(w.Shared(journalName))
	if err != nil {
		return nil, err
	}
	j := &journal{w: w, name: name, next: 1}
	return j, j.load()
}

// History lists the changes that were made, the newest first. Like Interrupted it
// reads without the lock.
func (w *Workspace) History() ([]Past, error) {
	j, err := w.readJournal()
	if err != nil {
		return nil, err
	}
	if j.damaged > 0 && len(j.entries) == 0 {
		return nil, j.nothing(ErrNothingToUndo)
	}
	next, _ := j.inForce()
	undone := map[int]bool{}
	var list []Past
	for _, e := range slices.Backward(j.entries) {
		undone[e.Undoes] = true
		if e.Undoes > 0 || !e.Done {
			continue
		}
		p := Past{ID: e.ID, Time: e.Time, Command: e.Command, By: e.By, Paths: []string{}, Undone: undone[e.ID], Undo: e.ID == next.ID}
		for _, o := range e.Ops {
			if o.Op != opMkdir && !slices.Contains(p.Paths, o.Path) && o.Path != w.trash(e.ID) {
				p.Paths = append(p.Paths, o.Path)
			}
		}
		if p.Undo {
			if err := w.changedSince(e.Ops); err != nil {
				p.Edited = err.Error()
			}
		}
		list = append(list, p)
	}
	return list, nil
}
