package compact

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/prefix"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
)

// sampleBytes is how much output is held back when the content must decide
// which rule applies.
const sampleBytes = 32 << 10

// A Stream compacts an output while it is written. It is an io.Writer for the
// bytes as the tool wrote them; Finish gives the result.
type Stream struct {
	env   Envelope
	opt   Options
	cmd   shell.Parsed
	start time.Time

	raw    rawBuffer
	split  lines.Splitter
	n      int  // lines so far
	asIs   bool // it goes out unchanged: excluded, or not text
	passed bool // and has gone to opt.Passthrough
	broken bool // the rule or its parser panicked
	within bool // a piece of a line was taken

	nested int            // a piece of another output, without its prefix, no header and no tee; how deep
	step   string         // whose it is
	around shell.Parsed   // what wrote that
	tail   func() string  // the end of the piece, where all of it is known
	kept   *int           // bytes that this piece and those beside it keep
	pieces *pieces        // what it is made of, where each line has a prefix
	layout *prefix.Layout // that prefix
	hooked bool           // pre-commit's hooks wrote it
	turns  *turns         // the commands that wrote it one after the other, where nothing announces them

	sample  []record.Line // held back until the rule is known
	sampled int           // bytes in it
	ci      *ciLog        // reads what a CI runner puts around the output; nil for none
	filter  *filter       // nil until the rule is known
	rule    *rule.Rule
	parser  record.Parser
	store   *store
	warns   []string
	below   *below  // the same output without this rule; nil for a built-in one
	above   *Stream // whose rule may only add to what this one keeps; nil for none
}

// NewStream prepares to compact the output of the command in env, whose text
// and exit code are not known yet.
func NewStream(env Envelope, opt Options) *Stream {
	if opt.Library == nil {
		opt.Library = rule.Load()
	}
	s := &Stream{env: env, opt: opt, start: time.Now(), raw: rawBuffer{tee: opt.Tee}}
	s.split.Each = func(b []byte) { s.line(string(b)) }
	s.split.Part = func(b []byte) bool { return s.piece(string(b)) }
	if s.cmd = shell.Parse(cmp.Or(env.Command, strings.Join(env.Argv, " "))); opt.Excludes(s.cmd) {
		s.leave()
	}
	return s
}

// leave gives up on an output that must not be touched.
func (s *Stream) leave() {
	s.asIs = true
	s.raw.unlimited = s.opt.Passthrough == nil // it is part of the result
}

// Write takes the next bytes of the output. It never fails.
func (s *Stream) Write(p []byte) (int, error) {
	if s.passed {
		return s.opt.Passthrough.Write(p)
	}
	s.raw.Write(p)
	if !s.asIs {
		s.split.Write(p)
	}
	if s.asIs && s.opt.Passthrough != nil {
		all, _ := s.raw.all() // nothing is left alone that is not held whole
		s.passed = true
		_, err := io.WriteString(s.opt.Passthrough, all)
		return len(p), err
	}
	return len(p), nil
}

// text takes the whole output at once, without copying it.
func (s *Stream) text(output string) {
	s.raw.total = len(output)
	s.sample = make([]record.Line, 0, strings.Count(output[:min(len(output), sampleBytes)], "\n")+1)
	for output != "" && !s.asIs {
		line, rest, found := strings.Cut(output, "\n")
		if len(line) > lines.MaxLine || !found {
			s.split.Write([]byte(line))
			if found {
				s.split.Write([]byte("\n"))
			}
		} else {
			s.line(line)
		}
		output = rest
	}
}

// line takes one raw line.
func (s *Stream) line(b string) {
	if s.asIs {
		return
	}
	l := record.Line{N: s.n, Text: b}
	if !lines.Plain(b) {
		if !utf8.ValidString(b) {
			if _, held := s.raw.all(); held {
				s.leave()
				return
			}
			b = strings.ToValidUTF8(b, "\uFFFD")
		}
		l.Text = lines.Clean(b)
	}
	if s.within {
		s.within, l.N = false, s.n-1
	}
	l.Keep = s.env.Clipped != "" && l.Text == s.env.Clipped
	s.take(l)
}

// piece takes a piece of an overlong line, if it is of a document, and reports
// whether it did.
func (s *Stream) piece(b string) bool {
	if s.asIs || !utf8.ValidString(b) || (s.within && !record.InDocument(s.parser)) || !s.within && !strings.ContainsAny(b[:min(1, len(b))], "[{<") {
		return false
	}
	l := record.Line{N: s.n, Text: lines.Clean(b), More: true}
	if s.within {
		l.N--
	}
	s.within = true
	s.take(l)
	return true
}

// take takes one line, cleaned.
func (s *Stream) take(l record.Line) {
	s.n = l.N + 1
	defer s.survive()
	if s.filter != nil || s.pieces != nil {
		s.feed(l)
		return
	}
	s.sample = append(s.sample, l)
	if s.sampled += len(l.Text) + 1; s.sampled >= sampleBytes {
		s.choose()
	}
}

// choose picks the rule and starts the pipeline with what was held back.
func (s *Stream) choose() {
	if s.layout = s.learn(); s.layout != nil {
		s.pieces = s.newPieces()
	} else {
		s.ci = s.marks()
		s.begin(s.program())
	}
	for _, l := range s.sample {
		s.feed(l)
	}
	s.sample = nil
}

// feed passes a line on to the rule, unless it is that of a runner around it.
func (s *Stream) feed(l record.Line) {
	if s.pieces != nil {
		s.pieces.take(l)
		return
	}
	s.below.take(l)
	if s.ci != nil {
		if rec, own := s.ci.take(l); own {
			s.store.take(rec)
			return
		}
	}
	s.filter.line(l)
}

// begin starts the pipeline of a rule.
func (s *Stream) begin(prog *rule.Program) {
	s.rule = prog.Rule
	s.store = newStore(prog, s.opt.Level)
	if s.kept != nil {
		s.store.bytes = s.kept
	}
	s.parser = record.New(prog.Parser)
	if s.parser == nil {
		s.warns = append(s.warns, prog.Source+": rule "+prog.ID+" names an unknown parser "+prog.Parser)
		s.parser = record.New("")
	}
	if t, ok := s.parser.(*record.Tasks); ok {
		t.Find = s.taskParser
	}
	if p, ok := s.parser.(record.Searcher); ok {
		p.For(s.cmd.Searched())
	}
	if p, ok := s.parser.(record.Roomy); ok {
		p.Room(s.rowRoom())
	}
	if p, ok := s.parser.(record.Scaled); ok {
		p.Scale(s.opt.Level.parts())
	}
	s.parser = record.WithDocuments(s.parser)
	budget := s.opt.RegexBudget
	if budget <= 0 {
		budget = 50 * time.Millisecond
	}
	s.filter = newFilter(prog, budget, s.store, s.parser)
	s.below = s.newBelow()
}

// taskParser returns the parser for the output of one of several tasks: only
// its content tells.
func (s *Stream) taskParser(sample string) record.Parser {
	lib := s.opt.Library.Below(rule.OfProject) // nothing is above a task's parser
	id := lib.Find(rule.Target{Tool: s.env.Tool, Sample: func() string { return sample }})
	r, err := lib.Rule(id)
	if err != nil || r == nil || r.Data || r.Parser == s.rule.Parser {
		return nil
	}
	return record.New(r.Parser)
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
		id = lib.Find(rule.Target{Tool: s.env.Tool, Command: s.cmd, Around: s.around, Sample: s.sampleText})
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
			lib.Failed(id)
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
	switch {
	case s.tail == nil:
		b.WriteString(s.end())
	case s.sampled >= sampleBytes:
		b.WriteString(s.tail())
	}
	return b.String()
}

// survive is deferred around a rule's work on a line. A rule or a parser that
// panics is a mistake of ours and must not cost anyone the output: the rest is
// read by the parser for everything, and if all is still held, so is the rest
// of it again.
func (s *Stream) survive() {
	if p := recover(); p != nil {
		s.broke(p)
	}
}

func (s *Stream) broke(p any) {
	s.broken = true
	id := "generic"
	if s.rule != nil {
		id = s.rule.ID
	}
	s.warns = append(s.warns, fmt.Sprintf("rule %s failed: %v", id, p))
	s.opt.Library.Failed(id)
	if s.filter == nil {
		generic, _ := rule.Generic().Program()
		s.begin(generic)
	}
	s.parser = record.New("")
	s.filter.parser, s.sample = s.parser, nil
}

// again compacts a whole output by the generic rule, or leaves it as it is if
// even that was what failed.
func (s *Stream) again(raw string, exit *int) Result {
	if s.rule.ID == "generic" {
		return s.unchanged(raw, Meta{Rule: s.rule.ID, FailureSignal: "none", Warnings: s.warns})
	}
	opt := s.opt
	opt.Rule = "generic"
	next := NewStream(s.env, opt)
	next.nested, next.warns = s.nested, s.warns
	next.raw.whole = raw
	next.text(raw)
	return next.Finish(exit)
}

// Finish ends the output and returns the result. A nil exit means that the
// code is not known.
func (s *Stream) Finish(exit *int) (res Result) {
	if s.passed {
		return Result{Meta: Meta{Rule: "none", FailureSignal: "none", Unchanged: true, BytesBefore: s.raw.total, BytesAfter: s.raw.total}}
	}
	s.split.Close()
	raw, whole := s.raw.all()
	if s.asIs || whole && (lines.Blank(raw) || compacted(raw)) {
		return s.unchanged(raw, Meta{Rule: "none", FailureSignal: "none"})
	}
	if s.broken && whole {
		return s.again(raw, exit)
	}
	if s.filter == nil && s.pieces == nil {
		s.choose()
	}
	if s.pieces != nil {
		return s.finishPieces(exit)
	}
	if whole && s.rule.Exact > 0 && len(raw) <= s.rule.Exact {
		return s.unchanged(raw, Meta{Rule: s.rule.ID, FailureSignal: "none"})
	}
	if s.below.overrules(s, exit) {
		return s.below.finish(s, exit)
	}
	defer func() {
		if p := recover(); p != nil {
			s.broke(p)
			if !whole { // what is left of it is still better than nothing
				res = s.bothEnds(s.warns)
				return
			}
			res = s.again(raw, exit)
		}
	}()
	s.close()
	return s.render(exit)
}

// close ends what the rule may have begun.
func (s *Stream) close() {
	s.filter.close()
	s.below.close()
}

// Excludes reports whether this command's output is to be left alone: because the
// user asked for it, or because it is our own. What cairn prints is as short as it
// may be; a prompt or a plan with a hole in it is of no use.
func (o Options) Excludes(cmd shell.Parsed) bool {
	return slices.ContainsFunc(cmd.Calls, func(call shell.Call) bool {
		return call.Name == "cairn" || slices.ContainsFunc(o.Exclude, func(prefix string) bool { return call.HasPrefix(strings.Fields(prefix)) })
	})
}
