package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
	"cairn/internal/team/stats"
)

func qualityView() view {
	return view{
		name: "quality", title: "Quality", summary: "How evals ended, and which changes are more than noise.", byPerson: true, byBranch: true,
		panels: []func(context.Context, *ask) (panel.Panel, error){passRates, realChanges, suites, weakest, criteriaOverTime, detection},
	}
}

var runsEmpty = panel.Empty{Text: "No eval ran in this time.", Command: "cairn eval push RESULTS"}

const rateNote = "Passed of what was judged; errors and skips are apart. The 95 % interval is Wilson's over as many cases as a run has on average."

// A rate is what results came to.
type rate struct{ runs, passed, failed, errored, total int }

func (r *rate) add(runs, passed, failed, errored, total int) {
	r.runs, r.passed, r.failed, r.errored, r.total = r.runs+runs, r.passed+passed, r.failed+failed, r.errored+errored, r.total+total
}

// share is the pass rate with its interval; nil where nothing was judged. Runs
// repeat the same cases, so that their results are not independent: the interval
// is that of one run.
func (r rate) share() (v, low, high *float64) {
	judged := r.passed + r.failed
	if judged == 0 {
		return nil, nil, nil
	}
	p := float64(r.passed) / float64(judged)
	n := max(1, int(math.Round(float64(judged)/float64(max(1, r.runs)))))
	same := make([]float64, n)
	for i := range same {
		same[i] = p
	}
	_, lo, hi := stats.WilsonMean(same, 1-alpha)
	return &p, &lo, &hi
}

func (r rate) cell() panel.Cell {
	v, lo, hi := r.share()
	if v == nil {
		return panel.Of(nil)
	}
	return panel.Cell{Value: *v, Low: lo, High: hi}
}

func called(suite string) string { return cmp.Or(suite, "(without a name)") }

func suiteLink(repo, suite string) string {
	q := url.Values{"suite": {suite}}
	if repo != "" {
		q.Set("repo", repo)
	}
	return "suite?" + q.Encode()
}

// passRates draws a line for each suite.
func passRates(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "pass-rate", Title: "Pass rate per suite and week", Rows: "rows/runs", Note: a.note(rateNote, "repo", "person", "branch"), Empty: runsEmpty}
	days, err := a.rates(ctx, a.in())
	rateLines(&p, a, days)
	return p, err
}

func rateLines(p *panel.Panel, a *ask, days []figures.PassRate) {
	p.Table.Columns = []panel.Column{col("week", "Week", panel.Week), col("suite", "Suite", panel.Text), col("rate", "Pass rate", panel.Percent), col("runs", "Runs", panel.Count), col("failed", "Failed", panel.Count), col("errored", "Errors", panel.Count)}
	type key struct{ week, suite string }
	sums := map[key]*rate{}
	for _, d := range days {
		k := key{week(d.Day), called(d.Suite)}
		if sums[k] == nil {
			sums[k] = &rate{}
		}
		sums[k].add(d.Runs, d.Passed, d.Failed, d.Errored, d.Total)
	}
	if len(sums) == 0 {
		return
	}
	p.Chart = &panel.Chart{Kind: panel.Lines, Unit: panel.Percent, Step: panel.Week, X: a.weeks(), To: panel.To(1)}
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(x, y key) int { return cmp.Or(cmp.Compare(y.week, x.week), cmp.Compare(x.suite, y.suite)) }) {
		r := sums[k]
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(k.week), panel.Of(k.suite), r.cell(), panel.Of(r.runs), panel.Of(r.failed), panel.Of(r.errored)})
		if v, lo, hi := r.share(); v != nil {
			p.Chart.Point(k.suite, k.week, *v, lo, hi)
		}
	}
	slices.SortFunc(p.Chart.Series, func(x, y panel.Series) int { return strings.Compare(x.Name, y.Name) })
}

// realChanges names runs that are really better or worse than those before.
func realChanges(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{
		ID: "changes", Title: "Improvements and regressions", Rows: "rows/runs",
		Empty: panel.Empty{Text: "No run of the main branch is really better or worse than the one before it.", Command: "cairn eval compare A B"},
		Table: panel.Table{Columns: []panel.Column{col("at", "When", panel.Moment), col("suite", "Suite", panel.Text), col("repo", "Repository", panel.Text), col("change", "Change", panel.Text),
			col("lost", "Lost", panel.Count), col("gained", "Gained", panel.Count), col("p", "p (Holm)", panel.Text), col("by", "By", panel.Text)}},
	}
	c, err := a.changes(ctx)
	if err != nil {
		return p, err
	}
	p.Note = a.note(fmt.Sprintf("Each run of main against the one before it, case by case: McNemar's test, corrected after Holm for the %d pairs of this time; p < 0.05.", c.pairs), "repo")
	for _, one := range c.list {
		what, mark := "regression", "bad"
		if one.gained > one.lost {
			what, mark = "improvement", "good"
		}
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Linked(one.run.At, "run?id="+one.run.ID.String()), panel.Linked(called(one.run.Suite), suiteLink(one.run.Repo, one.run.Suite)), panel.Of(one.run.Repo),
			{Value: what, Mark: mark}, panel.Of(one.lost), panel.Of(one.gained), panel.Of(fmt.Sprintf("%.2g", one.p)), panel.Of(one.by)})
	}
	return p, nil
}

// suites lists them, each with a link to its page.
func suites(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{
		ID: "suites", Title: "Suites", Rows: "rows/runs", Note: a.note(rateNote, "repo", "person", "branch"), Empty: runsEmpty,
		Table: panel.Table{Columns: []panel.Column{col("suite", "Suite", panel.Text), col("repo", "Repository", panel.Text), col("rate", "Pass rate", panel.Percent), col("before", "Before", panel.Percent),
			col("runs", "Runs", panel.Count), col("errored", "Errors", panel.Count), col("cost", "Cost", panel.Dollars), col("last", "Last run", panel.Day)}},
	}
	now, err := once(ctx, a, evals, "suites", a.in(), figures.Suites)
	if err != nil {
		return p, err
	}
	then, err := once(ctx, a, evals, "suites", a.before(), figures.Suites)
	was := map[[2]string]panel.Cell{}
	for _, s := range then {
		was[[2]string{s.Repo, s.Suite}] = rate{s.Runs, s.Passed, s.Failed, s.Errored, s.Total}.cell()
	}
	for _, s := range now {
		last := panel.Of(s.LastDay)
		if stale(a.now, s.LastDay) {
			last.Mark = "warn"
		}
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Linked(called(s.Suite), suiteLink(s.Repo, s.Suite)), panel.Of(s.Repo), rate{s.Runs, s.Passed, s.Failed, s.Errored, s.Total}.cell(),
			panel.Of(was[[2]string{s.Repo, s.Suite}].Value), panel.Of(s.Runs), panel.Of(s.Errored), panel.Of(s.CostUSD), last})
	}
	return p, err
}

// staleAfter is when a suite or a repository has not been heard of for long.
const staleAfter = 14 * 24 * time.Hour

func stale(now time.Time, day string) bool {
	at, err := time.Parse(time.DateOnly, day)
	return err == nil && now.Sub(at) > staleAfter+24*time.Hour
}

const mostCriteria = 15

var criteriaEmpty = panel.Empty{Text: "No run of this time has scores of judges.", Command: "cairn eval judge CASES OUTPUTS"}

// scaleOf parts a criterion's name from its scale: clarity (1-5).
func scaleOf(name string) (criterion, scale string) {
	if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
		return name[:i], name[i+2 : len(name)-1]
	}
	return name, "0-1"
}

// weakest lists the criteria with the lowest means, by category.
func weakest(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{
		ID: "weakest", Title: "Weakest criteria of judges", Rows: "rows/runs", Empty: criteriaEmpty,
		Note:  a.note("Means over runs, lowest first; criteria on a scale of their own come after those from 0 to 1 and are never averaged with them. The trend is the last week's mean less the first's. Of more than 500 runs about 500 are taken by chance.", "repo"),
		Table: panel.Table{Columns: []panel.Column{col("category", "Category", panel.Text), col("criterion", "Criterion", panel.Text), col("scale", "Scale", panel.Text), col("mean", "Mean", panel.Text), col("trend", "Trend", panel.Text), col("runs", "Runs", panel.Count)}},
	}
	list, err := a.criteria(ctx)
	for _, c := range list {
		name, scale := scaleOf(c.Name)
		trend := panel.Of(nil)
		if n := len(c.Weeks); n > 1 {
			d := c.Weeks[n-1].Mean - c.Weeks[0].Mean
			trend = panel.Of(fmt.Sprintf("%+.2f", d))
		}
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(cmp.Or(c.Category, "all")), panel.Of(name), panel.Of(scale), panel.Of(fmt.Sprintf("%.2f", c.Mean)), trend, panel.Of(c.Runs)})
	}
	return p, err
}

const mostLines = 6

// criteriaOverTime draws the weakest from 0 to 1 over time.
func criteriaOverTime(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{
		ID: "criteria", Title: "Weakest criteria over time", Rows: "rows/runs", Empty: criteriaEmpty,
		Note:  a.note("Weekly means of the weakest six on the scale from 0 to 1.", "repo"),
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("criterion", "Criterion", panel.Text), col("mean", "Mean", panel.Number), col("runs", "Runs", panel.Count)}},
	}
	list, err := a.criteria(ctx)
	chart := panel.Chart{Kind: panel.Lines, Unit: panel.Percent, Step: panel.Week, X: a.weeks(), To: panel.To(1)}
	p.Table.Columns[2].Unit = panel.Percent
	for _, c := range list {
		if _, scale := scaleOf(c.Name); scale != "0-1" || len(chart.Series) == mostLines {
			continue
		}
		name := c.Name
		if c.Category != "" {
			name = c.Category + ": " + c.Name
		}
		for _, w := range c.Weeks {
			chart.Point(name, w.Week, w.Mean, nil, nil)
			p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(w.Week), panel.Of(name), panel.Of(w.Mean), panel.Of(w.Runs)})
		}
	}
	slices.SortStableFunc(p.Table.Rows, func(x, y panel.Row) int { return cmp.Compare(y[0].Value.(string), x[0].Value.(string)) })
	if len(chart.Series) > 0 {
		p.Chart = &chart
	}
	return p, err
}

// detection draws how many planted bugs cases found.
func detection(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{
		ID: "detection", Title: "Planted bugs found", Rows: "rows/runs",
		Note:  a.note("Bugs that a case found, on average over the cases that plant some, in the last run of main of each week; false alarms beside it.", "repo", "person", "branch"),
		Empty: panel.Empty{Text: "No run of this time has cases with planted bugs.", Command: "cairn eval push RESULTS"},
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("suite", "Suite", panel.Text), col("found", "Found", panel.Number), col("false", "False alarms", panel.Number), col("cases", "Cases", panel.Count)}},
	}
	list, err := once(ctx, a, evals, "detections", a.in(), figures.Detections)
	chart := panel.Chart{Kind: panel.Lines, Unit: panel.Number, Step: panel.Week, X: a.weeks(), From: panel.To(0)}
	for _, d := range slices.Backward(list) {
		chart.Point(called(d.Suite), d.Week, d.Found, nil, nil)
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(d.Week), panel.Of(called(d.Suite)), panel.Of(d.Found), panel.Of(d.False), panel.Of(d.Cases)})
	}
	if len(list) > 0 {
		p.Chart = &chart
	}
	return p, err
}
