package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
	"cairn/internal/text"
)

const (
	// A case is flaky if it turned in more than flakyAbove of its pairs of results,
	// and has at least flakyFrom of them.
	flakyFrom  = 5
	flakyAbove = .2
	// mostFlakyResults bounds the results that are read for all suites.
	mostFlakyResults = 200_000
)

var flakyNote = fmt.Sprintf("Flaky: how often the result changed between pass and fail from one judged result to the next on the same branch. A case is flaky if it changed in more than %.0f %% of at least %d such pairs.", flakyAbove*100, flakyFrom)

// A history is how a case went from run to run.
type history struct {
	share
	turns, pairs int
	last         int
}

// histories follow cases through runs, the oldest first: a case that fails on
// one branch and passes on another is not flaky.
func histories(runs []figures.RunRow, went [][]figures.Ended) sums[int64, history] {
	type place struct {
		id     int64
		branch string
	}
	of, before := sums[int64, history]{}, map[place]int{}
	for i, run := range runs {
		for _, r := range went[i] {
			h := of.of(r.Case)
			if r.Status < 2 {
				follow(h, before, place{r.Case, run.Branch}, int(r.Status))
			}
			h.last = int(r.Status)
		}
	}
	return of
}

// follow adds a judged result, which came after that of before at the same place.
func follow[Place comparable](h *history, before map[Place]int, at Place, status int) {
	if was, ok := before[at]; ok {
		h.pairs++
		if was != status {
			h.turns++
		}
	}
	h.add(status)
	before[at] = status
}

func (h *history) turned() *float64 { return ratio(float64(h.turns), float64(h.pairs)) }

func (h *history) flaky() bool {
	return h.pairs >= flakyFrom && float64(h.turns)/float64(h.pairs) > flakyAbove
}

// A flakySuite has the cases of a suite that are flaky, and how they went.
type flakySuite struct {
	Repo, Suite string
	Cases       []flakyCase
	Unread      bool // it has too many results
}

type flakyCase struct {
	figures.Case
	history history
}

// flaky returns the suites of the period that have flaky cases, or too many results to
// look for them.
func (a *ask) flaky(ctx context.Context) []flakySuite {
	return once(ctx, a, evals, "flaky", a.in(), func(ctx context.Context, tx *db.Tx, r figures.Range) (out []flakySuite, err error) {
		runs, err := figures.NewestOfSuites(ctx, tx, r, mostSuiteRuns)
		if err != nil {
			return nil, err
		}
		type key struct{ repo, suite string }
		of := map[key]*[]figures.RunRow{}
		var order []key
		for _, run := range runs {
			k := key{run.Repo, run.Suite}
			if of[k] == nil {
				of[k] = new([]figures.RunRow)
				order = append(order, k)
			}
			*of[k] = append(*of[k], run)
		}
		var ids []uuid.UUID
		var at []time.Time
		results := 0
		for i, k := range order {
			for _, run := range *of[k] {
				results += run.Passed + run.Failed + run.Errored
			}
			if results > mostFlakyResults {
				for _, k := range order[i:] {
					out = append(out, flakySuite{Repo: k.repo, Suite: k.suite, Unread: true})
				}
				order = order[:i]
				break
			}
			for _, run := range *of[k] {
				ids, at = append(ids, run.ID), append(at, run.At)
			}
		}
		went := a.went(ctx, ids, at)
		found := map[int64]history{}
		in := map[int64]key{}
		for _, k := range order {
			n := len(*of[k])
			for id, h := range histories(*of[k], went[:n]) {
				if h.flaky() {
					found[id], in[id] = *h, k
				}
			}
			went = went[n:]
		}
		suites := map[key]*flakySuite{}
		for _, c := range a.cases(ctx, slices.Collect(maps.Keys(found))) {
			k := in[c.ID]
			if suites[k] == nil {
				suites[k] = &flakySuite{Repo: k.repo, Suite: k.suite}
			}
			suites[k].Cases = append(suites[k].Cases, flakyCase{c, found[c.ID]})
		}
		for _, k := range order {
			if s := suites[k]; s != nil {
				out = append(out, *s)
			}
		}
		return out, nil
	})
}

func flakyLink(repo string) string {
	if repo == "" {
		return "flaky"
	}
	return "flaky?" + url.Values{"repo": {repo}}.Encode()
}

// flakyCases lists those of all suites, the flakiest first.
func flakyCases(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{
		ID: "flaky", Title: "Flaky cases of all suites", Empty: answer.Empty{Text: "No case is flaky."},
		Table: answer.Table{Columns: []answer.Column{col("case", "Case", answer.Words), col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("flaky", "Flaky", answer.Percent),
			col("turns", "Turns", answer.Count), col("rate", "Pass rate", answer.Percent), col("runs", "Runs", answer.Count), col("last", "Last", answer.Words)}},
	}
	type row struct {
		flakyCase
		of flakySuite
	}
	var rows []row
	unread := 0
	for _, s := range a.flaky(ctx) {
		if s.Unread {
			unread++
		}
		for _, c := range s.Cases {
			rows = append(rows, row{c, s})
		}
	}
	note := fmt.Sprintf("In the newest %d runs of each suite in this period. ", mostSuiteRuns) + flakyNote
	if unread > 0 {
		note += fmt.Sprintf(" %s not checked: too many results.", text.Count(unread, "suite"))
	}
	p.Note = a.note(note, "repo", "person", "branch")
	slices.SortStableFunc(rows, func(x, y row) int {
		return cmp.Or(cmp.Compare(*y.history.turned(), *x.history.turned()), text.Natural(x.of.Suite, y.of.Suite), text.Natural(x.Name, y.Name))
	})
	for _, r := range rows {
		h := r.history
		lo, hi := stats.Wilson(h.passed, h.share.judged, 1-alpha)
		p.Table.Add(caseCell(r.Case), answer.Linked(called(r.of.Suite), suiteLink(r.of.Repo, r.of.Suite)), r.of.Repo,
			*h.turned(), h.turns, answer.Cell{Value: h.of(), Low: &lo, High: &hi}, h.share.judged, status(h.last))
	}
}
