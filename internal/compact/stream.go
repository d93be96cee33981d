package compact

import (
	"strings"
	"time"
	"unicode/utf8"

	"cairn/internal/compact/command"
	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
)

// sampleBytes is how much output is held back when the content must decide
// which rule applies.
const sampleBytes = 32 << 10

// A Stream compacts an output while it is written. It is an io.Writer for the
// bytes as the tool wrote them; Finish gives the result.
type Stream struct {
	env   Envelope
	opt   Options
	start time.Time

	raw    rawBuffer
	split  lines.Splitter
	n      int // lines so far
	binary bool
	passed bool // the raw output went to opt.Passthrough
	part   bool // one part of a Sequence: no header and no tee

	sample  []record.Line // held back until the rule is known
	sampled int           // bytes in it
	filter  *filter       // nil until the rule is known
	rule    *rule.Rule
	parser  record.Parser
	store   *store
	warns   []string
}

// NewStream prepares to compact the output of the command in env, whose text
// and exit code are not known yet.
func NewStream(env Envelope, opt Options) *Stream {
	if opt.Library == nil {
		opt.Library = rule.Load()
	}
	s := &Stream{env: env, opt: opt, start: time.Now()}
	s.split.Each = s.line
	return s
}

// Write takes the next bytes of the output. It never fails.
func (s *Stream) Write(p []byte) (int, error) {
	if s.passed {
		return s.opt.Passthrough.Write(p)
	}
	s.raw.Write(p)
	s.split.Write(p)
	if s.binary && s.opt.Passthrough != nil {
		if all, ok := s.raw.all(); ok {
			s.passed = true
			_, err := s.opt.Passthrough.Write([]byte(all))
			return len(p), err
		}
	}
	return len(p), nil
}

// text takes the whole output at once, without copying it.
func (s *Stream) text(output string) {
	s.raw.total = len(output)
	for output != "" && !s.binary {
		line, rest, found := strings.Cut(output, "\n")
		if len(line) > lines.MaxLine || !found {
			s.split.Write([]byte(line))
			if found {
				s.split.Write([]byte("\n"))
			}
		} else {
			s.line([]byte(line))
		}
		output = rest
	}
}

// line takes one raw line.
func (s *Stream) line(b []byte) {
	if s.binary {
		return
	}
	if !utf8.Valid(b) {
		if _, held := s.raw.all(); held {
			s.binary = true
			return
		}
		b = []byte(strings.ToValidUTF8(string(b), "\uFFFD"))
	}
	l := record.Line{N: s.n, Text: lines.Clean(b)}
	s.n++
	if s.filter != nil {
		s.filter.line(l)
		return
	}
	s.sample = append(s.sample, l)
	if s.sampled += len(l.Text) + 1; s.sampled >= sampleBytes {
		s.choose()
	}
}

// choose picks the rule and starts the pipeline with what was held back.
func (s *Stream) choose() {
	s.begin(s.program())
	for _, l := range s.sample {
		s.filter.line(l)
	}
	s.sample = nil
}

// begin starts the pipeline of a rule.
func (s *Stream) begin(prog *rule.Program) {
	s.rule = prog.Rule
	s.store = newStore(prog, s.opt.Level)
	s.parser = record.New(prog.Parser)
	if s.parser == nil {
		s.warns = append(s.warns, prog.Source+": rule "+prog.ID+" names an unknown parser "+prog.Parser)
		s.parser = record.New("")
	}
	budget := s.opt.RegexBudget
	if budget <= 0 {
		budget = 50 * time.Millisecond
	}
	s.filter = newFilter(prog, budget, s.store, s.parser)
}

// program returns the compiled rule for this output: the generic one when no
// other fits or when the one that fits cannot be used.
func (s *Stream) program() *rule.Program {
	lib := s.opt.Library
	for _, w := range lib.Warnings {
		s.warns = append(s.warns, w.String())
	}
	id := s.opt.Rule
	if id == "" {
		cmd := s.env.Command
		if cmd == "" {
			cmd = strings.Join(s.env.Argv, " ")
		}
		id = lib.Find(rule.Target{Tool: s.env.Tool, Command: command.Parse(cmd), Sample: s.sampleText()})
	}
	if id != "" {
		r, err := lib.Rule(id)
		if err == nil && r != nil {
			var p *rule.Program
			if p, err = r.Program(); err == nil {
				return p
			}
		}
		if err != nil {
			s.warns = append(s.warns, err.Error())
		}
	}
	p, _ := rule.Generic().Program() // it has no patterns that could fail
	return p
}

// sampleText joins what was held back, and when the whole output is known
// its end as well: summaries stand there.
func (s *Stream) sampleText() string {
	var b strings.Builder
	for _, l := range s.sample {
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	if w := s.raw.whole; len(w) > sampleBytes {
		b.WriteString(w[max(sampleBytes, len(w)-sampleBytes/4):])
	}
	return b.String()
}

// Finish ends the output and returns the result. A nil exit means that the
// code is not known.
func (s *Stream) Finish(exit *int) Result {
	if s.passed {
		return Result{Meta: Meta{Rule: "none", FailureSignal: "none", Unchanged: true, BytesBefore: s.raw.total, BytesAfter: s.raw.total}}
	}
	s.split.Close()
	raw, whole := s.raw.all()
	if s.binary || whole && (lines.Blank(raw) || compacted(raw) || s.excluded()) {
		return s.unchanged(raw, Meta{Rule: "none", FailureSignal: "none"})
	}
	if s.filter == nil {
		s.choose()
	}
	if whole && s.rule.Exact > 0 && len(raw) <= s.rule.Exact {
		return s.unchanged(raw, Meta{Rule: s.rule.ID, FailureSignal: "none"})
	}
	s.filter.close()
	return s.render(exit)
}

// excluded reports whether the user asked to leave this command's output alone.
func (s *Stream) excluded() bool {
	if len(s.opt.Exclude) == 0 || s.env.Command == "" {
		return false
	}
	for _, call := range command.Parse(s.env.Command).Calls {
		for _, prefix := range s.opt.Exclude {
			if call.HasPrefix(strings.Fields(prefix)) {
				return true
			}
		}
	}
	return false
}
