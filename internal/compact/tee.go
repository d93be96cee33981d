package compact

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/redact"
	"cairn/internal/text"
)

// Tee says where raw outputs are stored, so that an agent can see more of one
// without running the command again.
type Tee struct {
	Dir      string        // "" stores nothing
	Session  string        // of the agent: what it asks for twice it gets whole; "" where nobody knows
	Most     int           // bytes of an output that the host gives it whole; 0: any
	OnExit   string        // "nonzero" and "always" store whatever was cut, "never" nothing; "": "nonzero"
	MaxBytes int           // of one file; of a longer output both ends are stored; 0: 32 MiB
	MaxAge   time.Duration // older files are removed; 0: 7 days
	MaxTotal int64         // of all files; the oldest are removed; 0: 512 MiB
	Redact   []string      // the kinds of secret that are taken out; none: every kind
	Dry      bool          // name an id, store nothing: of a replay
}

const (
	teeBytes = 32 << 20
	teeTotal = 512 << 20
	teeAge   = 7 * 24 * time.Hour
	idLen    = 5
	idChars  = "abcdefghjkmnpqrstuvwxyz23456789" // easy to tell apart
	dryID    = "xxxxx"
)

// tees reports whether the raw text of an output that is cut is to be stored.
func (s *Stream) tees() bool {
	when := s.opt.Tee.OnExit
	if t := s.rule.Tee; t != nil && when == "" {
		when = t.OnExit
	}
	return s.opt.Tee.Dir != "" && when != "never"
}

// teeLimit is the size of one stored output.
func (s *Stream) teeLimit() int {
	limit := s.opt.Tee.limit()
	if t := s.rule.Tee; t != nil && t.MaxBytes > 0 {
		limit = min(limit, t.MaxBytes)
	}
	return limit
}

func (t Tee) limit() int {
	if t.MaxBytes <= 0 {
		return teeBytes
	}
	return t.MaxBytes
}

// writeTee stores the raw output, secrets removed, and notes its id. A disk
// that is full or not writable costs the file and nothing else. asked says that
// the same session was given the cut output before: it wants the rest.
func (s *Stream) writeTee(m *Meta) (asked bool) {
	if s.opt.Tee.Dry {
		m.TeeID = dryID
		return false
	}
	var name string
	var err error
	if s.raw.spill != nil {
		m.TeeID, name, err = s.raw.spilled()
	} else {
		m.TeeID, name, asked, err = s.keepRaw()
	}
	if err != nil {
		m.TeeID, m.TeeFailed = "", true
		return false
	}
	m.TeeFile = &name
	expireTees(s.opt.Tee, s.raw.total > rawWhole)
	return asked
}

// keepRaw stores an output that is held whole, or both ends of one that is too
// large to be stored.
func (s *Stream) keepRaw() (id, name string, asked bool, err error) {
	text := s.teeText(s.teeLimit())
	names := randomIDs
	session := s.opt.Tee.Session
	if most := s.opt.Tee.Most; most > 0 && s.raw.total > most {
		session = ""
	}
	if session != "" {
		names = idsOf(session, s.env.Tool, s.env.Command, s.env.Cwd, text)
	}
	id, file, err := createTee(s.opt.Tee.Dir, names, func(name string) bool {
		asked = session != "" && isStored(name, text)
		return asked
	})
	if err != nil || asked {
		return id, filepath.Join(s.opt.Tee.Dir, id+".log"), asked, err
	}
	_, err = file.WriteString(text)
	return id, file.Name(), false, closeTee(file, err)
}

// closeTee closes a file, and removes it if it is not whole.
func closeTee(f *os.File, err error) error {
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// isStored reports whether a stored output is this text. It is as new as one that
// was just stored then.
func isStored(name, text string) bool {
	data, err := os.ReadFile(name)
	if err != nil || string(data) != text {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now)
	return true
}

// createTee makes the file of the first id that is free, or returns one that
// exists and is the same.
func createTee(dir string, id func(try int) string, same func(name string) bool) (string, *os.File, error) {
	err := os.MkdirAll(dir, home.PrivateDir)
	for try := 0; try < 8 && err == nil; try++ {
		id, f := id(try), (*os.File)(nil)
		name := filepath.Join(dir, id+".log")
		f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, home.PrivateFile)
		switch {
		case err == nil:
			return id, f, nil
		case !errors.Is(err, fs.ErrExist):
		case same(name):
			return id, nil, nil
		default:
			err = nil
		}
	}
	return "", nil, cmp.Or(err, fs.ErrExist)
}

func randomIDs(int) string { return shortID(rand.Uint64()) }

// idsOf are the ids of an output of a session: the same for the same.
func idsOf(parts ...string) func(try int) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:", len(p))
		for buf := [1 << 10]byte{}; p != ""; { // a hash takes no string, and a copy would be as long as the output
			n := copy(buf[:], p)
			h.Write(buf[:n])
			p = p[n:]
		}
	}
	sum := h.Sum(nil)
	return func(try int) string { return shortID(binary.LittleEndian.Uint64(sum[try%3*8:]) + uint64(try)) }
}

func shortID(n uint64) string {
	var b [idLen]byte
	for i := range b {
		b[i] = idChars[n%uint64(len(idChars))]
		n /= uint64(len(idChars))
	}
	return string(b[:])
}

// teeText is the raw output, redacted, at most limit bytes of it.
func (s *Stream) teeText(limit int) string {
	raw, whole := s.raw.all()
	head, tail, missing := raw, "", 0
	if !whole {
		head, tail, missing = s.raw.ends()
	}
	if over := len(head) + len(tail) - limit; over > 0 {
		all := head + tail // both ends are next to each other for the cut
		missing += over
		head, tail = all[:limit/2], all[len(all)-limit/2:]
	}
	r := redact.New(s.opt.Tee.Redact...)
	if missing == 0 {
		return r.Text(head + tail)
	}
	return r.Text(head) + afterGap(r, tail, missing)
}

// afterGap is the end of an output of which missing bytes are left out before.
func afterGap(r *redact.Redactor, tail string, missing int) string {
	shown := redact.AfterCut(tail)
	return fmt.Sprintf("\n[… %s bytes …]\n", text.Thousands(missing+len(tail)-len(shown))) + r.Text(shown)
}

// expireTees removes old files and what is too much, at most once an hour by
// the age of a mark, or now.
func expireTees(t Tee, now bool) {
	age, most := t.MaxAge, t.MaxTotal
	if age <= 0 {
		age = teeAge
	}
	if most <= 0 {
		most = teeTotal
	}
	mark := filepath.Join(t.Dir, ".expired")
	if fi, err := os.Stat(mark); err == nil && time.Since(fi.ModTime()) < time.Hour && !now {
		return
	}
	_ = os.WriteFile(mark, nil, home.PrivateFile)
	at := time.Now()
	os.Chtimes(mark, at, at)
	atomicfile.RemoveOlder(t.Dir, age, isTee)
	atomicfile.RemoveOver(t.Dir, most, isTee)
}

func isTee(e fs.DirEntry) bool { return !e.IsDir() && strings.HasSuffix(e.Name(), ".log") }

// ErrNoTee is returned for an id that no stored output has.
var ErrNoTee = errors.New("no stored output has this id")

// LastTee returns the id of the output stored last.
func LastTee(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	id, at := "", time.Time{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".log")
		if fi, err := e.Info(); ok && err == nil && fi.ModTime().After(at) {
			id, at = name, fi.ModTime()
		}
	}
	if id == "" {
		return "", fmt.Errorf("nothing is stored yet: %w", ErrNoTee)
	}
	return id, nil
}

// OpenTee opens the stored output with this id.
func OpenTee(dir, id string) (*os.File, error) {
	if strings.Trim(id, idChars) != "" || id == "" {
		return nil, fmt.Errorf("%q: %w", id, ErrNoTee)
	}
	f, err := os.Open(filepath.Join(dir, id+".log"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", id, ErrNoTee)
	}
	return f, err
}
