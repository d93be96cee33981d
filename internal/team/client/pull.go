package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/pushed"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
	"cairn/internal/text"
)

const (
	pullTime = 3 * time.Second // for each request
	pageRows = 1000
	overlap  = 10 * time.Minute // rows of a transaction that ended late have an earlier created_at
	keepDays = 180              // of records
	sumDays  = 90               // of daily sums
	fullAge  = 24 * time.Hour   // then all is asked for again: rows may have been deleted
)

// pulledTable is a table that is pulled.
type pulledTable struct {
	name string
	day  bool   // daily sums: few rows that change, all of them every time
	rpc  string // a function instead of a table
	// team: what is of the whole team, or has addresses. A token of CI may not read it.
	team bool
}

// People and Pulses are what the cache calls the answers of two functions.
const (
	People = "team_people"
	Pulses = "team_pulse"
)

var pulledTables = [...]pulledTable{
	{name: "eval_runs"}, {name: "ship_logs"}, {name: "retro_snapshots"}, {name: "qa_reports"}, {name: "greptile_triage"},
	{name: "plan_snapshots"}, {name: "usage_days"}, {name: "spend_days"},
	{name: "daily_evals", day: true}, {name: "daily_costs", day: true, team: true},
	{name: People, rpc: wire.TeamPeople, team: true}, {name: Pulses, rpc: wire.TeamPulse},
}

// Pull brings a cache up to date. A table that cannot be pulled keeps what it
// had; the error is the first one's, and nothing more is asked of a server that
// cannot be reached. fresh counts rows that were not there.
func (c *Client) Pull(ctx context.Context, cache *Cache) (meta Meta, fresh int, err error) {
	begin := c.now()
	defer func() {
		if err != nil {
			c.opts.Log.Add("PULL", "team-cache", "STALE", err.Error())
			return
		}
		c.opts.Log.Add("PULL", "team-cache", "OK", fmt.Sprintf("%s, %d new, %s", text.Count(len(meta.Tables), "table"), fresh, seconds(c.now().Sub(begin))))
	}()
	lock, err := cache.prepare()
	if err != nil {
		return cache.Meta(), 0, fmt.Errorf("the cache cannot be written: %w", err)
	}
	unlock, _, err := lockFile(ctx, lock, true)
	if err != nil {
		return cache.Meta(), 0, err
	}
	defer unlock()
	meta = cache.Meta()
	teamCtx, cancel := context.WithTimeout(ctx, 2*pullTime)
	defer cancel()
	team, err := c.Team(teamCtx, "")
	if err != nil {
		return meta, 0, err
	}
	if meta.URL != c.base || meta.Team != team.String() { // another team's, or none
		for _, t := range pulledTables {
			_ = cache.in.Remove(tableFile(t.name))
		}
		meta = Meta{URL: c.base, Team: team.String(), Tables: map[string]Pulled{}}
	}
	full := c.now().Sub(meta.FullPull).Abs() > fullAge
	p := &pull{Client: c, cache: cache, team: team, full: full}
	var errs []error
	for _, t := range pulledTables {
		got, n, err := p.table(ctx, t, meta.Tables[t.name])
		if t.team && c.opts.CI.Token != "" && isKind(err, ErrDenied) {
			_ = cache.in.Remove(tableFile(t.name))
			delete(meta.Tables, t.name)
			continue
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", t.name, err))
		}
		if got.Cursor != (Cursor{}) || err == nil {
			meta.Tables[t.name], fresh = got, fresh+n
		}
		if isKind(err, ErrNetwork) || isKind(err, ErrSignIn) || ctx.Err() != nil {
			break
		}
	}
	meta.Skipped = p.skipped
	if len(errs) == 0 {
		meta.LastPull = c.now().UTC().Truncate(time.Second)
		if full {
			meta.FullPull = meta.LastPull
		}
	}
	if err := cache.writeMeta(meta); err != nil {
		errs = append(errs, err)
	}
	if len(errs) > 0 {
		return meta, fresh, errs[0]
	}
	return meta, fresh, nil
}

// pull is one run of Pull.
type pull struct {
	*Client
	cache *Cache
	team  uuid.UUID
	full  bool
	// skipped names rows that were left out.
	skipped []string
}

func (p *pull) table(ctx context.Context, t pulledTable, had Pulled) (Pulled, int, error) {
	switch {
	case t.rpc != "":
		return p.function(ctx, t)
	case t.day:
		return p.days(ctx, t)
	}
	return p.records(ctx, t, had)
}

// get makes one of the requests of a pull.
func (p *pull) get(ctx context.Context, r Request, out any) error {
	patience := pullTime
	if r.Query.Get("limit") == "1" { // nothing less can be asked for
		patience = askFor
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return p.Send(ctx, r, out)
}

// skip notes a row that is too large to be pulled: others must not wait for it.
func (p *pull) skip(t pulledTable, which string) {
	p.skipped = append(p.skipped, fmt.Sprintf("a row of %s is left out, it has more than %d MB: %s", t.name, pageBytes>>20, which))
}

// function keeps a function's answer: its rows, or the one object as one.
func (p *pull) function(ctx context.Context, t pulledTable) (Pulled, int, error) {
	var answer jsontext.Value
	body := map[string]any{"p_team": p.team}
	if t.name == Pulses {
		body["p_days"] = PulseDays
	}
	if err := p.get(ctx, Request{Method: http.MethodPost, Path: t.rpc, Body: body}, &answer); err != nil {
		return Pulled{}, 0, err
	}
	rows := []jsontext.Value{answer}
	if answer.Kind() == '[' {
		rows = nil
		if err := json.Unmarshal(answer, &rows); err != nil {
			return Pulled{}, 0, err
		}
	}
	return Pulled{Rows: len(rows), Latest: p.now().UTC().Format(time.RFC3339)}, 0, p.cache.writeTable(t.name, rows)
}

// days pulls the daily sums of the last months, all of them.
func (p *pull) days(ctx context.Context, t pulledTable) (Pulled, int, error) {
	var all []jsontext.Value
	var w Window
	left := 0 // out
	for more := true; more; {
		var err error
		more, err = w.Fetch(func(limit int) (int, error) {
			var page []jsontext.Value
			err := p.get(ctx, rowsOf(t.name, url.Values{
				"team_id": {"eq." + p.team.String()}, "day": {"gte." + p.now().UTC().AddDate(0, 0, -sumDays).Format(time.DateOnly)},
				"order": {dayOrder(t.name)}, "limit": {strconv.Itoa(limit)}, "offset": {strconv.Itoa(len(all) + left)},
			}), &page)
			all = append(all, page...)
			return len(page), err
		})
		switch {
		case TooMuch(err):
			p.skip(t, fmt.Sprintf("the one after %d others, in the order of %s", len(all)+left, dayOrder(t.name)))
			left, more = left+1, true
		case err != nil:
			return Pulled{}, 0, err
		}
	}
	got := Pulled{Rows: len(all)}
	if len(all) > 0 {
		var last struct {
			Day string `json:"day"`
		}
		_ = json.Unmarshal(all[len(all)-1], &last)
		got.Latest = last.Day
	}
	return got, 0, p.cache.writeTable(t.name, all)
}

// dayOrder is an order without ties, so that pages do not overlap.
func dayOrder(name string) string {
	if name == "daily_costs" {
		return "day,model"
	}
	return "day,repo_slug,label,suite"
}

// together with a request's address: that many ids at once.
const idsAtOnce = 100

// Run asks for everything that a team has of a run, of which row is the row of
// eval_runs.
func (c *Client) Run(ctx context.Context, team uuid.UUID, row wire.EvalRun) (*result.Run, error) {
	of := func(order string) url.Values {
		return url.Values{"team_id": {"eq." + team.String()}, "run_id": {"eq." + row.ID.String()}, "order": {order}}
	}
	inMonth := func() url.Values { // results have the run's time, or its day: the server then looks in one month
		q := of("case_id,repeat_no")
		q["run_at"] = []string{"gte." + row.RunAt.UTC().AddDate(0, 0, -1).Format(time.RFC3339), "lte." + row.RunAt.UTC().AddDate(0, 0, 1).Format(time.RFC3339)}
		return q
	}
	results, err := pages[wire.EvalResult](ctx, c, "eval_results", inMonth())
	if err != nil {
		return nil, err
	}
	payloads, err := pages[pushed.PayloadRow](ctx, c, "eval_payloads", inMonth())
	if err != nil {
		return nil, err
	}
	costs, err := pages[wire.EvalCost](ctx, c, "eval_costs", of("model"))
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(results))
	for i, r := range results {
		ids[i] = strconv.FormatInt(r.CaseID, 10)
	}
	slices.Sort(ids)
	var cases []wire.EvalCase
	for some := range slices.Chunk(slices.Compact(ids), idsAtOnce) {
		list, err := pages[wire.EvalCase](ctx, c, "eval_cases", url.Values{
			"team_id": {"eq." + team.String()}, "id": {"in.(" + strings.Join(some, ",") + ")"}, "order": {"id"}})
		if err != nil {
			return nil, err
		}
		cases = append(cases, list...)
	}
	return pushed.RunFromRows(row, cases, results, payloads, costs)
}
