// Package local is the team server of this machine: what it writes down of
// itself in its data directory, whether it answers, and how it is ended.
//
// The process that serves writes the file while it holds the directory's lock.
// Who wants to end it proves with the token in the file, which only this user
// can read, that they may; no signal is sent, so a stranger that got the number
// of a process that is gone is never hit.
//
// cli imports it. How the process is started and what is done with it does not
// belong here.
package local

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// fileName is the file in the data directory.
const fileName = "up.json"

// File is where a server of a data directory writes down what it is.
func File(dir string) string { return filepath.Join(dir, fileName) }

// A State is what a server wrote down. It stays when the server has ended: the
// address is used again.
type State struct {
	Version    int       `json:"v"`
	PID        int       `json:"pid,omitzero"` // 0: it ended in order
	URL        string    `json:"url"`
	Listen     string    `json:"listen"`            // host:port
	Formerly   []string  `json:"formerly,omitzero"` // URLs that it had
	Started    time.Time `json:"started,omitzero"`
	Background bool      `json:"background"` // cairn up started it
	Cairn      string    `json:"cairn"`      // its version
	Binary     Binary    `json:"binary"`
	Token      string    `json:"token,omitzero"` // proves that one may ask and end it
}

// A Binary is a program's file as it was when it was started.
type Binary struct {
	Path string    `json:"path"`
	Size int64     `json:"size"`
	Mod  time.Time `json:"mod"`
}

// BinaryAt looks at a program's file.
func BinaryAt(path string) (Binary, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return Binary{Path: path}, err
	}
	return Binary{Path: path, Size: fi.Size(), Mod: fi.ModTime().UTC()}, nil
}

// Same reports whether two are one file that nobody replaced.
func (b Binary) Same(c Binary) bool {
	return b.Path == c.Path && b.Size == c.Size && b.Mod.Equal(c.Mod)
}

// NewToken makes the token of a process that is about to serve.
func NewToken() string {
	b := make([]byte, 32)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Begun writes down what the server is that holds the directory's lock.
func Begun(dir string, s State) error {
	before, err := Read(dir)
	if err != nil {
		return err
	}
	s.Formerly = before.Formerly
	if before.URL != "" && !slices.Contains(s.Formerly, before.URL) {
		s.Formerly = append(s.Formerly, before.URL)
	}
	s.Formerly = slices.DeleteFunc(s.Formerly, func(url string) bool { return url == s.URL })
	return write(dir, s)
}

func write(dir string, s State) error {
	s.Version = 1
	data, err := json.Marshal(s, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(File(dir), append(data, '\n'), home.PrivateFile)
}

// Ended writes down that the server ended in order.
func Ended(dir string) error {
	s, err := Read(dir)
	if err != nil {
		return err
	}
	s.PID, s.Token, s.Started = 0, "", time.Time{}
	return write(dir, s)
}

// Read returns what the last server of a directory wrote; the zero State where
// there was none, or what it wrote is damaged.
func Read(dir string) (State, error) {
	var s State
	data, err := atomicfile.ReadRegular(File(dir), 64<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if json.Unmarshal(data, &s) != nil {
		return State{}, nil
	}
	return s, nil
}
