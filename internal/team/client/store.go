package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/gofrs/flock"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Session is what auth.json keeps of one server, by its URL.
type Session struct {
	AccessToken  string            `json:"access_token"`
	RefreshToken string            `json:"refresh_token"`
	ExpiresAt    int64             `json:"expires_at"`           // seconds since 1970 by the server's clock
	ClockAhead   int64             `json:"clock_ahead,omitzero"` // seconds: how far the server's clock was before ours
	UserID       string            `json:"user_id"`
	TeamID       string            `json:"team_id"`
	Email        string            `json:"email"`
	AnonKey      string            `json:"anon_key,omitzero"` // what else it takes to deliver from any directory
	Teams        map[string]string `json:"teams,omitzero"`    // id by slug, those that were looked up
}

// SignedIn reports whether there is a session.
func (s Session) SignedIn() bool { return s.RefreshToken != "" || s.AccessToken != "" }

// store is auth.json: a session per server. It is replaced whole, under a lock,
// so processes side by side do not lose each other's.
type store struct{ file, lockFile string }

func openStore(h home.Home) *store { return &store{file: h.Auth(), lockFile: h.AuthLock()} }

const mostAuth = 1 << 20

// read returns every session. What cannot be read is an error that names the
// file; a file that is not there holds none.
func (s *store) read() (map[string]Session, error) {
	all := map[string]Session{}
	data, err := atomicfile.ReadRegular(s.file, mostAuth)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, &Error{Kind: ErrSignIn, Message: fmt.Sprintf("%s cannot be read: %s", s.file, last(err)), cause: err}
	}
	return all, nil
}

// edit changes one server's session, with the lock held.
func (s *store) edit(url string, change func(Session) Session) error {
	all, err := s.read()
	if isKind(err, ErrSignIn) { // broken: what it held is lost, a new sign-in is not
		all, err = map[string]Session{}, nil
	}
	if err != nil {
		return err
	}
	entry := change(all[url])
	if entry.SignedIn() {
		all[url] = entry
	} else {
		delete(all, url)
	}
	data, err := json.Marshal(all, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	if fi, err := os.Stat(s.file); err == nil && fi.Mode().Perm()&^home.PrivateFile != 0 {
		if err := os.Chmod(s.file, home.PrivateFile); err != nil { // an editor or a backup opened it to others
			return err
		}
	}
	return atomicfile.WriteDeep(s.file, append(data, '\n'), home.PrivateDir, home.PrivateFile)
}

// lock keeps other processes from auth.json until unlock is called.
func (s *store) lock(ctx context.Context) (unlock func(), err error) {
	unlock, _, err = lockFile(ctx, s.lockFile, true)
	return unlock, err
}

// lockFile takes a kernel lock, which ends with the process at the latest. ok
// is false when another process has it and wait is false.
func lockFile(ctx context.Context, name string, wait bool) (unlock func(), ok bool, err error) {
	if err := os.MkdirAll(filepath.Dir(name), home.PrivateDir); err != nil {
		return nil, false, err
	}
	l := flock.New(name, flock.SetPermissions(home.PrivateFile))
	if wait {
		ok, err = l.TryLockContext(ctx, 20*time.Millisecond)
	} else {
		ok, err = l.TryLock()
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", name, err)
	}
	return func() { _ = l.Unlock() }, ok, nil
}

// Sessions returns every server that one is signed in to.
func Sessions(h home.Home) (map[string]Session, error) {
	all, err := openStore(h).read()
	maps.DeleteFunc(all, func(_ string, s Session) bool { return !s.SignedIn() })
	return all, err
}
