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

// records are tables whose rows only come.
var records = [...]string{"ship_logs", "retro_snapshots", "qa_reports", "greptile_triage", "plan_snapshots", "usage_days"}

// Tables is how many step hears of.
func Tables() int { return len(records) + 1 }

// Refresh brings the copy up to date. step hears how many rows of which table
// have come so far.
func (m *Mirror) Refresh(ctx context.Context, from Source, step func(table string, rows int)) error {
	ctx = db.Quiet(ctx) // whoever changed the team did so elsewhere
	c := &copying{Mirror: m, from: from, step: step, known: map[string]bool{}}
	if err := c.people(ctx); err != nil {
		return err
	}
	for _, name := range states {
		if err := c.pages(ctx, name, url.Values{"order": {orderOf(table.Find(name))}}, "merge-duplicates"); err != nil {
			return err
		}
	}
	for _, name := range records {
		if err := c.since(ctx, name, func([]jsontext.Value) error { return nil }); err != nil {
			return err
		}
	}
	if err := c.since(ctx, "eval_runs", func(page []jsontext.Value) error { return c.results(ctx, page) }); err != nil {
		return err
	}
	m.state.Fresh = m.now()
	return m.save()
}

// copying is one refresh.
type copying struct {
	*Mirror
	from  Source
	step  func(string, int)
	known map[string]bool // users and cases that are here
}

// service may write every row of the copy: it is this person's own.
var service = db.Identity{Role: db.Service}

// people copies the team, its members and their addresses.
func (c *copying) people(ctx context.Context) error {
	var teams []jsontext.Value
	if err := c.get(ctx, "teams", url.Values{"id": {"eq." + c.team.String()}}, &teams); err != nil {
		return err
	}
	if err := c.put(ctx, "teams", teams, "merge-duplicates"); err != nil {
		return err
	}
	people, err := c.from.People(ctx, c.team)
	if err != nil {
		return err
	}
	var members []jsontext.Value
	for _, p := range people {
		if err := c.user(ctx, p.UserID, p.Email); err != nil {
			return err
		}
		row, err := json.Marshal(map[string]any{"team_id": c.team, "user_id": p.UserID, "role": p.Role, "joined_at": p.JoinedAt})
		if err != nil {
			return err
		}
		members = append(members, row)
	}
	return c.put(ctx, "team_members", members, "merge-duplicates")
}

// user makes a user if they are not here.
func (c *copying) user(ctx context.Context, id uuid.UUID, email string) error {
	if c.known[id.String()] {
		return nil
	}
	c.known[id.String()] = true
	return c.DB.Known(ctx, id, email)
}

// since copies what came since the last time, page by page; each page is whole
// before the cursor moves.
func (c *copying) since(ctx context.Context, name string, also func([]jsontext.Value) error) error {
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
		var err error
		if more, err = c.page(ctx, &w, name, q, &page); err != nil {
			return err
		}
		if err := c.put(ctx, name, page, "ignore-duplicates"); err != nil {
			return err
		}
		if err := also(page); err != nil {
			return err
		}
		count += len(page)
		c.step(name, count)
		if len(page) > 0 {
			if err := next.Move(page); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			c.state.Cursors[name] = next
			if err := c.save(); err != nil {
				return err
			}
		}
	}
	return nil
}

// results copies what belongs to runs: costs always, cases and results of the
// last weeks.
func (c *copying) results(ctx context.Context, page []jsontext.Value) error {
	oldest := c.now().AddDate(0, 0, -7*Weeks)
	for part := range slices.Chunk(page, 50) {
		var all, young []string
		from, to := c.now().AddDate(100, 0, 0), time.Time{}
		for _, v := range part {
			var run struct {
				ID string    `json:"id"`
				At time.Time `json:"run_at"`
			}
			if err := json.Unmarshal(v, &run); err != nil {
				return err
			}
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
		if err := c.pages(ctx, "eval_costs", url.Values{"run_id": {in(all)}, "order": {"run_id,model"}}, "ignore-duplicates"); err != nil {
			return err
		}
		if len(young) == 0 {
			continue
		}
		of := func() url.Values {
			return url.Values{"run_id": {in(young)}, "order": {"run_id,case_id,repeat_no"}, "and": {fmt.Sprintf("(run_at.gte.%q,run_at.lte.%q)", stamp(from), stamp(to))}}
		}
		for _, name := range [...]string{"eval_results", "eval_payloads"} {
			if err := c.pages(ctx, name, of(), "ignore-duplicates"); err != nil {
				return err
			}
		}
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func in(ids []string) string { return "in.(" + strings.Join(ids, ",") + ")" }

// pages copies all rows of a query. Cases that results are of come first.
func (c *copying) pages(ctx context.Context, name string, q url.Values, resolution string) error {
	q.Set("team_id", "eq."+c.team.String())
	var w client.Window
	for at, more := 0, true; more; {
		q.Set("offset", strconv.Itoa(at))
		var page []jsontext.Value
		var err error
		if more, err = c.page(ctx, &w, name, q, &page); err != nil {
			return err
		}
		at += len(page)
		if name == "eval_results" {
			if err := c.cases(ctx, page); err != nil {
				return err
			}
		}
		if err := c.put(ctx, name, page, resolution); err != nil {
			return err
		}
	}
	return nil
}

// cases copies those that are not here.
func (c *copying) cases(ctx context.Context, results []jsontext.Value) error {
	var ids []string
	for _, v := range results {
		var r struct {
			Case jsontext.Value `json:"case_id"`
		}
		if err := json.Unmarshal(v, &r); err != nil {
			return err
		}
		if id := string(r.Case); !c.known[id] {
			c.known[id] = true
			ids = append(ids, id)
		}
	}
	for part := range slices.Chunk(ids, 100) {
		if err := c.pages(ctx, "eval_cases", url.Values{"id": {in(part)}, "order": {"id"}}, "ignore-duplicates"); err != nil {
			return err
		}
	}
	return nil
}

// page asks for as many rows as one answer takes.
func (c *copying) page(ctx context.Context, w *client.Window, name string, q url.Values, out *[]jsontext.Value) (more bool, err error) {
	return w.Fetch(func(limit int) (int, error) {
		q.Set("limit", strconv.Itoa(limit))
		err := c.get(ctx, name, q, out)
		return len(*out), err
	})
}

func (c *copying) get(ctx context.Context, name string, q url.Values, out *[]jsontext.Value) error {
	q.Set("select", "*")
	return c.from.Send(ctx, client.Request{Method: http.MethodGet, Path: wire.Rest + name, Query: q}, out)
}

// put writes rows as they came. Who they name and is not in the team any more
// is made, without an address.
func (c *copying) put(ctx context.Context, name string, page []jsontext.Value, resolution string) error {
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
			return fmt.Errorf("%s: the server sent what is no row: %w", name, err)
		}
		var user string
		if t.Authored && json.Unmarshal(members["user_id"], &user) == nil && user != "" {
			id, err := uuid.Parse(user)
			if err != nil {
				return fmt.Errorf("%s: user_id: %w", name, err)
			}
			if err := c.user(ctx, id, "left-"+user+"@cairn.invalid"); err != nil {
				return err
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
	if len(w.Rows) == 0 {
		return nil
	}
	return c.DB.Update(ctx, service, func(tx *db.Tx) error {
		return rows.Insert(ctx, tx, service, w, false, rows.NewAnswer(0))
	})
}

// orderOf is a table's key as an order.
func orderOf(t *table.Table) string { return strings.Join(t.Key, ",") }
