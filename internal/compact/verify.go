package compact

import (
	"context"
	"errors"
	"time"

	"cairn/internal/text"
)

// Verify says when a language model is asked what a compaction left out and
// should not have. It can only bring back lines of the output, as they were
// sent to it; whatever goes wrong, the compaction stays as it was.
type Verify struct {
	Ask      func(context.Context, Question) (Answer, error) // nil: nobody is asked
	Triggers Triggers
	Always   bool      // CAIRN_COMPACT_VERIFY: whatever the triggers and the quota say
	ByText   bool      // a failure that only the output tells of is one
	MaxLines int       // of the output that are sent; 0: 2000
	Quota    *Quota    // nil: there is none
	Until    time.Time // an answer that comes later is of no use; zero: after VerifyLimit
}

// Triggers are the reasons to ask.
type Triggers struct {
	Failure    Trigger // the tool failed
	Aggressive Trigger // any output
	NoMatch    Trigger // no rule is for this output
}

// A Trigger is met by an output of more than Lines lines of which more than
// Percent percent were left out.
type Trigger struct {
	On             bool
	Percent, Lines int
}

// DefaultTriggers asks after failures alone: that is where a lost line costs
// most.
func DefaultTriggers() Triggers {
	return Triggers{
		Failure:    Trigger{On: true, Percent: 50},
		Aggressive: Trigger{Percent: 80, Lines: 200},
		NoMatch:    Trigger{Lines: 500},
	}
}

// Verification is the part of a result's meta data that is the verifier's.
type Verification struct {
	VerifierFired        bool   `json:"verifierFired"`             // it was asked
	VerifierTimedOut     bool   `json:"verifierTimedOut"`          // and did not answer in time
	VerifierTrigger      string `json:"verifierTrigger,omitempty"` // "failureCompaction", "aggressiveReduction", "largeNoMatch", "userOptIn"
	VerifierRestored     int    `json:"verifierRestored"`          // lines it brought back
	VerifierModel        string `json:"verifierModel,omitempty"`   // that answered
	VerifierInputTokens  int    `json:"verifierInputTokens,omitempty"`
	VerifierOutputTokens int    `json:"verifierOutputTokens,omitempty"`
}

// plus joins what is known of two outputs of one call, of which at most one
// was asked about.
func (v Verification) plus(w Verification) Verification {
	if v.VerifierFired {
		return v
	}
	return w
}

// VerifyLimit is how long an answer may take, looking up the server included.
const VerifyLimit = 5 * time.Second

const (
	verifyRoom  = 500 * time.Millisecond // with less time left nobody is asked
	maxVerified = 40                     // lines brought back, as many as the guard's
)

// Fires reports whether an output of before lines, cut to after, meets t.
func (t Trigger) Fires(before, after int) bool {
	return t.On && before > t.Lines && (before-after)*100 > t.Percent*before
}

// trigger names the reason to have a result of so many lines verified, or "".
func (s *Stream) trigger(signal string, after int) string {
	v := s.opt.Verify
	failed := signal == "exit" || signal == "pattern" && v.ByText
	switch {
	case v.Ask == nil:
	case failed && v.Triggers.Failure.Fires(s.n, after):
		return "failureCompaction"
	case v.Triggers.Aggressive.Fires(s.n, after):
		return "aggressiveReduction"
	case s.rule.ID == "generic" && v.Triggers.NoMatch.Fires(s.n, after):
		return "largeNoMatch"
	case v.Always:
		return "userOptIn"
	}
	return ""
}

// verify has the result checked, if there is reason to, and returns the lines
// to bring back. body is the result so far.
func (s *Stream) verify(m *Meta, items []*item, body string) (back []*item) {
	v := s.opt.Verify
	trigger := s.trigger(m.FailureSignal, lineCount(body))
	if trigger == "" {
		return nil
	}
	limit := VerifyLimit
	if !v.Until.IsZero() {
		limit = min(limit, time.Until(v.Until))
	}
	q := s.question(items, body)
	if limit < verifyRoom || !q.leftOut() || !v.Quota.take(v.Always) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	a, err := v.Ask(ctx, q)
	m.Verification = Verification{
		VerifierFired: true, VerifierTrigger: trigger, VerifierModel: a.Model,
		VerifierInputTokens: a.InputTokens, VerifierOutputTokens: a.OutputTokens,
	}
	if err != nil {
		m.VerifierTimedOut = errors.Is(err, context.DeadlineExceeded)
		return nil
	}
	for _, l := range q.Pick(a) {
		back = append(back, &item{n: l.N - 1, text: l.Text})
	}
	m.VerifierRestored = len(back)
	return back
}

// verifiedHint is a part of the header.
func (m Meta) verifiedHint() string {
	if m.VerifierRestored == 0 {
		return ""
	}
	return " · +" + text.Thousands(m.VerifierRestored) + " restored by verifier"
}
