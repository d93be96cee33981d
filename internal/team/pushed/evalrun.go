// Package pushed turns a run into the rows that are pushed to a team, and back: what
// the client sends and pulls, and what the team's pages show of a stored run.
package pushed

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
)

// statuses are in the order of their numbers in eval_results.
var statuses = [...]result.Status{result.Pass, result.Fail, result.Skip, result.Error}

// runMeta is eval_runs.meta: what a run says that has no column, or that its
// column cannot hold.
type runMeta struct {
	Version         string       `json:"version,omitzero"` // of what was evaluated
	Suites          []string     `json:"suites,omitempty"` // where there are several
	Model           string       `json:"model,omitzero"`   // of every result
	Scale           result.Scale `json:"scale,omitzero"`   // of every result
	Unsaid          []string     `json:"unsaid,omitempty"` // columns whose value is their default, not the run's word
	DurationSeconds float64      `json:"duration_seconds,omitzero"`
	WallClockMS     float64      `json:"wall_clock_ms,omitzero"`
	TotalCostUSD    float64      `json:"total_cost_usd,omitzero"`
	// Members of the runner's own: of the run, and of the costs by model.
	X       jsontext.Value            `json:"more,omitempty"`
	Prompts []result.Prompt           `json:"prompt_texts,omitempty"`
	Costs   map[string]jsontext.Value `json:"costs,omitempty"`
}

// EvalRun turns a run into what is pushed. RunOf is the way back. The
// repository's slug counts where the run names none.
//
// A case is what result.Run.Key says: name and variant, or the runner's own id.
// The category of a case is that of the first run in which it came.
func EvalRun(run *result.Run, team uuid.UUID, repoSlug string) (wire.EvalRun, error) {
	if run.Timestamp.IsZero() {
		return wire.EvalRun{}, errors.New("the run has no timestamp")
	}
	key := run.IngestKey
	if key == "" {
		var err error
		if key, err = run.ContentKey(); err != nil {
			return wire.EvalRun{}, err
		}
	}
	meta := runMeta{Version: run.AppVersion, Prompts: run.Prompts, X: run.X}
	w := wire.EvalRun{
		ID: wire.RunID(team, key), IngestKey: key, RunAt: run.Timestamp.UTC(), RepoSlug: cmp.Or(run.Repo, repoSlug),
		Branch: run.GitBranch, GitSHA: run.GitSHA, GitDirty: &run.GitDirty, Label: run.Label, Suite: run.Suite,
		Hostname: run.Hostname, Tool: run.Tool, ToolVersion: run.ToolVer,
		Kind: meta.said("kind", run.Kind), Scope: meta.said("scope", run.Scope), Tier: meta.said("tier", run.Tier),
		JudgeTier: optional(run.JudgeTier), PromptSHA: optional(run.PromptSHA),
		TotalTests: run.Total, Passed: run.Passed, Failed: run.Failed, Skipped: run.Skipped, Errored: run.Errored,
		TotalCostUSD: run.TotalCostUSD, SchemaVersion: run.SchemaVersion,
	}
	if w.TotalDurationMS = whole(run.DurationSeconds * 1000); float64(w.TotalDurationMS)/1000 != run.DurationSeconds {
		meta.DurationSeconds = run.DurationSeconds
	}
	if run.WallClockMS > 0 {
		ms := whole(run.WallClockMS)
		if w.WallClockMS = &ms; float64(ms) != run.WallClockMS {
			meta.WallClockMS = run.WallClockMS
		}
	}
	if sixDigits(run.TotalCostUSD) != run.TotalCostUSD {
		meta.TotalCostUSD = run.TotalCostUSD
	}
	if suites := eval.Suites(run); len(suites) == 1 {
		w.Suite = suites[0]
	} else if len(suites) > 1 {
		w.Suite, meta.Suites = run.Suite, suites
	}
	meta.Model = shared(run, func(r *result.Result) string { return r.Model })
	meta.Scale = shared(run, func(r *result.Result) result.Scale { return r.Scale })
	if err := addResults(&w, run, &meta); err != nil {
		return wire.EvalRun{}, err
	}
	for _, c := range run.Costs {
		w.Costs = append(w.Costs, wire.EvalCost{Model: c.Model, Calls: c.Calls, InputTokens: c.InputTokens, OutputTokens: c.OutputTokens,
			CacheReadTokens: c.CacheReadTokens, CacheWriteTokens: c.CacheWriteTokens, EstimatedCostUSD: c.CostUSD})
		if c.X != nil {
			if meta.Costs == nil {
				meta.Costs = map[string]jsontext.Value{}
			}
			meta.Costs[c.Model] = c.X
		}
	}
	if err := addDocuments(&w, run, &meta); err != nil {
		return wire.EvalRun{}, err
	}
	return clean(w)
}

// CaseID is the id that a team knows the case of a result by.
func CaseID(repoSlug string, run *result.Run, r *result.Result) int64 {
	suite := cmp.Or(r.Suite, run.Suite)
	if r.CaseID != "" {
		return wire.CaseID(repoSlug, suite, "", r.CaseID) // no case has an empty name
	}
	return wire.CaseID(repoSlug, suite, r.Name, r.Variant)
}

// addResults adds the cases and the results of a run.
func addResults(w *wire.EvalRun, run *result.Run, meta *runMeta) error {
	cases := map[int64]bool{}
	for i := range run.Results {
		r := &run.Results[i]
		c := wire.EvalCase{ID: CaseID(w.RepoSlug, run, r), Suite: cmp.Or(r.Suite, run.Suite), Name: r.Name, Variant: r.Variant, Category: r.Category, OwnID: r.CaseID}
		if !cases[c.ID] {
			cases[c.ID] = true
			w.Cases = append(w.Cases, c)
		}
		one, err := resultRow(r, meta)
		if err != nil {
			return fmt.Errorf("all_results[%d] (%s): %w", i, r.Title(), err)
		}
		one.CaseID = c.ID
		w.Results = append(w.Results, one)
	}
	return nil
}

// addDocuments adds the columns that are JSON.
func addDocuments(w *wire.EvalRun, run *result.Run, meta *runMeta) (err error) {
	if w.Meta, err = json.Marshal(meta, json.Deterministic(true)); err != nil {
		return err
	}
	all := eval.Tallies(run)
	if averages := judgeAverages(all); averages != nil {
		if w.JudgeAverages, err = json.Marshal(averages, json.Deterministic(true)); err != nil {
			return err
		}
	}
	if len(run.ByCategory) == 0 {
		return nil
	}
	type category struct {
		result.Counts
		JudgeAverages map[string]float64 `json:"judge_averages,omitempty"`
	}
	of := map[string][]*eval.Tally{}
	for _, t := range all {
		of[t.Category] = append(of[t.Category], t)
	}
	categories := map[string]category{}
	for name, counts := range run.ByCategory {
		categories[name] = category{counts, judgeAverages(of[name])}
	}
	w.ByCategory, err = json.Marshal(categories, json.Deterministic(true))
	return err
}

// judgeAverages are the means of the judges' criteria, as `eval show` has them. A
// criterion on a scale of its own has it in its name, as "clarity (1-5)": figures of
// two scales are never averaged.
func judgeAverages(tallies []*eval.Tally) (means map[string]float64) {
	for _, s := range eval.Scores(tallies) {
		if s.Criterion == "" { // the whole's
			continue
		}
		if !s.Scale.Is("") {
			s.Criterion += " (" + string(s.Scale) + ")"
		}
		if means == nil {
			means = map[string]float64{}
		}
		means[s.Criterion] = s.Mean
	}
	return means
}

// said returns what the run says of a column, and notes where it says nothing.
func (m *runMeta) said(column, value string) string {
	if value == "" {
		m.Unsaid = append(m.Unsaid, column)
	}
	return value
}

// shared is what all results have in common, the zero value where they differ.
func shared[T comparable](run *result.Run, of func(*result.Result) T) T {
	var none T
	for i := range run.Results {
		if of(&run.Results[i]) != of(&run.Results[0]) {
			return none
		}
	}
	if len(run.Results) == 0 {
		return none
	}
	return of(&run.Results[0])
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func whole(v float64) int64 { return int64(math.Round(min(v, 1<<53))) }

// sixDigits is what a column of dollars gives back.
func sixDigits(usd float64) float64 { return math.Round(usd*1e6) / 1e6 }

// clean puts a replacement for the character 0, which PostgreSQL cannot keep, and
// cuts the time to microseconds.
func clean(w wire.EvalRun) (wire.EvalRun, error) {
	w.RunAt = w.RunAt.Truncate(time.Microsecond)
	data, err := json.Marshal(&w)
	if err != nil || !strings.Contains(string(data), `\u0000`) {
		return w, err
	}
	// A backslash that is itself escaped is no part of it.
	text := strings.NewReplacer(`\\`, `\\`, `\u0000`, `\ufffd`).Replace(string(data))
	var out wire.EvalRun
	return out, json.Unmarshal([]byte(text), &out)
}
