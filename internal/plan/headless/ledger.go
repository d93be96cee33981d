package headless

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"cairn/internal/atomicfile"
	"cairn/internal/plan"
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

// ErrRunning says that another run works in this checkout: both would commit to one branch,
// and each would take the other's agents for those of a run that was killed.
var ErrRunning = errors.New("another cairn plan run is at work in this checkout")

// holder is what a run writes beside its lock, for whoever finds it taken. The lock itself
// ends with the process, however that ends.
type holder struct {
	PID   int       `json:"pid"`
	Of    string    `json:"of"` // a phase, or the project
	Since time.Time `json:"since"`
}

func (h holder) String() string {
	of := "phase " + h.Of
	if h.Of == "project" {
		of = "the project's beginning"
	}
	return fmt.Sprintf("%s, process %d, since %s", of, h.PID, h.Since.Format(time.RFC3339))
}

// take locks the checkout for a run.
func take(dir, of string) (*flock.Flock, error) {
	name := filepath.Join(dir, "run")
	lock := flock.New(name + ".lock")
	// A child that a killed run was about to start has the lock until it runs.
	soon, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if ok, err := lock.TryLockContext(soon, 20*time.Millisecond); err != nil && soon.Err() == nil {
		return nil, err
	} else if !ok {
		var h holder
		data, _ := os.ReadFile(name + ".json")
		if json.Unmarshal(data, &h) != nil || h.PID == 0 {
			return nil, ErrRunning
		}
		return nil, fmt.Errorf("%w: %s", ErrRunning, h)
	}
	data, err := json.Marshal(holder{os.Getpid(), of, time.Now().UTC().Truncate(time.Second)})
	if err == nil {
		err = atomicfile.WriteFile(name+".json", append(data, '\n'), 0o600)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock, nil
}

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

func openLedger(w *plan.Workspace, of string) (*ledger, error) {
	name := "run-" + of
	if w.Stream != "" {
		name += "-" + w.Stream
	}
	base := w.Abs(w.Shared(".cairn", name))
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, err
	}
	l := &ledger{dir: base}
	var err error
	if l.lock, err = take(filepath.Dir(base), of); err != nil {
		return nil, err
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

// readEntries reads lines of a ledger: the agents that were started and are not known to
// have ended, and what the others cost.
func readEntries(f io.Reader) (open []Entry, spent float64, err error) {
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var e Entry
		if json.Unmarshal(in.Bytes(), &e) != nil {
			continue // a line that a kill or a full disk cut short
		}
		if !e.Ended {
			open = append(open, e)
			continue
		}
		open = slices.DeleteFunc(open, func(o Entry) bool { return o.Out == e.Out })
		if e.USD != nil {
			spent += *e.USD
		}
	}
	return open, spent, in.Err()
}

// read reads what earlier runs have written.
func (l *ledger) read() (failed error) {
	l.open, l.spent, failed = readEntries(l.file)
	end, err := l.file.Seek(0, io.SeekEnd)
	if last := make([]byte, 1); err == nil && end > 0 {
		_, err = l.file.ReadAt(last, end-1)
		l.torn = last[0] != '\n'
	}
	return errors.Join(failed, err)
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
