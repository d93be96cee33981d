package compact

import (
	"encoding/json"

	"cairn/internal/tokens"
)

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
	Clipped      string   `json:"clipped,omitempty"` // the line that stands where somebody left something out; it stays
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
	Unchanged     bool     `json:"unchanged"`       // Reduced is the output, byte for byte
	Again         bool     `json:"again,omitempty"` // because the same session was given it cut before
	Verification
}

// Plus adds up the sizes of two outputs of one call; the rest is the first's.
func (m Meta) Plus(n Meta) Meta {
	if m.Rule == "" || m.Rule == "none" {
		m.Rule, m.TeeID, m.FailureSignal = n.Rule, n.TeeID, n.FailureSignal
	}
	m.LinesBefore += n.LinesBefore
	m.LinesAfter += n.LinesAfter
	m.BytesBefore += n.BytesBefore
	m.BytesAfter += n.BytesAfter
	m.TokensBefore += n.TokensBefore
	m.TokensAfter += n.TokensAfter
	m.Restored += n.Restored
	m.DurationMs += n.DurationMs
	m.Verification = m.Verification.plus(n.Verification)
	return m
}

// Kept is what becomes of m when the output is left alone after all.
func (m Meta) Kept() Meta {
	m.LinesAfter, m.BytesAfter, m.TokensAfter = m.LinesBefore, m.BytesBefore, m.TokensBefore
	m.Unchanged, m.Restored, m.VerifierRestored, m.TeeID = true, 0, 0, ""
	return m
}

// Replaced is the result of a replacement that was not made here, with its sizes.
func Replaced(rule, before, after string) Result {
	return Result{Reduced: after, Meta: Meta{
		Rule: rule, FailureSignal: "none", Unchanged: before == after,
		LinesBefore: lineCount(before), LinesAfter: lineCount(after),
		BytesBefore: len(before), BytesAfter: len(after),
		TokensBefore: tokens.Estimate(before), TokensAfter: tokens.Estimate(after),
	}}
}

// ParseEnvelope reads an envelope from JSON.
func ParseEnvelope(data []byte) (Envelope, error) {
	var env Envelope
	err := json.Unmarshal(data, &env)
	return env, err
}
