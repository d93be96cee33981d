package compare

import "cairn/internal/team/result"

// A Side is one of the two runs, as far as a reader wants to know it.
type Side struct {
	Ref        string      `json:"ref,omitempty"` // as the user named it; set by the caller
	ID         string      `json:"id,omitempty"`
	Label      string      `json:"label,omitempty"`
	Suite      string      `json:"suite,omitempty"`
	GitBranch  string      `json:"git_branch,omitempty"`
	GitSHA     string      `json:"git_sha,omitempty"`
	GitDirty   bool        `json:"git_dirty,omitempty"`
	Timestamp  result.Time `json:"timestamp,omitzero"`
	Tool       string      `json:"tool,omitempty"`
	Kind       string      `json:"kind,omitempty"`
	PromptSHA  string      `json:"prompt_sha,omitempty"`
	JudgeTier  string      `json:"judge_tier,omitempty"`
	Models     []string    `json:"models,omitempty"`
	Attempts   Attempts    `json:"attempts"` // of the whole run, repeats counted
	CostUSD    float64     `json:"cost_usd"`
	DurationMS float64     `json:"duration_ms"`
}

// Attempts counts how attempts ended.
type Attempts struct {
	Total   int `json:"total"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Errored int `json:"errored"` // not judged: an API that timed out, a runner that crashed
	Skipped int `json:"skipped"`
}

// ErrorShare is the share of the attempts that were to be judged and could not
// be.
func (n Attempts) ErrorShare() float64 {
	if n.Total == n.Skipped {
		return 0
	}
	return float64(n.Errored) / float64(n.Total-n.Skipped)
}

func sideOf(run *result.Run) Side {
	n := run.Counts
	return Side{
		ID: run.ID, Label: run.Label, Suite: run.Suite,
		GitBranch: run.GitBranch, GitSHA: run.GitSHA, GitDirty: run.GitDirty, Timestamp: run.Timestamp,
		Tool: run.Tool, Kind: run.Kind, PromptSHA: run.PromptSHA, JudgeTier: run.JudgeTier, Models: models(run),
		Attempts:   Attempts{n.Total, n.Passed, n.Failed, n.Errored, n.Skipped},
		CostUSD:    run.TotalCostUSD,
		DurationMS: run.DurationSeconds * 1000,
	}
}

// models lists what a run used, by name. Judges are among them where the runner
// lists their costs: results say which model was tried, so they come first.
func models(run *result.Run) []string {
	found := map[string]bool{}
	for i := range run.Results {
		if model := run.Results[i].Model; i == 0 || model != run.Results[i-1].Model {
			found[model] = true
		}
	}
	if delete(found, ""); len(found) == 0 {
		for _, c := range run.Costs {
			found[c.Model] = true
		}
	}
	delete(found, "")
	return sorted(found)
}
