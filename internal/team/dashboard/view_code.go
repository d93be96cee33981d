package dashboard

import (
	"cmp"
	"context"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
)

func hotspots(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "hotspots", Title: "Hotspots", Rows: "rows/retros", Empty: retroEmpty,
		Note:  a.note("The files changed by the most commits, in each repository's latest week with commits.", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("path", "Path", answer.Words), col("repo", "Repository", answer.Words), col("changes", "Commits", answer.Count)}}}
	list := once(ctx, a, records, "hotspots", ofRepo(a.in()), func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.Hotspot, error) {
		return figures.Hotspots(ctx, tx, r, 20)
	})
	for _, h := range list {
		if h.Path != "" && h.Changes > 0 {
			p.Table.Add(h.Path, h.Repo, h.Changes)
		}
	}
}

// commitTypes stacks features, fixes and others.
func commitTypes(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "commit-types", Title: "Commits per week by type", Rows: "rows/retros", Empty: retroEmpty,
		Note:  a.note("Features, fixes and others, by the shares that retrospectives measured.", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("type", "Type", answer.Words), col("commits", "Commits", answer.Count)}}}
	retros := a.retros(ctx, a.in())
	chart := answer.Chart{Kind: answer.Stack, Unit: answer.Count, Step: answer.Week, X: a.weeks()}
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
				p.Table.Add(w, s.Name, v)
			}
		}
	}
	if len(p.Table.Rows) > 0 {
		p.Chart = &chart
	}
}

func testRatio(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "test-ratio", Title: "Test ratio", Rows: "rows/retros", Note: a.note("Lines added in tests, as a share of all lines added. "+retroNote, "repo"), Empty: retroEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("repo", "Repository", answer.Words), col("ratio", "Tests", answer.Percent)}}}
	retros := a.retros(ctx, a.in())
	chart := answer.Chart{Kind: answer.LineChart, Unit: answer.Percent, Step: answer.Week, X: a.weeks(), From: answer.To(0)}
	for _, r := range slices.Backward(retros) {
		if v := r.Metrics.TestRatio; v != nil && *v <= 1 {
			p.Table.Add(r.Week, r.Repo, v)
			chart.Point(r.Repo, r.Week, *v, nil, nil)
		}
	}
	draw(p, &chart)
}

func qaHealth(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "qa-health", Title: "QA health", Rows: "rows/qa", Note: a.note("Health scores of QA reports, 0 to 100: the mean of each week.", "repo"),
		Empty: answer.Empty{Text: "No QA report in this period.", Command: "cairn sync push-qa REPORT"},
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("repo", "Repository", answer.Words), col("health", "Mean", answer.Number), col("worst", "Worst", answer.Number), col("reports", "Reports", answer.Count), col("unscored", "Without a score", answer.Count)}}}
	chart := answer.Chart{Kind: answer.LineChart, Unit: answer.Number, Step: answer.Week, X: a.weeks(), From: answer.To(0), To: answer.To(100)}
	for _, h := range slices.Backward(once(ctx, a, records, "health", ofRepo(a.in()), figures.QAHealth)) {
		row := answer.Row{answer.Of(h.Week), answer.Of(h.Repo), answer.Of(nil), answer.Of(nil), answer.Of(h.Reports), answer.Of(h.Unscored)}
		if h.Unscored < h.Reports {
			row[2], row[3] = answer.Of(h.Mean), answer.Of(h.Worst)
			chart.Point(h.Repo, h.Week, h.Mean, nil, nil)
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
	draw(p, &chart)
}

func triageSignal(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "triage", Title: "Review precision", Rows: "rows/triage", Note: a.note("False alarms among all verdicts, by category, with a 95 % confidence interval (Wilson). The rest were right.", "repo"),
		Empty: answer.Empty{Text: "No verdicts on review comments in this period.", Command: "cairn sync push-triage VERDICTS"},
		Table: answer.Table{Columns: []answer.Column{col("category", "Category", answer.Words), col("false", "False alarms", answer.Percent), col("verdicts", "Verdicts", answer.Count), col("fixed", "Fixed", answer.Count), col("already", "Fixed already", answer.Count)}}}
	for _, t := range once(ctx, a, records, "triages", ofRepo(a.in()), figures.Triages) {
		n := t.Fixed + t.AlreadyFixed + t.FalsePositive
		if n == 0 {
			continue
		}
		lo, hi := stats.Wilson(t.FalsePositive, n, 1-alpha)
		p.Table.Add(cmp.Or(t.Category, "(none)"), answer.Cell{Value: float64(t.FalsePositive) / float64(n), Low: &lo, High: &hi}, n, t.Fixed, t.AlreadyFixed)
	}
}
