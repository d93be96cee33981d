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
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
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
	if err == nil && e.CachedAt.Before(c.Policy.Since) {
		return Entry{}, ErrMiss
	}
	return e, err
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
	return filepath.Join(c.Root, suite, key+suffix), checkNames(suite, key)
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

// A Policy says what of a cache may be used. The zero value: everything.
type Policy struct {
	Off   bool      // reads miss, writes do nothing
	Fresh bool      // reads miss; writes replace what is there
	Since time.Time // older entries miss
}

// ParsePolicy reads the values of two variables, EVAL_CACHE or a like one that
// turns a cache off, and EVAL_CACHE_CLEAR. "" is not set. What does not parse
// is said and counts as not set.
//
// anew is for "compute everything anew in this run", which many processes take
// part in that know nothing of each other. So a read never removes
// anything: with 1 every read misses and what is then written takes the old
// entry's place, whatever the order of the workers. With the time at which the
// run began, in seconds since 1970 or as RFC 3339, entries that the run wrote
// itself are hits.
func ParsePolicy(on, anew string) (p Policy, err error) {
	if on != "" {
		use, perr := parseBool(on)
		if perr != nil {
			err = fmt.Errorf("%s is neither 0 nor 1; the cache is used", quoted(on))
		}
		p.Off = perr == nil && !use
	}
	if anew == "" {
		return p, err
	}
	if fresh, perr := parseBool(anew); perr == nil {
		p.Fresh = fresh
	} else if seconds, perr := strconv.ParseFloat(anew, 64); perr == nil && seconds > 1e9 && seconds < 1e11 {
		p.Since = time.UnixMilli(int64(seconds * 1000))
	} else if at, perr := time.Parse(time.RFC3339, anew); perr == nil {
		p.Since = at
	} else {
		err = fmt.Errorf("%s is neither 0, 1 nor a time; the cache is used as it is", quoted(anew))
	}
	return p, err
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "on", "yes":
		return true, nil
	case "off", "no":
		return false, nil
	}
	return strconv.ParseBool(s)
}

// ErrName says that a suite or key cannot be one.
var ErrName = errors.New("cannot be used")

const maxName = 100 // bytes

// checkName refuses a suite or key that is no plain file name on every system.
// what says which of the two it is.
func checkName(what, name string) error {
	wrong := ""
	switch {
	case name == "":
		wrong = "it is empty"
	case len(name) > maxName:
		wrong = fmt.Sprintf("it is longer than %d bytes", maxName)
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-"):
		wrong = "it begins with " + name[:1]
	case strings.HasSuffix(name, "."):
		wrong = "it ends with a dot"
	case deviceOfWindows(name):
		wrong = "Windows keeps that name for a device"
	case strings.ContainsFunc(name, func(r rune) bool {
		return r == utf8.RuneError || !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Nd) && !strings.ContainsRune("._-", r)
	}):
		wrong = "letters, digits and . _ - are allowed"
	default:
		return nil
	}
	return fmt.Errorf("%s %s %w: %s", what, quoted(name), ErrName, wrong)
}

func checkNames(suite, key string) error {
	return cmp.Or(checkName("suite", suite), checkName("key", key))
}

// deviceOfWindows reports whether Windows takes a file of this name, with any
// extension, for a device.
func deviceOfWindows(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	return slices.Contains([]string{"CON", "PRN", "AUX", "NUL"}, base) || len(base) == 4 && (base[:3] == "COM" || base[:3] == "LPT") && base[3] >= '0' && base[3] <= '9'
}
