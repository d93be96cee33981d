package watch

import (
	"context"
	"crypto/sha256"
	_ "embed" // the page's parts
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gofrs/flock"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/loopback"
	"cairn/internal/team/page"
)

//go:embed page/watch.html
var pageHTML []byte

//go:embed page/watch.css
var pageCSS []byte

//go:embed page/watch.js
var pageJS []byte

// maxViewers is how many may look at once.
const maxViewers = 64

// ServeHTTP answers those whom the door lets in.
func (w *Watch) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	rest, ok := w.Inside(rw, r)
	if !ok {
		return
	}
	if rest == "ticket" && r.Method == http.MethodPost {
		answer(rw, w.OpenURL())
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(rw, "GET is wanted", http.StatusMethodNotAllowed)
		return
	}
	switch number, ok := strings.CutPrefix(rest, "case/"); {
	case rest == "":
		_ = page.Serve(rw, page.Page{Title: "cairn eval watch", CSS: pageCSS, JS: pageJS, Body: pageHTML, Live: true})
	case rest == "events":
		w.stream(rw, r)
	case rest == "about":
		answer(rw, w.about())
	case ok:
		i, err := strconv.Atoi(number)
		one, found := w.detail(i)
		if err != nil || !found {
			http.Error(rw, "no such test", http.StatusNotFound)
			return
		}
		answer(rw, one)
	default:
		http.Error(rw, "no such page", http.StatusNotFound)
	}
}

func answer(rw http.ResponseWriter, v any) {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		http.Error(rw, "this cannot be shown", http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	_, _ = rw.Write(data)
}

// stream sends how it stands and then what changes, until the viewer leaves or
// the watch ends. A viewer that comes back gets what it missed.
func (w *Watch) stream(rw http.ResponseWriter, r *http.Request) {
	if !w.enter() {
		http.Error(rw, "too many viewers", http.StatusServiceUnavailable)
		return
	}
	defer w.leave()
	rw.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(rw)
	send := func(text string) bool {
		_ = rc.SetWriteDeadline(time.Now().Add(10 * time.Second))
		_, err := io.WriteString(rw, text)
		return err == nil && rc.Flush() == nil
	}
	if !send("retry: 1000\n\n") {
		return
	}
	beat := time.NewTicker(w.opts.Beat)
	defer beat.Stop()
	at := parsePlace(r.Header.Get("Last-Event-ID"))
	for {
		w.mu.Lock()
		var m message
		m, at = w.since(at, time.Now())
		bye, wake := w.bye, w.wake
		w.mu.Unlock()
		data, err := json.Marshal(&m)
		if err != nil || !send(fmt.Sprintf("event: run\nid: %s\ndata: %s\n\n", at, data)) {
			return
		}
		if m.More {
			continue
		}
		if bye != "" {
			send("event: bye\ndata: " + bye + "\n\n")
			return
		}
		for waiting := true; waiting; {
			select {
			case <-wake:
				waiting = false
			case <-beat.C:
				if !send(": still here\n\n") {
					return
				}
			case <-r.Context().Done():
				return
			}
		}
	}
}

func (h *hub) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.viewers >= maxViewers {
		return false
	}
	h.viewers++
	return true
}

func (h *hub) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.viewers--
	h.left = time.Now()
}

// An about is what a watch tells of itself: to who asks it, and in a file of
// its user's, by which a second watch of the same source finds it.
type about struct {
	Key   string `json:"source"`
	PID   int    `json:"pid"`
	Port  int    `json:"port"`
	Token string `json:"token"`
}

func (w *Watch) about() about {
	return about{Key: w.opts.Key, PID: os.Getpid(), Port: w.Port(), Token: w.Token()}
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
	return loopback.Address(a.Port, a.Token), true
}

// OpenOther is OpenURL for the page of another process at url.
func OpenOther(opts Options) (url string, ok bool) {
	a, known := readState(opts.Dir, opts.Key)
	return url, known && a.call(http.MethodPost, "ticket", &url)
}

func (a about) call(method, what string, out any) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, loopback.Address(a.Port, a.Token)+what, nil)
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
