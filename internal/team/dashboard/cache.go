package dashboard

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"cairn/internal/team/evalpage"
	"cairn/internal/team/local"
)

// Answers are kept by team, rights, address and the team's version: the database
// counts every change of what a team's pages show, so a kept answer is right on
// whichever server it was made. Who asks for one has just been looked up, with
// the version; nothing kept says who may read it.

const (
	// mostOfAnswer bounds the bytes of one that is kept.
	mostOfAnswer = 4 << 20
	// freshFor is how long an answer is right though nothing changes: what is stale
	// or of this week depends on the clock.
	freshFor = 5 * time.Minute
	// mostMade is how long one may take.
	mostMade = time.Minute
)

// An answer is what is the same for everybody with the same rights: a page
// without its header, or a file.
type reply struct {
	failed                bool // a part of it is missing: it is not kept
	contentType, filename string
	body                  []byte
	// Of a page:
	title string
	data  []byte // of its charts, or all that its own script draws; JSON
	own   string // the script that draws it, with styles of that name; "" for one of panels
	// labels are added for each viewer; nil where the page has none.
	labels *evalpage.Labels
}

func (a *reply) size() int { return len(a.body) + len(a.data) + 1000 }

// A request is one for a view that may be made.
type request struct {
	viewer Viewer
	team   Team
	view   view
	filter Filter
	args   map[string]string
	form   string // "", "json", or PANEL.FORM
	at     time.Time
	past   *local.Sessions // of agents on this machine, for who may see them
}

// key names what is the same for all that ask for it.
func (q *request) key() string {
	rights := "member"
	switch {
	case q.viewer.As.Team != uuid.Nil:
		rights = "ci"
	case q.view.personal:
		rights = q.viewer.As.User.String()
	case q.team.admin():
		rights = "admin"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %s %q %q %d %d %d %q %q %q", q.team.ID, q.team.Version, rights, q.view.name, q.form, q.at.Truncate(freshFor).Unix(),
		q.filter.From.Unix(), q.filter.To.Unix(), q.filter.Repo, q.filter.Person, q.filter.Branch)
	fmt.Fprintf(&b, " %d %t", q.filter.Weeks, q.filter.asked)
	if q.past != nil {
		fmt.Fprintf(&b, " %d", q.past.At.Unix())
	}
	for _, name := range argNames {
		if value, ok := q.args[name]; ok {
			fmt.Fprintf(&b, " %s=%q", name, value)
		}
	}
	return b.String()
}

// tag is the ETag of an answer: its key, and what its header says of the viewer.
func (q *request) tag() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q %s %s", q.key(), q.viewer.Email, q.team.Role, address("dashboard.css"), address("dashboard.js"))
	for _, t := range q.viewer.Teams {
		fmt.Fprintf(h, " %q %q", t.Slug, t.Name)
	}
	return `W/"` + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:18]) + `"`
}

// unchanged answers who has the page already; only a browser that asked may keep it.
func (q *request) unchanged(w http.ResponseWriter, r *http.Request) bool {
	if q.team.Version == 0 || q.view.labelled {
		return false
	}
	tag := q.tag()
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("Vary", "Authorization, Cookie")
	for one := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if strings.TrimSpace(one) == tag {
			w.Header().Del("Content-Security-Policy") // a browser would put the server's in place of the kept page's
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

// answers are those that were made.
type answers struct {
	*store[*reply]
	once  singleflight.Group
	turns chan struct{} // so many are made at once

	mu     sync.Mutex
	wanted map[string]*wanted
}

// A wanted answer is made until the last who waits for it has gone: a client that
// asks and goes away, again and again, must not leave work behind.
type wanted struct {
	ctx     context.Context
	cancel  context.CancelFunc
	waiting int
}

func newAnswers() *answers {
	return &answers{store: newStore[*reply](mostKept), turns: make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0))), wanted: map[string]*wanted{}}
}

func (c *answers) want(ctx context.Context, key string) *wanted {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.wanted[key]
	if w == nil {
		w = &wanted{}
		w.ctx, w.cancel = context.WithTimeout(context.WithoutCancel(ctx), mostMade)
		c.wanted[key] = w
	}
	w.waiting++
	return w
}

func (c *answers) leave(key string, w *wanted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.waiting--; w.waiting == 0 {
		w.cancel()
		c.once.Forget(key)
		delete(c.wanted, key)
	}
}

// make returns a kept answer, or makes one; whoever asks for the same meanwhile gets that.
func (c *answers) make(ctx context.Context, q *request, of func(context.Context) (*reply, error)) (*reply, error) {
	if q.team.Version == 0 {
		return of(ctx)
	}
	key := q.key()
	if a, ok := c.get(key); ok {
		return a, nil
	}
	w := c.want(ctx, key)
	defer c.leave(key, w)
	made := c.once.DoChan(key, func() (_ any, err error) {
		defer func() { // not the request's goroutine: nobody else would answer for a panic
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		select {
		case c.turns <- struct{}{}:
			defer func() { <-c.turns }()
		case <-w.ctx.Done():
		}
		if w.ctx.Err() != nil {
			return nil, w.ctx.Err()
		}
		a, err := of(w.ctx)
		if err == nil && !a.failed && a.size() <= mostOfAnswer {
			c.put(key, a, a.size())
		}
		return a, err
	})
	select {
	case got := <-made:
		if got.Err != nil {
			return nil, got.Err
		}
		return got.Val.(*reply), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// figures are those that are known of a team: those of this answer alone where
// its version is not.
func (p *pages) figures(t Team) *store[any] {
	if t.Version == 0 {
		return newStore[any](mostKnown)
	}
	return p.known
}

func (t Team) admin() bool { return t.Role == "owner" || t.Role == "admin" }
