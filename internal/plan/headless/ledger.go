package headless

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

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

// ledger is a file of lines: one when an agent starts, one when it has ended.
type ledger struct {
	dir   string // of what agents write
	mu    sync.Mutex
	file  *os.File
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
	f, err := os.OpenFile(base+".jsonl", os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	l.file = f
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var e Entry
		if json.Unmarshal(in.Bytes(), &e) != nil {
			continue // a line that a kill cut short
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
	return l, in.Err()
}

func (l *ledger) close() { _ = l.file.Close() }

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

// write appends a line and has the disk keep it: what was spent is not forgotten.
func (l *ledger) write(e Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return err
	}
	if e.Ended {
		l.ended = append(l.ended, e)
	}
	return l.file.Sync()
}

// out names a new file for what an agent writes.
func (l *ledger) out(role, id string) (*os.File, error) {
	return os.CreateTemp(l.dir, strings.NewReplacer("/", "-", "*", "-").Replace(fmt.Sprintf("%s-%s-*.out", role, id)))
}

// rel is a path of the ledger as its lines have it.
func (l *ledger) rel(name string) string { return filepath.Base(name) }
