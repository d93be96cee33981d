package dashboard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

func suiteRate(ctx context.Context, a *ask, p *answer.Panel) {
	a.title = "Suite " + called(a.path["suite"])
	*p = answer.Panel{ID: "pass-rate", Title: "Pass rate per week", Note: a.note(rateNote, "repo", "person", "branch"), Empty: runsEmpty}
	days := a.rates(ctx, a.in())
	days = slices.DeleteFunc(slices.Clone(days), func(d figures.PassRate) bool { return d.Suite != a.path["suite"] })
	rateLines(p, a, days)
	a.marks(ctx, p)
}

const (
	mostSuiteRuns = 40 // whose cases are looked at
	mostListed    = 20
)

func suiteRuns(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "runs", Title: "Newest runs", Empty: runsEmpty, Note: a.note("", "repo", "person", "branch")}
	suite := a.path["suite"]
	runs := a.newestRuns(ctx, &suite, mostSuiteRuns)
	runs = runs[:min(len(runs), mostListed)]
	a.runTable(&p.Table, runs)
}

// newestRuns are those of what is asked for, of one suite where suite is not nil.
func (a *ask) newestRuns(ctx context.Context, suite *string, most int) []figures.RunRow {
	name := fmt.Sprint("newest runs ", most)
	if suite != nil {
		name += strconv.Quote(*suite)
	}
	return latest(ctx, a, name, a.in(), most, func(ctx context.Context, tx *db.Tx, r figures.Range, most int) ([]figures.RunRow, error) {
		return figures.Runs(ctx, tx, r, suite, figures.After{}, most)
	})
}

// runTable lists runs.
func (a *ask) runTable(t *answer.Table, runs []figures.RunRow) {
	t.Columns = []answer.Column{col("at", "When", answer.Moment), col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("branch", "Branch", answer.Words), col("commit", "Commit", answer.Words),
		col("passed", "Passed", answer.Count), col("failed", "Failed", answer.Count), col("errored", "Errors", answer.Count), col("cost", "Cost", answer.Dollars), col("by", "By", answer.Words)}
	for _, r := range runs {
		failed, errored := answer.Of(r.Failed), answer.Of(r.Errored)
		if r.Failed > 0 {
			failed.Mark = "fail"
		}
		if r.Errored > 0 {
			errored.Mark = "error"
		}
		t.Add(answer.Linked(r.At, "run?id="+r.ID.String()), answer.Linked(called(r.Suite), suiteLink(r.Repo, r.Suite)), r.Repo, r.Branch, short(r.SHA), r.Passed, failed, errored, r.CostUSD, a.name(r.User))
	}
}

func short(sha string) string { return sha[:min(len(sha), 12)] }

// suiteCases says how each case went in the newest runs, the least sure first.
func suiteCases(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "cases", Title: "Cases", Empty: runsEmpty,
		Note: a.note(fmt.Sprintf("In the newest %d runs of this period. ", mostSuiteRuns)+flakyNote, "repo", "person", "branch"),
		Table: answer.Table{Columns: []answer.Column{col("case", "Case", answer.Words), col("category", "Category", answer.Words), col("rate", "Pass rate", answer.Percent), col("flaky", "Flaky", answer.Percent),
			col("runs", "Runs", answer.Count), col("last", "Last", answer.Words)}},
	}
	suite := a.path["suite"]
	runs := a.newestRuns(ctx, &suite, mostSuiteRuns)
	if len(runs) == 0 {
		return
	}
	var ids []uuid.UUID
	var at []time.Time
	runs = slices.Clone(runs)
	slices.Reverse(runs)
	for _, r := range runs {
		ids, at = append(ids, r.ID), append(at, r.At)
	}
	of := histories(runs, a.went(ctx, ids, at))
	names := a.cases(ctx, slices.Collect(maps.Keys(of)))
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(x, y figures.Case) int {
		a, b := of[x.ID], of[y.ID]
		if a.share.judged == 0 || b.share.judged == 0 {
			return cmp.Compare(b.share.judged, a.share.judged)
		}
		return cmp.Compare(a.of(), b.of())
	})
	for _, c := range names {
		h := of[c.ID]
		row := answer.Row{caseCell(c), answer.Of(c.Category), answer.Of(nil), answer.Of(h.turned()), answer.Of(h.share.judged), status(h.last)}
		if h.share.judged > 0 {
			lo, hi := stats.Wilson(h.passed, h.share.judged, 1-alpha)
			row[2] = answer.Cell{Value: h.of(), Low: &lo, High: &hi}
		}
		if h.flaky() {
			row[3].Mark = "warn"
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
}

// cases returns what cases are. Of one that is there a push changes nothing.
func (a *ask) cases(ctx context.Context, ids []int64) []figures.Case {
	slices.Sort(ids)
	if first, _ := slices.BinarySearch(ids, 0); first > 0 {
		list := slices.Clone(a.cases(ctx, slices.Clone(ids[first:])))
		for _, id := range ids[:first] {
			if c, ok := a.other[id]; ok {
				list = append(list, c)
			}
		}
		return list
	}
	sum := sha256.New()
	_ = binary.Write(sum, binary.LittleEndian, ids)
	key := fmt.Sprintf("%s s%d cases %x", a.team.ID, a.team.Revised, sum.Sum(nil))
	if list, ok := a.known.get(key); ok {
		return list.([]figures.Case)
	}
	list := must.Get(figures.Cases(ctx, a.tx, a.team.ID, ids))
	if len(list) == len(ids) {
		keep(a, key, list)
	}
	return list
}

// caseCell links to a case. One whose prompt's number is another's now has no page.
func caseCell(c figures.Case) answer.Cell {
	if c.ID < 0 {
		return answer.Of(c.Name + variant(c.Variant))
	}
	return answer.Linked(c.Name+variant(c.Variant), "case?id="+strconv.FormatInt(c.ID, 10))
}

func variant(v string) string {
	if v == "" {
		return ""
	}
	return " [" + v + "]"
}

// status is how a case ended, in words and colors.
func status(n int) answer.Cell {
	name := string(statusOf(n))
	return answer.Cell{Value: name, Mark: name}
}

// statusOf is the status of a number in eval_results.
func statusOf(n int) result.Status {
	return [...]result.Status{result.Pass, result.Fail, result.Skip, result.Error}[max(0, min(n, 3))]
}
