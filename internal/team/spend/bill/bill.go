// Package bill adds up what requests cost, by day, place or model. What cannot be
// attributed is a sum of its own, and what has no known price is counted and never
// taken for nothing.
package bill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
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

	nanos    int64
	sessions map[string]bool
	from, to time.Time
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

// A way is how a bill is split up.
type way struct {
	columns []string
	time    func(t time.Time, zone *time.Location) string // in place of columns
	key     func(s *ledger.Sum, r *Row) string            // "": it cannot be attributed
}

// ways are by the word that asks for them.
var ways = map[string]way{
	"day":  {time: func(t time.Time, zone *time.Location) string { return t.In(zone).Format(time.DateOnly) }},
	"week": {time: monday},
	"month": {time: func(t time.Time, zone *time.Location) string {
		return t.In(zone).Format("2006-01")
	}},
	"block": {time: func(time.Time, *time.Location) string { return "" }},
	"session": {columns: []string{ledger.Session, ledger.Agent}, key: func(s *ledger.Sum, r *Row) string {
		r.Agent = s.Keys[1]
		return s.Keys[0]
	}},
	"repo": {columns: []string{ledger.Repo}, key: func(s *ledger.Sum, r *Row) string {
		r.Repo = s.Keys[0]
		return s.Keys[0]
	}},
	"branch": {columns: []string{ledger.Repo, ledger.Branch}, key: func(s *ledger.Sum, r *Row) string {
		return within(s.Keys[0], s.Keys[1], ":", r, func() { r.Branch = s.Keys[1] })
	}},
	"commit": {columns: []string{ledger.Repo, ledger.Commit, ledger.Made}, key: func(s *ledger.Sum, r *Row) string {
		return within(s.Keys[0], s.Keys[1], ":", r, func() {
			r.Commit = s.Keys[1]
			if made := s.Keys[2]; made != s.Keys[1] && !slices.Contains(r.Made, made) {
				r.Made = append(r.Made, made)
			}
		})
	}},
	"pr": {columns: []string{ledger.Repo}, key: func(s *ledger.Sum, r *Row) string {
		if s.Pull == 0 {
			return ""
		}
		return within(s.Keys[0], strconv.FormatInt(s.Pull, 10), "#", r, func() { r.Pull = s.Pull })
	}},
	"person": {columns: []string{ledger.Repo, ledger.Commit}},
	"phase": {columns: []string{ledger.Repo, ledger.Phase}, key: func(s *ledger.Sum, r *Row) string {
		return within(s.Keys[0], s.Keys[1], ":", r, func() {})
	}},
	"agent": {columns: []string{ledger.Agent}, key: func(s *ledger.Sum, r *Row) string { return s.Keys[0] }},
	"tool":  {columns: []string{ledger.Tool}, key: func(s *ledger.Sum, r *Row) string { return s.Keys[0] }},
	"model": {columns: []string{ledger.Model}, key: func(s *ledger.Sum, r *Row) string { return s.Keys[0] }},
}

// By are the words that ask for a split.
func By() []string {
	return []string{"day", "week", "month", "session", "repo", "branch", "commit", "pr", "person", "agent", "model", "tool", "phase", "block"}
}

// within is a key that names its repository, "" where there is none.
func within(repo, what, between string, r *Row, fill func()) string {
	if repo == "" || what == "" {
		return ""
	}
	r.Repo = repo
	fill()
	return repo + between + what
}

func monday(t time.Time, zone *time.Location) string {
	t = t.In(zone)
	return t.AddDate(0, 0, -(int(t.Weekday())+6)%7).Format(time.DateOnly)
}

// Of makes a bill. One by person is made by [ByPerson].
func Of(ctx context.Context, d *db.DB, f ledger.Filter, by string, zone *time.Location) (Bill, error) {
	w, ok := ways[by]
	if !ok || w.time == nil && w.key == nil {
		return Bill{}, fmt.Errorf("spend cannot be split by %q", by)
	}
	return w.bill(ctx, d, f, by, zone)
}

// ByPerson makes a bill by person. who says who a request is of.
func ByPerson(ctx context.Context, d *db.DB, f ledger.Filter, zone *time.Location, who func(repo, commit string) string) (Bill, error) {
	w := ways["person"]
	w.key = func(s *ledger.Sum, r *Row) string { return who(s.Keys[0], s.Keys[1]) }
	return w.bill(ctx, d, f, "person", zone)
}

func (w way) bill(ctx context.Context, d *db.DB, f ledger.Filter, by string, zone *time.Location) (Bill, error) {
	sums, err := ledger.Sums(ctx, d, f, w.time != nil || by == "session", w.columns...)
	if err != nil {
		return Bill{}, err
	}
	if by == "block" {
		w.time = blocks(sums)
	}
	b := Bill{By: by, Rows: []Row{}}
	rows, all := map[string]*Row{}, map[string]bool{}
	var total, without int64
	for i := range sums {
		s := &sums[i]
		all[s.Session] = true
		total += s.Nanos
		b.Requests += s.Requests
		b.Unpriced += s.Unpriced
		fresh := Row{}
		var key string
		if w.time != nil {
			key = w.time(s.At, zone)
		} else {
			key = w.key(s, &fresh)
		}
		if key == "" {
			without += s.Nanos
			continue
		}
		r := rows[key]
		if r == nil {
			fresh.Key, fresh.sessions, fresh.from, fresh.to = key, map[string]bool{}, s.At, s.At
			rows[key], r = &fresh, &fresh
		} else if w.key != nil {
			w.key(s, r)
		}
		r.add(s)
	}
	b.Total, b.Unattributed, b.Sessions = spend.Dollars(total), spend.Dollars(without), len(all)
	for _, r := range rows {
		r.USD, r.Sessions = spend.Dollars(r.nanos), len(r.sessions)
		if !r.from.IsZero() && (by == "session" || by == "block") {
			r.Start, r.End = r.from.In(zone).Format(time.RFC3339), r.to.Add(15*time.Minute).In(zone).Format(time.RFC3339)
		}
		b.Rows = append(b.Rows, *r)
	}
	slices.SortFunc(b.Rows, func(x, y Row) int {
		if w.time != nil {
			return strings.Compare(x.Key, y.Key)
		}
		return cmp.Or(cmp.Compare(y.USD, x.USD), strings.Compare(x.Key, y.Key))
	})
	return b, nil
}

func (r *Row) add(s *ledger.Sum) {
	r.nanos += s.Nanos
	r.Input += s.Input
	r.Output += s.Output
	r.CacheRead += s.CacheRead
	r.CacheWrite += s.Write5m + s.Write1h
	r.Requests += s.Requests
	r.Unpriced += s.Unpriced
	r.sessions[s.Session] = true
	if s.At.Before(r.from) {
		r.from = s.At
	}
	if s.At.After(r.to) {
		r.to = s.At
	}
}

// blockLength is the time for which a subscription's limit counts, from the full
// hour of the first request behind the former block.
const blockLength = 5 * time.Hour

// blockStarts are the starts of the blocks that requests of these times were in, in
// order.
func blockStarts(times []time.Time) (starts []time.Time) {
	slices.SortFunc(times, time.Time.Compare)
	for _, t := range times {
		if n := len(starts); n == 0 || !t.Before(starts[n-1].Add(blockLength)) {
			starts = append(starts, t.Truncate(time.Hour))
		}
	}
	return starts
}

// blocks names the block that a request is in.
func blocks(sums []ledger.Sum) func(time.Time, *time.Location) string {
	times := make([]time.Time, len(sums))
	for i := range sums {
		times[i] = sums[i].At
	}
	starts := blockStarts(times)
	return func(t time.Time, zone *time.Location) string {
		i, found := slices.BinarySearchFunc(starts, t, time.Time.Compare)
		if !found {
			i--
		}
		return starts[max(i, 0)].In(zone).Format(time.RFC3339)
	}
}
