package spool

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// Claimed is a record that no other process has until ClaimAge has passed. One
// of Done, Release, Retry and Refuse ends it.
type Claimed struct {
	Record
	spool *Spool
	path  string
}

// A Pick says which records to claim.
type Pick struct {
	Limit int
	Now   time.Time
	Early bool              // also those whose time has not come
	Wants func(Record) bool // looks at a record without its body; nil wants every one
}

// Claim takes at most limit records whose time has come, the oldest first.
// Claims of holders that died return to the queue; what cannot be read goes to
// refused. An error is of single records, which stay where they are: those
// that could be claimed are returned with it.
func (s *Spool) Claim(limit int, now time.Time) ([]*Claimed, error) {
	return s.Pick(Pick{Limit: limit, Now: now})
}

// Pick is Claim of some records only.
func (s *Spool) Pick(p Pick) ([]*Claimed, error) {
	var files []file
	var errs []error
	err := s.each(func(f file) error {
		if f.claimed() {
			if !f.stale(p.Now) {
				return nil
			}
			if err := os.Rename(f.path, f.waiting()); err != nil {
				errs = append(errs, unlessGone(err))
				return nil
			}
			f = file{path: f.waiting(), id: f.id}
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.id, b.id) })
	var list []*Claimed
	for _, f := range files {
		if len(list) == p.Limit {
			break
		}
		c, err := s.claim(f, p)
		if c != nil {
			list = append(list, c)
		}
		errs = append(errs, unlessGone(err))
	}
	return list, errors.Join(errs...)
}

// unlessGone drops the error of a file that another process took first.
func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// claim takes one record, or returns nil when it is not to be delivered now.
func (s *Spool) claim(f file, p Pick) (*Claimed, error) {
	if wait, err := p.leaves(f); wait || err != nil {
		return nil, err
	}
	c := &Claimed{spool: s, path: fmt.Sprintf("%s%s%d-%s", strings.TrimSuffix(f.path, suffix), claimMark, p.Now.UnixMilli(), rand.Text()[:8])}
	if err := os.Rename(f.path, c.path); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(c.path)
	if err != nil {
		return nil, err // the claim returns when it is old
	}
	c.Record, err = decode(data)
	c.ID = f.id
	switch {
	case err == errLater || err == nil && !p.takes(c.Record): // it changed since we looked
		return nil, os.Rename(c.path, f.path)
	case err != nil:
		return nil, c.Refuse("it cannot be read: " + err.Error())
	}
	return c, nil
}

// leaves reports whether a record is to be left alone for now. It reads no
// body. What cannot be decoded is not left: it is claimed, and then refused.
func (p Pick) leaves(f file) (bool, error) {
	in, err := os.Open(f.path)
	if err != nil {
		return false, err
	}
	defer in.Close()
	r, _, err := decodeHead(in)
	r.ID = f.id
	return err == errLater || err == nil && !p.takes(r), nil
}

func (p Pick) takes(r Record) bool {
	return (p.Early || r.due(p.Now)) && (p.Wants == nil || p.Wants(r))
}

// due reports whether the time has come. One that is further ahead than any
// delay was set before the clock was set back.
func (r Record) due(now time.Time) bool {
	return !r.NotBefore.After(now) || r.NotBefore.After(now.Add(maxAfter+maxBackoff))
}

// Done removes a record that was delivered.
func (c *Claimed) Done() error {
	err := os.Remove(c.path)
	if errors.Is(err, fs.ErrNotExist) { // we took too long, and it waits again
		err = os.Remove(c.waiting())
	}
	return unlessGone(err)
}

// Release puts a record back as it was: its delivery was not tried.
func (c *Claimed) Release() error { return unlessGone(os.Rename(c.path, c.waiting())) }

// Retry puts a record back whose delivery failed because of cause. It waits for
// after, if the server said how long, and for a time that doubles with every
// attempt.
func (c *Claimed) Retry(cause error, after time.Duration) error {
	if _, err := os.Lstat(c.path); err != nil {
		return unlessGone(err)
	}
	r := c.Record
	r.Attempts++
	r.LastError = cause.Error()
	r.NotBefore = c.spool.now().Add(delay(r.Attempts, after))
	if err := atomicfile.WriteFile(c.path, encode(r), home.PrivateFile); err != nil {
		return err // the claim returns when it is old
	}
	return unlessGone(os.Rename(c.path, c.waiting()))
}

// Refuse moves a record that will never be taken to the directory refused, as
// it is, with the reason beside it in ID.reason.
func (c *Claimed) Refuse(reason string) error {
	dir := filepath.Join(c.spool.root, refused)
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return err
	}
	name := filepath.Join(dir, c.ID)
	if _, err := os.Lstat(name + suffix); err == nil { // not by us: no id is made twice
		name += "-" + rand.Text()[:8]
	}
	if err := atomicfile.WriteFile(name+reasonEnd, []byte(reason+"\n"), home.PrivateFile); err != nil {
		return err
	}
	return unlessGone(os.Rename(c.path, name+suffix))
}

func (c *Claimed) waiting() string {
	return filepath.Join(filepath.Dir(c.path), c.ID+suffix)
}
