package bill

import (
	"context"
	"slices"
	"time"

	"cairn/internal/budget"
	"cairn/internal/team/db"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
)

// Now adds up what the present day and block cost, and how much of each budget is
// spent. Days, weeks and months are those of now's time zone.
func Now(ctx context.Context, d *db.DB, now time.Time, budgets []budget.Budget) (budget.Now, error) {
	quarters, err := ledger.Quarters(ctx, d)
	if err != nil {
		return budget.Now{}, err
	}
	n := budget.Now{At: now, Today: period("daily", now)}
	if start, ok := lastBlock(quarters, now); ok {
		n.Block = &budget.Span{Start: start.In(now.Location()), End: start.Add(blockLength).In(now.Location())}
	}
	spent := func(repo string, s *budget.Span) {
		nanos := int64(0)
		for i := range quarters {
			if q := &quarters[i]; s.Holds(q.At) && (repo == "" || repo == q.Repo) {
				nanos += q.Nanos
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
func lastBlock(quarters []ledger.Quarter, now time.Time) (start time.Time, ok bool) {
	times := make([]time.Time, len(quarters))
	for i := range quarters {
		times[i] = quarters[i].At
	}
	starts := blockStarts(times)
	i, found := slices.BinarySearchFunc(starts, now, time.Time.Compare)
	if !found {
		i--
	}
	if i < 0 || !now.Before(starts[i].Add(blockLength)) {
		return time.Time{}, false
	}
	return starts[i], true
}
