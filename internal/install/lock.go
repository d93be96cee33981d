package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"cairn/internal/home"
)

// lockTimeout is how long Lock waits for another install.
const lockTimeout = time.Minute

// ErrLocked says that another process is installing.
var ErrLocked = error(&mistake{"another cairn is installing", "run this again when it has ended; a lock never outlives its process"})

// Lock keeps every other install, update and uninstall of this user out until
// release is called. The kernel frees it when its holder dies.
func (m Machine) Lock(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	for {
		err := os.MkdirAll(m.Home.Manifests(), home.PrivateDir)
		if errors.Is(err, os.ErrNotExist) && ctx.Err() == nil {
			continue // the last uninstall took the directory above just now
		}
		if err != nil {
			return nil, err
		}
		l := flock.New(m.Home.InstallLock(), flock.SetPermissions(home.PrivateFile))
		ok, err := l.TryLockContext(ctx, 5*time.Millisecond)
		switch {
		case ctx.Err() != nil && !ok:
			return nil, fmt.Errorf("%w: %s is held for more than %s", ErrLocked, l.Path(), lockTimeout)
		case errors.Is(err, os.ErrNotExist): // as above
		case err != nil:
			return nil, fmt.Errorf("%s cannot be locked: %w", l.Path(), err)
		case held(l):
			return func() { m.unlock(l) }, nil
		}
		_ = l.Close()
	}
}

// held reports whether a lock still keeps others out: who had it before may
// have removed its file, and the next process then locks a new one.
func held(l *flock.Flock) bool {
	ours, err := l.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.Path())
	return err == nil && os.SameFile(ours, named)
}

// unlock also takes the file away where nothing else is installed, so that an
// uninstall leaves nothing.
func (m Machine) unlock(l *flock.Flock) {
	if left, err := os.ReadDir(m.Home.Manifests()); err == nil && len(left) == 1 {
		os.Remove(l.Path())
	}
	_ = l.Close()
	removeDirs([]string{string(m.Home), m.Home.Manifests()})
}
