// Package result is the format of an eval's results, version 1: what a runner
// in any language writes as JSON and everything else of cairn eval works on.
//
// It holds the shapes, reads and checks them, fills in what can be derived,
// and says which results are of the same case. Every package of the team part
// may import it. It opens no file, asks no clock and knows no store; formats of
// other tools are read by the package reader in it.
package result

import "github.com/go-json-experiment/json/jsontext"

// Version is the schema_version of this format.
const Version = 1

// A Run is one execution of a suite. Members that are not listed here are kept
// in X and written again.
type Run struct {
	SchemaVersion int    `json:"schema_version"`
	ID            string `json:"id,omitzero"`         // 12 hex digits, given by the store: the beginning of IngestKey
	IngestKey     string `json:"ingest_key,omitzero"` // SHA-256 of the content, 64 hex digits: equal content is the same run

	Label      string `json:"label,omitzero"`
	Suite      string `json:"suite,omitzero"` // of all results that name none
	Timestamp  Time   `json:"timestamp,omitzero"`
	Repo       string `json:"repo,omitzero"` // owner/name
	GitBranch  string `json:"git_branch,omitzero"`
	GitSHA     string `json:"git_sha,omitzero"`
	GitDirty   bool   `json:"git_dirty,omitzero"`
	PromptSHA  string `json:"prompt_sha,omitzero"`
	Hostname   string `json:"hostname,omitzero"`
	Tool       string `json:"tool,omitzero"` // what wrote the results: promptfoo, pytest, …
	ToolVer    string `json:"tool_version,omitzero"`
	AppVersion string `json:"version,omitzero"` // of what was evaluated

	Kind      string `json:"kind,omitzero"`       // what was run: eval, e2e, llm-judge, unit
	Scope     string `json:"scope,omitzero"`      // how much of the suite: quick, standard, full
	JudgeTier string `json:"judge_tier,omitzero"` // which judges: fast, standard, full
	Tier      string `json:"tier,omitzero"`       // as the runner said it; the three above are read from it

	Counts                         // of the results, or of more when only some are listed
	DurationSeconds float64        `json:"duration_seconds,omitzero"` // sum or wall, as the runner counts
	WallClockMS     float64        `json:"wall_clock_ms,omitzero"`
	TotalCostUSD    float64        `json:"total_cost_usd,omitzero"`
	ByCategory      Categories     `json:"by_category,omitempty"`
	Results         []Result       `json:"all_results"`
	Costs           []Cost         `json:"costs,omitempty"`
	Prompts         []Prompt       `json:"prompt_texts,omitempty"` // that the results were tried with, in their order
	X               jsontext.Value `json:",embed"`
}

// Counts say how the results ended; the four add up to Total.
type Counts struct {
	Total   int `json:"total"`
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped,omitzero"`
	Errored int `json:"errored,omitzero"` // could not be judged: a timeout of an API, a crash of the runner
}

// Categories are the counts of each category.
type Categories map[string]Counts

// Status is how a result ended. An error is not a failure: nothing was judged.
type Status string

const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Skip  Status = "skip"
	Error Status = "error"
)

// A Result is one attempt at one case.
type Result struct {
	Name     string `json:"name"`
	Suite    string `json:"suite,omitzero"` // "" is the run's
	Category string `json:"category,omitzero"`
	Variant  string `json:"variant,omitzero"` // what the case was run with, where one run has several: a prompt, a provider, a model
	CaseID   string `json:"case_id,omitzero"` // identity where names do not tell cases apart
	Attempt  int    `json:"attempt,omitzero"` // from 1; 0 is 1

	Identity *Identity `json:"identity,omitzero"` // nil: the file does not say; see Content

	Status     Status  `json:"status"`
	Passed     bool    `json:"passed"`
	DurationMS float64 `json:"duration_ms,omitzero"`
	CostUSD    float64 `json:"cost_usd,omitzero"`
	Model      string  `json:"model,omitzero"`

	Score          *float64           `json:"score,omitzero"` // one figure for the whole, on Scale
	JudgeScores    map[string]float64 `json:"judge_scores,omitempty"`
	Scale          Scale              `json:"scale,omitzero"`
	JudgeReasoning string             `json:"judge_reasoning,omitzero"`
	Failures       []Failure          `json:"failures,omitempty"`
	Error          string             `json:"error,omitzero"`

	Tags            []string       `json:"tags,omitempty"`
	ResponsePreview string         `json:"response_preview,omitzero"`
	Output          jsontext.Value `json:"output,omitempty"`     // an object, each suite its own; see Answered
	Comparison      jsontext.Value `json:"comparison,omitempty"` // of an A/B test or a chain of tiers
	X               jsontext.Value `json:",embed"`
}

// An Opinion is what one judge said, as a result's member "judges" has it.
type Opinion struct {
	Model  string             `json:"model"`
	Scores map[string]float64 `json:"scores,omitempty"`
	Cached bool               `json:"cached,omitzero"`
	Error  string             `json:"error,omitzero"`
}

// A Failure is one expectation that did not hold.
type Failure struct {
	Type            string             `json:"type,omitzero"` // threshold or deterministic
	ExpectationType string             `json:"expectation_type,omitzero"`
	Check           string             `json:"check,omitzero"`
	Message         string             `json:"message"`
	Criterion       string             `json:"criterion,omitzero"`
	Pattern         string             `json:"pattern,omitzero"`
	Expected        jsontext.Value     `json:"expected,omitempty"`
	Actual          jsontext.Value     `json:"actual,omitempty"`
	Details         []Detail           `json:"details,omitempty"` // the criteria that fell short
	Scores          map[string]float64 `json:"scores,omitempty"`  // all criteria
	X               jsontext.Value     `json:",embed"`
}

// A Detail is one criterion of a check with several.
type Detail struct {
	Criterion string         `json:"criterion"`
	Score     float64        `json:"score"`
	Threshold float64        `json:"threshold"`
	X         jsontext.Value `json:",embed"`
}

// A Cost is what one model used in a run. Tokens of a cache are not among
// InputTokens.
type Cost struct {
	Model            string         `json:"model"`
	Calls            int64          `json:"calls,omitzero"`
	InputTokens      int64          `json:"input_tokens,omitzero"`
	OutputTokens     int64          `json:"output_tokens,omitzero"`
	CacheReadTokens  int64          `json:"cache_read_tokens,omitzero"`
	CacheWriteTokens int64          `json:"cache_write_tokens,omitzero"`
	CostUSD          float64        `json:"cost_usd,omitzero"` // as the runner counted it; 0 is to be estimated
	X                jsontext.Value `json:",embed"`
}

// Scale is the range of scores: "" is 0 to 1, "1-5" and the like say another.
// Scores of two scales are never compared or averaged.
type Scale string
