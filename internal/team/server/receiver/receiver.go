// Package receiver is the page behind the link of a mail that asks an address
// whether it wants a team's alerts and digests. Who has the link is who gets
// that address's mail; nobody signs in. When it is asked, and what waits for
// the answer, is team/db/notice's to know.
package receiver

import (
	"bytes"
	_ "embed" // receiver.html, receiver.css
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/page"
	"cairn/internal/team/wire"
)

//go:embed receiver.html
var markup string

//go:embed receiver.css
var style []byte

var body = sync.OnceValue(func() *template.Template { return template.Must(template.New("receiver").Parse(markup)) })

type handler struct {
	db  *db.DB
	log *slog.Logger
}

// New returns the handler of [wire.ConfirmMail]. GET shows the question and
// changes nothing, as programs that look through mail follow links; POST answers it.
func New(d *db.DB, log *slog.Logger) http.Handler { return &handler{d, log} }

// A view is what the page shows.
type view struct {
	notice.Receiver
	Path, Token    string
	Done, NoSuchID bool
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := view{Path: wire.ConfirmMail, Token: r.FormValue("token")}
	var err error
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		v.Receiver, err = notice.Asked(r.Context(), h.db, v.Token)
	case http.MethodPost:
		v.Done = true
		v.Receiver, err = notice.Answer(r.Context(), h.db, v.Token, r.PostFormValue("answer") == "yes", time.Now())
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "only GET and POST are answered here", http.StatusMethodNotAllowed)
		return
	}
	status := http.StatusOK
	switch {
	case errors.Is(err, notice.ErrNoQuestion):
		v.NoSuchID, status = true, http.StatusNotFound
	case db.Unavailable(err):
		w.Header().Set("Retry-After", "10")
		http.Error(w, "the database cannot be reached; try again in a moment", http.StatusServiceUnavailable)
		return
	case err != nil:
		h.log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	var b bytes.Buffer
	if err := body().Execute(&b, v); err != nil {
		h.log.Error("page failed", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return
	}
	if status != http.StatusOK {
		w = &early{w, status}
	}
	if err := page.Serve(w, page.Page{Title: "Mails of a team – cairn", CSS: style, Body: b.Bytes(), Forms: "'self'"}); err != nil {
		h.log.Debug("page not sent", "path", r.URL.Path, "error", err)
	}
}

// early sends a status before the first byte.
type early struct {
	http.ResponseWriter
	status int
}

func (w *early) Write(b []byte) (int, error) {
	if w.status != 0 {
		w.WriteHeader(w.status)
		w.status = 0
	}
	return w.ResponseWriter.Write(b)
}
