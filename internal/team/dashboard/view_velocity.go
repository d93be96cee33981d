package dashboard

import (
	"context"

	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
)

func velocityView() view {
	return view{
		name: "velocity", title: "Velocity", summary: "What was shipped, by week and person.", byPerson: true,
		panels: []func(context.Context, *ask) (panel.Panel, error){shipsByWeek},
	}
}

// shipsByWeek stacks ships of people on weeks.
func shipsByWeek(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{
		ID: "ships-by-week", Title: "Ships per week and person", Rows: "rows/ships",
		Note:  "A ship is a release, a merged pull request, or what a skill said it shipped.",
		Empty: panel.Empty{Text: "Nothing was shipped in this time.", Command: "cairn sync push-ship"},
		Table: panel.Table{Columns: []panel.Column{
			{Key: "week", Title: "Week", Unit: panel.Week}, {Key: "person", Title: "Person", Unit: panel.Text},
			{Key: "ships", Title: "Ships", Unit: panel.Count}, {Key: "prs", Title: "Pull requests", Unit: panel.Count},
		}},
	}
	ships, err := figures.Velocity(ctx, a.tx, a.filter.of(a.team))
	if err != nil || len(ships) == 0 {
		return p, err
	}
	chart := panel.Chart{Kind: panel.Stack, Unit: panel.Count, Step: panel.Week, X: panel.Weeks(a.filter.From, a.filter.To)}
	for _, s := range ships {
		name := a.name(s.User)
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(s.Week), panel.Of(name), panel.Of(s.Ships), panel.Of(s.PRs)})
		chart.Add(name, s.Week, float64(s.Ships))
	}
	p.Chart = &chart
	return p, nil
}
