package dashboard

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/team/db/figures"
)

var costEmpty = answer.Empty{Text: "No eval in this period reports its cost.", Command: "cairn eval push RESULTS"}

// spent sums what runs cost and passed.
func (a *ask) spent(ctx context.Context, r figures.Range) (cost float64, all rate) {
	for _, d := range a.rates(ctx, r) {
		cost += d.CostUSD
		all.add(d.Runs, d.Passed, d.Failed, d.Errored, d.Total)
	}
	return cost, all
}

func costFigures(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "figures", Title: "In figures", Note: a.note("", "repo", "person", "branch")}
	now, ran := a.spent(ctx, a.in())
	then, was := a.spent(ctx, a.before())
	p.Figures = []answer.Figure{
		figure("cost", "Cost", answer.Dollars, -1, "rows/costs", &now, &then), figure("runs", "Runs", answer.Count, 0, "rows/runs", answer.To(float64(ran.runs)), answer.To(float64(was.runs))),
		figure("per-run", "Cost per run", answer.Dollars, -1, "rows/runs", ratio(now, float64(ran.runs)), ratio(then, float64(was.runs))),
		figure("per-pass", "Cost per passed test", answer.Dollars, -1, "rows/runs", ratio(now, float64(ran.passed)), ratio(then, float64(was.passed))),
	}
}

const modelNote = "What models were called for and cost, as runs estimated it. Daily sums of models know no repository."

func costByModel(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "cost-by-model", Title: "Cost per week and model", Rows: "rows/costs", Note: a.note(modelNote), Empty: costEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("model", "Model", answer.Words), col("cost", "Cost", answer.Dollars), col("calls", "Calls", answer.Count), col("input", "Input", answer.Tokens), col("output", "Output", answer.Tokens)}}}
	chart := answer.Chart{Kind: answer.Stack, Unit: answer.Dollars, Step: answer.Week, X: a.weeks()}
	for _, s := range slices.Backward(a.spending(ctx, a.in())) {
		p.Table.Add(s.Week, modelName(s.Model), s.CostUSD, s.Calls, s.InputTokens, s.OutputTokens)
		chart.Add(modelName(s.Model), s.Week, s.CostUSD)
	}
	draw(p, &chart)
}

func modelName(m string) string { return cmp.Or(m, "(unknown model)") }

// models compares each model with the period before.
func models(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "models", Title: "Models, compared with the previous period", Rows: "rows/costs", Note: a.note(modelNote), Empty: costEmpty,
		Table: answer.Table{Columns: []answer.Column{col("model", "Model", answer.Words), col("cost", "Cost", answer.Dollars), col("before", "Before", answer.Dollars), col("change", "Change", answer.Percent), col("per_call", "Per call", answer.Dollars)}}}
	type sum struct {
		now, before float64
		calls       int64
	}
	sums := sums[string, sum]{}
	for _, s := range a.spending(ctx, a.in()) {
		of := sums.of(s.Model)
		of.now, of.calls = of.now+s.CostUSD, of.calls+s.Calls
	}
	for _, s := range a.spending(ctx, a.before()) {
		sums.of(s.Model).before += s.CostUSD
	}
	for _, m := range slices.SortedFunc(maps.Keys(sums), func(x, y string) int { return cmp.Or(cmp.Compare(sums[y].now, sums[x].now), cmp.Compare(x, y)) }) {
		s := sums[m]
		p.Table.Add(modelName(m), s.now, s.before, ratio(s.now-s.before, s.before), ratio(s.now, float64(s.calls)))
	}
}

func costBySuite(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "cost-by-suite", Title: "Cost per suite", Rows: "rows/runs", Note: a.note("", "repo", "person", "branch"), Empty: costEmpty,
		Table: answer.Table{Columns: []answer.Column{col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("cost", "Cost", answer.Dollars), col("runs", "Runs", answer.Count), col("per_run", "Per run", answer.Dollars), col("per_pass", "Per passed test", answer.Dollars)}}}
	list := once(ctx, a, evals, "suites", a.in(), figures.Suites)
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y figures.SuiteSum) int { return cmp.Compare(y.CostUSD, x.CostUSD) })
	for _, s := range list {
		p.Table.Add(answer.Linked(called(s.Suite), suiteLink(s.Repo, s.Suite)), s.Repo, s.CostUSD, s.Runs, ratio(s.CostUSD, float64(s.Runs)), ratio(s.CostUSD, float64(s.Passed)))
	}
}

// costPerPass draws what a passed test cost in each week.
func costPerPass(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "cost-per-pass", Title: "Cost per passed test", Rows: "rows/runs", Note: a.note("What runs of a week cost, by the tests that passed in them.", "repo", "person", "branch"), Empty: costEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("per_pass", "Per passed test", answer.Dollars), col("cost", "Cost", answer.Dollars), col("passed", "Passed", answer.Count)}}}
	type sum struct {
		cost   float64
		passed int
	}
	sums := sums[string, sum]{}
	for _, d := range a.rates(ctx, a.in()) {
		s := sums.of(week(d.Day))
		s.cost, s.passed = s.cost+d.CostUSD, s.passed+d.Passed
	}
	chart := answer.Chart{Kind: answer.LineChart, Unit: answer.Dollars, Step: answer.Week, X: a.weeks(), From: answer.To(0)}
	for _, w := range slices.Backward(slices.Sorted(maps.Keys(sums))) {
		s := sums[w]
		per := ratio(s.cost, float64(s.passed))
		p.Table.Add(w, per, s.cost, s.passed)
		if per != nil {
			chart.Point("Per passed test", w, *per, nil, nil)
		}
	}
	draw(p, &chart)
}
