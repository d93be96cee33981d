package proof

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/plan/proof/tree"
)

// Run is a command that was run, and what came of it.
type Run struct {
	For     string  `json:"for"` // before, after, coverage, without
	Command string  `json:"command"`
	Commit  string  `json:"commit"` // that was checked out, "" for an empty tree
	Exit    int     `json:"exit"`
	Seconds float64 `json:"seconds"`
	Output  string  `json:"output"`            // a hash of it
	Said    string  `json:"said,omitempty"`    // the end of it, of a failure
	Nothing bool    `json:"nothing,omitempty"` // a runner of tests found none
	Timeout bool    `json:"timeout,omitempty"`
	Reused  bool    `json:"reused,omitempty"`
}

// Line is a line of the file of results: one of its parts is there.
type Line struct {
	Time    string       `json:"time,omitempty"`
	Key     string       `json:"key,omitempty"` // what the result holds for
	Run     *Run         `json:"run,omitempty"`
	Lines   *coveredKept `json:"coverage,omitempty"`
	Without *withoutKept `json:"without,omitempty"`
	Verdict *Said        `json:"verdict,omitempty"`
	Accept  *Answer      `json:"accepted,omitempty"`
}

// Said is the end of a proof.
type Said struct {
	Tree     string         `json:"tree"`
	Plan     string         `json:"plan,omitempty"`
	Commit   string         `json:"commit"`
	Proven   bool           `json:"proven"`
	Counts   map[string]int `json:"counts"`
	Unproven []string       `json:"unproven"`
}

// Answer is a person's word for what nothing can prove.
type Answer struct {
	ID     string `json:"id"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason"`
}

// Parse reads the file of results. A line that is none, such as the half of one that
// a killed process left, is passed over.
func Parse(b []byte) (out []Line) {
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var l Line
		if json.Unmarshal(lines.Bytes(), &l) == nil {
			out = append(out, l)
		}
	}
	return out
}

// Last is the last verdict on the whole phase, nil when there is none.
func Last(lines []Line) (last *Said) {
	for _, l := range lines {
		if l.Verdict != nil && l.Verdict.Plan == "" {
			last = l.Verdict
		}
	}
	return last
}

// Append adds a line to a file of results.
func Append(name string, l Line) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return atomicfile.Append(name, append(b, '\n'), home.SharedDir, home.SharedFile)
}

// hashOf is a short hash of texts.
func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:16]
}

// said is the end of an output, for a message: its last lines.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	out := strings.Join(lines[max(0, len(lines)-n):], "\n")
	if len(out) > 600 {
		out = "…" + strings.ToValidUTF8(out[len(out)-600:], "")
	}
	return out
}

// made is a run of a command.
func made(what, command, commit string, r tree.Ran) Run {
	out := Run{For: what, Command: command, Commit: commit, Exit: r.Exit, Seconds: float64(r.Took.Milliseconds()) / 1000, Output: r.Hash, Nothing: ranNothing(r.Said), Timeout: r.Timeout}
	if r.Exit != 0 {
		out.Said = lastLines(r.Said, 8)
	}
	return out
}
