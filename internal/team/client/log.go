package client

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/home"
	"cairn/internal/term"
)

// A Log is sync.log: a line per operation,
//
//	[2026-03-15T10:30:00Z] PUSH eval_runs OK 5 tests, 0.3s
//
// It holds no token and nothing of a record. A nil Log takes nothing.
type Log struct {
	file string
	now  func() time.Time
}

// mostLog is where the log begins anew; the one before is kept as sync.log.1.
const mostLog = 1 << 20

// OpenLog returns the log of a home. It touches nothing.
func OpenLog(h home.Home) *Log { return &Log{file: h.SyncLog(), now: time.Now} }

// Add writes one line. A log that cannot be written is no reason to fail.
func (l *Log) Add(verb, what, outcome, more string) {
	if l == nil {
		return
	}
	if fi, err := os.Stat(l.file); err == nil && fi.Size() > mostLog {
		_ = os.Rename(l.file, l.file+".1") // who comes second finds a short file, or renames a short one: a few lines are lost
	}
	if err := os.MkdirAll(filepath.Dir(l.file), home.PrivateDir); err != nil {
		return
	}
	f, err := os.OpenFile(l.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, home.PrivateFile)
	if err != nil {
		return
	}
	defer f.Close()
	if len(more) > 300 {
		more = strings.ToValidUTF8(more[:300], "") + "…"
	}
	parts := []string{"[" + l.now().UTC().Format(time.RFC3339) + "]", verb}
	for _, p := range []string{what, outcome, more} {
		if p != "" {
			parts = append(parts, term.Line(p))
		}
	}
	fmt.Fprintln(f, strings.Join(parts, " "))
}
