package replica

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// How far back rows are copied, by when they came.
const (
	Days  = 180 // runs and records of a pull
	Years = 2   // and those that the pages show
	Weeks = 26  // results of single cases, for the pages
)

const (
	overlap = 10 * time.Minute // rows of a transaction that ended late have an earlier created_at
	fullAge = 24 * time.Hour   // then all is asked for again: rows may have been deleted
	atOnce  = 50               // runs in one request, by their ids
)

// A Source is a signed-in client.
type Source interface {
	Send(ctx context.Context, r client.Request, out any) error
}

// A Wish says what a refresh is for.
type Wish struct {
	Team     uuid.UUID
	Pages    bool          // all that the team's pages show, or else what a pull brings
	Anew     bool          // ask for everything, and remove what the server does not have any more
	Patience time.Duration // for each request, 0 for as long as the client has
	Step     func(table string, rows int)
	// Partly: what is of the whole team, or has addresses, may be denied. A token of
	// CI may not read that.
	Partly bool
}

// A Report is what a refresh brought.
type Report struct {
	New     int      // records and runs that were not here
	Skipped []string // a sentence for each row that could not be copied
}

// records are tables whose rows come; those of spend_days change, and come again.
var records = [...]string{"eval_runs", "ship_logs", "retro_snapshots", "qa_reports", "greptile_triage", "plan_snapshots", "usage_days", "spend_days"}

// Tables is how many Step hears of.
func Tables() int { return len(records) }

// The functions of the server whose answers are kept as they came.
const (
	People = "team_people"
	Pulse  = "team_pulse"
)

// Refresh brings the copy up to date. A table that cannot be had keeps what it
// had; the error is the first one's, and nothing more is asked of a server that
// cannot be reached.
func (r *Replica) Refresh(ctx context.Context, from Source, w Wish) (Report, error) {
	unlock, err := r.lock(ctx)
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	if err := r.load(); err != nil {
		return Report{}, err
	}
	if r.state.Team != w.Team {
		r.state = state{Team: w.Team, Cursors: map[string]client.Place{}, Said: map[string]jsontext.Value{}}
	}
	c := &copying{Replica: r, ctx: db.Quiet(ctx), from: from, Wish: w, known: map[string]bool{}} // whoever changed the team did so elsewhere
	c.begin = r.now().AddDate(0, 0, -Days)
	last := later(r.state.Pulled, r.state.Paged)
	if w.Pages {
		c.begin, last = r.now().AddDate(-Years, 0, 0), r.state.Paged
	}
	c.full = w.Anew || r.now().Sub(last).Abs() > fullAge
	if err := c.all(); err != nil {
		return c.Report, errors.Join(err, r.save())
	}
	r.state.Fresh = r.now().UTC().Truncate(time.Second)
	if c.full && w.Pages {
		r.state.Paged = r.state.Fresh
	} else if c.full {
		r.state.Pulled = r.state.Fresh
	}
	return c.Report, r.save()
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// copying is one refresh.
type copying struct {
	*Replica
	Wish
	Report
	ctx   context.Context
	from  Source
	full  bool
	begin time.Time
	known map[string]bool // users and cases that are here
}

// all copies everything, and goes on where one table cannot be had.
func (c *copying) all() error {
	var teams []jsontext.Value
	if err := c.get("teams", url.Values{"id": {"eq." + c.Team.String()}}, &teams); err != nil {
		return err
	}
	if len(teams) == 0 {
		return &client.Error{Kind: client.ErrDenied, Message: "the server shows no such team"}
	}
	if err := c.put("teams", teams, "merge-duplicates"); err != nil {
		return err
	}
	var errs []error
	// try says whether to go on.
	try := func(name string, err error) bool {
		if client.NoTable(err) {
			c.Skipped = append(c.Skipped, fmt.Sprintf("the server has no table %s: it is older than this cairn", name))
			return true
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
		return !errors.Is(err, client.ErrNetwork) && !errors.Is(err, client.ErrSignIn) && c.ctx.Err() == nil
	}
	on := try(People, c.people()) && try(Pulse, c.pulse())
	if c.Pages { // few rows that change: all of them every time
		for _, name := range [...]string{"team_settings", "alerts"} {
			on = on && try(name, c.pages(name, url.Values{"order": {strings.Join(table.Find(name).Key, ",")}}, "merge-duplicates"))
		}
	}
	for _, name := range records {
		on = on && try(name, c.records(name))
	}
	if on && try("eval_costs", c.details("eval_costs", c.costs)) && c.Pages {
		try("eval_results", c.details("eval_results", c.results))
	}
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// call asks a function of the server and keeps the answer.
func (c *copying) call(name string, body map[string]any) error {
	var answer jsontext.Value
	body["p_team"] = c.Team
	err := c.send(client.Request{Method: http.MethodPost, Path: wire.RPC + name, Body: body}, &answer)
	switch {
	case c.Partly && errors.Is(err, client.ErrDenied):
		delete(c.state.Said, name)
		return nil
	case err == nil:
		c.state.Said[name] = answer
	}
	return err
}

func (c *copying) pulse() error { return c.call(Pulse, map[string]any{"p_days": client.PulseDays}) }

// people copies the members and their addresses. Who left stays as the author of
// what they pushed, without an address.
func (c *copying) people() error {
	if err := c.call(People, map[string]any{}); err != nil || c.state.Said[People] == nil {
		return err
	}
	var people []client.Person
	if err := json.Unmarshal(c.state.Said[People], &people); err != nil {
		return err
	}
	members, users := []jsontext.Value{}, []uuid.UUID{}
	isOwner := func(p client.Person) int { return -strings.Count(p.Role, "owner") }
	slices.SortStableFunc(people, func(a, b client.Person) int { return isOwner(a) - isOwner(b) }) // a team has one at each moment
	for _, p := range people {
		if err := c.DB.Takes(c.ctx, p.UserID, p.Email); err != nil {
			return err
		}
		c.known[p.UserID.String()] = true
		m, err := json.Marshal(map[string]any{"team_id": c.Team, "user_id": p.UserID, "role": p.Role, "joined_at": p.JoinedAt})
		if err != nil {
			return err
		}
		members, users = append(members, m), append(users, p.UserID)
	}
	if err := c.put("team_members", members, "merge-duplicates"); err != nil || len(people) == 0 {
		return err
	}
	return c.DB.OnlyMembers(c.ctx, c.Team, users)
}

// user makes a user if they are not here.
func (c *copying) user(id uuid.UUID, email string) error {
	if c.known[id.String()] {
		return nil
	}
	c.known[id.String()] = true
	return c.DB.Known(c.ctx, id, email)
}

// records copies what came since the last time, page by page; each page is whole
// before the cursor moves. If all was asked for, the rest is removed.
func (c *copying) records(name string) error {
	begin := c.begin
	if seen, err := time.Parse(time.RFC3339, c.state.Cursors[name].At); err == nil && !c.full {
		begin = seen.Add(-overlap)
	}
	before, err := c.DB.CameSince(c.ctx, name, c.Team, c.begin)
	if err != nil {
		return err
	}
	resolution := "ignore-duplicates"
	if name == "spend_days" {
		resolution = "merge-duplicates"
	}
	next, count, came := client.Place{At: begin.UTC().Format(time.RFC3339Nano)}, 0, map[string]bool{}
	var window client.Window
	for more := true; more; {
		var page []jsontext.Value
		more, err = window.Fetch(func(limit int) (int, error) {
			q := url.Values{"select": {"*"}, "team_id": {"eq." + c.Team.String()}, "limit": {strconv.Itoa(limit)}}
			next.After(q)
			err := c.send(client.RowsOf(name, q), &page)
			return len(page), err
		})
		if client.TooMuch(err) { // one row: its place is asked for, and the next ones
			q := url.Values{"select": {"created_at,id"}, "team_id": {"eq." + c.Team.String()}, "limit": {"1"}}
			next.After(q)
			if err = c.send(client.RowsOf(name, q), &page); err == nil {
				more, err = len(page) > 0, next.Move(page)
				c.skip(name, next.ID)
				came[next.ID] = true
				page = nil
			}
		}
		if err == nil && len(page) > 0 {
			if err = next.Move(page); err == nil {
				err = c.put(name, page, resolution)
			}
		}
		if err != nil {
			return err
		}
		for _, v := range page {
			var row struct {
				ID string `json:"id"`
			}
			_ = json.Unmarshal(v, &row)
			came[row.ID] = true
			if !before[row.ID] {
				c.New++
			}
		}
		count += len(page)
		c.step(name, count)
		if len(page) > 0 && !next.Before(c.state.Cursors[name]) {
			c.state.Cursors[name] = next
			if err := c.save(); err != nil {
				return err
			}
		}
	}
	if c.full {
		maps.DeleteFunc(before, func(id string, _ bool) bool { return came[id] })
		return c.remove(name, slices.Sorted(maps.Keys(before)))
	}
	return nil
}

func (c *copying) step(name string, rows int) {
	if c.Step != nil {
		c.Step(name, rows)
	}
}

// skip notes a row that is too large to be copied: others must not wait for it.
func (c *copying) skip(name, which string) {
	c.Skipped = append(c.Skipped, fmt.Sprintf("a row of %s is left out, it has more than %d MB: %s", name, client.PageBytes>>20, which))
}

// remove removes rows that the server does not have any more.
func (c *copying) remove(name string, ids []string) error {
	for some := range slices.Chunk(ids, 100) {
		q, failed := postgrest.ParseDelete(table.Find(name), url.Values{"team_id": {"eq." + c.Team.String()}, "id": {in(some)}}.Encode())
		if failed != nil {
			return failed
		}
		err := c.DB.Update(c.ctx, service, func(tx *db.Tx) error { return rows.Delete(c.ctx, tx, service, q, false, rows.NewAnswer(0)) })
		if err != nil {
			return err
		}
	}
	return nil
}

// service may write every row of the copy: it is this person's own.
var service = db.Identity{Role: db.Service}

func in(ids []string) string { return "in.(" + strings.Join(ids, ",") + ")" }

// send makes one of the requests of a refresh. Nothing less than one row can be
// asked for, so that may take its time.
func (c *copying) send(r client.Request, out any) error {
	if c.Patience == 0 || r.Query.Get("limit") == "1" {
		return c.from.Send(c.ctx, r, out)
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.Patience)
	defer cancel()
	return c.from.Send(ctx, r, out)
}

func (c *copying) get(name string, q url.Values, out any) error {
	q.Set("select", "*")
	return c.send(client.RowsOf(name, q), out)
}

// pages copies all rows of a query, in its order.
func (c *copying) pages(name string, q url.Values, resolution string) error {
	return c.each(name, q, func(page []jsontext.Value) error { return c.put(name, page, resolution) })
}

// each calls do for the pages of a query, in its order.
func (c *copying) each(name string, q url.Values, do func([]jsontext.Value) error) error {
	q.Set("team_id", "eq."+c.Team.String())
	var window client.Window
	for at, more := 0, true; more; {
		var page []jsontext.Value
		var err error
		more, err = window.Fetch(func(limit int) (int, error) {
			q.Set("offset", strconv.Itoa(at))
			q.Set("limit", strconv.Itoa(limit))
			err := c.get(name, q, &page)
			return len(page), err
		})
		switch {
		case client.TooMuch(err):
			c.skip(name, fmt.Sprintf("the one after %d others, in the order of %s", at, q.Get("order")))
			page, at, more = nil, at+1, true
		case err != nil:
			return err
		}
		at += len(page)
		if err := do(page); err != nil {
			return err
		}
	}
	return nil
}

// put writes rows as they came. Who they name and is not in the team any more
// is made, without an address.
func (c *copying) put(name string, page []jsontext.Value, resolution string) error {
	w, err := c.write(name, page, resolution)
	if err != nil || len(w.Rows) == 0 {
		return err
	}
	if err = c.insert(w); !refused(err) {
		return err
	}
	if len(page) == 1 {
		c.Skipped = append(c.Skipped, fmt.Sprintf("a row of %s is left out: %v", name, err))
		return nil
	}
	for i := range page { // one of them is to blame
		if err := c.put(name, page[i:i+1], resolution); err != nil {
			return err
		}
	}
	return nil
}

// refused reports whether a row is none that the schema takes.
func refused(err error) bool {
	_, is := errors.AsType[*postgrest.Error](err)
	return is
}

func (c *copying) insert(w *postgrest.Write) error {
	return c.DB.Update(c.ctx, service, func(tx *db.Tx) error { return rows.Copy(c.ctx, tx, w, rows.NewAnswer(0)) })
}

// write is what inserts rows as they came.
func (c *copying) write(name string, page []jsontext.Value, resolution string) (*postgrest.Write, error) {
	t := table.Find(name)
	w := &postgrest.Write{Query: postgrest.Query{Table: t}, OnConflict: t.Key, Resolution: resolution}
	for i := range t.Columns {
		if !t.Columns[i].Hidden {
			w.Columns = append(w.Columns, &t.Columns[i])
		}
	}
	for _, v := range page {
		var members map[string]jsontext.Value
		if err := json.Unmarshal(v, &members); err != nil {
			return nil, fmt.Errorf("the server sent what is no row: %w", err)
		}
		var user string
		if t.Authored && json.Unmarshal(members["user_id"], &user) == nil && user != "" {
			id, err := uuid.Parse(user)
			if err != nil {
				return nil, fmt.Errorf("user_id: %w", err)
			}
			if err := c.user(id, "left-"+user+"@cairn.invalid"); err != nil {
				return nil, err
			}
		}
		row := make([]jsontext.Value, len(w.Columns))
		for i, col := range w.Columns {
			if row[i] = members[col.Name]; string(row[i]) == "null" && !col.Null {
				row[i] = nil
			}
		}
		w.Rows = append(w.Rows, row)
	}
	return w, nil
}
