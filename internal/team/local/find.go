package local

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gofrs/flock"

	"cairn/internal/home"
	"cairn/internal/team/wire"
)

// A Condition is what became of the server of a directory.
type Condition uint8

const (
	Stopped Condition = iota
	Running           // it answers, and is the one that wrote the file
	Busy              // some process has the directory and does not answer
)

const (
	patience = 2 * time.Second       // for one answer
	again    = 25 * time.Millisecond // between two looks
	starting = 5 * time.Second       // for a process that has the directory to write down what it is
	ending   = 20 * time.Second      // for one that was asked to end: requests get ten
)

// Find looks for the server of a data directory. One that is just starting is
// waited for.
func Find(ctx context.Context, dir string) (State, Condition, error) {
	deadline := time.Now().Add(starting)
	for {
		s, err := Read(dir)
		if err != nil {
			return s, Stopped, err
		}
		held, err := Held(dir)
		if err != nil || !held {
			return s, Stopped, err
		}
		if s.Token != "" {
			if p, err := Ask(ctx, s); err == nil && p.PID == s.PID {
				return s, Running, nil
			}
		}
		if time.Now().After(deadline) {
			return s, Busy, nil
		}
		if err := pause(ctx); err != nil {
			return s, Busy, err
		}
	}
}

// Ask asks the server that wrote a State what it is. A stranger that has its
// address now does not know the token and is an error.
func Ask(ctx context.Context, s State) (wire.Process, error) {
	var p wire.Process
	res, err := request(ctx, http.MethodGet, s)
	if err != nil {
		return p, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return p, fmt.Errorf("%s answers %s", s.URL, res.Status)
	}
	return p, json.UnmarshalRead(http.MaxBytesReader(nil, res.Body, 64<<10), &p)
}

// Stop asks a server that is running to end and waits until it has.
func Stop(ctx context.Context, dir string, s State) error {
	res, err := request(ctx, http.MethodDelete, s)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		return fmt.Errorf("%s does not end: it answers %s", s.URL, res.Status)
	}
	for deadline := time.Now().Add(ending); ; {
		held, err := Held(dir)
		if err != nil || !held {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the process %d was asked to end and has not within %s", s.PID, ending)
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

func request(ctx context.Context, method string, s State) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.URL+wire.Own, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.Token)
	c := http.Client{
		Timeout:       patience,
		Transport:     &http.Transport{DisableKeepAlives: true}, // no proxy: it is this machine
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c.Do(req)
}

func pause(ctx context.Context) error {
	select {
	case <-time.After(again):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Held reports whether a process has the lock of a data directory.
func Held(dir string) (bool, error) {
	name := filepath.Join(dir, "lock")
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	lock := flock.New(name, flock.SetPermissions(home.PrivateFile))
	ok, err := lock.TryRLock()
	if ok {
		err = lock.Unlock()
	}
	return !ok, err
}

// Lock keeps others out that start or stop the server, until unlock is called.
// The kernel frees it when its holder dies.
func Lock(ctx context.Context, h home.Home) (unlock func(), err error) {
	if err := os.MkdirAll(string(h), home.PrivateDir); err != nil {
		return nil, err
	}
	l := flock.New(h.UpLock(), flock.SetPermissions(home.PrivateFile))
	ok, err := l.TryLockContext(ctx, again)
	if err == nil && !ok {
		err = errors.New("it is held")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.UpLock(), err)
	}
	return func() { _ = l.Unlock() }, nil
}
