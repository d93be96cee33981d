// Package transcript reads what agents write down of their sessions: every
// tool call with the result that the model received.
//
// cli and benchmark may import it; it imports only home. What a call is worth
// or could have cost belongs to benchmark. It never writes, never follows a
// symbolic link inside a root and opens no file that is not a transcript or a
// result stored beside one.
//
// Sources of the formats: Claude Code 1.0.x, 2.1.39, 2.1.197 and 2.1.329,
// Codex 0.169.0 (observed), and the older Codex shapes as its repository had
// them. Both hosts add kinds of lines with every version, so whatever is not
// understood is skipped.
package transcript

import (
	"encoding/json"
	"time"
)

// The hosts whose transcripts can be read, by their names in package host.
const (
	Claude = "claude"
	Codex  = "codex"
)

// A Call is one finished tool call.
type Call struct {
	Host    string
	ID      string // in its transcript
	Session string
	Project string // the directory the agent worked in
	Model   string
	Time    time.Time // of the result; zero when the line has none

	Request int // the number of the request that made it among those of its file; -1 where none is known

	Agent   string // of a subagent: its name in the session
	Context int    // how often the model's context was replaced by a summary before

	Tool       string // as the host's hook names it: "Bash", "Read", "mcp__server__tool"
	Command    string // of a shell call
	File       string // of a tool that reads or writes one
	Range      bool   // only a part of File was asked for
	Background bool   // the call did not wait for the command

	// Output is what the model received, its images left out. Body is the
	// tool's own text in it, without what the host put around: an exit code,
	// line numbers, a chunk's head.
	Output, Body string
	Images       bool   // the result holds something that is not text
	Complete     string // the host's file with all of an output of which the model saw only the start
	Clipped      bool   // the host took out the middle, and no file has it

	Args json.RawMessage // what the model wrote, as JSON where the host has it so

	// Input and Response are those of a Read, a Write or an Edit as a hook of
	// the host gets them; nil where that is not written down.
	Input, Response json.RawMessage

	Failed bool // the host reported an error
	Exit   *int // nil when the host does not say
}

// Stats count what a Reader went through.
type Stats struct {
	Files      int   `json:"files"`
	Bytes      int64 `json:"bytes"`
	Lines      int   `json:"lines"`
	Calls      int   `json:"calls"`
	Broken     int   `json:"brokenLines"`       // not a JSON object
	Long       int   `json:"longLines"`         // over 16 MiB, not read
	Duplicates int   `json:"duplicates"`        // results that an earlier line had: a resumed session copies lines
	Unpaired   int   `json:"resultsWithoutUse"` // results whose call stands in no line before
	Unreadable int   `json:"unreadable"`        // files and directories
}
