package client

import (
	"bytes"
	"fmt"
	"io"
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

// File is where the log is.
func (l *Log) File() string { return l.file }

// A Line of the log.
type Line struct {
	At                  time.Time
	Verb, What, Outcome string
	More                string
}

// mostTail is how much of the end of the log is looked at, in bytes.
const mostTail = 256 << 10

// Last returns the newest line that is wanted, ok false where there is none.
func (l *Log) Last(wanted func(Line) bool) (line Line, ok bool) {
	for _, file := range []string{l.file, l.file + ".1"} {
		lines := bytes.Split(tail(file), []byte("\n"))
		for i := len(lines) - 1; i >= 0; i-- {
			if line, ok := parseLine(string(lines[i])); ok && wanted(line) {
				return line, true
			}
		}
	}
	return Line{}, false
}

func tail(file string) []byte {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	if fi, err := f.Stat(); err == nil && fi.Size() > mostTail {
		_, _ = f.Seek(-mostTail, io.SeekEnd)
	}
	data, _ := io.ReadAll(io.LimitReader(f, mostTail))
	return data
}

func parseLine(text string) (Line, bool) {
	parts := strings.SplitN(text, " ", 5)
	if len(parts) < 4 {
		return Line{}, false
	}
	at, err := time.Parse(time.RFC3339, strings.Trim(parts[0], "[]"))
	line := Line{At: at, Verb: parts[1], What: parts[2], Outcome: parts[3]}
	if len(parts) == 5 {
		line.More = parts[4]
	}
	return line, err == nil
}
