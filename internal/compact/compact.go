// Package compact cuts a tool's output to what matters to an agent and never
// loses the line that explains a failure.
//
// hook, shim, benchmark, verifier and cli import it. It imports its own parts
// (rule, record, lines, command) and leaves; it knows no agent, reads no
// settings, asks no model and prints nothing: those belong to host, config,
// verifier and cli.
//
// The way of an output, all on one goroutine and in constant memory:
//
//	Stream.Write → lines.Splitter → lines.Clean → filter (the rule's patterns)
//	→ record.Parser → store (dedupe, window, groups, lists; what is dropped passes
//	the guard) → Stream.Finish → render with header
//
// Where Options.Verify says so, what render left out is verified before it goes
// out: one question, by a function of the caller's, and lines that come back.
//
// What comes out is a subsequence of the lines that came in, plus counts and
// markers in brackets: nothing is invented and every omission is marked, one at
// the top by the header alone.
package compact

import (
	"io"
	"strings"
	"time"

	"cairn/internal/compact/rule"
)

// A Level says how much is cut.
type Level uint8

const (
	Minimal    Level = iota // filter and dedupe
	Normal                  // and truncate, count and lossless groups
	Aggressive              // and every group; of all that is limited a third
)

// parts is the scale of a level: of what Normal shows so much of, it shows one part in
// so many. Every limit of what may be shown asks it, here and in parsers
// (record.Scaled); none that keeps what explains a failure.
func (l Level) parts() int {
	if l == Aggressive {
		return 3
	}
	return 1
}

// of is a limit at the level.
func (l Level) of(n int) int { return n / l.parts() }

var levels = [...]string{"minimal", "normal", "aggressive"}

func (l Level) String() string { return levels[l] }

// ParseLevel reads a level by name; ok is false for an unknown one.
func ParseLevel(name string) (l Level, ok bool) {
	for i, n := range levels {
		if n == name {
			return Level(i), true
		}
	}
	return Normal, false
}

// Options are what a compaction needs from outside.
type Options struct {
	Off         bool // the user turned compaction off: every output stays as it is
	Level       Level
	Library     *rule.Library
	Rule        string        // use this rule, whatever the command says; "" to choose
	Exclude     []string      // command prefixes that are never touched
	RegexBudget time.Duration // a rule's patterns stop being used after this long; 0: 50 ms
	ListRoom    int           // bytes that a list may take at most, for a host that shows no more; 0: as usual
	Tee         Tee
	Verify      Verify
	Reads       string // the directory of package reads, for a hook; "" keeps no such ledger
	Outline     bool   // of a large file that is read for the first time a hook shows the start and an outline

	// Passthrough receives the output unchanged if it turns out not to be
	// text. Without it such an output is returned in the result.
	Passthrough io.Writer
}

// HeaderPrefix starts every compacted output, so that none is compacted twice.
const HeaderPrefix = "[cairn: "

// Compact cuts a finished output.
func Compact(env Envelope, opt Options) Result {
	s := NewStream(env, opt)
	s.raw.whole = env.CombinedText
	s.text(env.CombinedText)
	return s.Finish(env.ExitCode)
}

// compacted reports whether an output was already compacted by us.
func compacted(output string) bool { return strings.HasPrefix(output, HeaderPrefix) }
