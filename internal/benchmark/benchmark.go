// Package benchmark measures on a user's own transcripts what cairn would
// have saved there, and whether it would have lost anything.
//
// cli imports it. It imports compact, transcript, redact and leaves; what an
// agent's hook does with a result is given to it as a function. It opens no
// socket: a test holds it to that.
//
// The stages, in this order:
//
//	scan       read every transcript; replay each call's result as its agent's
//	           capture path would (replay.go)
//	rank       the few calls that hold most of the tokens (rank.go)
//	scenario   those calls by tool and command, redacted, one file for each
//	           (scenario.go)
//	replay     tokens before and after, by scenario and by rule (summary.go)
//	pathology  lines that explain a failure, planted into the real outputs,
//	           must come through (pathology.go)
//	report     the gate's verdict, as text, JSON and a page (report.go, page.go)
package benchmark

import (
	"errors"
	"time"

	"cairn/internal/compact"
	"cairn/internal/transcript"
)

// Options are what a benchmark needs from outside.
type Options struct {
	Roots   []transcript.Root
	Since   time.Time // calls before are left out; zero: none
	Most    int64     // bytes of transcripts that are read, the newest; zero: all
	Level   compact.Level
	Compact func(dir string) compact.Options // the settings for work in a directory
	Hook    Hook
	// Follow begins a scan, and is nil where the Hook needs none. told is given
	// every call in its order, before the Hook is asked about it: what an agent
	// was shown decides what it need not be shown again.
	Follow  func() (told func(*transcript.Call), end func())
	InShell func(host string) bool           // what failed is seen where the shell of an agent ends
	Price   func(model string) (Price, bool) // nil: nothing is counted in dollars
	Cap     int                              // scenarios at most
	Dir     string                           // scenario files and the report go to Dir/latest; "" writes nothing

	Progress func(stage string, total int64) // a stage of so many bytes begins
	Step     func(n int64)                   // bytes done of it
	Warn     func(error)                     // what could not be read
}

// A Hook answers as an agent's hook would: with the text to stand in place of
// c.Body, or "" when the result stays. Every compaction is given to each.
// asked is false when the agent does not call the hook for such a result.
type Hook func(c *transcript.Call, opt compact.Options, each func(compact.Result)) (text string, asked bool)

// ErrNoCalls is returned when the transcripts hold no finished tool call.
var ErrNoCalls = errors.New("the transcripts hold no tool call")

// Run goes through all stages.
func Run(opt Options) (*Report, error) {
	s, err := newScan(opt)
	if err != nil {
		return nil, err
	}
	ranked := rank(s.calls, opt.Cap)
	opt.Progress("replaying", s.size)
	scenarios := s.scenarios(ranked)
	rep := s.summarize(ranked, scenarios)
	if opt.Dir == "" {
		return rep, nil
	}
	return rep, publish(opt.Dir, rep, scenarios)
}
