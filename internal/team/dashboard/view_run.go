package dashboard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
	"cairn/internal/team/wire"
)

func runView() view {
	return view{
		name: "run", title: "Run", summary: "One run of a suite: how it ended, case by case.", hidden: true, still: true, args: []string{"id"},
		panels: []func(context.Context, *ask) (answer.Panel, error){runHead, runAbout, runCases, runCosts},
	}
}

func caseView() view {
	return view{
		name: "case", title: "Case", summary: "One case through all its runs.", hidden: true, still: true, args: []string{"id"},
		panels: []func(context.Context, *ask) (answer.Panel, error){caseHead, caseHistory},
	}
}

// run reads the run that the address names.
func (a *ask) run(ctx context.Context) (wire.EvalRun, error) {
	if a.read != nil {
		return *a.read, nil
	}
	id, err := uuid.Parse(a.path["id"])
	if err != nil {
		return wire.EvalRun{}, errNothing
	}
	run, err := figures.Run(ctx, a.tx, a.team.ID, id)
	if errors.Is(err, figures.ErrNone) {
		return run, errNothing
	}
	if err == nil {
		a.read = &run
	}
	return run, err
}

func runHead(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "figures", Title: "In figures"}
	r, err := a.run(ctx)
	if err != nil {
		return p, err
	}
	a.title = "Run of " + called(r.Suite)
	rate, _, _ := rate{1, r.Passed, r.Failed, r.Errored, r.TotalTests}.share()
	p.Figures = []answer.Figure{
		figure("rate", "Pass rate", answer.Percent, 1, "", rate, nil), figure("passed", "Passed", answer.Count, 1, "", answer.To(float64(r.Passed)), nil),
		figure("failed", "Failed", answer.Count, -1, "", answer.To(float64(r.Failed)), nil), figure("errored", "Errors", answer.Count, -1, "", answer.To(float64(r.Errored)), nil),
		figure("skipped", "Skipped", answer.Count, 0, "", answer.To(float64(r.Skipped)), nil), figure("cost", "Cost", answer.Dollars, -1, "", answer.To(r.TotalCostUSD), nil),
		figure("duration", "Duration", answer.Millis, -1, "", answer.To(float64(r.TotalDurationMS)), nil),
	}
	return p, nil
}

// runAbout says what the run was of.
func runAbout(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "about", Title: "About", Table: answer.Table{Columns: []answer.Column{col("what", "What", answer.Words), col("value", "Value", answer.Words)}}}
	r, err := a.run(ctx)
	if err != nil {
		return p, err
	}
	row, err := figures.OneRun(ctx, a.tx, a.team.ID, r.ID)
	if err != nil || len(row) == 0 {
		return p, err
	}
	add := func(what, value, link string) {
		if value != "" {
			p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Of(what), answer.Linked(value, link)})
		}
	}
	add("When", answer.Show(r.RunAt, answer.Moment), "")
	add("Suite", called(r.Suite), suiteLink(r.RepoSlug, r.Suite))
	add("Repository", r.RepoSlug, "")
	add("Branch", r.Branch, "")
	add("Commit", r.GitSHA, "")
	add("Label", r.Label, "")
	add("Pushed by", a.name(row[0].User), "")
	add("Machine", r.Hostname, "")
	add("Tool", r.Tool+" "+r.ToolVersion, "")
	var averages map[string]jsontext.Value
	if json.Unmarshal(r.JudgeAverages, &averages) == nil {
		for _, name := range sortedKeys(averages) {
			var v float64
			if averages[name].Kind() == '0' && json.Unmarshal(averages[name], &v) == nil {
				add("Judges: "+name, fmt.Sprintf("%.2f", v), "")
			}
		}
	}
	return p, nil
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// runCases lists what did not pass first.
func runCases(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "cases", Title: "Cases", Empty: answer.Empty{Text: "The run has no cases, or they are older than this server keeps them."},
		Table: answer.Table{Columns: []answer.Column{col("case", "Case", answer.Words), col("status", "Status", answer.Words), col("score", "Score", answer.Number), col("duration", "Duration", answer.Millis), col("cost", "Cost", answer.Dollars), col("why", "Why", answer.Words)}}}
	r, err := a.run(ctx)
	if err != nil {
		return p, err
	}
	names := map[int64]wire.EvalCase{}
	for _, c := range r.Cases {
		names[c.ID] = c
	}
	rank := [...]int{2, 0, 3, 1}
	slices.SortStableFunc(r.Results, func(x, y wire.EvalResult) int {
		return rank[max(0, min(x.Status, 3))] - rank[max(0, min(y.Status, 3))]
	})
	for _, one := range r.Results {
		c := names[one.CaseID]
		name := c.Name + variant(c.Variant)
		if one.Repeat > 0 {
			name += fmt.Sprintf(" (repeat %d)", one.Repeat)
		}
		row := answer.Row{answer.Linked(name, "case?id="+strconv.FormatInt(one.CaseID, 10)), status(one.Status), answer.Of(one.Score), answer.Of(nil), answer.Of(one.CostUSD), answer.Of(why(one.Payload))}
		if one.DurationMS != nil {
			row[3] = answer.Of(float64(*one.DurationMS))
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
	return p, nil
}

const mostWhy = 300 // bytes of a message

// why is the first thing that a result says of its failure.
func why(payload jsontext.Value) string {
	var said struct {
		Error    jsontext.Value `json:"error"`
		Failures []struct {
			Message string `json:"message"`
		} `json:"failures"`
	}
	if len(payload) == 0 || json.Unmarshal(payload, &said) != nil {
		return ""
	}
	var text string
	_ = json.Unmarshal(said.Error, &text)
	for _, f := range said.Failures {
		if f.Message != "" {
			text = f.Message
			break
		}
	}
	if r := []rune(text); len(r) > mostWhy {
		return string(r[:mostWhy]) + "…"
	}
	return text
}

func runCosts(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "costs", Title: "Cost by model", Empty: answer.Empty{Text: "The run says nothing of models."},
		Table: answer.Table{Columns: []answer.Column{col("model", "Model", answer.Words), col("calls", "Calls", answer.Count), col("input", "Input", answer.Tokens), col("output", "Output", answer.Tokens), col("cost", "Cost", answer.Dollars)}}}
	r, err := a.run(ctx)
	for _, c := range r.Costs {
		p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Of(c.Model), answer.Of(c.Calls), answer.Of(c.InputTokens), answer.Of(c.OutputTokens), answer.Of(c.EstimatedCostUSD)})
	}
	return p, err
}

const mostOutcomes = 200

// outcomes reads the case that the address names.
func (a *ask) outcomes(ctx context.Context) ([]figures.Outcome, figures.Case, error) {
	id, err := strconv.ParseInt(a.path["id"], 10, 64)
	if err != nil {
		return nil, figures.Case{}, errNothing
	}
	found, err := figures.Cases(ctx, a.tx, a.team.ID, []int64{id})
	if err != nil {
		return nil, figures.Case{}, err
	}
	if len(found) == 0 {
		return nil, figures.Case{}, errNothing
	}
	list, err := latest(ctx, a, "history "+a.path["id"], figures.Ever(a.team.ID), mostOutcomes, func(ctx context.Context, tx *db.Tx, r figures.Range, most int) ([]figures.Outcome, error) {
		return figures.CaseHistory(ctx, tx, r, id, most)
	})
	return list, found[0], err
}

func caseHead(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "figures", Title: "In figures"}
	list, c, err := a.outcomes(ctx)
	if err != nil {
		return p, err
	}
	a.title = c.Name + variant(c.Variant)
	var s share
	turns, pairs, last := 0, 0, -1
	for _, o := range slices.Backward(list) {
		if o.Status > 1 {
			continue
		}
		if s.add(o.Status); last >= 0 {
			pairs++
			if o.Status != last {
				turns++
			}
		}
		last = o.Status
	}
	p.Figures = []answer.Figure{figure("runs", "Results", answer.Count, 0, "", answer.To(float64(len(list))), nil), figure("rate", "Pass rate", answer.Percent, 1, "", ratio(float64(s.passed), float64(s.judged)), nil),
		figure("flaky", "Flaky", answer.Percent, -1, "", ratio(float64(turns), float64(pairs)), nil)}
	if s.judged > 0 {
		lo, hi := stats.Wilson(s.passed, s.judged, 1-alpha)
		p.Note = "The 95 % interval of the pass rate is " + answer.Show(lo, answer.Percent) + " to " + answer.Show(hi, answer.Percent) + " (Wilson)."
	}
	return p, nil
}

func caseHistory(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "history", Title: "History", Note: "The newest 200 results.", Empty: runsEmpty,
		Table: answer.Table{Columns: []answer.Column{col("at", "When", answer.Moment), col("status", "Status", answer.Words), col("score", "Score", answer.Number), col("branch", "Branch", answer.Words), col("commit", "Commit", answer.Words), col("label", "Label", answer.Words)}}}
	list, _, err := a.outcomes(ctx)
	for _, o := range list {
		p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Linked(o.RunAt, "run?id="+o.Run.String()), status(o.Status), answer.Of(o.Score), answer.Of(o.Branch), answer.Of(short(o.SHA)), answer.Of(o.Label)})
	}
	return p, err
}
