package benchmark

import (
	"strings"
	"time"

	"cairn/internal/compact"
	"cairn/internal/compact/lines"
	"cairn/internal/tokens"
	"cairn/internal/transcript"
)

// An outcome is what cairn would have made of one result. Sizes are tokens of
// what the model received.
type outcome struct {
	why                       Reason
	before, after, aggressive int
	gained                    int // tokens the model would have seen beyond what it got
	rule                      string
	linesBefore, linesAfter   int
	restored                  int
	short                     bool // an agent reads it whole: see isShort
	failed, verify            bool // the verifier's trigger: failed and much was cut
	unmatched                 bool // no rule knows this output
}

// replay makes of c what its capture path would have. text is what the model
// would have received of the body.
func (o Options) replay(c *transcript.Call) (out outcome, text string) {
	out = outcome{before: tokens.Estimate(c.Output), failed: c.Failed, short: isShort(c.Body)}
	out.after, out.aggressive = out.before, out.before
	if out.why = untouchable(c); out.why != Touched && (out.why != Clipped || c.Complete == "") {
		return out, c.Body
	}
	opt := o.settings(c.Project, o.Level)
	text, meta, asked := o.capture(c, opt)
	if !asked {
		out.why = NoHook
		if c.Exit != nil && *c.Exit != 0 {
			out.why = NoShim
		}
		return out, c.Body
	}
	if meta != nil {
		out.rule, out.restored = meta.Rule, meta.Restored
		out.linesBefore, out.linesAfter = meta.LinesBefore, meta.LinesBefore
		out.failed = meta.FailureSignal != "none"
		out.unmatched = meta.Rule == "generic" || meta.Rule == "none"
	}
	if c.Complete != "" {
		out.why = Clipped
		out.gained = max(0, tokens.Estimate(text)-out.before)
		return out, text
	}
	if text == "" { // the result stays
		switch {
		case meta != nil && exact(opt, meta, c) || c.File != "":
			out.why = Kept
			return out, c.Body
		case out.unmatched && isProse(c.Body):
			out.why = Prose
		}
		out.aggressive = o.harder(c, out.before)
		return out, c.Body
	}
	out.after = received(c, text)
	out.aggressive = o.harder(c, out.after)
	if meta != nil {
		out.linesAfter = meta.LinesAfter
		out.verify = out.failed && compact.DefaultTriggers().Failure.Fires(meta.LinesBefore, meta.LinesAfter)
	}
	return out, text
}

// harder returns the tokens that level aggressive leaves of a result of which the
// present level leaves so many.
func (o Options) harder(c *transcript.Call, after int) int {
	if o.Level == compact.Aggressive {
		return after
	}
	if text, _, _ := o.capture(c, o.settings(c.Project, compact.Aggressive)); text != "" {
		return received(c, text)
	}
	return after
}

// What an agent reads whole. The engine keeps as many lines of an output of
// which it knows nothing, and the hook as many characters of one too long.
const (
	shortLines  = 80
	shortTokens = 2000
)

// isShort reports whether an output is no noise whatever stands in it, such
// as what an agent cut itself by `| tail -20`. It makes no scenario.
func isShort(body string) bool {
	return strings.Count(body, "\n") < shortLines && tokens.Estimate(body) < shortTokens
}

// isProse reports whether a result is a text that a person wrote, which stays as it is.
func isProse(body string) bool {
	return len(body) <= lines.ProseRoom && lines.Prose(strings.Split(body, "\n"))
}

// A busy machine must not change a figure by what its patterns take.
const regexBudget = time.Second

// settings are those of the directory that a call ran in which say what is
// cut. Nothing is stored and nobody is asked.
func (o Options) settings(dir string, level compact.Level) compact.Options {
	opt := o.Compact(dir)
	return compact.Options{Level: level, Library: opt.Library, Exclude: opt.Exclude, RegexBudget: regexBudget}
}

// capture gives a result to the path that would see it: the agent's hook, or
// where that is not called for a command that fails, the end of its shell.
func (o Options) capture(c *transcript.Call, opt compact.Options) (text string, meta *compact.Meta, asked bool) {
	text, asked = o.Hook(c, opt, func(res compact.Result) { meta = &res.Meta })
	if asked || c.Exit == nil || *c.Exit == 0 || !o.InShell(c.Host) {
		return text, meta, asked
	}
	res := compact.Compact(compact.Envelope{Tool: c.Tool, Command: c.Command, CombinedText: c.Body, ExitCode: c.Exit, Cwd: c.Project}, opt)
	if !res.Meta.Unchanged {
		text = res.Reduced
	}
	return text, &res.Meta, true
}

// received returns the tokens the model gets when text stands in place of the
// body: what the host puts around stays, line numbers by the lines.
func received(c *transcript.Call, text string) int {
	around := tokens.Estimate(c.Output) - tokens.Estimate(c.Body)
	if c.Tool == "Read" {
		around = around * (strings.Count(text, "\n") + 1) / (strings.Count(c.Body, "\n") + 1)
	}
	return tokens.Estimate(text) + around
}

// exact reports whether the rule left the output alone on purpose.
func exact(opt compact.Options, meta *compact.Meta, c *transcript.Call) bool {
	r, err := opt.Library.Rule(meta.Rule)
	return err == nil && r != nil && meta.Unchanged && (len(c.Body) <= r.Exact || r.Match.Source)
}
