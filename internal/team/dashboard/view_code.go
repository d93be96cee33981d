package dashboard

import (
	"cmp"
	"context"
	"slices"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
	"cairn/internal/team/stats"
)

func codeView() view {
	return view{
		name: "code", title: "Code", summary: "Where code changes, how much of it is tests, and what looks at it say.",
		panels: []func(context.Context, *ask) (panel.Panel, error){hotspots, commitTypes, testRatio, qaHealth, triageSignal},
	}
}

func hotspots(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "hotspots", Title: "Hotspots", Rows: "rows/retros", Empty: retroEmpty,
		Note:  a.note("Files that most commits changed, as the newest retrospective of a week of each repository in this time names them.", "repo"),
		Table: panel.Table{Columns: []panel.Column{col("path", "Path", panel.Text), col("repo", "Repository", panel.Text), col("changes", "Commits", panel.Count)}}}
	list, err := once(ctx, a, records, "hotspots", ofRepo(a.in()), func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Hotspot, error) {
		return figures.Hotspots(ctx, tx, r, 20)
	})
	for _, h := range list {
		if h.Path != "" && h.Changes > 0 {
			p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(h.Path), panel.Of(h.Repo), panel.Of(h.Changes)})
		}
	}
	return p, err
}

// commitTypes stacks features, fixes and others.
func commitTypes(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "commit-types", Title: "Commits per week by type", Rows: "rows/retros", Empty: retroEmpty,
		Note:  a.note("Features, fixes and others, by the shares that retrospectives measured.", "repo"),
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("type", "Type", panel.Text), col("commits", "Commits", panel.Count)}}}
	retros, err := a.retros(ctx, a.in())
	chart := panel.Chart{Kind: panel.Stack, Unit: panel.Count, Step: panel.Week, X: a.weeks()}
	for _, r := range retros {
		m := r.Metrics
		if m.Commits == nil || m.FeatPct == nil || m.FixPct == nil || *m.FeatPct+*m.FixPct > 1.001 {
			continue
		}
		chart.Add("Features", r.Week, *m.Commits**m.FeatPct)
		chart.Add("Fixes", r.Week, *m.Commits**m.FixPct)
		chart.Add("Others", r.Week, *m.Commits*max(0, 1-*m.FeatPct-*m.FixPct))
	}
	for i, w := range slices.Backward(chart.X) {
		for _, s := range chart.Series {
			if v := s.Values[i]; v != nil && *v > 0 {
				p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(w), panel.Of(s.Name), panel.Of(v)})
			}
		}
	}
	if len(p.Table.Rows) > 0 {
		p.Chart = &chart
	}
	return p, err
}

func testRatio(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "test-ratio", Title: "Share of tests", Rows: "rows/retros", Note: a.note("Lines added in tests of all lines added. "+retroNote, "repo"), Empty: retroEmpty,
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("repo", "Repository", panel.Text), col("ratio", "Tests", panel.Percent)}}}
	retros, err := a.retros(ctx, a.in())
	chart := panel.Chart{Kind: panel.Lines, Unit: panel.Percent, Step: panel.Week, X: a.weeks(), From: panel.To(0)}
	for _, r := range slices.Backward(retros) {
		if v := r.Metrics.TestRatio; v != nil && *v <= 1 {
			p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(r.Week), panel.Of(r.Repo), panel.Of(v)})
			chart.Point(r.Repo, r.Week, *v, nil, nil)
		}
	}
	if len(chart.Series) > 0 {
		p.Chart = &chart
	}
	return p, err
}

func qaHealth(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "qa-health", Title: "QA health", Rows: "rows/qa", Note: a.note("Scores of looks at running sites, 0 to 100: the mean of a week.", "repo"),
		Empty: panel.Empty{Text: "Nobody looked at a running site in this time.", Command: "cairn sync push-qa REPORT"},
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("repo", "Repository", panel.Text), col("health", "Mean", panel.Number), col("worst", "Worst", panel.Number), col("reports", "Reports", panel.Count), col("unscored", "Without a score", panel.Count)}}}
	list, err := once(ctx, a, records, "health", ofRepo(a.in()), figures.QAHealth)
	chart := panel.Chart{Kind: panel.Lines, Unit: panel.Number, Step: panel.Week, X: a.weeks(), From: panel.To(0), To: panel.To(100)}
	for _, h := range slices.Backward(list) {
		row := panel.Row{panel.Of(h.Week), panel.Of(h.Repo), panel.Of(nil), panel.Of(nil), panel.Of(h.Reports), panel.Of(h.Unscored)}
		if h.Unscored < h.Reports {
			row[2], row[3] = panel.Of(h.Mean), panel.Of(h.Worst)
			chart.Point(h.Repo, h.Week, h.Mean, nil, nil)
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
	if len(chart.Series) > 0 {
		p.Chart = &chart
	}
	return p, err
}

func triageSignal(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "triage", Title: "Signal of review comments", Rows: "rows/triage", Note: a.note("False alarms of all verdicts on a category, with Wilson's 95 % interval.", "repo"),
		Empty: panel.Empty{Text: "No verdict on a review comment is of this time.", Command: "cairn sync push-triage VERDICTS"},
		Table: panel.Table{Columns: []panel.Column{col("category", "Category", panel.Text), col("false", "False alarms", panel.Percent), col("verdicts", "Verdicts", panel.Count), col("fixed", "Fixed", panel.Count), col("already", "Fixed already", panel.Count)}}}
	list, err := once(ctx, a, records, "triages", ofRepo(a.in()), figures.Triages)
	for _, t := range list {
		n := t.Fixed + t.AlreadyFixed + t.FalsePositive
		if n == 0 {
			continue
		}
		lo, hi := stats.Wilson(t.FalsePositive, n, 1-alpha)
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(cmp.Or(t.Category, "(none)")), {Value: float64(t.FalsePositive) / float64(n), Low: &lo, High: &hi}, panel.Of(n), panel.Of(t.Fixed), panel.Of(t.AlreadyFixed)})
	}
	return p, err
}
