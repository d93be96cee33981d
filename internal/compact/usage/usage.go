// Package usage keeps the account of what compaction did: one line of JSON in
// ~/.cairn/compact/usage.jsonl for every output that was looked at, and what
// the lines add up to.
//
// cli writes the lines and prints the sums; nothing else imports it. It
// imports home, for the modes of files, and atomicfile. The text of an output
// or of a command never belongs here, nor does a price.
package usage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// Where an output was compacted. Show is none: the raw output behind a
// compacted one was printed.
const (
	Hook  = "hook"
	Shell = "shell" // a call that failed; older releases wrote "shim", for one tool of it
	Run   = "run"
	Show  = "show"
)

// An Entry is one line. Tokens are estimates (package tokens).
type Entry struct {
	Time    time.Time `json:"time"`
	Path    string    `json:"path"`
	Agent   string    `json:"agent,omitempty"` // the host; "" of a person or a script
	Session string    `json:"session,omitempty"`
	Project string    `json:"project,omitempty"` // the repository, or the directory
	Tool    string    `json:"tool,omitempty"`
	Call    string    `json:"call,omitempty"` // what Call returns
	Rule    string    `json:"rule,omitempty"`
	Exit    string    `json:"exit,omitempty"` // "ok", "failed" or "unknown"

	Lines      int       `json:"lines"`              // of the output
	LinesAfter int       `json:"linesAfter"`         // of what went to the agent
	Tokens     int       `json:"tokens"`             // of the output
	Without    int       `json:"without"`            // that the model would have received without us
	With       int       `json:"with"`               // that it received
	Guard      int       `json:"guard,omitempty"`    // lines the guard brought back
	Verifier   *Verifier `json:"verifier,omitempty"` // nil: it was not asked
	Raw        string    `json:"raw,omitempty"`      // the id of the stored output
	Ms         int64     `json:"ms,omitempty"`       // the compaction took
}

// A Verifier is what asking the language model brought and cost.
type Verifier struct {
	Restored int    `json:"restored"` // lines
	Model    string `json:"model,omitempty"`
	Input    int    `json:"input"` // tokens, as billed
	Output   int    `json:"output"`
}

// Call names a command in a directory without telling either.
func Call(command, dir string) string {
	if command == "" {
		return ""
	}
	h := fnv.New64a()
	h.Write([]byte(dir + "\x00" + command))
	return fmt.Sprintf("%016x", h.Sum64())
}

// Append adds one line to the file. Lines that are added at once by several
// processes do not mix.
func Append(name string, e Entry) error {
	line, err := e.line()
	if err == nil {
		err = atomicfile.Append(name, append(line, '\n'), home.PrivateDir, home.PrivateFile)
	}
	if err != nil {
		return err
	}
	return rotate(name, maxFile)
}

var lineStart = []byte(`{"time":"`) // of every line

// Each calls fn with every entry that is not from before since, in the order
// they were added, those of the file before it first. A file that does not exist has none. Lines that
// are no entries are counted: a machine that lost its power or a disk that was
// full may leave the beginning of one, which the next entry then follows.
func Each(name string, since time.Time, fn func(Entry)) (broken int, err error) {
	before, err := each(name+earlier, since, fn)
	if err != nil {
		return before, err
	}
	broken, err = each(name, since, fn)
	return before + broken, err
}

func each(name string, since time.Time, fn func(Entry)) (broken int, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 64<<10)
	first := append(bytes.Clone(lineStart), since.UTC().Format("2006-01-02T15:04:05")...)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 && !isBefore(line, first) {
			e, ok := parse(line)
			if i := bytes.LastIndex(line, lineStart); !ok && i > 0 {
				broken++
				e, ok = parse(line[i:])
			}
			switch {
			case !ok:
				broken++
			case !e.Time.Before(since):
				fn(e)
			}
		}
		if errors.Is(err, io.EOF) {
			return broken, nil
		}
		if err != nil {
			return broken, err
		}
	}
}

// isBefore tells without decoding it that a line, whole and as Append writes
// them, is from before the time that first names.
func isBefore(line, first []byte) bool {
	return len(line) > len(first) && bytes.Compare(line[:len(first)], first) < 0 && bytes.LastIndex(line, lineStart) == 0
}

func parse(line []byte) (e Entry, ok bool) {
	ok = json.Unmarshal(line, &e) == nil && e.Path != "" && !e.Time.IsZero()
	return e, ok
}
