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

	"cairn/internal/answer"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
)

var runsEmpty = answer.Empty{Text: "No eval runs in this period.", Command: "cairn eval push RESULTS"}

const rateNote = "Pass rate excluding errors and skips. Band: 95 % confidence interval (Wilson), over as many cases as a run has on average."

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

func (r rate) cell() answer.Cell {
	v, lo, hi := r.share()
	if v == nil {
		return answer.Of(nil)
	}
	return answer.Cell{Value: *v, Low: lo, High: hi}
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
func passRates(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "pass-rate", Title: "Pass rate per suite and week", Rows: "rows/runs", Note: a.note(rateNote, "repo", "person", "branch"), Empty: runsEmpty}
	days := a.rates(ctx, a.in())
	rateLines(p, a, days)
	a.marks(ctx, p)
}

func rateLines(p *answer.Panel, a *ask, days []figures.PassRate) {
	p.Table.Columns = []answer.Column{col("week", "Week", answer.Week), col("suite", "Suite", answer.Words), col("rate", "Pass rate", answer.Percent), col("runs", "Runs", answer.Count), col("failed", "Failed", answer.Count), col("errored", "Errors", answer.Count)}
	type key struct{ week, suite string }
	sums := sums[key, rate]{}
	for _, d := range days {
		sums.of(key{week(d.Day), called(d.Suite)}).add(d.Runs, d.Passed, d.Failed, d.Errored, d.Total)
	}
	if len(sums) == 0 {
		return
	}
	p.Chart = &answer.Chart{Kind: answer.LineChart, Unit: answer.Percent, Step: answer.Week, X: a.weeks(), To: answer.To(1)}
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(x, y key) int { return cmp.Or(cmp.Compare(y.week, x.week), cmp.Compare(x.suite, y.suite)) }) {
		r := sums[k]
		p.Table.Add(k.week, k.suite, r.cell(), r.runs, r.failed, r.errored)
		if v, lo, hi := r.share(); v != nil {
			p.Chart.Point(k.suite, k.week, *v, lo, hi)
		}
	}
	slices.SortFunc(p.Chart.Series, func(x, y answer.Series) int { return strings.Compare(x.Name, y.Name) })
}

// suites lists them, each with a link to its page.
func suites(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "suites", Title: "Suites", Rows: "rows/runs", Note: a.note(rateNote, "repo", "person", "branch"), Empty: runsEmpty,
		Table: answer.Table{Columns: []answer.Column{col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("rate", "Pass rate", answer.Percent), col("before", "Before", answer.Percent),
			col("runs", "Runs", answer.Count), col("errored", "Errors", answer.Count), col("cost", "Cost", answer.Dollars), col("last", "Last run", answer.Day), col("flaky", "Flaky cases", answer.Count)}},
	}
	flaky := map[[2]string]answer.Cell{}
	for _, s := range a.flaky(ctx) {
		cell := answer.Of(nil) // not looked at
		if !s.Unread {
			cell = answer.Cell{Value: len(s.Cases), Link: flakyLink(s.Repo), Mark: "warn"}
		}
		flaky[[2]string{s.Repo, s.Suite}] = cell
	}
	now := once(ctx, a, evals, "suites", a.in(), figures.Suites)
	then := once(ctx, a, evals, "suites", a.before(), figures.Suites)
	was := map[[2]string]answer.Cell{}
	for _, s := range then {
		was[[2]string{s.Repo, s.Suite}] = rate{s.Runs, s.Passed, s.Failed, s.Errored, s.Total}.cell()
	}
	for _, s := range now {
		last := answer.Of(s.LastDay)
		if stale(a.now, s.LastDay) {
			last.Mark = "warn"
		}
		unsteady, ok := flaky[[2]string{s.Repo, s.Suite}]
		if !ok {
			unsteady = answer.Of(0)
		}
		p.Table.Add(answer.Linked(called(s.Suite), suiteLink(s.Repo, s.Suite)), s.Repo, rate{s.Runs, s.Passed, s.Failed, s.Errored, s.Total}.cell(), was[[2]string{s.Repo, s.Suite}].Value, s.Runs, s.Errored, s.CostUSD, last, unsteady)
	}
}

// staleAfter is when a suite or a repository has not been heard of for long.
const staleAfter = 14 * 24 * time.Hour

func stale(now time.Time, day string) bool {
	at, err := time.Parse(time.DateOnly, day)
	return err == nil && now.Sub(at) > staleAfter+24*time.Hour
}

const mostCriteria = 15

var criteriaEmpty = answer.Empty{Text: "No judge scores in this period.", Command: "cairn eval judge CASES OUTPUTS"}

// scaleOf parts a criterion's name from its scale: clarity (1-5).
func scaleOf(name string) (criterion, scale string) {
	if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
		return name[:i], name[i+2 : len(name)-1]
	}
	return name, "0-1"
}

// weakest lists the criteria with the lowest means, by category.
func weakest(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "weakest", Title: "Lowest-scoring metrics of judges", Rows: "rows/runs", Empty: criteriaEmpty,
		Note:  a.note("Means over runs, lowest first; criteria on a scale of their own come after those from 0 to 1 and are never averaged with them. The trend is the last week's mean less the first's. Of more than 500 runs about 500 are taken by chance.", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("category", "Category", answer.Words), col("criterion", "Criterion", answer.Words), col("scale", "Scale", answer.Words), col("mean", "Mean", answer.Words), col("trend", "Trend", answer.Words), col("runs", "Runs", answer.Count)}},
	}
	for _, c := range a.criteria(ctx) {
		name, scale := scaleOf(c.Name)
		trend := answer.Of(nil)
		if n := len(c.Weeks); n > 1 {
			d := c.Weeks[n-1].Mean - c.Weeks[0].Mean
			trend = answer.Of(fmt.Sprintf("%+.2f", d))
		}
		p.Table.Add(cmp.Or(c.Category, "all"), name, scale, fmt.Sprintf("%.2f", c.Mean), trend, c.Runs)
	}
}

const mostLines = 6

// criteriaOverTime draws the weakest from 0 to 1 over time.
func criteriaOverTime(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "criteria", Title: "Lowest-scoring metrics over time", Rows: "rows/runs", Empty: criteriaEmpty,
		Note:  a.note("Weekly means of the six lowest-scoring metrics on the scale from 0 to 1.", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("criterion", "Criterion", answer.Words), col("mean", "Mean", answer.Score), col("runs", "Runs", answer.Count)}},
	}
	chart := answer.Chart{Kind: answer.LineChart, Unit: answer.Score, Step: answer.Week, X: a.weeks(), To: answer.To(1)}
	for _, c := range a.criteria(ctx) {
		if _, scale := scaleOf(c.Name); scale != "0-1" || len(chart.Series) == mostLines {
			continue
		}
		name := c.Name
		if c.Category != "" {
			name = c.Category + ": " + c.Name
		}
		for _, w := range c.Weeks {
			chart.Point(name, w.Week, w.Mean, nil, nil)
			p.Table.Add(w.Week, name, w.Mean, w.Runs)
		}
	}
	slices.SortStableFunc(p.Table.Rows, func(x, y answer.Row) int { return cmp.Compare(y[0].Value.(string), x[0].Value.(string)) })
	draw(p, &chart)
}

// detection draws how many planted bugs cases found.
func detection(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "detection", Title: "Bug detection rate", Rows: "rows/runs",
		Note:  a.note("Bugs that a case found, on average over the cases that plant some, in the last run of main of each week; false alarms beside it.", "repo", "person", "branch"),
		Empty: answer.Empty{Text: "No cases with planted bugs in this period.", Command: "cairn eval push RESULTS"},
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("suite", "Suite", answer.Words), col("found", "Found", answer.Number), col("false", "False alarms", answer.Number), col("cases", "Cases", answer.Count)}},
	}
	chart := answer.Chart{Kind: answer.LineChart, Unit: answer.Number, Step: answer.Week, X: a.weeks(), From: answer.To(0)}
	for _, d := range slices.Backward(once(ctx, a, evals, "detections", a.in(), figures.Detections)) {
		chart.Point(called(d.Suite), d.Week, d.Found, nil, nil)
		p.Table.Add(d.Week, called(d.Suite), d.Found, d.False, d.Cases)
	}
	draw(p, &chart)
}
