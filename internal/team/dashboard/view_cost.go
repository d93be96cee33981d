package dashboard

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
)

func costView() view {
	return view{
		name: "cost", title: "Cost", summary: "What evals cost, by model, suite and passed test.", byPerson: true, byBranch: true,
		panels: []func(context.Context, *ask) (panel.Panel, error){costFigures, costByModel, models, costBySuite, costPerPass},
	}
}

var costEmpty = panel.Empty{Text: "No eval of this time says what it cost.", Command: "cairn eval push RESULTS"}

// spent sums what runs cost and passed.
func (a *ask) spent(ctx context.Context, r figures.Range) (cost float64, all rate, err error) {
	days, err := a.rates(ctx, r)
	for _, d := range days {
		cost += d.CostUSD
		all.add(d.Runs, d.Passed, d.Failed, d.Errored, d.Total)
	}
	return cost, all, err
}

func costFigures(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "figures", Title: "In figures", Note: a.note("", "repo", "person", "branch")}
	now, ran, err := a.spent(ctx, a.in())
	if err != nil {
		return p, err
	}
	then, was, err := a.spent(ctx, a.before())
	p.Figures = []panel.Figure{
		figure("cost", "Cost", panel.Dollars, -1, "rows/costs", &now, &then), figure("runs", "Runs", panel.Count, 0, "rows/runs", panel.To(float64(ran.runs)), panel.To(float64(was.runs))),
		figure("per-run", "Cost per run", panel.Dollars, -1, "rows/runs", ratio(now, float64(ran.runs)), ratio(then, float64(was.runs))),
		figure("per-pass", "Cost per passed test", panel.Dollars, -1, "rows/runs", ratio(now, float64(ran.passed)), ratio(then, float64(was.passed))),
	}
	return p, err
}

const modelNote = "What models were called for and cost, as runs estimated it. Daily sums of models know no repository."

func costByModel(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "cost-by-model", Title: "Cost per week and model", Rows: "rows/costs", Note: a.note(modelNote), Empty: costEmpty,
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("model", "Model", panel.Text), col("cost", "Cost", panel.Dollars), col("calls", "Calls", panel.Count), col("input", "Input", panel.Tokens), col("output", "Output", panel.Tokens)}}}
	list, err := a.spending(ctx, a.in())
	chart := panel.Chart{Kind: panel.Stack, Unit: panel.Dollars, Step: panel.Week, X: a.weeks()}
	for _, s := range slices.Backward(list) {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(s.Week), panel.Of(modelName(s.Model)), panel.Of(s.CostUSD), panel.Of(s.Calls), panel.Of(s.InputTokens), panel.Of(s.OutputTokens)})
		chart.Add(modelName(s.Model), s.Week, s.CostUSD)
	}
	if len(list) > 0 {
		p.Chart = &chart
	}
	return p, err
}

func modelName(m string) string { return cmp.Or(m, "(unknown model)") }

// models compares each model with the period before.
func models(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "models", Title: "Models against the time before", Rows: "rows/costs", Note: a.note(modelNote), Empty: costEmpty,
		Table: panel.Table{Columns: []panel.Column{col("model", "Model", panel.Text), col("cost", "Cost", panel.Dollars), col("before", "Before", panel.Dollars), col("change", "Change", panel.Percent), col("per_call", "Per call", panel.Dollars)}}}
	type sum struct {
		now, before float64
		calls       int64
	}
	sums := map[string]*sum{}
	for i, r := range [...]figures.Range{a.in(), a.before()} {
		list, err := a.spending(ctx, r)
		if err != nil {
			return p, err
		}
		for _, s := range list {
			of := sums[s.Model]
			if of == nil {
				of = &sum{}
				sums[s.Model] = of
			}
			if i == 0 {
				of.now, of.calls = of.now+s.CostUSD, of.calls+s.Calls
			} else {
				of.before += s.CostUSD
			}
		}
	}
	for _, m := range slices.SortedFunc(maps.Keys(sums), func(x, y string) int { return cmp.Or(cmp.Compare(sums[y].now, sums[x].now), cmp.Compare(x, y)) }) {
		s := sums[m]
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(modelName(m)), panel.Of(s.now), panel.Of(s.before), panel.Of(ratio(s.now-s.before, s.before)), panel.Of(ratio(s.now, float64(s.calls)))})
	}
	return p, nil
}

func costBySuite(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "cost-by-suite", Title: "Cost per suite", Rows: "rows/runs", Note: a.note("", "repo", "person", "branch"), Empty: costEmpty,
		Table: panel.Table{Columns: []panel.Column{col("suite", "Suite", panel.Text), col("repo", "Repository", panel.Text), col("cost", "Cost", panel.Dollars), col("runs", "Runs", panel.Count), col("per_run", "Per run", panel.Dollars), col("per_pass", "Per passed test", panel.Dollars)}}}
	list, err := once(ctx, a, evals, "suites", a.in(), figures.Suites)
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y figures.SuiteSum) int { return cmp.Compare(y.CostUSD, x.CostUSD) })
	for _, s := range list {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Linked(called(s.Suite), suiteLink(s.Repo, s.Suite)), panel.Of(s.Repo), panel.Of(s.CostUSD), panel.Of(s.Runs), panel.Of(ratio(s.CostUSD, float64(s.Runs))), panel.Of(ratio(s.CostUSD, float64(s.Passed)))})
	}
	return p, err
}

// costPerPass draws what a passed test cost in each week.
func costPerPass(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "cost-per-pass", Title: "Cost per passed test", Rows: "rows/runs", Note: a.note("What runs of a week cost, by the tests that passed in them.", "repo", "person", "branch"), Empty: costEmpty,
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("per_pass", "Per passed test", panel.Dollars), col("cost", "Cost", panel.Dollars), col("passed", "Passed", panel.Count)}}}
	days, err := a.rates(ctx, a.in())
	type sum struct {
		cost   float64
		passed int
	}
	sums := map[string]sum{}
	for _, d := range days {
		s := sums[week(d.Day)]
		sums[week(d.Day)] = sum{s.cost + d.CostUSD, s.passed + d.Passed}
	}
	chart := panel.Chart{Kind: panel.Lines, Unit: panel.Dollars, Step: panel.Week, X: a.weeks(), From: panel.To(0)}
	for _, w := range slices.Backward(slices.Sorted(maps.Keys(sums))) {
		s := sums[w]
		per := ratio(s.cost, float64(s.passed))
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(w), panel.Of(per), panel.Of(s.cost), panel.Of(s.passed)})
		if per != nil {
			chart.Point("Per passed test", w, *per, nil, nil)
		}
	}
	if len(chart.Series) > 0 {
		p.Chart = &chart
	}
	return p, err
}
