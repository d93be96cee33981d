package shim

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Call is what the host said of a shell call before it began.
type Call struct {
	Command    string        `json:"command"`
	Background bool          `json:"background,omitempty"`
	Timeout    time.Duration `json:"timeout,omitempty"` // nanoseconds; 0: the host's default
}

// plain is a call that waits for its command as long as calls usually do.
func (c Call) plain() bool { return !c.Background && c.Timeout == 0 }

// noteAge is how long the notes of a session are kept.
const noteAge = 24 * time.Hour

// Note leaves a note on a call for the shims it may start. A plain call needs
// none, unless that of another call, whose command is a part of this one,
// could be taken for it; one that an earlier, equal command left is taken away.
func (s *Shell) Note(session string, c Call) error {
	if s == nil || session == "" || c.Command == "" {
		return nil
	}
	dir := notesOf(s.Home, session)
	name := filepath.Join(dir, hash(c.Command)+".json")
	if c.plain() {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if findCall(s.Home, session, c.Command).Command == "" {
			return nil
		}
	}
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	atomicfile.RemoveOlder(s.Home.Calls(), noteAge, fs.DirEntry.IsDir) // of sessions that are long over
	return atomicfile.WriteFile(name, data, home.PrivateFile)
}

func notesOf(h home.Home, session string) string {
	return filepath.Join(h.Calls(), hash(session)) // a session's id is the host's: never a path
}

// hash makes a file's name of any text. Two texts with one name would only
// share a note, which is read to see whether it fits.
func hash(s string) string {
	h := fnv.New64a()
	h.Write([]byte(s))
	return fmt.Sprintf("%016x", h.Sum64())
}

// findCall returns the note on the call that runs the script, a plain one
// when there is none. The host wraps a command in a script of its own and
// quotes it there, so both are compared without quoting.
func findCall(h home.Home, session, script string) Call {
	dir := notesOf(h, session)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return Call{}
	}
	script = unquoted(script)
	var best Call
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		var c Call
		if err != nil || json.Unmarshal(data, &c) != nil {
			continue
		}
		if len(c.Command) > len(best.Command) && strings.Contains(script, unquoted(c.Command)) {
			best = c
		}
	}
	return best
}

func unquoted(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\", r) || r <= ' ' {
			return -1
		}
		return r
	}, s)
}
