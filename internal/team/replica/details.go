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

// details copies what belongs to the runs that came since the last time.
func (c *copying) details(name string, fetch func([]db.CameRun) error) error {
	since := c.begin
	further := c.Pages && c.state.Paged.IsZero() // runs of before the cursor came, too
	if seen, err := time.Parse(time.RFC3339, c.state.Cursors[name].At); err == nil && seen.After(since) && !further {
		since = seen.Add(-overlap)
	}
	all, err := c.DB.RunsSince(c.ctx, c.Team, since)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(all, atOnce) {
		if err := fetch(some); err != nil {
			return err
		}
		last := some[len(some)-1]
		c.state.Cursors[name] = client.Place{At: stamp(last.Came), ID: last.ID.String()}
		if err := c.save(); err != nil {
			return err
		}
	}
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func ids(runs []db.CameRun) string {
	list := make([]string, len(runs))
	for i, r := range runs {
		list[i] = r.ID.String()
	}
	return in(list)
}

func (c *copying) costs(runs []db.CameRun) error {
	return c.pages("eval_costs", url.Values{"run_id": {ids(runs)}, "order": {"run_id,model"}}, "ignore-duplicates")
}

// results copies the cases and results of young runs.
func (c *copying) results(runs []db.CameRun) error {
	oldest := c.now().AddDate(0, 0, -7*Weeks)
	runs = slices.DeleteFunc(slices.Clone(runs), func(r db.CameRun) bool { return !r.At.After(oldest) })
	if len(runs) == 0 {
		return nil
	}
	return c.whole(runs)
}

// whole copies the cases and results of runs: payloads first and the results in one
// piece, so that a run of which there is a result is there as a whole.
func (c *copying) whole(runs []db.CameRun) error {
	byTime := func(a, b db.CameRun) int { return a.At.Compare(b.At) }
	// Results have the run's time, or its day: the server then looks in few months.
	from, to := slices.MinFunc(runs, byTime).At.AddDate(0, 0, -1), slices.MaxFunc(runs, byTime).At.AddDate(0, 0, 1)
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
	one := []db.CameRun{{ID: id, At: w.RunAt}}
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
