package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"cairn/internal/home"
	"cairn/internal/team/spool"
)

const (
	together    = 10              // deliveries at a time
	mostPatient = 5 * time.Second // for each
	perMegabyte = 2 * time.Second // more, for a record that is large
)

// A Drain delivers what waits in the queue. What a server does not take now
// waits on; what it will never take goes to refused, with the reason. It may be
// killed at any point: what it held waits again, and a server knows what it has.
type Drain struct {
	Queue *spool.Spool
	// Open returns the client of a server, nil when one is not signed in there:
	// what is for that server waits.
	Open func(url string) (*Client, error)
	URL  string // of records that name none
	// Early delivers also what waits for a while after a failure. Once something
	// was delivered all is: what it waited for is there.
	Early bool
	Only  []string // ids of the records to deliver, nil for all
	Log   *Log
	Now   func() time.Time
	Tried func() // told after each record, whatever became of it; nil is fine

	patience time.Duration // for each delivery; 0 is mostPatient, and more for a large one
	servers  map[string]*drained
	tried    map[string]bool
	came     bool // something was delivered
	report   Drained
}

// Drained is what came of it.
type Drained struct {
	Delivered, Refused Records // refused for good: see the directory refused
	Failed             int     // to be tried again
	Stopped            []Stopped
}

// Records are ids.
type Records struct{ IDs []string }

func (r Records) N() int { return len(r.IDs) }

// Add puts the result of a further run to d. What stopped it is the further's.
func (d *Drained) Add(r Drained) {
	d.Delivered.IDs = append(d.Delivered.IDs, r.Delivered.IDs...)
	d.Refused.IDs = append(d.Refused.IDs, r.Refused.IDs...)
	d.Failed, d.Stopped = r.Failed, r.Stopped
}

// Stopped is a server that nothing more was sent to.
type Stopped struct {
	URL   string        `json:"url"`
	Team  string        `json:"team,omitzero"`
	Cause error         `json:"-"`
	Why   string        `json:"why"`
	After time.Duration `json:"-"`
}

// drained is what a Drain knows of a server, or of a team on it.
type drained struct {
	client  *Client
	stopped bool
}

// Run delivers until nothing is left that can be. The error is that of the
// queue itself, or of ctx.
func (d *Drain) Run(ctx context.Context) (Drained, error) {
	if d.Now == nil {
		d.Now = time.Now
	}
	d.servers, d.tried, d.report = map[string]*drained{}, map[string]bool{}, Drained{}
	begin := d.Now()
	for ctx.Err() == nil {
		batch, err := d.Queue.Pick(spool.Pick{Limit: together, Now: d.Now(), Early: d.Early || d.came, Wants: d.wants})
		if len(batch) == 0 {
			d.log(begin)
			return d.report, err
		}
		for _, c := range batch {
			d.tried[c.ID] = true
		}
		if err := d.deliver(ctx, batch); err != nil {
			d.log(begin)
			return d.report, err
		}
	}
	d.log(begin)
	return d.report, ctx.Err()
}

func (d *Drain) log(begin time.Time) {
	r := d.report
	if n := r.Delivered.N() + r.Refused.N() + r.Failed; n > 0 && d.Only == nil {
		d.Log.Add("DRAIN", fmt.Sprintf("%d/%d", r.Delivered.N(), n), outcome(r), seconds(d.Now().Sub(begin)))
	}
}

func outcome(r Drained) string {
	switch {
	case r.Refused.N() > 0:
		return "REFUSED"
	case r.Failed > 0:
		return "QUEUED"
	}
	return "OK"
}

func seconds(t time.Duration) string { return fmt.Sprintf("%.1fs", t.Seconds()) }

// wants is asked of every record's head before it is claimed.
func (d *Drain) wants(r spool.Record) bool {
	if d.tried[r.ID] || d.Only != nil && !slices.Contains(d.Only, r.ID) {
		return false
	}
	return d.server(d.urlOf(r)).client != nil && d.sendable(r)
}

func (d *Drain) urlOf(r spool.Record) string {
	if r.URL == "" {
		return d.URL
	}
	return r.URL
}

// teamOf is the key of a team on a server.
func (d *Drain) teamOf(r spool.Record) string { return d.urlOf(r) + "\n" + r.Team }

// server returns what is known of a server, or of a team by its key.
func (d *Drain) server(url string) *drained {
	s := d.servers[url]
	if s != nil {
		return s
	}
	s = &drained{}
	d.servers[url] = s
	if strings.Contains(url, "\n") {
		return s
	}
	var err error
	if s.client, err = d.Open(url); err != nil {
		s.client = nil
		d.stop(url, "", err)
	}
	return s
}

// stop leaves a server, or a team on it, alone from now on.
func (d *Drain) stop(url, team string, cause error) {
	key := url
	if team != "" {
		key += "\n" + team
	}
	s := d.servers[key]
	if s == nil {
		s = &drained{}
		d.servers[key] = s
	}
	if s.stopped {
		return
	}
	s.stopped = true
	stop := Stopped{URL: url, Team: team, Cause: cause, Why: cause.Error()}
	if e, ok := errors.AsType[*Error](cause); ok {
		stop.After = e.After
	}
	d.report.Stopped = append(d.report.Stopped, stop)
}

// deliver sends a batch. Records whose order counts go one after another.
func (d *Drain) deliver(ctx context.Context, batch []*spool.Claimed) error {
	lanes := map[string][]*spool.Claimed{}
	for _, c := range batch {
		lane := c.ID
		if merges(c.Kind) {
			lane = d.teamOf(c.Record) + "\n" + c.Kind
		}
		lanes[lane] = append(lanes[lane], c)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex // of d and errs
	var errs []error
	for _, lane := range lanes {
		wg.Go(func() {
			for _, c := range lane {
				mu.Lock()
				client, stopped := d.server(d.urlOf(c.Record)).client, !d.sendable(c.Record)
				mu.Unlock()
				if stopped {
					err := c.Release()
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
					continue
				}
				begin := d.Now()
				said, err := d.one(ctx, client, c)
				mu.Lock()
				errs = append(errs, d.settle(ctx, c, said, err, d.Now().Sub(begin)))
				if d.Tried != nil {
					d.Tried()
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// sendable reports whether neither a record's server nor its team was stopped.
func (d *Drain) sendable(r spool.Record) bool {
	return !d.server(d.urlOf(r)).stopped && !d.server(d.teamOf(r)).stopped
}

func (d *Drain) one(ctx context.Context, client *Client, c *spool.Claimed) (string, error) {
	patience := min(mostPatient+time.Duration(len(c.Body)>>20)*perMegabyte, spool.ClaimAge-mostPatient)
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.patience, patience))
	defer cancel()
	return client.deliver(ctx, c.Record)
}

// LockDrain makes this process the one that drains. ok is false while another
// does; with wait it waits for that one to end.
func LockDrain(ctx context.Context, h home.Home, wait bool) (unlock func(), ok bool, err error) {
	return lockFile(ctx, h.DrainLock(), wait)
}
