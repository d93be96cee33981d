package plan

import (
	"time"

	"github.com/gofrs/flock"
)

// Interrupted is a change that was cut short, by a crash or a kill. The next
// Update takes it back before it does anything else.
type Interrupted struct {
	Command string
	Time    time.Time
}

// Interrupted returns the change that was cut short, or nil. It reads the
// journal without the lock: while another process writes, its change looks
// cut short; see Locked.
func (w *Workspace) Interrupted() (*Interrupted, error) {
	if w.Locked() {
		return nil, nil
	}
	j, err := w.readJournal()
	if err != nil {
		return nil, err
	}
	if n := len(j.entries) - 1; n >= 0 && !j.entries[n].Done {
		return &Interrupted{j.entries[n].Command, j.entries[n].Time}, nil
	}
	return nil, nil
}

// Locked reports whether a process holds the planning directory's lock now.
func (w *Workspace) Locked() bool {
	name, err := w.ownFile(w.Shared(ownDir, "lock"))
	if err != nil || !exists(name) {
		return false
	}
	l := flock.New(name)
	ok, err := l.TryRLock()
	if ok {
		_ = l.Close()
	}
	return err == nil && !ok
}
