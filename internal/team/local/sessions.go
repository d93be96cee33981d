package local

import (
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// Sessions are what agents of this user did on this machine. They are written
// beside the server's data, for its first page alone: nothing sends them, and
// they are in no table.
type Sessions struct {
	At     time.Time `json:"at"`    // when they were counted
	Since  time.Time `json:"since"` // sessions before are not counted
	Agents []Agent   `json:"agents"`
	Left   int       `json:"left,omitzero"` // transcripts that were not read: there were too many
	// Before is how many tokens of tool results the models received, After how
	// many with compaction: estimates.
	Before int `json:"tokens_before"`
	After  int `json:"tokens_after"`
	// Pulls are what pull requests of a repository cost, the last ones first.
	Pulls map[string][]PullCost `json:"pull_requests,omitempty"`
	// Saved is what compaction kept away from the bill; nil where nobody looked, or
	// nothing was compacted.
	Saved *Saved `json:"saved,omitempty"`
}

// Saved is in dollars of list prices.
type Saved struct {
	USD      float64     `json:"usd"`
	Bill     float64     `json:"bill_usd"`         // of all sessions
	NotKnown int         `json:"tokens_not_known"` // saved, in sessions whose bill is not known
	Rules    []RuleSaved `json:"rules"`            // the most first
}

// A RuleSaved is what one rule saved.
type RuleSaved struct {
	Rule string  `json:"rule"`
	USD  float64 `json:"usd"`
}

// A PullCost is what a pull request cost in dollars, and what of that bought nothing.
type PullCost struct {
	Pull     int64     `json:"pull_request"`
	USD      float64   `json:"usd"`
	Requests int64     `json:"requests"`
	Unpriced int64     `json:"unpriced_requests"`
	Last     time.Time `json:"last"`
	Read     bool      `json:"read"`        // false: its transcripts are too large, so what follows is not known
	Again    float64   `json:"again_usd"`   // for results that the model had before
	Retries  float64   `json:"retries_usd"` // for results of calls that were repeated at once after they failed
	Expired  float64   `json:"expired_usd"` // more than with a cache that had not expired
	Lost     float64   `json:"lost_usd"`    // more than with a cache that was not lost for another reason

	Lines    *int      `json:"changed_lines"` // nil: git does not know
	First    time.Time `json:"first_commit"`  // zero: git does not know
	Merged   time.Time `json:"merged"`        // zero: no commit of the default branch says so
	Reverted int       `json:"reverted_commits"`
}

// Avoidable is what of it bought nothing.
func (p PullCost) Avoidable() float64 { return p.Again + p.Retries + p.Expired + p.Lost }

// An Agent is what sessions with one agent were.
type Agent struct {
	Name     string `json:"agent"`
	Sessions int    `json:"sessions"`
	Turns    int    `json:"turns"`
	Calls    int    `json:"tool_calls"`
	Tokens   int    `json:"tokens"` // of tool results, as the model received them
}

// SessionsFile is where they are, in the data directory.
func SessionsFile(dir string) string { return filepath.Join(dir, "sessions.json") }

// WriteSessions replaces them.
func WriteSessions(dir string, s Sessions) error {
	data, err := json.Marshal(s, json.Deterministic(true))
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(SessionsFile(dir), append(data, '\n'), home.PrivateFile)
}

// ReadSessions returns what was written last; nil where nothing was.
func ReadSessions(dir string) *Sessions {
	data, err := atomicfile.ReadRegular(SessionsFile(dir), 4<<20)
	s := new(Sessions)
	if err != nil || json.Unmarshal(data, s) != nil {
		return nil
	}
	return s
}
