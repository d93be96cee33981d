package collect

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"cairn/internal/compact/usage"
	"cairn/internal/transcript"
)

const (
	usageDays   = 90 // of work with agents that are collected
	settledDays = 7  // after which a day that was sent is not sent again
)

// usage collects, by day, what compaction did in this repository, and where
// transcripts are shared how sessions went: figures only.
func (c *Collector) usage(ctx context.Context, _ *Ledger) ([]Item, error) {
	hostname, _ := os.Hostname()
	all := newDays(c.Slug, hostname)
	y, m, d := time.Now().Date()
	since := time.Date(y, m, d-usageDays, 0, 0, 0, 0, time.Local)
	parts, _, err := usage.Parts(c.Home.Usage(), since)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{} // whether a directory is this repository's
	for _, p := range parts {
		ours, ok := known[p.Project]
		if !ok {
			ours = c.ours(p.Project)
			known[p.Project] = ours
		}
		if ours {
			all.compacted(p.Day, p.Agent, p.Calls, int64(p.Without), int64(p.With+p.Back), p.Last)
		}
	}
	if c.sharesSessions() {
		c.sessions(ctx, all, since)
	}
	settled := time.Now().AddDate(0, 0, -settledDays).Format(time.DateOnly)
	var items []Item
	for _, d := range all.rows() {
		it, err := dayItem(d, c.sharesSessions(), d.Date < settled)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// sessions counts what transcripts tell. One that is being written is taken as
// far as it is the next time.
func (c *Collector) sessions(ctx context.Context, all *days, since time.Time) {
	files := transcript.Files(transcript.Roots(c.Env.Getenv), since, c.leftOut)
	total := int64(0)
	for _, f := range files {
		total += f.Size
	}
	c.Progress.Begin("reading sessions", total)
	defer c.Progress.End()
	for _, f := range files {
		if ctx.Err() != nil {
			return
		}
		c.Progress.Add(f.Size)
		if !f.IsSession() {
			continue
		}
		talk, err := transcript.ReadConversation(f)
		if err != nil {
			if !errors.Is(err, transcript.ErrBusy) {
				c.leftOut(err)
			}
			continue
		}
		if talk.Session == "" || !c.ours(talk.Project) {
			continue
		}
		for _, m := range talk.Messages {
			if !m.Time.Before(since) {
				all.said(cmp.Or(talk.Host, f.Host), talk.Session, m.Role == "user", m.Text, m.Tools, m.Time)
			}
		}
	}
}
