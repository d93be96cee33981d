package headless

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Entry is one agent that was run.
type Entry struct {
	At      time.Time `json:"at"`
	Role    string    `json:"role"`
	Plan    string    `json:"plan,omitempty"`
	Agent   string    `json:"agent"`
	Model   string    `json:"model,omitempty"`
	Seconds int       `json:"seconds"`
	USD     *float64  `json:"usd"` // null when the agent does not say
	Result  string    `json:"result"`
	Text    string    `json:"-"` // its last message
	PID     int       `json:"pid,omitempty"`
	Out     string    `json:"out,omitempty"` // where it writes
	Ended   bool      `json:"ended"`
}

// ErrRunning says that another run drives the phase: each would take the other's agents
// for those of a run that was killed.
var ErrRunning = errors.New("another cairn plan run is at work on this phase")

// ledger is a file of lines: one when an agent starts, one when it has ended.
type ledger struct {
	dir   string // of what agents write
	lock  *flock.Flock
	mu    sync.Mutex
	file  *os.File
	torn  bool    // the last line was cut short
	open  []Entry // started, and not known to have ended
	ended []Entry // by this run
	gaps  int     // how often what closes gaps was planned
	spent float64 // by earlier runs of this phase
}

func openLedger(w *plan.Workspace, phase doc.PhaseID) (*ledger, error) {
	name := "run-" + phase.Padded()
	if w.Stream != "" {
		name += "-" + w.Stream
	}
	base := w.Abs(w.Shared(".cairn", name))
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, err
	}
	l := &ledger{dir: base}
	l.lock = flock.New(base + ".lock")
	if ok, err := l.lock.TryLock(); err != nil {
		return nil, err
	} else if !ok {
		return nil, ErrRunning
	}
	f, err := os.OpenFile(base+".jsonl", os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, errors.Join(err, l.lock.Unlock())
	}
	l.file = f
	if err := l.read(); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// read reads what earlier runs have written.
func (l *ledger) read() error {
	in := bufio.NewScanner(l.file)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var e Entry
		if json.Unmarshal(in.Bytes(), &e) != nil {
			continue // a line that a kill or a full disk cut short
		}
		if !e.Ended {
			l.open = append(l.open, e)
			continue
		}
		for i, o := range l.open {
			if o.Out == e.Out {
				l.open = append(l.open[:i:i], l.open[i+1:]...)
				break
			}
		}
		if e.USD != nil {
			l.spent += *e.USD
		}
	}
	end, err := l.file.Seek(0, io.SeekEnd)
	if last := make([]byte, 1); err == nil && end > 0 {
		_, err = l.file.ReadAt(last, end-1)
		l.torn = last[0] != '\n'
	}
	return errors.Join(in.Err(), err)
}

func (l *ledger) close() {
	_ = l.file.Close()
	_ = l.lock.Unlock()
}

// usd is what all runs of the phase cost, as far as it is known.
func (l *ledger) usd() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := l.spent
	for _, e := range l.ended {
		if e.USD != nil {
			sum += *e.USD
		}
	}
	return sum
}

// write appends a line. The disk has to keep that of an agent that has ended: what was
// spent is not forgotten. One that was cut short before does not spoil it.
func (l *ledger) write(e Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if l.torn {
		line = append([]byte{'\n'}, line...)
	}
	if _, err := l.file.Write(line); err != nil {
		l.torn = true
		return err
	}
	l.torn = false
	if !e.Ended {
		return nil
	}
	l.ended = append(l.ended, e)
	return l.file.Sync()
}

// out names a new file for what an agent writes.
func (l *ledger) out(role, id string) (*os.File, error) {
	return os.CreateTemp(l.dir, strings.NewReplacer("/", "-", "*", "-").Replace(fmt.Sprintf("%s-%s-*.out", role, id)))
}

// rel is a path of the ledger as its lines have it.
func (l *ledger) rel(name string) string { return filepath.Base(name) }
