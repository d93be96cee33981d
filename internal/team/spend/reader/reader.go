// Package reader reads what agents leave on disk of the requests that they made:
// tokens, times, models, and between which times a tool call may have moved the
// working tree. It reads a file from where it stopped the last time.
//
// A new agent is a row here, a function in a file of its name, and a folder of
// samples in testdata. Where its files are says package runtimes. The formats were
// observed: Claude Code 2.1.39 to 2.1.329, Codex 0.169.0, Gemini CLI 0.61.0,
// OpenCode 1.18.33, Copilot CLI 1.0.102.
package reader

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/runtimes"
	"cairn/internal/team/spend"
	"cairn/internal/transcript"
)

// A File is one that an agent writes to.
type File struct {
	Agent string
	Path  string
	Size  int64
	Mod   time.Time
}

// A Cursor is how far a file was read. The zero Cursor is its beginning.
type Cursor struct {
	Offset int64 `json:"offset"`
	State  state `json:"state"`
}

// state is what the lines to come need to know of those before.
type state struct {
	Session string          `json:"session,omitzero"`
	Dir     string          `json:"dir,omitzero"`
	Branch  string          `json:"branch,omitzero"`
	Model   string          `json:"model,omitzero"`
	Last    time.Time       `json:"last,omitzero"` // when the model was told something last
	Open    map[string]open `json:"open,omitzero"` // calls without a result, by id
	Exact   bool            `json:"exact,omitzero"`
	Total   int64           `json:"total,omitzero"` // of a running sum
	Tool    string          `json:"tool,omitzero"`  // that the answer called whose usage is still to come
}

// open is a call whose result is still to come.
type open struct {
	Session string    `json:"session"`
	Sub     string    `json:"sub,omitzero"`
	Start   time.Time `json:"start"`
	Dir     string    `json:"dir,omitzero"`
	Git     spend.Git `json:"git,omitzero"`
}

const mostOpen = 256 // calls of one file that wait for a result

// Out is what a piece of a file holds.
type Out struct {
	Born     time.Time // when the file was made where the system knows it, or its Mod
	Requests []spend.Request
	Calls    []spend.Call
	Odd      int // lines that should have told of a request, and cannot be read
}

// A row is an agent: which of its files count, and how one is read.
type row struct {
	agent string
	is    func(name string) bool // of the files below its directory
	line  func(s *state, raw []byte, f *File, out *Out)
	whole func(ctx context.Context, f *File, c *Cursor, out *Out) error // in place of line
}

var rows = [...]row{
	{agent: "claude", is: jsonl, line: claudeLine},
	{agent: "codex", is: jsonl, line: codexLine},
	{agent: "gemini", is: func(name string) bool { return jsonl(name) && filepath.Base(filepath.Dir(name)) == "chats" }, line: geminiLine},
	{agent: "opencode", is: func(name string) bool { return filepath.Base(name) == "opencode.db" }, whole: openCode},
	{agent: "copilot", is: func(name string) bool { return filepath.Base(name) == "events.jsonl" }, line: copilotLine},
}

func jsonl(name string) bool { return filepath.Ext(name) == ".jsonl" }

// Agents are the names of those that can be read.
func Agents() (names []string) {
	for i := range rows {
		names = append(names, rows[i].agent)
	}
	return names
}

func find(agent string) *row {
	for i := range rows {
		if rows[i].agent == agent {
			return &rows[i]
		}
	}
	return nil
}

// Files lists what the agents of a user wrote. A directory that is not there is
// fine; what cannot be looked at is given to warn and left out. No link inside of
// a directory is followed.
func Files(home string, getenv func(string) string, warn func(error)) (files []File) {
	for i := range rows {
		r := &rows[i]
		of, _ := runtimes.Find(r.agent)
		for _, dir := range of.UsageDirs(home, getenv) {
			top, err := filepath.EvalSymlinks(dir)
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) {
					warn(err)
				}
				continue
			}
			_ = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
				if err != nil {
					warn(err)
					return fs.SkipDir
				}
				if !d.Type().IsRegular() || !r.is(name) {
					return nil
				}
				fi, err := d.Info()
				if err != nil {
					return nil // it went meanwhile
				}
				f := File{Agent: r.agent, Path: name, Size: fi.Size(), Mod: fi.ModTime()}
				if r.whole != nil { // what a database got lately stands beside it
					if log, err := os.Stat(name + "-wal"); err == nil {
						f.Size += log.Size()
						if log.ModTime().After(f.Mod) {
							f.Mod = log.ModTime()
						}
					}
				}
				files = append(files, f)
				return nil
			})
		}
	}
	return files
}

// Read reads what a file has behind a cursor, and returns the next. A file that
// became shorter is read anew.
func Read(ctx context.Context, f File, c Cursor) (Out, Cursor, error) {
	r := find(f.Agent)
	out := Out{Born: born(f.Path)}
	if out.Born.IsZero() {
		out.Born = f.Mod
	}
	if r.whole != nil {
		err := r.whole(ctx, &f, &c, &out)
		return out, c, err
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return out, c, err
	}
	defer file.Close()
	if c.Offset > f.Size {
		c = Cursor{}
	}
	if _, err := file.Seek(c.Offset, io.SeekStart); err != nil {
		return out, c, err
	}
	if c.State.Open == nil {
		c.State.Open = map[string]open{}
	}
	lines := transcript.NewLines(io.LimitReader(file, f.Size-c.Offset))
	begun := c.Offset
	for {
		line, err := lines.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return out, c, err
		}
		if !lines.Ends && !jsontext.Value(line).IsValid() {
			return out, c, nil // the end of it is still to come
		}
		if len(line) > 1 && line[0] == '{' {
			r.line(&c.State, line, &f, &out)
		}
		c.Offset = begun + lines.Read
		if err != nil {
			return out, c, nil
		}
		if ctx.Err() != nil {
			return out, c, ctx.Err()
		}
	}
}

// begin notes a call that may have git move the working tree.
func (s *state) begin(id string, o open) {
	if id != "" && o.Git != spend.NoGit && len(s.Open) < mostOpen {
		s.Open[id] = o
	}
}

// end makes a call of what was begun.
func (s *state) end(id string, at time.Time, out *Out) *spend.Call {
	o, ok := s.Open[id]
	if !ok {
		return nil
	}
	delete(s.Open, id)
	if at.IsZero() || o.Start.IsZero() {
		return nil
	}
	out.Calls = append(out.Calls, spend.Call{Session: o.Session, Sub: o.Sub, ID: id, Start: o.Start, End: at, Dir: o.Dir, Git: o.Git})
	return &out.Calls[len(out.Calls)-1]
}

// fileName is the name of a file without its kind.
func fileName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
