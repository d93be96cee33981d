package replica

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/wire"
)

// A run names a run whose costs or results are to be copied.
type run struct {
	id       uuid.UUID
	at, came time.Time
}

// details copies what belongs to the runs that came since the last time.
func (c *copying) details(name string, fetch func([]run) error) error {
	since := c.begin
	further := c.Pages && c.state.Paged.IsZero() // runs of before the cursor came, too
	if seen, err := time.Parse(time.RFC3339, c.state.Cursors[name].At); err == nil && seen.After(since) && !further {
		since = seen.Add(-overlap)
	}
	var at, came db.Time
	all, err := db.Viewed(c.ctx, c.DB, func(tx *db.Tx) ([]run, error) {
		return db.Each(c.ctx, tx, `select id, run_at, created_at from eval_runs where team_id = ? and created_at >= ? order by created_at, id`, []any{c.Team, since},
			func(scan db.Scan) (r run, err error) {
				err = scan(&r.id, &at, &came)
				if err == nil {
					r.at, r.came = *at.Value, *came.Value
				}
				return r, err
			})
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, atOnce) {
		if err := fetch(some); err != nil {
			return err
		}
		last := some[len(some)-1]
		c.state.Cursors[name] = client.Place{At: stamp(last.came), ID: last.id.String()}
		if err := c.save(); err != nil {
			return err
		}
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func ids(runs []run) string {
	list := make([]string, len(runs))
	for i, r := range runs {
		list[i] = r.id.String()
	}
	return in(list)
}

func (c *copying) costs(runs []run) error {
	return c.pages("eval_costs", url.Values{"run_id": {ids(runs)}, "order": {"run_id,model"}}, "ignore-duplicates")
}

// results copies the cases and results of young runs.
func (c *copying) results(runs []run) error {
	oldest := c.now().AddDate(0, 0, -7*Weeks)
	runs = slices.DeleteFunc(slices.Clone(runs), func(r run) bool { return !r.at.After(oldest) })
	if len(runs) == 0 {
		return nil
	}
	return c.whole(runs)
}

// whole copies the cases and results of runs: payloads first and the results in one
// piece, so that a run of which there is a result is there as a whole.
func (c *copying) whole(runs []run) error {
	byTime := func(a, b run) int { return a.at.Compare(b.at) }
	// Results have the run's time, or its day: the server then looks in few months.
	from, to := slices.MinFunc(runs, byTime).at.AddDate(0, 0, -1), slices.MaxFunc(runs, byTime).at.AddDate(0, 0, 1)
	of := func() url.Values {
		return url.Values{"run_id": {ids(runs)}, "order": {"run_id,case_id,repeat_no"}, "and": {fmt.Sprintf("(run_at.gte.%q,run_at.lte.%q)", stamp(from), stamp(to))}}
	}
	if err := c.pages("eval_payloads", of(), "ignore-duplicates"); err != nil {
		return err
	}
	var results []jsontext.Value
	err := c.each("eval_results", of(), func(page []jsontext.Value) error {
		results = append(results, page...)
		return c.cases(page)
	})
	if err != nil {
		return err
	}
	w, err := c.write("eval_results", results, "ignore-duplicates")
	if err != nil {
		return err
	}
	if err = c.insert(w); refused(err) {
		return c.put("eval_results", results, "ignore-duplicates") // without those that are to blame
	}
	return err
}

// cases copies those that are not here.
func (c *copying) cases(results []jsontext.Value) error {
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
	for some := range slices.Chunk(ids, 100) {
		if err := c.pages("eval_cases", url.Values{"id": {in(some)}, "order": {"id"}}, "ignore-duplicates"); err != nil {
			return err
		}
	}
	return nil
}

// Run returns a run with its results, which are asked for where they are not here;
// [figures.ErrNone] if the copy has no run of that id.
func (r *Replica) Run(ctx context.Context, from Source, id uuid.UUID) (w wire.EvalRun, err error) {
	w, err = r.here(ctx, id)
	if err != nil || len(w.Results) > 0 || w.TotalTests == 0 {
		return w, err
	}
	c := &copying{Replica: r, ctx: db.Quiet(ctx), from: from, Wish: Wish{Team: r.state.Team}, known: map[string]bool{}}
	one := []run{{id: id, at: w.RunAt}}
	if err := c.costs(one); err != nil {
		return w, err
	}
	if err := c.whole(one); err != nil {
		return w, err
	}
	if len(c.Skipped) > 0 {
		return w, fmt.Errorf("%s", strings.Join(c.Skipped, "; "))
	}
	return r.here(ctx, id)
}

func (r *Replica) here(ctx context.Context, id uuid.UUID) (wire.EvalRun, error) {
	return db.Viewed(ctx, r.DB, func(tx *db.Tx) (wire.EvalRun, error) { return figures.Run(ctx, tx, r.state.Team, id) })
}
