package plan

import (
	"bytes"
	"errors"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// State is STATE.md of a Tx: where the work stands, what was decided, what is
// in the way. Its methods edit the body; the frontmatter follows from the
// body and the phases when EditState ends. Text that is given becomes one
// line, so that it stays what it was put in as: an item, a row, a field.
type State struct {
	doc.State
	tx     *Tx
	now    time.Time
	counts counts
	word   string // the status for the frontmatter, when the body's does not say it
}

// counts says what becomes of the counters in the frontmatter.
type counts int

const (
	countAnew counts = iota // from the phases
	countKept               // as they are, if there are any
	countZero
)

// ErrNoState says that there is no STATE.md.
var ErrNoState = errors.New("STATE.md not found")

// State reads STATE.md. Without one the error is ErrNoState.
func (tx *Tx) State() *State {
	t := tx.ReadIfThere(tx.Path("STATE.md"))
	if t == nil {
		must.Fail(term.Hint(missing{tx.Path("STATE.md")}, "cairn plan init makes one"))
	}
	return &State{State: doc.State{Text: t}, tx: tx, now: tx.now()}
}

// missing is ErrNoState with the path, and bad input.
type missing struct{ path string }

func (m missing) Error() string { return m.path + " not found" }
func (m missing) Unwrap() []error {
	return []error{ErrNoState, &InputError{Path: m.path, What: "not found"}}
}

// EditState calls fn with STATE.md and then, if fn changed it, brings its
// frontmatter up to date.
func (tx *Tx) EditState(fn func(*State)) {
	s := tx.State()
	before := s.Bytes()
	fn(s)
	if bytes.Equal(before, s.Bytes()) {
		return
	}
	s.derive()
}

// today returns the date as fields have it.
func (s *State) today() string { return s.now.Format(time.DateOnly) }

// stamp returns the time as the frontmatter has it.
func (s *State) stamp() string { return stamp(s.now) }

func stamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }

// refuse is an error about STATE.md as it is.
func (s *State) refuse(what string) {
	must.Fail(&InputError{Path: s.tx.Path("STATE.md"), What: what})
}

// touched collects the names of what was written.
type touched []string

func (t *touched) add(name string, ok bool) {
	if ok {
		*t = append(*t, name)
	}
}
