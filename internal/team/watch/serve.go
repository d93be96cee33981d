package watch

import (
	"crypto/subtle"
	_ "embed" // the page's parts
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

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

func silent() *log.Logger { return log.New(io.Discard, "", 0) }

// ServeHTTP answers only those who know the token, and only as this machine:
// a page of another name that leads here (DNS rebinding) is refused.
func (w *Watch) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	page.Headers(rw.Header())
	if !local(r) {
		http.Error(rw, "this page is for this machine only", http.StatusForbidden)
		return
	}
	dir, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if dir == "open" && r.Method == http.MethodGet && w.ticket.use(rest, time.Now()) {
		rw.Header().Set("Location", "/"+w.token+"/")
		rw.WriteHeader(http.StatusSeeOther)
		return
	}
	if subtle.ConstantTimeCompare([]byte(dir), []byte(w.token)) != 1 {
		http.Error(rw, "no such page; cairn eval watch prints the address", http.StatusNotFound)
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

// local reports whether a browser on this machine asks for a page of ours, by
// name or by a forwarded port, and no other site made it ask.
func local(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
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
