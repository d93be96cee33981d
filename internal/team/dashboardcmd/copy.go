package dashboardcmd

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/link"
	"cairn/internal/team/replica"
	"cairn/internal/term"
	"cairn/internal/text"
)

// copyAge is how often a copy that is looked at is refreshed.
const copyAge = time.Minute

// openCopy opens the copy of a team's rows and refreshes it. Where the server
// does not answer, an older copy is shown, and its age said.
func openCopy(c *command.Call, t *link.Team, anew bool) *replica.Replica {
	r := must.Get(t.Replica(c, true))
	bar, last := term.NewProgress(c.Stderr), ""
	bar.BeginCount("copying", int64(replica.Tables()))
	_, err := r.Refresh(c, t, replica.Wish{Team: t.ID, Pages: true, Anew: anew, Step: func(table string, rows int) {
		bar.Note(fmt.Sprintf("%s: %d", table, rows))
		if table != last {
			bar.Add(1)
		} else {
			bar.Add(0)
		}
		last = table
	}})
	bar.End()
	if err != nil && !r.Fresh().IsZero() && c.Err() == nil {
		fmt.Fprintf(c.Stderr, "cairn: %s; these are the rows of %s\n", term.Line(err.Error()), text.Ago(r.Fresh(), time.Now()))
		err = nil
	}
	if err != nil {
		must.Fail(errors.Join(err, r.Close()))
	}
	return r
}

// viewerOf is the person who is signed in, in the copy.
func viewerOf(ctx context.Context, t *link.Team, d *db.DB) dashboard.Viewer {
	me := must.Get(t.Me(ctx))
	v := dashboard.Viewer{As: db.Identity{Role: db.Authenticated, User: me}}
	must.OK(d.View(ctx, v.As, func(tx *db.Tx) error {
		teams, err := figures.TeamsOf(ctx, tx, me)
		for _, m := range teams {
			v.Teams = append(v.Teams, dashboard.TeamOf(m))
		}
		return err
	}))
	return v
}

// serveCopy shows the pages of a copy until it is stopped. Only the browser
// that was opened with the address, which works once, gets to see them.
func serveCopy(c *command.Call, t *link.Team) {
	m := openCopy(c, t, c.Bool("fresh"))
	defer func() { _ = m.Close() }() // the copy can be made again
	viewer := viewerOf(c, t, m.DB)
	listener := must.Get(net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Int("port")))))
	here := listener.Addr().String()
	door := &door{host: here, ticket: rand.Text(), secret: rand.Text() + rand.Text()}
	door.pages = dashboard.New(dashboard.Config{DB: m.DB, Labels: labels{t}, Log: slog.New(slog.DiscardHandler), Viewer: func(r *http.Request) (dashboard.Viewer, error) {
		if !door.knows(r) {
			return dashboard.Viewer{}, dashboard.ErrStranger
		}
		return viewer, nil
	}})
	srv := &http.Server{Handler: door, ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(listener) }()
	go func() {
		for tick := time.NewTicker(copyAge); c.Err() == nil; {
			select {
			case <-c.Done():
			case <-tick.C:
				_, _ = m.Refresh(c, t, replica.Wish{Team: t.ID, Pages: true}) // the next minute tries again
			}
		}
	}()
	showAddress(c, "http://"+here+"/open/"+door.ticket)
	fmt.Fprintln(c.Stderr, "cairn: Ctrl-C ends it")
	select {
	case err := <-ended:
		must.OK(err)
		return
	case <-c.Done():
	}
	bound, done := context.WithTimeout(context.WithoutCancel(c), 2*time.Second)
	defer done()
	must.OK(srv.Shutdown(bound))
}

// A door lets one browser of this machine in.
type door struct {
	host           string // what the pages are called, so that no other name leads to them
	ticket, secret string
	used           atomic.Bool // the ticket
	pages          http.Handler
}

func (d *door) cookie() string {
	u := url.URL{Host: d.host}
	return "cairn_dashboard_" + u.Port()
}

func (d *door) knows(r *http.Request) bool {
	c, err := r.Cookie(d.cookie())
	return err == nil && r.Host == d.host && subtle.ConstantTimeCompare([]byte(c.Value), []byte(d.secret)) == 1
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Host != d.host {
		http.Error(w, "these pages are for this machine only", http.StatusForbidden)
		return
	}
	if subtle.ConstantTimeCompare([]byte(r.URL.Path), []byte("/open/"+d.ticket)) == 1 && d.used.CompareAndSwap(false, true) {
		http.SetCookie(w, &http.Cookie{Name: d.cookie(), Value: d.secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	d.pages.ServeHTTP(w, r)
}

var _ replica.Source = (*link.Team)(nil)
