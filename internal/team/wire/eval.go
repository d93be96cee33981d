package wire

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// EvalPush is the body of PushEvalRun: a run with everything in it, stored at
// once or not at all. The same run again is no error.
type EvalPush struct {
	Team uuid.UUID `json:"p_team"`
	Run  EvalRun   `json:"p_run"`
}

// EvalPart is the body of PushEvalPart: cases and results of a run that is too
// large for one request. The run comes last, without them, and says in Parts how
// many there are; nobody sees any of it before.
type EvalPart struct {
	Team uuid.UUID   `json:"p_team"`
	Key  string      `json:"p_key"`  // the run's
	Part int         `json:"p_part"` // from 0 to MostParts - 1; the same one again replaces it
	Body EvalPartial `json:"p_body"`
}

// An EvalPartial has some results of a run, and every case that they are of.
type EvalPartial struct {
	Cases   []EvalCase   `json:"cases"`
	Results []EvalResult `json:"results"`
}

// MostParts is how many parts a run has at most.
const MostParts = 1000

// EvalPushed answers it.
type EvalPushed struct {
	ID        uuid.UUID `json:"id"`
	Duplicate bool      `json:"duplicate"` // the server had it already
}

// An EvalRun is a row of eval_runs with its children.
type EvalRun struct {
	ID              uuid.UUID      `json:"id"` // RunID
	RunAt           time.Time      `json:"run_at"`
	IngestKey       string         `json:"ingest_key"`
	RepoSlug        string         `json:"repo_slug"`
	Branch          string         `json:"branch,omitzero"`
	GitSHA          string         `json:"git_sha,omitzero"`
	GitDirty        *bool          `json:"git_dirty,omitzero"`
	Label           string         `json:"label"`
	Suite           string         `json:"suite,omitzero"`
	Hostname        string         `json:"hostname,omitzero"`
	Tool            string         `json:"tool,omitzero"`
	ToolVersion     string         `json:"tool_version,omitzero"`
	Kind            string         `json:"kind,omitzero"`
	Scope           string         `json:"scope,omitzero"`
	JudgeTier       *string        `json:"judge_tier,omitzero"`
	Tier            string         `json:"tier,omitzero"`
	PromptSHA       *string        `json:"prompt_sha,omitzero"`
	Attempt         int            `json:"attempt,omitzero"`
	TotalTests      int            `json:"total_tests"`
	Passed          int            `json:"passed"`
	Failed          int            `json:"failed"`
	Skipped         int            `json:"skipped,omitzero"`
	Errored         int            `json:"errored,omitzero"`
	TotalCostUSD    float64        `json:"total_cost_usd,omitzero"`
	TotalDurationMS int64          `json:"total_duration_ms,omitzero"`
	WallClockMS     *int64         `json:"wall_clock_ms,omitzero"`
	JudgeAverages   jsontext.Value `json:"judge_averages,omitzero"`
	ByCategory      jsontext.Value `json:"by_category,omitzero"`
	Meta            jsontext.Value `json:"meta,omitzero"`
	SchemaVersion   int            `json:"schema_version,omitzero"`
	Cases           []EvalCase     `json:"cases"`
	Results         []EvalResult   `json:"results"`
	Costs           []EvalCost     `json:"costs"`
	Parts           int            `json:"parts,omitzero"` // that came before it: EvalPart
}

// An EvalCase names what results are of.
type EvalCase struct {
	ID       int64  `json:"id"` // what results name it by; stored is CaseID of the rest
	Suite    string `json:"suite,omitzero"`
	Name     string `json:"name"`
	Variant  string `json:"variant,omitzero"`
	Category string `json:"category,omitzero"`
	// OwnID is the runner's own id for the case, which stays when the name changes.
	// CaseID is then that of an empty name and this id as the variant.
	OwnID string `json:"own_id,omitzero"`
}

// An EvalResult is one case, once.
type EvalResult struct {
	CaseID     int64          `json:"case_id"`
	Repeat     int            `json:"repeat_no,omitzero"` // from 0
	Status     int            `json:"status"`             // 0 pass, 1 fail, 2 skip, 3 error
	Score      *float64       `json:"score,omitzero"`
	DurationMS *int64         `json:"duration_ms,omitzero"`
	CostUSD    *float64       `json:"cost_usd,omitzero"`
	Turns      *int           `json:"turns,omitzero"`
	Payload    jsontext.Value `json:"payload,omitzero"` // an object: output, failures, judges; below 1 MB
}

// An EvalCost is one model of a run.
type EvalCost struct {
	Model            string  `json:"model"`
	Calls            int64   `json:"calls,omitzero"`
	InputTokens      int64   `json:"input_tokens,omitzero"`
	OutputTokens     int64   `json:"output_tokens,omitzero"`
	CacheReadTokens  int64   `json:"cache_read_tokens,omitzero"`
	CacheWriteTokens int64   `json:"cache_write_tokens,omitzero"`
	EstimatedCostUSD float64 `json:"estimated_cost_usd,omitzero"`
	PriceTable       string  `json:"price_table,omitzero"`
}

// RunID is a run's id in a team: UUID version 5 of the team and the ingest key,
// so that its children can be sent together with it.
func RunID(team uuid.UUID, ingestKey string) uuid.UUID {
	return uuid.NewSHA1(team, []byte(ingestKey))
}

// CaseID is a case's id: the low 63 bits of the SHA-256 of repository, suite,
// name and variant, each followed by a zero byte.
func CaseID(repo, suite, name, variant string) int64 {
	h := sha256.New()
	for _, part := range [...]string{repo, suite, name, variant} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)[24:]) &^ (1 << 63))
}
