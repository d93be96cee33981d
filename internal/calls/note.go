package calls

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

// A Call is what the host said of a shell call that the agent does not wait
// for: of such a call the output stays as it is.
type Call struct {
	Command    string `json:"command,omitempty"`    // known before it began
	Background bool   `json:"background,omitempty"` // false: an equal command that the agent waits for
	Task       string `json:"task,omitempty"`       // known when it was moved to the background: part of its file's name
}

// noteAge is how long the notes of a session are kept.
const noteAge = 7 * 24 * time.Hour

// Note leaves a note on a call for when it ends. One that the agent waits for
// needs none, unless that of another call, whose command is a part of this one,
// could be taken for it; one that an earlier, equal command left is taken away.
func (s *Shell) Note(session string, c Call) error {
	if s == nil || session == "" || c.Command == "" && c.Task == "" {
		return nil
	}
	dir := notesOf(s.Home, session)
	name := filepath.Join(dir, hash(c.Command+"\x00"+c.Task)+".json")
	if !c.Background {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !noted(s.Home, session, c.Command, "") {
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

// noted reports whether the call that runs the script and writes to the file is
// one that the agent does not wait for. The host wraps a command in a script of
// its own and quotes it there, so both are compared without quoting.
func noted(h home.Home, session, script, file string) bool {
	dir := notesOf(h, session)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return false
	}
	script, file = unquoted(script), filepath.Base(file)
	var best Call
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		var c Call
		switch {
		case err != nil || json.Unmarshal(data, &c) != nil:
		case c.Task != "":
			if strings.Contains(file, c.Task) {
				return true
			}
		case len(c.Command) > len(best.Command) && strings.Contains(script, unquoted(c.Command)):
			best = c
		}
	}
	return best.Background
}

func unquoted(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\", r) || r <= ' ' {
			return -1
		}
		return r
	}, s)
}
