package dashboard

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/compare"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/result"
)

// sides are the two runs that the address names.
func (a *ask) sides(ctx context.Context) (sides [2]evalpage.Side, idOf evalpage.IDs) {
	var runs [2]*storedRun
	for i, name := range [...]string{"a", "b"} {
		id := named(uuid.Parse(a.path[name]))
		if i == 1 && id == runs[0].id {
			runs[i] = runs[0]
		} else {
			runs[i] = a.load(ctx, id, nil)
		}
		sides[i] = evalpage.Side{Run: runs[i].Run, Variant: a.path[name+"v"], Link: a.runLink(id), Base: a.caseBase(id)}
	}
	return sides, func(run *result.Run, r *result.Result) string {
		if run == runs[1].Run {
			return runs[1].idOf(run, r)
		}
		return runs[0].idOf(run, r)
	}
}

// ownComparison is the page of two runs beside each other.
func ownComparison(ctx context.Context, a *ask) own {
	sides, idOf := a.sides(ctx)
	l, err := evalpage.Beside(sides[0], sides[1], idOf)
	if err != nil {
		must.Fail(errNothing)
	}
	return own{"compare", l}
}

// comparedSuites and comparedCases are the comparison for programs and the command
// line.
func comparedSuites(ctx context.Context, a *ask, p *answer.Panel) {
	diff := a.compared(ctx)
	*p = answer.Panel{ID: "suites", Title: "Suites", Note: diff.Summary, Empty: answer.Empty{Text: "The two runs have no suite."},
		Table: answer.Table{Columns: []answer.Column{col("suite", "Suite", answer.Words), col("cases", "Cases", answer.Count), col("before", "A", answer.Percent), col("after", "B", answer.Percent),
			col("lost", "Regressed", answer.Count), col("gained", "Fixed", answer.Count), col("verdict", "Verdict", answer.Words)}}}
	for _, s := range diff.Suites {
		row := answer.Row{answer.Of(called(s.Name)), answer.Of(s.Tested), answer.Of(nil), answer.Of(nil), answer.Of(s.Lost), answer.Of(s.Gained), answer.Of(string(s.Verdict))}
		if s.RateA != nil && s.RateB != nil {
			row[2], row[3] = answer.Of(s.RateA.Rate), answer.Of(s.RateB.Rate)
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
}

func comparedCases(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "cases", Title: "Cases", Note: "Cases that pass in both runs are not listed.", Empty: answer.Empty{Text: "All cases pass in both runs."},
		Table: answer.Table{Columns: []answer.Column{col("case", "Case", answer.Words), col("suite", "Suite", answer.Words), col("class", "Class", answer.Words), col("before", "A", answer.Words), col("after", "B", answer.Words), col("why", "Why", answer.Words)}}}
	for i := range a.compared(ctx).Cases {
		k := &a.diff.Cases[i]
		if why := k.Detail(); k.A.Status() != string(result.Pass) || k.B.Status() != string(result.Pass) {
			p.Table.Add(k.Name, called(k.Suite), string(k.Class), k.A.Status(), k.B.Status(), why)
		}
	}
}

func (a *ask) compared(ctx context.Context) *compare.Comparison {
	if a.diff == nil {
		sides, _ := a.sides(ctx)
		diff, err := evalpage.Diff(sides[0], sides[1])
		if err != nil {
			must.Fail(errNothing)
		}
		a.diff = diff
	}
	return a.diff
}
