// Package bill adds up what requests cost, by day, place or model. What cannot be
// attributed is a sum of its own, and what has no known price is counted and never
// taken for nothing.
package bill

import (
	"context"
	"slices"
	"strconv"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ledger"
)

// A Row is what requests with one key cost.
type Row struct {
	Key        string  `json:"key"`
	USD        float64 `json:"usd"`
	Input      int64   `json:"input_tokens"`
	Output     int64   `json:"output_tokens"`
	CacheRead  int64   `json:"cache_read_tokens"`
	CacheWrite int64   `json:"cache_write_tokens"`
	Sessions   int     `json:"sessions"`
	Requests   int64   `json:"requests"`
	Unpriced   int64   `json:"unpriced_requests"` // of a model, or a tier, whose price is not known; usd leaves them out

	Repo   string   `json:"repo,omitzero"`
	Branch string   `json:"branch,omitzero"`
	Commit string   `json:"commit,omitzero"`
	Made   []string `json:"made_as,omitempty"` // what the commit was called when it was made, before it was rebased, amended or squashed
	Pull   int64    `json:"pull_request,omitzero"`
	Agent  string   `json:"agent,omitzero"`
	Start  string   `json:"start,omitzero"` // of a session or a block
	End    string   `json:"end,omitzero"`
}

// A Bill is the rows of one question, and their sum.
type Bill struct {
	By           string  `json:"by"`
	Rows         []Row   `json:"rows"`
	Total        float64 `json:"total_usd"`
	Unattributed float64 `json:"unattributed_usd"` // of requests that have no such key
	Unpriced     int64   `json:"unpriced_requests"`
	Requests     int64   `json:"requests"`
	Sessions     int     `json:"sessions"`
}

// times are the words that ask for a split by time, each with what names a time.
var times = map[string]func(zone *time.Location) *ledger.Naming{
	"day":   each(func(t time.Time) string { return t.Format(time.DateOnly) }),
	"week":  each(monday),
	"month": each(func(t time.Time) string { return t.Format("2006-01") }),
	"block": func(zone *time.Location) *ledger.Naming {
		return ledger.ByTime(func(all []time.Time) []string { return blocks(all, zone) })
	},
}

func each(name func(time.Time) string) func(*time.Location) *ledger.Naming {
	return func(zone *time.Location) *ledger.Naming {
		return ledger.ByTime(func(all []time.Time) (names []string) {
			for _, t := range all {
				names = append(names, name(t.In(zone)))
			}
			return names
		})
	}
}

// By are the words that ask for a split.
func By() []string {
	return []string{"day", "week", "month", "session", "repo", "branch", "commit", "pr", "person", "agent", "model", "tool", "phase", "block"}
}

func monday(t time.Time) string {
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
}

// Of makes a bill. One by person is made by [ByPerson].
func Of(ctx context.Context, d *db.DB, f ledger.Filter, by string, zone *time.Location) (Bill, error) {
	var name *ledger.Naming
	if of := times[by]; of != nil {
		name = of(zone)
	}
	return made(ctx, d, f, by, name, zone)
}

// ByPerson makes a bill by person. who says who a request is of.
func ByPerson(ctx context.Context, d *db.DB, f ledger.Filter, zone *time.Location, who func(repo, commit string) string) (Bill, error) {
	return made(ctx, d, f, "person", ledger.ByCommit(who), zone)
}

// made makes a bill. Package figures adds it up, as it does for the pages of a team.
func made(ctx context.Context, d *db.DB, f ledger.Filter, by string, name *ledger.Naming, zone *time.Location) (Bill, error) {
	list, err := ledger.Outlays(ctx, d, f, by, name)
	if err != nil {
		return Bill{}, err
	}
	all, err := ledger.Outlays(ctx, d, f, "all", nil)
	if err != nil {
		return Bill{}, err
	}
	b := Bill{By: by, Rows: []Row{}}
	for i := range all {
		b.Total, b.Requests, b.Unpriced, b.Sessions = all[i].USD(), all[i].Requests, all[i].Unpriced, int(all[i].Sessions)
	}
	var without figures.Outlay
	for i := range list {
		o := &list[i]
		if o.Key(by) == "" {
			without.Nanos += o.Nanos
			continue
		}
		b.Rows = append(b.Rows, rowOf(o, by, zone))
	}
	b.Unattributed = without.USD()
	return b, nil
}

func rowOf(o *figures.Outlay, by string, zone *time.Location) Row {
	r := Row{Key: o.Key(by), USD: o.USD(), Input: o.Input, Output: o.Output, CacheRead: o.CacheRead, CacheWrite: o.Write5m + o.Write1h,
		Sessions: int(o.Sessions), Requests: o.Requests, Unpriced: o.Unpriced, Repo: o.Repo}
	switch by {
	case "repo":
		r.Repo = o.Of
	case "branch":
		r.Branch = o.Of
	case "commit":
		r.Commit, r.Made = o.Of, slices.DeleteFunc(o.Made, func(made string) bool { return made == o.Of })
	case "pr":
		r.Pull, _ = strconv.ParseInt(o.Of, 10, 64) // the database's
	}
	if by == "session" {
		r.Agent = o.Agent
	}
	if by == "session" || by == "block" {
		r.Start, r.End = o.First.In(zone).Format(time.RFC3339), o.Last.Add(15*time.Minute).In(zone).Format(time.RFC3339)
	}
	return r
}

// blockLength is the time for which a subscription's limit counts, from the full
// hour of the first request behind the former block.
const blockLength = 5 * time.Hour

// blockStarts is the start of the block that each of some times in order is in.
func blockStarts(all []time.Time) (starts []time.Time) {
	var start time.Time
	for i, t := range all {
		if i == 0 || !t.Before(start.Add(blockLength)) {
			start = t.Truncate(time.Hour)
		}
		starts = append(starts, start)
	}
	return starts
}

// blocks names the block that each of some times in order is in.
func blocks(all []time.Time, zone *time.Location) (names []string) {
	for _, start := range blockStarts(all) {
		names = append(names, start.In(zone).Format(time.RFC3339))
	}
	return names
}
