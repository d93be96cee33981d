package link

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"cairn/internal/team/client"
	"cairn/internal/team/replica"
	"cairn/internal/text"
)

// pullPatience is how long each request of a pull may take.
const pullPatience = 3 * time.Second

// Replica opens this machine's copy of the repository's team, as whoever is signed
// in has it, or the newest one where nobody is. It returns nil where there is none
// and create is false. Close it.
func (c *Checkout) Replica(ctx context.Context, create bool) (*replica.Replica, error) {
	dir := replica.Dir(c.Home.Replicas(), CleanURL(c.File.URL), c.File.Slug, c.who())
	switch {
	case !create && !replica.There(dir):
		return nil, nil
	case dir == "":
		return nil, client.NotSignedIn(CleanURL(c.File.URL))
	}
	_ = os.RemoveAll(c.Home.OldMirror())
	return replica.Open(ctx, dir, create)
}

// who is whose copy it is; "" where nobody is signed in.
func (c *Checkout) who() string {
	if ci := c.Options().CI; ci.Given() {
		return "ci " + cmp.Or(ci.Token, ci.Email)
	}
	all, err := client.Sessions(c.Home)
	if err != nil {
		return ""
	}
	return all[CleanURL(c.File.URL)].UserID
}

// Pulled returns the copy as of the last pull, nil before the first.
func (c *Checkout) Pulled(ctx context.Context) (*replica.Replica, error) {
	r, err := c.Replica(ctx, false)
	if r != nil && !r.Known() {
		return nil, r.Close()
	}
	return r, err
}

// Pull brings the copy up to date and writes what is in it to the repository's
// cache. With an error comes what there was. fresh counts what was not there.
func (c *Checkout) Pull(ctx context.Context) (r *replica.Replica, meta client.Meta, fresh int, err error) {
	begin, log := time.Now(), client.OpenLog(c.Home)
	defer func() {
		if err != nil {
			log.Add("PULL", "team-cache", "STALE", err.Error())
			return
		}
		log.Add("PULL", "team-cache", "OK", fmt.Sprintf("%s, %d new, %.1fs", text.Count(len(meta.Tables), "table"), fresh, time.Since(begin).Seconds()))
	}()
	cache := client.OpenCache(c.Dir)
	if err := cache.Prepare(); err != nil {
		return nil, cache.Meta(), 0, err
	}
	server, err := c.Client()
	if err != nil {
		return nil, cache.Meta(), 0, err
	}
	if r, err = c.Replica(ctx, true); err != nil {
		return nil, cache.Meta(), 0, err
	}
	find, cancel := context.WithTimeout(ctx, 2*pullPatience)
	defer cancel()
	team, err := server.Team(find, "")
	if err != nil {
		return r, cache.Meta(), 0, err
	}
	report, err := r.Refresh(ctx, server, replica.Wish{Team: team, Patience: pullPatience, Partly: c.Options().CI.Given()})
	if errors.Is(err, client.ErrNetwork) || !r.Known() {
		return r, cache.Meta(), report.New, err
	}
	meta, failed := r.Export(ctx, cache, CleanURL(c.File.URL), report) // one table may have failed, the others came
	return r, meta, report.New, cmp.Or(err, failed)
}
