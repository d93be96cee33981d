package dashboard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
	"cairn/internal/team/wire"
)

// run reads the run that the address names.
func (a *ask) run(ctx context.Context) *wire.EvalRun {
	if a.read != nil {
		return a.read
	}
	run, err := figures.Run(ctx, a.tx, a.team.ID, named(uuid.Parse(a.path["id"])))
	if errors.Is(err, figures.ErrNone) {
		err = errNothing
	}
	must.OK(err)
	a.read = &run
	return a.read
}

func runHead(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "figures", Title: "In figures"}
	r := a.run(ctx)
	a.title = "Run of " + called(r.Suite)
	rate, _, _ := rate{1, r.Passed, r.Failed, r.Errored, r.TotalTests}.share()
	p.Figures = []answer.Figure{
		figure("rate", "Pass rate", answer.Percent, 1, "", rate, nil), figure("passed", "Passed", answer.Count, 1, "", answer.To(float64(r.Passed)), nil),
		figure("failed", "Failed", answer.Count, -1, "", answer.To(float64(r.Failed)), nil), figure("errored", "Errors", answer.Count, -1, "", answer.To(float64(r.Errored)), nil),
		figure("skipped", "Skipped", answer.Count, 0, "", answer.To(float64(r.Skipped)), nil), figure("cost", "Cost", answer.Dollars, -1, "", answer.To(r.TotalCostUSD), nil),
		figure("duration", "Duration", answer.Millis, -1, "", answer.To(float64(r.TotalDurationMS)), nil),
	}
}

// runAbout says what the run was of.
func runAbout(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "about", Title: "About", Table: answer.Table{Columns: []answer.Column{col("what", "What", answer.Words), col("value", "Value", answer.Words)}}}
	r := a.run(ctx)
	row := must.Get(figures.OneRun(ctx, a.tx, a.team.ID, r.ID))
	if len(row) == 0 {
		return
	}
	add := func(what, value, link string) {
		if value != "" {
			p.Table.Add(what, answer.Linked(value, link))
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
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// runCases lists what did not pass first.
func runCases(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "cases", Title: "Cases", Empty: answer.Empty{Text: "The run has no cases, or they are older than this server keeps them."},
		Table: answer.Table{Columns: []answer.Column{col("case", "Case", answer.Words), col("status", "Status", answer.Words), col("score", "Score", answer.Number), col("duration", "Duration", answer.Millis), col("cost", "Cost", answer.Dollars), col("why", "Why", answer.Words)}}}
	r := a.run(ctx)
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

func runCosts(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "costs", Title: "Cost by model", Empty: answer.Empty{Text: "The run says nothing of models."},
		Table: answer.Table{Columns: []answer.Column{col("model", "Model", answer.Words), col("calls", "Calls", answer.Count), col("input", "Input", answer.Tokens), col("output", "Output", answer.Tokens), col("cost", "Cost", answer.Dollars)}}}
	r := a.run(ctx)
	for _, c := range r.Costs {
		p.Table.Add(c.Model, c.Calls, c.InputTokens, c.OutputTokens, c.EstimatedCostUSD)
	}
}

const mostOutcomes = 200

// outcomes reads the case that the address names, under whatever number its prompt had.
func (a *ask) outcomes(ctx context.Context) ([]figures.Outcome, figures.Case) {
	id := named(strconv.ParseInt(a.path["id"], 10, 64))
	found := must.Get(figures.Cases(ctx, a.tx, a.team.ID, []int64{id}))
	if len(found) == 0 {
		must.Fail(errNothing)
	}
	run, _ := uuid.Parse(a.path["run"])
	line := must.Get(figures.LineOf(ctx, a.tx, a.team.ID, id, run))
	list := latest(ctx, a, fmt.Sprint("history ", line.IDs), figures.Ever(a.team.ID), mostOutcomes*len(line.IDs), func(ctx context.Context, tx *db.Tx, r figures.Range, most int) ([]figures.Outcome, error) {
		return figures.CaseHistory(ctx, tx, r, line.IDs, most)
	})
	return line.Of(list, mostOutcomes), found[0]
}

func caseHead(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "figures", Title: "In figures"}
	list, c := a.outcomes(ctx)
	a.title = c.Name + variant(c.Variant)
	var h history
	before := map[string]int{} // by branch
	for _, o := range slices.Backward(list) {
		if o.Status < 2 {
			follow(&h, before, o.Branch, o.Status)
		}
	}
	s := h.share
	p.Figures = []answer.Figure{figure("runs", "Results", answer.Count, 0, "", answer.To(float64(len(list))), nil), figure("rate", "Pass rate", answer.Percent, 1, "", ratio(float64(s.passed), float64(s.judged)), nil),
		figure("flaky", "Flaky", answer.Percent, -1, "", h.turned(), nil)}
	p.Note = flakyNote
	if s.judged > 0 {
		lo, hi := stats.Wilson(s.passed, s.judged, 1-alpha)
		p.Note = "The 95 % interval of the pass rate is " + answer.Show(lo, answer.Percent) + " to " + answer.Show(hi, answer.Percent) + " (Wilson). " + flakyNote
	}
}

func caseHistory(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "history", Title: "History", Note: "The newest 200 results.", Empty: runsEmpty,
		Table: answer.Table{Columns: []answer.Column{col("at", "When", answer.Moment), col("status", "Status", answer.Words), col("score", "Score", answer.Number), col("branch", "Branch", answer.Words), col("commit", "Commit", answer.Words), col("label", "Label", answer.Words)}}}
	list, _ := a.outcomes(ctx)
	for _, o := range list {
		p.Table.Add(answer.Linked(o.RunAt, "run?id="+o.Run.String()), status(o.Status), o.Score, o.Branch, short(o.SHA), o.Label)
	}
}
