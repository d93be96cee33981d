package mirror

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

	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// overlap is how far back is asked again: rows of a transaction that ended late
// have an earlier created_at.
const overlap = 10 * time.Minute

// states are tables of few rows that change: all of them every time.
var states = [...]string{"team_settings", "alerts"}

// records are tables whose rows come; those of spend_days change, and come again.
var records = [...]string{"ship_logs", "retro_snapshots", "qa_reports", "greptile_triage", "plan_snapshots", "usage_days", "spend_days"}

// Tables is how many step hears of.
func Tables() int { return len(records) + 1 }

// Refresh brings the copy up to date. step hears how many rows of which table
// have come so far.
func (m *Mirror) Refresh(ctx context.Context, from Source, step func(table string, rows int)) error {
	ctx = db.Quiet(ctx) // whoever changed the team did so elsewhere
	c := &copying{Mirror: m, from: from, step: step, known: map[string]bool{}}
	return must.Catch(func() {
		c.people(ctx)
		for _, name := range states {
			c.pages(ctx, name, url.Values{"order": {orderOf(table.Find(name))}}, "merge-duplicates")
		}
		for _, name := range records {
			c.since(ctx, name, func([]jsontext.Value) {})
		}
		c.since(ctx, "eval_runs", func(page []jsontext.Value) { c.results(ctx, page) })
		m.state.Fresh = m.now()
		must.OK(m.save())
	})
}

// copying is one refresh, which ends where something goes wrong.
type copying struct {
	*Mirror
	from  Source
	step  func(string, int)
	known map[string]bool // users and cases that are here
}

// service may write every row of the copy: it is this person's own.
var service = db.Identity{Role: db.Service}

// people copies the team, its members and their addresses.
func (c *copying) people(ctx context.Context) {
	var teams []jsontext.Value
	must.OK(c.get(ctx, "teams", url.Values{"id": {"eq." + c.team.String()}}, &teams))
	c.put(ctx, "teams", teams, "merge-duplicates")
	var members []jsontext.Value
	for _, p := range must.Get(c.from.People(ctx, c.team)) {
		c.user(ctx, p.UserID, p.Email)
		members = append(members, must.Get(json.Marshal(map[string]any{"team_id": c.team, "user_id": p.UserID, "role": p.Role, "joined_at": p.JoinedAt})))
	}
	c.put(ctx, "team_members", members, "merge-duplicates")
}

// user makes a user if they are not here.
func (c *copying) user(ctx context.Context, id uuid.UUID, email string) {
	if !c.known[id.String()] {
		c.known[id.String()] = true
		must.OK(c.DB.Known(ctx, id, email))
	}
}

// since copies what came since the last time, page by page; each page is whole
// before the cursor moves.
func (c *copying) since(ctx context.Context, name string, also func([]jsontext.Value)) {
	at := c.state.Cursors[name]
	begin := c.now().AddDate(-Years, 0, 0)
	if seen, err := time.Parse(time.RFC3339, at.At); err == nil {
		begin = seen.Add(-overlap)
	}
	next, count := client.Place{At: begin.UTC().Format(time.RFC3339Nano)}, 0
	var w client.Window
	for more := true; more; {
		q := url.Values{"team_id": {"eq." + c.team.String()}}
		next.After(q)
		var page []jsontext.Value
		page, more = c.page(ctx, &w, name, q)
		resolution := "ignore-duplicates"
		if name == "spend_days" {
			resolution = "merge-duplicates"
		}
		c.put(ctx, name, page, resolution)
		also(page)
		count += len(page)
		c.step(name, count)
		if len(page) > 0 {
			if err := next.Move(page); err != nil {
				must.Fail(fmt.Errorf("%s: %w", name, err))
			}
			c.state.Cursors[name] = next
			must.OK(c.save())
		}
	}
}

// results copies what belongs to runs: costs always, cases and results of the
// last weeks.
func (c *copying) results(ctx context.Context, page []jsontext.Value) {
	oldest := c.now().AddDate(0, 0, -7*Weeks)
	for part := range slices.Chunk(page, 50) {
		var all, young []string
		from, to := c.now().AddDate(100, 0, 0), time.Time{}
		for _, v := range part {
			var run struct {
				ID string    `json:"id"`
				At time.Time `json:"run_at"`
			}
			must.OK(json.Unmarshal(v, &run))
			all = append(all, run.ID)
			if run.At.After(oldest) {
				young = append(young, run.ID)
				if run.At.Before(from) {
					from = run.At
				}
				if run.At.After(to) {
					to = run.At
				}
			}
		}
		c.pages(ctx, "eval_costs", url.Values{"run_id": {in(all)}, "order": {"run_id,model"}}, "ignore-duplicates")
		if len(young) == 0 {
			continue
		}
		of := func() url.Values {
			return url.Values{"run_id": {in(young)}, "order": {"run_id,case_id,repeat_no"}, "and": {fmt.Sprintf("(run_at.gte.%q,run_at.lte.%q)", stamp(from), stamp(to))}}
		}
		for _, name := range [...]string{"eval_results", "eval_payloads"} {
			c.pages(ctx, name, of(), "ignore-duplicates")
		}
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func in(ids []string) string { return "in.(" + strings.Join(ids, ",") + ")" }

// pages copies all rows of a query. Cases that results are of come first.
func (c *copying) pages(ctx context.Context, name string, q url.Values, resolution string) {
	q.Set("team_id", "eq."+c.team.String())
	var w client.Window
	for at, more := 0, true; more; {
		q.Set("offset", strconv.Itoa(at))
		var page []jsontext.Value
		page, more = c.page(ctx, &w, name, q)
		at += len(page)
		if name == "eval_results" {
			c.cases(ctx, page)
		}
		c.put(ctx, name, page, resolution)
	}
}

// cases copies those that are not here.
func (c *copying) cases(ctx context.Context, results []jsontext.Value) {
	var ids []string
	for _, v := range results {
		var r struct {
			Case jsontext.Value `json:"case_id"`
		}
		must.OK(json.Unmarshal(v, &r))
		if id := string(r.Case); !c.known[id] {
			c.known[id] = true
			ids = append(ids, id)
		}
	}
	for part := range slices.Chunk(ids, 100) {
		c.pages(ctx, "eval_cases", url.Values{"id": {in(part)}, "order": {"id"}}, "ignore-duplicates")
	}
}

// page asks for as many rows as one answer takes.
func (c *copying) page(ctx context.Context, w *client.Window, name string, q url.Values) (page []jsontext.Value, more bool) {
	more = must.Get(w.Fetch(func(limit int) (int, error) {
		q.Set("limit", strconv.Itoa(limit))
		err := c.get(ctx, name, q, &page)
		return len(page), err
	}))
	return page, more
}

func (c *copying) get(ctx context.Context, name string, q url.Values, out *[]jsontext.Value) error {
	q.Set("select", "*")
	return c.from.Send(ctx, client.Request{Method: http.MethodGet, Path: wire.Rest + name, Query: q}, out)
}

// put writes rows as they came. Who they name and is not in the team any more
// is made, without an address.
func (c *copying) put(ctx context.Context, name string, page []jsontext.Value, resolution string) {
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
			must.Fail(fmt.Errorf("%s: the server sent what is no row: %w", name, err))
		}
		var user string
		if t.Authored && json.Unmarshal(members["user_id"], &user) == nil && user != "" {
			id, err := uuid.Parse(user)
			if err != nil {
				must.Fail(fmt.Errorf("%s: user_id: %w", name, err))
			}
			c.user(ctx, id, "left-"+user+"@cairn.invalid")
		}
		row := make([]jsontext.Value, len(w.Columns))
		for i, col := range w.Columns {
			if row[i] = members[col.Name]; string(row[i]) == "null" && !col.Null {
				row[i] = nil
			}
		}
		w.Rows = append(w.Rows, row)
	}
	if len(w.Rows) > 0 {
		must.OK(c.DB.Update(ctx, service, func(tx *db.Tx) error {
			return rows.Insert(ctx, tx, service, w, false, rows.NewAnswer(0))
		}))
	}
}

// orderOf is a table's key as an order.
func orderOf(t *table.Table) string { return strings.Join(t.Key, ",") }
