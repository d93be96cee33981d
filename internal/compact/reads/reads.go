// Package reads is a ledger of what an agent has been shown of files, so that a
// repeated Read need not send again what stands in the model's context.
//
// hook imports it. It imports home, for the modes of files, and atomicfile. It
// knows no host and no wording: what a short answer says belongs to hook.
//
// A session is a directory, an agent in it (the session's own, or a subagent)
// another, a file of the project a file there. Of a file's content only hashes
// of its lines are kept. A session's directory is made when the hook hears that
// the session began, and everything in it goes when the host says that the
// model's context was replaced: where no host says so, nothing is ever left out.
// Hooks run at once; each file is replaced whole, and what one of two loses
// means that lines are shown again. Every doubt and every error means the same.
package reads

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

const (
	// Least is the size of a text in bytes from which part of it may be left
	// out: below, it costs little to show it again.
	Least = 2 << 10
	// Far is how many tokens later a model is no longer expected to go back to
	// what it was shown. A pause counts as so many: hosts clear old results out
	// of the context of a session that rested.
	Far   = 50_000
	pause = time.Hour

	mostLines = 50_000 // of a file that is tracked
	sessions  = 48 * time.Hour
)

// Begin starts the ledger of a session, or starts it anew: of what it held
// nothing is in the model's context any more, or that is not known.
func Begin(root, session string) error {
	dir := filepath.Join(root, name(session))
	atomicfile.RemoveOlder(root, sessions, fs.DirEntry.IsDir)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, home.PrivateDir)
}

// A Ledger is what one agent was shown in one session. A nil Ledger has seen
// nothing and keeps nothing.
type Ledger struct {
	dir string
	now time.Time
}

// Open returns the ledger of an agent ("" for the session's own), or nil where
// the session's beginning was not seen.
func Open(root, session, agent string, now time.Time) *Ledger {
	if root == "" || session == "" {
		return nil
	}
	dir := filepath.Join(root, name(session))
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return nil
	}
	return &Ledger{filepath.Join(dir, name(agent)), now}
}

// name is the name of a file of ours for a name that strangers choose.
func name(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// Spent counts the tokens of a result that the model got: a record of them and
// of the time, in seconds.
func (l *Ledger) Spent(tokens int) error {
	if l == nil {
		return nil
	}
	record := binary.LittleEndian.AppendUint32(nil, uint32(max(0, tokens)))
	record = binary.LittleEndian.AppendUint32(record, uint32(l.now.Unix()))
	return atomicfile.Append(l.clockFile(), record, home.PrivateDir, home.PrivateFile)
}

func (l *Ledger) clockFile() string { return filepath.Join(l.dir, "tokens") }

// clock is how many tokens the model has got so far.
func (l *Ledger) clock() (tokens uint32) {
	data, _ := os.ReadFile(l.clockFile())
	var before uint32
	rested := func(now uint32) {
		if before > 0 && now > before && now-before > uint32(pause.Seconds()) {
			tokens += Far + 1
		}
		before = now
	}
	for ; len(data) >= 8; data = data[8:] {
		rested(binary.LittleEndian.Uint32(data[4:]))
		tokens += binary.LittleEndian.Uint32(data)
	}
	rested(uint32(l.now.Unix()))
	return tokens
}

func (l *Ledger) file(path string) string { return filepath.Join(l.dir, name(path)) }

// hashes are those of a text's lines, none of them 0.
func hashes(text string) []uint64 {
	all := make([]uint64, 0, strings.Count(text, "\n")+1)
	for {
		line, rest, more := strings.Cut(text, "\n")
		sum := sha256.Sum256([]byte(line))
		all = append(all, binary.LittleEndian.Uint64(sum[:])|1)
		if !more {
			return all
		}
		text = rest
	}
}
