package workstream

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/plan"
	"cairn/internal/runtimes"
)

// sessionVars name, in this order, what tells one terminal or agent session
// from another. With one of them the pointer is the session's alone, and is
// kept where the old tool keeps it:
// $TMPDIR/gsd-workstream-sessions/HASH/KEY.
func sessionVars(yield func(string) bool) {
	for _, names := range [...][]string{
		{"GSD_SESSION_KEY"}, runtimes.SessionVars[:],
		{"TERM_SESSION_ID", "WT_SESSION", "TMUX_PANE", "ZELLIJ_SESSION_NAME", "TTY", "SSH_TTY"},
	} {
		for _, name := range names {
			if !yield(name) {
				return
			}
		}
	}
}

// Current returns the workstream that is meant when none is named:
// GSD_WORKSTREAM's, else the one remembered for the session, else "". It
// writes nothing.
func Current(w *plan.Workspace, getenv func(string) string) string {
	if name := getenv("GSD_WORKSTREAM"); name != "" {
		return name
	}
	name, _ := PointerOf(w, getenv).Get()
	return name
}

// Pointer is where the active workstream of a project is remembered, for this
// session.
type Pointer struct {
	w    *plan.Workspace
	file string // of the session, or "": the project's
}

// PointerOf returns the pointer of w's project for the session that the
// environment tells of.
func PointerOf(w *plan.Workspace, getenv func(string) string) Pointer {
	key := sessionKey(getenv)
	if key == "" {
		return Pointer{w: w}
	}
	dir := w.Abs(w.Shared())
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	sum := sha1.Sum([]byte(dir))
	return Pointer{w: w, file: filepath.Join(tempDir(getenv), "gsd-workstream-sessions", hex.EncodeToString(sum[:])[:16], key)}
}

func tempDir(getenv func(string) string) string {
	if dir := getenv("TMPDIR"); dir != "" {
		return dir
	}
	return os.TempDir()
}

// sessionKey returns what tells the session from others, as a file's name; ""
// when nothing does.
func sessionKey(getenv func(string) string) string {
	for name := range sessionVars {
		if value := strings.TrimSpace(getenv(name)); value != "" {
			return fileName(name + "-" + value)
		}
	}
	if runtime.GOOS == "linux" { // elsewhere the terminal's name takes a process to find
		if tty, err := os.Readlink("/proc/self/fd/0"); err == nil && (strings.HasPrefix(tty, "/dev/pts/") || strings.HasPrefix(tty, "/dev/tty")) {
			return fileName("tty-" + tty)
		}
	}
	return ""
}

// fileName keeps of s what every file system takes.
func fileName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_') {
			return r
		}
		return '_'
	}, s)
	const most = 100
	if len(s) <= most {
		return s
	}
	sum := sha1.Sum([]byte(s))
	return s[:most-20] + hex.EncodeToString(sum[:10])
}

// Get returns the active workstream, "" for none. What is remembered but is
// not a workstream, or no longer, is stale; Clear it where that may be
// written.
func (p Pointer) Get() (name string, stale bool) {
	err := p.w.View(func(tx *plan.Tx) error {
		b, err := p.read(tx)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		name = strings.TrimSpace(string(b))
		if err != nil || !Has(tx, name) {
			name, stale = "", true
		}
		return nil
	})
	return name, stale || err != nil
}

func (p Pointer) read(tx *plan.Tx) ([]byte, error) {
	if p.file == "" {
		return tx.ReadBytes(tx.Shared(plan.ActiveStream))
	}
	return plan.ReadFile(p.file)
}

// Set remembers a workstream.
func (p Pointer) Set(ctx context.Context, name string) error {
	if p.file == "" {
		_, err := p.w.Update(ctx, "workstream set", func(tx *plan.Tx) error { p.Stage(tx, name); return nil })
		return err
	}
	if p.w.DryRun {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(p.file), 0o700); err != nil {
		return err
	}
	return atomicfile.WriteFile(p.file, []byte(name+"\n"), 0o600)
}

// Stage remembers a workstream with the rest of a change, and "" forgets it.
// The pointer of a session is not part of the plan: see Set and Clear.
func (p Pointer) Stage(tx *plan.Tx, name string) {
	file := tx.Shared(plan.ActiveStream)
	switch {
	case p.file != "":
	case name != "":
		tx.Write(file, []byte(name+"\n"))
	case tx.Has(file):
		tx.Remove(file)
	}
}

// Clear forgets the active workstream.
func (p Pointer) Clear(ctx context.Context) error {
	if p.file == "" {
		_, err := p.w.Update(ctx, "workstream clear", func(tx *plan.Tx) error { p.Stage(tx, ""); return nil })
		return err
	}
	if p.w.DryRun {
		return nil
	}
	if err := os.Remove(p.file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
