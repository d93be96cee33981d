package figures

import (
	"context"

	"cairn/internal/team/db"
)

// A Spend is what one model was used for in a week, in every repository.
type Spend struct {
	Week         string
	Model        string
	Calls        int64
	InputTokens  int64
	OutputTokens int64
	CostUSD      float64
}

// Spending returns cost by week and model, the oldest week first. It has no
// repositories: daily sums of costs do not.
func Spending(ctx context.Context, tx *db.Tx, r Range) ([]Spend, error) {
	w := r.days()
	return db.List(ctx, tx, `select `+weekOf(tx, "day")+`, model, `+count("sum(calls)")+`, `+count("sum(input_tokens)")+`, `+count("sum(output_tokens)")+`, `+
		dollars(tx, "sum(cost_usd)")+` from daily_costs where `+w.text+` group by 1, 2 order by 1, 6 desc, 2`, w.args, func(s *Spend) []any {
		return []any{&s.Week, &s.Model, &s.Calls, &s.InputTokens, &s.OutputTokens, &s.CostUSD}
	})
}
