package guard

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A bridge is what the status line, which is told how full the window is,
// leaves for the other events of a session, which are not: the file
// claude-ctx-SESSION.json in the temporary directory. Others write and read
// it too, so its name and first four members are theirs.
type bridge struct {
	Session   string  `json:"session_id"`
	Left      float64 `json:"remaining_percentage"`
	Used      int     `json:"used_pct"`
	Timestamp int64   `json:"timestamp"`        // seconds
	Size      int     `json:"window,omitempty"` // of the window, in tokens
}

const (
	bridgeAge  = 60 * time.Second // what is older may be wrong by now
	bridgeSize = 4 << 10          // bytes; ours have a few hundred
)

// sessionFile is a file of a session in the temporary directory, "" for a
// session whose name is no file's.
func (g *Guard) sessionFile(session, suffix string) string {
	if session == "" || len(session) > 200 || strings.ContainsAny(session, `/\`+"\x00") || strings.Contains(session, "..") {
		return ""
	}
	dir := g.Temp
	if dir == "" {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "claude-ctx-"+session+suffix)
}

func (g *Guard) readBridge(session string) (b bridge, ok bool) {
	data, err := readSmall(g.sessionFile(session, ".json"))
	return b, err == nil && json.Unmarshal(data, &b) == nil
}

// fresh reports whether a bridge says how things are.
func (b bridge) fresh(now time.Time) bool {
	age := now.Sub(time.Unix(b.Timestamp, 0))
	return age <= bridgeAge && age >= -bridgeAge && b.Left >= 0 && b.Left <= 100
}

// writeBridge tells other events of the session what is left.
func (g *Guard) writeBridge(session string, left float64, size int) error {
	name := g.sessionFile(session, ".json")
	if name == "" {
		return nil
	}
	data, err := json.Marshal(bridge{session, left, int(math.Round(100 - left)), g.now().Unix(), size})
	if err != nil {
		return err
	}
	return replace(name, data)
}

// replace puts a file of a session in its place: who reads it at the same time
// has the old one or the new one. Anybody can write in the temporary directory,
// so a link there is replaced, not followed as package atomicfile would; and
// what is worth a minute is not synced.
func replace(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "claude-ctx-*.tmp") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// readSmall reads a file of a session; a link is none of ours, and a pipe would
// wait for its writer.
func readSmall(name string) ([]byte, error) {
	if fi, err := os.Lstat(name); err != nil || !fi.Mode().IsRegular() || fi.Size() > bridgeSize {
		return nil, errors.Join(err, os.ErrInvalid)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, bridgeSize))
}
