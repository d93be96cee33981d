package compact

import "encoding/json"

// An Envelope is a tool's finished output with what is known about it. In
// JSON, unknown keys are ignored and missing ones tolerated. The shape is
// tokenjuice's, so that what speaks to one can speak to the other.
type Envelope struct {
	Tool         string   `json:"tool,omitempty"` // "Bash", "Read", "mcp__server__tool"; default Bash
	Command      string   `json:"command,omitempty"`
	Argv         []string `json:"argv,omitempty"` // used when Command is empty
	CombinedText string   `json:"combinedText"`   // stdout and stderr, in the order written
	ExitCode     *int     `json:"exitCode,omitempty"`
	Cwd          string   `json:"cwd,omitempty"`
	Host         string   `json:"host,omitempty"`
}

// A Result is what the agent should see, and how it came about.
type Result struct {
	Reduced string `json:"reduced"`
	Meta    Meta   `json:"meta"`
}

// Meta describes a compaction. Sizes are of the output before and of Reduced
// after, header included; tokens are estimates (package tokens).
type Meta struct {
	Rule          string   `json:"rule"`
	LinesBefore   int      `json:"linesBefore"`
	LinesAfter    int      `json:"linesAfter"`
	BytesBefore   int      `json:"bytesBefore"`
	BytesAfter    int      `json:"bytesAfter"`
	TokensBefore  int      `json:"tokensBefore"`
	TokensAfter   int      `json:"tokensAfter"`
	FailureSignal string   `json:"failureSignal"`   // "exit", "pattern" or "none"
	Restored      int      `json:"restored"`        // lines the guard brought back
	TeeID         string   `json:"teeId,omitempty"` // for `cairn compact show`
	TeeFile       *string  `json:"teeFile"`         // null when the raw output was not stored
	TeeFailed     bool     `json:"teeFailed,omitempty"`
	RegexTimedOut []string `json:"regexTimedOut,omitempty"` // rules whose patterns took too long
	TimedOut      bool     `json:"timedOut,omitempty"`
	Warnings      []string `json:"warnings,omitempty"` // rule files that were skipped
	DurationMs    int64    `json:"durationMs"`
	Unchanged     bool     `json:"unchanged"` // Reduced is the output, byte for byte
	Verification
}

// ParseEnvelope reads an envelope from JSON.
func ParseEnvelope(data []byte) (Envelope, error) {
	var env Envelope
	err := json.Unmarshal(data, &env)
	return env, err
}
