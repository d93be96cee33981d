package proof

import (
	"strings"
	"time"

	"cairn/internal/plan/proof/record"
	"cairn/internal/plan/proof/tree"
)

// lastLines is the end of an output, for a message: its last lines.
func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	out := strings.Join(lines[max(0, len(lines)-n):], "\n")
	if len(out) > 600 {
		out = "…" + strings.ToValidUTF8(out[len(out)-600:], "")
	}
	return out
}

// made is a run of a command.
func made(what, command, commit string, r tree.Ran) record.Run {
	out := record.Run{For: what, Command: command, Commit: commit, Exit: r.Exit, Seconds: float64(r.Took.Milliseconds()) / 1000, Output: r.Hash, Nothing: ranNothing(r.Said), Timeout: r.Timeout}
	if r.Exit != 0 {
		out.Said = lastLines(r.Said, 8)
	}
	return out
}

// Accept records that a person takes a claim as proven.
func Accept(file, id, by, reason string) error {
	return record.Append(file, record.Line{Time: now(), Accepted: &record.Answer{ID: id, By: by, Reason: reason}})
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }
