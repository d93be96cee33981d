// Package cache keeps what a run of an eval computed, by suite and key, so that
// the next run need not ask a model again: one file per entry, ROOT/SUITE/KEY.json.
//
// A key says all that the data depends on (see Key), so an entry never grows
// old: another input has another key. Any number of processes may read and
// write at once. A reader sees an entry whole or not at all; of two writers
// the later one stays.
//
// The command line and the judge import it, each with a root of its own. It
// never runs an eval, never looks into the data and reads no environment.
package cache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
	"unicode/utf8"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// MaxData is how many bytes one entry's data may have.
const MaxData = 64 << 20

// maxFile leaves room for what the envelope adds.
const maxFile = MaxData + 64<<10

var (
	// ErrMiss says that there is no entry that may be used.
	ErrMiss = errors.New("not in the cache")
	// ErrData says that what should be kept is no JSON or too much.
	ErrData = errors.New("cannot be kept")
)

// A Cache is the entries under one directory, which need not exist.
type Cache struct {
	Root   string
	Policy Policy
}

// Read returns an entry. An entry that is not there, of another version or not
// to be used by the policy is ErrMiss; one that is damaged is a *CorruptError,
// which is ErrMiss too.
func (c Cache) Read(suite, key string) (Entry, error) {
	name, err := c.file(suite, key)
	if err != nil {
		return Entry{}, err
	}
	if c.Policy.Off || c.Policy.Fresh {
		return Entry{}, ErrMiss
	}
	e, err := readEntry(name, suite, key)
	switch {
	case err != nil:
		return Entry{}, err
	case e.CachedAt.Before(c.Policy.Since):
		return Entry{}, ErrMiss
	}
	return e, nil
}

// Write keeps data, which is one JSON value and comes back byte for byte but
// for the space around it. caseName may be empty. With a policy that is off
// nothing is written.
func (c Cache) Write(suite, key, caseName string, data []byte, now time.Time) error {
	name, err := c.file(suite, key)
	if err != nil {
		return err
	}
	if data = bytes.TrimSpace(data); len(data) > MaxData {
		return fmt.Errorf("%w: more than %d MB of data", ErrData, MaxData>>20)
	}
	if err := checkData(data); err != nil {
		return fmt.Errorf("%w: %w", ErrData, err)
	}
	if c.Policy.Off {
		return nil
	}
	return writeFile(name, encode(Entry{Suite: suite, Key: key, Case: caseName, CachedAt: now, Data: data}))
}

// file is where an entry is or would be.
func (c Cache) file(suite, key string) (string, error) {
	if err := checkName("suite", suite); err != nil {
		return "", err
	}
	if err := checkName("key", key); err != nil {
		return "", err
	}
	return filepath.Join(c.Root, suite, key+suffix), nil
}

const suffix = ".json"

func readEntry(name, suite, key string) (Entry, error) {
	fi, err := os.Stat(name)
	if err == nil && !fi.Mode().IsRegular() {
		return Entry{}, &CorruptError{name, errors.New("it is not a regular file")}
	}
	if err == nil && fi.Size() > maxFile {
		return Entry{}, &CorruptError{name, errors.New("it is too large")}
	}
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, ErrMiss
	}
	if err != nil {
		return Entry{}, err
	}
	e, err := decode(raw)
	switch {
	case errors.Is(err, errVersion):
		return Entry{}, &VersionError{name, e.Version}
	case err != nil:
	case e.Suite != suite:
		err = fmt.Errorf("its suite is %s", quoted(e.Suite))
	case e.Key != "" && e.Key != key:
		err = fmt.Errorf("its key is %s", quoted(e.Key))
	}
	if err != nil {
		return Entry{}, &CorruptError{name, err}
	}
	return e, nil
}

// quoted is a stranger's text in a message.
func quoted(s string) string {
	const most = 60
	if len(s) > most {
		for s = s[:most]; !utf8.ValidString(s); {
			s = s[:len(s)-1]
		}
		s += "…"
	}
	return fmt.Sprintf("%q", s)
}

// writeFile makes the directory too. That may go while we work, because a
// clear took the last entry out of it; and on Windows a file that is just
// being read cannot be replaced. Both are over in a moment.
func writeFile(name string, data []byte) (err error) {
	for try := range 20 {
		time.Sleep(time.Duration(try) * time.Millisecond)
		err = atomicfile.WriteDeep(name, data, home.PrivateDir, home.PrivateFile)
		if !errors.Is(err, fs.ErrNotExist) && (runtime.GOOS != "windows" || !errors.Is(err, fs.ErrPermission)) {
			break
		}
	}
	return err
}

// A CorruptError is an entry that cannot be used, and why.
type CorruptError struct {
	File string
	err  error
}

func (e *CorruptError) Error() string   { return e.File + ": " + e.err.Error() }
func (e *CorruptError) Unwrap() []error { return []error{ErrMiss, e.err} }

// A VersionError is an entry that another version of cairn wrote.
type VersionError struct {
	File    string
	Version int
}

func (e *VersionError) Error() string {
	return e.File + ": " + e.reason()
}

func (e *VersionError) reason() string {
	return fmt.Sprintf("it is of version %d, this cairn reads %d", e.Version, Version)
}

func (e *VersionError) Unwrap() error { return ErrMiss }
