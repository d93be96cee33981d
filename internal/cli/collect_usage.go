package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"cairn/internal/compact/usage"
	"cairn/internal/team/collect"
	"cairn/internal/transcript"
)

const (
	usageDays   = 90 // of work with agents that are collected
	settledDays = 7  // after which a day that was sent is not sent again
)

// usage collects, by day, what compaction did in this repository, and where
// transcripts are shared how sessions went: figures only.
func (c *collector) usage(ctx context.Context, _ *collect.Ledger) ([]collect.Item, error) {
	hostname, _ := os.Hostname()
	days := collect.NewDays(c.slug, hostname)
	y, m, d := time.Now().Date()
	since := time.Date(y, m, d-usageDays, 0, 0, 0, 0, time.Local)
	trees := c.trees()
	parts, _, err := usage.Parts(c.Home.Usage(), since)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{} // whether a directory is this repository's
	for _, p := range parts {
		ours, ok := known[p.Project]
		if !ok {
			ours = c.ours(p.Project, trees)
			known[p.Project] = ours
		}
		if ours {
			days.Compacted(p.Day, p.Agent, p.Calls, int64(p.Without), int64(p.With+p.Back), p.Last)
		}
	}
	if c.transcriptsShared() {
		c.sessions(ctx, days, since, trees)
	}
	settled := time.Now().AddDate(0, 0, -settledDays).Format(time.DateOnly)
	var items []collect.Item
	for _, d := range days.Rows() {
		it, err := collect.Day(d, c.transcriptsShared(), d.Date < settled)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// sessions counts what transcripts tell. One that is being written is taken as
// far as it is the next time.
func (c *collector) sessions(ctx context.Context, days *collect.Days, since time.Time, trees []string) {
	files := transcript.Files(transcript.Roots(c.Env.Getenv), since, func(err error) { c.warn("left out: %v", err) })
	total := int64(0)
	for _, f := range files {
		total += f.Size
	}
	c.progress.Begin("reading sessions", total)
	defer c.progress.End()
	for _, f := range files {
		if ctx.Err() != nil {
			return
		}
		c.progress.Add(f.Size)
		if !f.IsSession() {
			continue
		}
		talk, err := transcript.ReadConversation(f)
		if err != nil {
			if !errors.Is(err, transcript.ErrBusy) {
				c.warn("left out: %v", err)
			}
			continue
		}
		if talk.Session == "" || !c.ours(talk.Project, trees) {
			continue
		}
		for _, m := range talk.Messages {
			if !m.Time.Before(since) {
				days.Said(cmp.Or(talk.Host, f.Host), talk.Session, m.Role == "user", m.Text, m.Tools, m.Time)
			}
		}
	}
}
