package bill

import (
	"context"
	"slices"
	"time"

	"cairn/internal/budget"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
)

// Now adds up what the present day and block cost, and how much of each budget is
// spent. Days, weeks and months are those of now's time zone.
func Now(ctx context.Context, d *db.DB, now time.Time, budgets []budget.Budget) (budget.Now, error) {
	sums, err := ledger.Outlays(ctx, d, ledger.Filter{}, "quarter", nil)
	if err != nil {
		return budget.Now{}, err
	}
	n := budget.Now{At: now, Today: period("daily", now)}
	if start, ok := lastBlock(sums, now); ok {
		n.Block = &budget.Span{Start: start.In(now.Location()), End: start.Add(blockLength).In(now.Location())}
	}
	spent := func(repo string, s *budget.Span) {
		nanos := int64(0)
		for i := range sums {
			if s.Holds(sums[i].First) && (repo == "" || repo == sums[i].Repo) {
				nanos += sums[i].Nanos
			}
		}
		s.Spent = spend.Dollars(nanos)
	}
	spent("", &n.Today)
	if n.Block != nil {
		spent("", n.Block)
	}
	for _, b := range budgets {
		u := budget.Use{Budget: b, Span: period(b.Period, now)}
		if b.Period == "block" {
			if n.Block == nil {
				continue
			}
			u.Span = *n.Block
		}
		spent(b.Repo, &u.Span)
		n.Uses = append(n.Uses, u)
	}
	return n, nil
}

// period is the day, week or month that a time is in.
func period(name string, t time.Time) budget.Span {
	year, month, day := t.Date()
	at := func(month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, t.Location())
	}
	switch name {
	case "weekly":
		day -= (int(t.Weekday()) + 6) % 7
		return budget.Span{Start: at(month, day), End: at(month, day+7)}
	case "monthly":
		return budget.Span{Start: at(month, 1), End: at(month+1, 1)}
	}
	return budget.Span{Start: at(month, day), End: at(month, day+1)}
}

// lastBlock is the start of the block that a time is in; ok is false where none has
// begun.
func lastBlock(sums []figures.Outlay, now time.Time) (start time.Time, ok bool) {
	var times []time.Time
	for i := range sums {
		if !sums[i].First.After(now) {
			times = append(times, sums[i].First)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	if len(times) == 0 {
		return time.Time{}, false
	}
	start = blockStarts(times)[len(times)-1]
	return start, now.Before(start.Add(blockLength))
}
