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

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
	"cairn/internal/team/stats"
	"cairn/internal/team/wire"
)

func runView() view {
	return view{
		name: "run", title: "Run", summary: "One run of a suite: how it ended, case by case.", hidden: true, still: true, args: []string{"id"},
		panels: []func(context.Context, *ask) (panel.Panel, error){runHead, runAbout, runCases, runCosts},
	}
}

func caseView() view {
	return view{
		name: "case", title: "Case", summary: "One case through all its runs.", hidden: true, still: true, args: []string{"id"},
		panels: []func(context.Context, *ask) (panel.Panel, error){caseHead, caseHistory},
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

func runHead(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "figures", Title: "In figures"}
	r, err := a.run(ctx)
	if err != nil {
		return p, err
	}
	a.title = "Run of " + called(r.Suite)
	rate, _, _ := rate{1, r.Passed, r.Failed, r.Errored, r.TotalTests}.share()
	p.Figures = []panel.Figure{
		figure("rate", "Pass rate", panel.Percent, 1, "", rate, nil), figure("passed", "Passed", panel.Count, 1, "", panel.To(float64(r.Passed)), nil),
		figure("failed", "Failed", panel.Count, -1, "", panel.To(float64(r.Failed)), nil), figure("errored", "Errors", panel.Count, -1, "", panel.To(float64(r.Errored)), nil),
		figure("skipped", "Skipped", panel.Count, 0, "", panel.To(float64(r.Skipped)), nil), figure("cost", "Cost", panel.Dollars, -1, "", panel.To(r.TotalCostUSD), nil),
		figure("duration", "Duration", panel.Millis, -1, "", panel.To(float64(r.TotalDurationMS)), nil),
	}
	return p, nil
}

// runAbout says what the run was of.
func runAbout(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "about", Title: "About", Table: panel.Table{Columns: []panel.Column{col("what", "What", panel.Text), col("value", "Value", panel.Text)}}}
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
			p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(what), panel.Linked(value, link)})
		}
	}
	add("When", panel.Show(r.RunAt, panel.Moment), "")
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
func runCases(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "cases", Title: "Cases", Empty: panel.Empty{Text: "The run has no cases, or they are older than this server keeps them."},
		Table: panel.Table{Columns: []panel.Column{col("case", "Case", panel.Text), col("status", "Status", panel.Text), col("score", "Score", panel.Number), col("duration", "Duration", panel.Millis), col("cost", "Cost", panel.Dollars), col("why", "Why", panel.Text)}}}
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
		row := panel.Row{panel.Linked(name, "case?id="+strconv.FormatInt(one.CaseID, 10)), status(one.Status), panel.Of(one.Score), panel.Of(nil), panel.Of(one.CostUSD), panel.Of(why(one.Payload))}
		if one.DurationMS != nil {
			row[3] = panel.Of(float64(*one.DurationMS))
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

func runCosts(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "costs", Title: "Cost by model", Empty: panel.Empty{Text: "The run says nothing of models."},
		Table: panel.Table{Columns: []panel.Column{col("model", "Model", panel.Text), col("calls", "Calls", panel.Count), col("input", "Input", panel.Tokens), col("output", "Output", panel.Tokens), col("cost", "Cost", panel.Dollars)}}}
	r, err := a.run(ctx)
	for _, c := range r.Costs {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(c.Model), panel.Of(c.Calls), panel.Of(c.InputTokens), panel.Of(c.OutputTokens), panel.Of(c.EstimatedCostUSD)})
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

func caseHead(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "figures", Title: "In figures"}
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
	p.Figures = []panel.Figure{figure("runs", "Results", panel.Count, 0, "", panel.To(float64(len(list))), nil), figure("rate", "Pass rate", panel.Percent, 1, "", ratio(float64(s.passed), float64(s.judged)), nil),
		figure("flaky", "Flaky", panel.Percent, -1, "", ratio(float64(turns), float64(pairs)), nil)}
	if s.judged > 0 {
		lo, hi := stats.Wilson(s.passed, s.judged, 1-alpha)
		p.Note = "The 95 % interval of the pass rate is " + panel.Show(lo, panel.Percent) + " to " + panel.Show(hi, panel.Percent) + " (Wilson)."
	}
	return p, nil
}

func caseHistory(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "history", Title: "History", Note: "The newest 200 results.", Empty: runsEmpty,
		Table: panel.Table{Columns: []panel.Column{col("at", "When", panel.Moment), col("status", "Status", panel.Text), col("score", "Score", panel.Number), col("branch", "Branch", panel.Text), col("commit", "Commit", panel.Text), col("label", "Label", panel.Text)}}}
	list, _, err := a.outcomes(ctx)
	for _, o := range list {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Linked(o.RunAt, "run?id="+o.Run.String()), status(o.Status), panel.Of(o.Score), panel.Of(o.Branch), panel.Of(short(o.SHA)), panel.Of(o.Label)})
	}
	return p, err
}
