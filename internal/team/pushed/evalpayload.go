package pushed

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
)

// MostPayload is how many bytes of JSON a payload has at most. The server's
// limit is 1,000,000 as it writes JSON, with spaces.
const MostPayload = 600_000

// A payload is what a result says that has no column of its own, or that its
// column cannot hold, by the names of result.Result.
type payload struct {
	Name           string             `json:"name,omitzero"` // with the runner's own id only: names may change there
	Variant        string             `json:"variant,omitzero"`
	CaseID         string             `json:"case_id,omitzero"`
	Identity       *result.Identity   `json:"identity,omitzero"`
	DurationMS     float64            `json:"duration_ms,omitzero"`
	CostUSD        float64            `json:"cost_usd,omitzero"`
	Model          string             `json:"model,omitzero"`
	Score          *float64           `json:"score,omitzero"`
	JudgeScores    map[string]float64 `json:"judge_scores,omitempty"`
	Scale          result.Scale       `json:"scale,omitzero"`
	JudgeReasoning string             `json:"judge_reasoning,omitzero"`
	Failures       []result.Failure   `json:"failures,omitempty"`
	Error          string             `json:"error,omitzero"`
	Tags           []string           `json:"tags,omitempty"`
	Preview        string             `json:"response_preview,omitzero"`
	Output         jsontext.Value     `json:"output,omitempty"`
	Comparison     jsontext.Value     `json:"comparison,omitempty"`
	X              jsontext.Value     `json:",embed"`
}

// resultRow is the row of a result, without its case.
func resultRow(r *result.Result, meta *runMeta) (row wire.EvalResult, err error) {
	if row.Repeat = r.Try() - 1; row.Repeat > math.MaxInt16 {
		return row, fmt.Errorf("attempt %d: a team's server takes %d at most", r.Try(), math.MaxInt16+1)
	}
	for i, s := range statuses {
		if s == r.Status {
			row.Status = i
		}
	}
	p := payload{
		CaseID: r.CaseID, Identity: r.Identity, JudgeScores: r.JudgeScores, JudgeReasoning: r.JudgeReasoning, Failures: r.Failures, Error: r.Error, Tags: r.Tags,
		Preview: r.ResponsePreview, Output: r.Output, Comparison: r.Comparison, X: r.X,
	}
	if r.CaseID != "" {
		p.Name, p.Variant = r.Name, r.Variant
	}
	if r.Model != meta.Model {
		p.Model = r.Model
	}
	if r.Scale != meta.Scale {
		p.Scale = r.Scale
	}
	if r.Score != nil {
		row.Score = r.Score
		if shortest(*r.Score) != *r.Score {
			p.Score = r.Score
		}
	}
	if r.CostUSD > 0 && r.CostUSD < 1e6 {
		row.CostUSD = &r.CostUSD
	}
	if r.CostUSD != 0 && (r.CostUSD >= 1e6 || sixDigits(r.CostUSD) != r.CostUSD) {
		p.CostUSD = r.CostUSD
	}
	if ms := whole(r.DurationMS); r.DurationMS > 0 && ms <= math.MaxInt32 {
		row.DurationMS = &ms
	}
	row.Turns = turnsOf(r.X)
	data, err := p.encode()
	if err != nil {
		return row, err
	}
	// The exact time goes along where there is a payload anyway, and makes one only
	// where whole milliseconds are more than one in a hundred off.
	if off := math.Abs(r.DurationMS - math.Round(r.DurationMS)); off > 0 && (len(data) > len("{}") || off > r.DurationMS/100) || r.DurationMS > math.MaxInt32 {
		p.DurationMS = r.DurationMS
		if data, err = p.encode(); err != nil {
			return row, err
		}
	}
	if len(data) > len("{}") {
		row.Payload = data
	}
	return row, nil
}

// encode writes the payload and cuts it where it is too long: the longest texts
// first, those of failures last.
func (p *payload) encode() (jsontext.Value, error) {
	data, err := json.Marshal(p, json.Deterministic(true))
	if err != nil || len(data) <= MostPayload {
		return data, err
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	failures := all["failures"]
	for most := 200_000; most >= 100; most /= 2 {
		for name, v := range all {
			if name != "failures" {
				all[name] = cut(v, most)
			}
		}
		if data, err = json.Marshal(all, json.Deterministic(true)); err != nil || len(data) <= MostPayload {
			return data, err
		}
	}
	for _, name := range [...]string{"output", "comparison"} { // lists without end
		delete(all, name)
	}
	kept, err := json.Marshal(all, json.Deterministic(true))
	if err != nil || len(kept) <= MostPayload {
		return kept, err
	}
	own := payload{Name: p.Name, Variant: p.Variant, CaseID: p.CaseID, Identity: p.Identity, Model: p.Model, Scale: p.Scale, Score: p.Score, CostUSD: p.CostUSD, DurationMS: p.DurationMS}
	if data, err = json.Marshal(&own); err != nil {
		return nil, err
	}
	all = map[string]any{}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	for most := 200_000; most >= 100; most /= 2 {
		all["failures"] = cut(failures, most)
		if data, err = json.Marshal(all, json.Deterministic(true)); err != nil || len(data) <= MostPayload {
			return data, err
		}
	}
	return nil, fmt.Errorf("more than %d bytes of failures", MostPayload)
}

// cut shortens the texts in a JSON value that are longer than most bytes.
func cut(v any, most int) any {
	switch v := v.(type) {
	case string:
		if len(v) <= most {
			return v
		}
		n, short := len(v), v[:most]
		if _, mark, ok := strings.Cut(v, cutMark); ok { // it was cut before
			if was, err := strconv.Atoi(strings.TrimSuffix(mark, " bytes]")); err == nil {
				n = was
			}
		}
		for !utf8.ValidString(short) {
			short = short[:len(short)-1]
		}
		return short + cutMark + strconv.Itoa(n) + " bytes]"
	case []any:
		for i := range v {
			v[i] = cut(v[i], most)
		}
	case map[string]any:
		for name := range v {
			v[name] = cut(v[name], most)
		}
	}
	return v
}

const cutMark = "… [cut, it had "

// shortest is what a column of 32 bits gives back of a figure.
func shortest(v float64) float64 {
	back, _ := strconv.ParseFloat(strconv.FormatFloat(float64(float32(v)), 'g', -1, 32), 64)
	return back
}

// turnsOf is how often an agent was asked, where a runner says it.
func turnsOf(x jsontext.Value) *int {
	var said struct {
		Turns *float64 `json:"turns"`
		Used  *float64 `json:"turns_used"`
	}
	if x == nil || json.Unmarshal(x, &said) != nil {
		return nil
	}
	if said.Turns == nil {
		said.Turns = said.Used
	}
	if said.Turns == nil || *said.Turns != math.Trunc(*said.Turns) || *said.Turns < 0 || *said.Turns > math.MaxInt16 {
		return nil
	}
	n := int(*said.Turns)
	return &n
}

// EntryOf is what a list has of a run, of which the results need not be there.
func EntryOf(w wire.EvalRun) (eval.Entry, error) {
	run, err := RunOf(w)
	if err != nil {
		return eval.Entry{}, err
	}
	e := eval.EntryOf(run)
	if of := metaOf(w).Suites; len(of) > 1 {
		e.Suite, e.Suites = "", of
	}
	return e, nil
}

func metaOf(w wire.EvalRun) (meta runMeta) {
	if w.Meta != nil && json.Unmarshal(w.Meta, &meta) != nil {
		meta = runMeta{} // of another client
	}
	return meta
}

// RunOf is the way back from EvalRun: what compare, trend and leaderboard make
// of it is what they make of the run itself. Results are in the order of suite,
// name, variant and attempt.
func RunOf(w wire.EvalRun) (*result.Run, error) {
	meta := metaOf(w)
	said := func(column, value string) string {
		if slices.Contains(meta.Unsaid, column) {
			return ""
		}
		return value
	}
	run := &result.Run{
		SchemaVersion: result.Version, ID: result.IDOf(w.IngestKey), IngestKey: w.IngestKey,
		Label: w.Label, Suite: w.Suite, Timestamp: result.Time{Time: w.RunAt.UTC()}, Repo: w.RepoSlug,
		GitBranch: w.Branch, GitSHA: w.GitSHA, GitDirty: w.GitDirty != nil && *w.GitDirty, Hostname: w.Hostname,
		Tool: w.Tool, ToolVer: w.ToolVersion, AppVersion: meta.Version,
		Kind: said("kind", w.Kind), Scope: said("scope", w.Scope), Tier: said("tier", w.Tier),
		DurationSeconds: cmp.Or(meta.DurationSeconds, float64(w.TotalDurationMS)/1000),
		TotalCostUSD:    cmp.Or(meta.TotalCostUSD, w.TotalCostUSD),
		WallClockMS:     meta.WallClockMS, Prompts: meta.Prompts, X: meta.X,
	}
	run.Counts = result.Counts{Total: w.TotalTests, Passed: w.Passed, Failed: w.Failed, Skipped: w.Skipped, Errored: w.Errored}
	if w.JudgeTier != nil {
		run.JudgeTier = *w.JudgeTier
	}
	if w.PromptSHA != nil {
		run.PromptSHA = *w.PromptSHA
	}
	if w.WallClockMS != nil && run.WallClockMS == 0 {
		run.WallClockMS = float64(*w.WallClockMS)
	}
	if w.ByCategory != nil {
		if json.Unmarshal(w.ByCategory, &run.ByCategory) != nil {
			run.ByCategory = nil // of another client
		}
	}
	for _, c := range w.Costs {
		one := result.Cost{Model: c.Model, Calls: c.Calls, InputTokens: c.InputTokens, OutputTokens: c.OutputTokens,
			CacheReadTokens: c.CacheReadTokens, CacheWriteTokens: c.CacheWriteTokens, X: meta.Costs[c.Model]}
		if c.PriceTable == "" { // counted, not estimated
			one.CostUSD = c.EstimatedCostUSD
		}
		run.Costs = append(run.Costs, one)
	}
	return run, resultsOf(run, &w, &meta)
}

func resultsOf(run *result.Run, w *wire.EvalRun, meta *runMeta) error {
	cases := make(map[int64]*wire.EvalCase, len(w.Cases))
	for i := range w.Cases {
		cases[w.Cases[i].ID] = &w.Cases[i]
	}
	for _, row := range w.Results {
		c := cases[row.CaseID]
		if c == nil {
			return fmt.Errorf("run %s has a result of case %d, which the server does not name", run.ID, row.CaseID)
		}
		r := result.Result{Name: c.Name, Variant: c.Variant, CaseID: c.OwnID, Category: c.Category, Model: meta.Model, Scale: meta.Scale}
		if c.Suite != run.Suite {
			r.Suite = c.Suite
		}
		if row.Repeat > 0 {
			r.Attempt = row.Repeat + 1
		}
		if row.DurationMS != nil {
			r.DurationMS = float64(*row.DurationMS)
		}
		if row.CostUSD != nil {
			r.CostUSD = sixDigits(*row.CostUSD)
		}
		if row.Score != nil {
			score := shortest(*row.Score)
			r.Score = &score
		}
		if row.Payload != nil {
			if err := json.Unmarshal(row.Payload, &r); err != nil {
				return fmt.Errorf("run %s: the payload of %s: %w", run.ID, c.Name, err)
			}
		}
		if row.Status < 0 || row.Status >= len(statuses) {
			return fmt.Errorf("run %s: %s has status %d, which is not known", run.ID, c.Name, row.Status)
		}
		r.Set(statuses[row.Status])
		run.Results = append(run.Results, r)
	}
	slices.SortStableFunc(run.Results, func(a, b result.Result) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Attempt, b.Attempt))
	})
	return nil
}
