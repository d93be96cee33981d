package watch

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gofrs/flock"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// An about is what a watch tells of itself: to who asks it, and in a file of
// its user's, by which a second watch of the same source finds it.
type about struct {
	Key   string `json:"source"`
	PID   int    `json:"pid"`
	Port  int    `json:"port"`
	Token string `json:"token"`
}

func (w *Watch) about() about {
	return about{Key: w.opts.Key, PID: os.Getpid(), Port: w.Port(), Token: w.token}
}

func stateFile(dir, key, ext string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+ext)
}

// lockFile keeps two that start at once from both becoming the first.
func lockFile(dir, key string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return nil, err
	}
	l := flock.New(stateFile(dir, key, ".lock"), flock.SetPermissions(home.PrivateFile))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if _, err := l.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Path(), err)
	}
	return func() { _ = l.Unlock() }, nil
}

func readState(dir, key string) (a about, ok bool) {
	data, err := os.ReadFile(stateFile(dir, key, ".json"))
	if err != nil || json.Unmarshal(data, &a) != nil {
		return about{}, false
	}
	return a, a.Key == key && a.Port > 0 && a.Port < 1<<16 && len(a.Token) >= 26
}

func writeState(dir string, a about) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(stateFile(dir, a.Key, ".json"), data, home.PrivateFile)
}

// ask makes sure that the process that a file tells of is there and watches
// this source, and returns an address of its page for a browser.
func (a about) ask(key string) (url string, ok bool) {
	var now about
	if !a.call(http.MethodGet, "about", &now) || now.Key != key || now.Token != a.Token {
		return "", false
	}
	return address(a.Port, a.Token), true
}

// OpenOther is OpenURL for the page of another process at url.
func OpenOther(opts Options) (url string, ok bool) {
	a, known := readState(opts.Dir, opts.Key)
	return url, known && a.call(http.MethodPost, "ticket", &url)
}

func (a about) call(method, what string, out any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address(a.Port, a.Token)+what, nil)
	if err != nil {
		return false
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // no proxy stands before loopback
	resp, err := client.Do(req)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return err == nil && resp.StatusCode == http.StatusOK && json.Unmarshal(data, out) == nil
}

// tickets lead to the page once each.
type tickets struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (t *tickets) issue(now time.Time) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for ticket, end := range t.until {
		if now.After(end) {
			delete(t.until, ticket)
		}
	}
	if t.until == nil {
		t.until = map[string]time.Time{}
	}
	ticket := rand.Text()
	t.until[ticket] = now.Add(time.Minute)
	return ticket
}

func (t *tickets) use(ticket string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	end, ok := t.until[ticket]
	delete(t.until, ticket)
	return ok && now.Before(end)
}
