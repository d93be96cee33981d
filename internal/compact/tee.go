package compact

import (
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
	OnExit   string        // "nonzero" (failures and large cuts, the default), "always" or "never"
	MaxBytes int           // of one file; of a longer output both ends are stored; 0: 1 MiB
	MaxAge   time.Duration // older files are removed; 0: 7 days
	Redact   []string      // the kinds of secret that are taken out; none: every kind
}

const (
	teeBytes = 1 << 20
	teeAge   = 7 * 24 * time.Hour
	idLen    = 5
	idChars  = "abcdefghjkmnpqrstuvwxyz23456789" // easy to tell apart
)

// tees reports whether this output's raw text is to be stored.
func (s *Stream) tees(failed bool, cut int) bool {
	when := s.opt.Tee.OnExit
	if s.opt.Tee.Dir == "" || s.rule == nil {
		return false
	}
	if t := s.rule.Tee; t != nil && t.OnExit != "" && when == "" {
		when = t.OnExit
	}
	if when == "never" {
		return false
	}
	return when == "always" || failed || cut > bigCut || s.store != nil && s.store.list.cut > 0
}

// writeTee stores the raw output, secrets removed, and notes its id. A disk
// that is full or not writable costs the file and nothing else.
func (s *Stream) writeTee(m *Meta) {
	limit := s.opt.Tee.MaxBytes
	if limit <= 0 {
		limit = teeBytes
	}
	if t := s.rule.Tee; t != nil && t.MaxBytes > 0 {
		limit = min(limit, t.MaxBytes)
	}
	id, file, err := createTee(s.opt.Tee.Dir)
	if err == nil {
		_, err = file.WriteString(s.teeText(limit))
		if cerr := file.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			os.Remove(file.Name())
		}
	}
	if err != nil {
		m.TeeFailed = true
		return
	}
	name := file.Name()
	m.TeeID, m.TeeFile = id, &name
	expireTees(s.opt.Tee)
}

// createTee makes the file of a fresh id.
func createTee(dir string) (id string, f *os.File, err error) {
	if err = os.MkdirAll(dir, home.PrivateDir); err != nil {
		return "", nil, err
	}
	for range 8 {
		var b [idLen]byte
		for i := range b {
			b[i] = idChars[rand.IntN(len(idChars))]
		}
		f, err = os.OpenFile(filepath.Join(dir, string(b[:])+".log"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, home.PrivateFile)
		if !errors.Is(err, fs.ErrExist) {
			return string(b[:]), f, err
		}
	}
	return "", nil, err
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
	var b strings.Builder
	b.WriteString(r.Text(head))
	if missing > 0 {
		shown := redact.AfterCut(tail)
		fmt.Fprintf(&b, "\n[… %s bytes …]\n", text.Thousands(missing+len(tail)-len(shown)))
		tail = shown
	}
	b.WriteString(r.Text(tail))
	return b.String()
}

// expireTees removes old files, at most once an hour by the age of a mark.
func expireTees(t Tee) {
	age := t.MaxAge
	if age <= 0 {
		age = teeAge
	}
	mark := filepath.Join(t.Dir, ".expired")
	if fi, err := os.Stat(mark); err == nil && time.Since(fi.ModTime()) < time.Hour {
		return
	}
	_ = os.WriteFile(mark, nil, home.PrivateFile)
	now := time.Now()
	os.Chtimes(mark, now, now)
	atomicfile.RemoveOlder(t.Dir, age, func(e fs.DirEntry) bool { return !e.IsDir() && strings.HasSuffix(e.Name(), ".log") })
}

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
