package client

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/result"
	"cairn/internal/team/wire"
)

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
	payloads, err := pages[PayloadRow](ctx, c, "eval_payloads", inMonth())
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
	return RunFromRows(row, cases, results, payloads, costs)
}
