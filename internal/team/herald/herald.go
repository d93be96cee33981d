// Package herald does what is due of a team's notices: it judges the runs that
// were pushed, opens and ends alerts, writes the digest, and sends what is to
// be sent. cairn serve does it every few seconds, cairn team alerts check and
// cairn team digest send once; several may do so on one database at once.
//
// It puts together team/alert and team/digest, which decide, team/db/notice,
// which keeps, and team/notify, which sends. SQL and HTTP never belong here.
package herald

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"cairn/internal/must"
	"cairn/internal/team/alert"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/notify"
)

// A Herald works on one database.
type Herald struct {
	DB     *db.DB
	Sender *notify.Sender
	Log    *slog.Logger
	URL    string           // of the server, "" where there is none: for links
	Now    func() time.Time // nil is the clock
}

const (
	atOnce     = 50               // runs and messages in one step
	unfinished = 10 * time.Minute // how long a run may wait for its results
	laterTime  = time.Minute
)

func (h *Herald) now() time.Time {
	if h.Now != nil {
		return h.Now()
	}
	return time.Now()
}

// view and update run fn in a transaction of the server itself; what goes wrong in
// it ends it.
func (h *Herald) view(ctx context.Context, fn func(*db.Tx)) error {
	return h.DB.View(ctx, db.ServerItself, func(tx *db.Tx) error { return must.Catch(func() { fn(tx) }) })
}

func (h *Herald) update(ctx context.Context, fn func(*db.Tx)) error {
	return h.DB.Update(ctx, db.ServerItself, func(tx *db.Tx) error { return must.Catch(func() { fn(tx) }) })
}

// A Done is what one round did.
type Done struct {
	Judged   int // runs
	Fired    int // alerts
	Resolved int
	Sent     int // messages
	Failed   int // that did not arrive
}

func (d *Done) add(more Done) {
	d.Judged += more.Judged
	d.Fired += more.Fired
	d.Resolved += more.Resolved
	d.Sent += more.Sent
	d.Failed += more.Failed
}

// Round judges what waits and sends what is due, until nothing is left.
func (h *Herald) Round(ctx context.Context) (done Done, err error) {
	judged, err := h.Judge(ctx)
	done.add(judged)
	asked := notice.AskReceivers(ctx, h.DB, h.now()) // before tests, which takes the wish to try a channel off
	if tried := h.tests(ctx); asked == nil {
		asked = tried
	}
	if held := notice.NoteHeld(ctx, h.DB, h.now()); asked == nil {
		asked = held
	}
	err = errors.Join(err, asked)
	sent, failed := h.Deliver(ctx)
	done.add(sent)
	return done, errors.Join(err, failed)
}

// Judge judges every run that waits, and closes alerts of which nothing is heard.
func (h *Herald) Judge(ctx context.Context) (done Done, err error) {
	for left := true; left && err == nil; {
		var some Done
		some, left, err = h.judgeSome(ctx)
		done.add(some)
	}
	if err == nil {
		err = h.quiet(ctx, &done)
	}
	return done, err
}

// A judged run, and what it was judged to be.
type judged struct {
	notice.Waiting
	run   alert.Run
	j     alert.Judgment
	since *alert.Since
	later bool // its results are not there yet
}

// judgeSome judges the oldest run of some series. Reading and reckoning keep
// nobody waiting; only what comes of it is written.
func (h *Herald) judgeSome(ctx context.Context) (done Done, left bool, err error) {
	now := h.now()
	var some []judged
	err = h.view(ctx, func(tx *db.Tx) {
		for _, w := range must.Get(notice.NextRuns(ctx, tx, now, atOnce)) {
			some = append(some, judge(ctx, tx, w, now))
		}
	})
	if err != nil || len(some) == 0 {
		return done, false, err
	}
	err = h.update(ctx, func(tx *db.Tx) {
		done, left = Done{}, must.Get(notice.Judging(ctx, tx))
		for _, one := range some {
			if left { // no other server has it
				h.settle(ctx, tx, one, now, &done)
			}
		}
	})
	return done, left && err == nil, err
}

func judge(ctx context.Context, tx *db.Tx, w notice.Waiting, now time.Time) (one judged) {
	one.Waiting = w
	if now.Sub(w.RunAt) > alert.Stale {
		one.j.Why = "it is too old"
		return one
	}
	run, results := must.Get2(notice.Cases(ctx, tx, w))
	one.run = run
	if one.later = results < w.Total && now.Sub(w.RunAt) < unfinished; !one.later { // else it is sent table by table
		one.j = alert.Judge(run, must.Get(notice.History(ctx, tx, w)), must.Get(notice.Active(ctx, tx, w.Team, now.Add(-alert.Stale))))
	}
	if one.j.Verdict >= alert.Bad { // a message may be sent
		began := w.RunAt
		if open := must.Get(notice.Open(ctx, tx, w.Team, w.Series)); open != nil {
			began = open.BeganAt
		}
		one.since = since(ctx, tx, w, began)
	}
	return one
}

// settle writes what comes of a judgment: the alert and the messages about it.
func (h *Herald) settle(ctx context.Context, tx *db.Tx, one judged, now time.Time, done *Done) {
	if one.later {
		must.OK(notice.Later(ctx, tx, one.Waiting, now.Add(laterTime)))
		return
	}
	if !must.Get(notice.Judged(ctx, tx, one.Waiting)) {
		return // it was judged by another, or deleted
	}
	done.Judged++
	open := must.Get(notice.Open(ctx, tx, one.Team, one.Series))
	if next, news := alert.Step(open, one.Series, one.run, one.j, now); next != nil {
		must.OK(notice.Name(ctx, tx, one.Team, next.Worst))
		next.Since = one.since
		h.tell(ctx, tx, one.Waiting.Team, next, news, now, done)
	}
}

// quiet closes alerts to whose series nothing is pushed any more.
func (h *Herald) quiet(ctx context.Context, done *Done) error {
	now := h.now()
	var open []notice.OpenAlert
	err := h.view(ctx, func(tx *db.Tx) { open = must.Get(notice.QuietSince(ctx, tx, now.Add(-alert.QuietTime), atOnce)) })
	if err != nil || len(open) == 0 {
		return err
	}
	return h.update(ctx, func(tx *db.Tx) {
		if !must.Get(notice.Judging(ctx, tx)) {
			return
		}
		for _, o := range open {
			now := must.Get(notice.Open(ctx, tx, o.Team, o.Series))
			if now == nil || now.ID != o.ID || !now.RunAt.Equal(o.RunAt) {
				continue // something happened meanwhile
			}
			next, news := alert.Close(*now, h.now())
			h.tell(ctx, tx, o.Team, next, news, h.now(), done)
		}
	})
}
