package compact

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/prefix"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
	"cairn/internal/redact"
)

// Pieces are what a runner around the tools put together into one output: the
// lines of several services, jobs or steps, each with a prefix. Every piece is
// an output of its own, cut by the rule that its content asks for; the prefix
// stands once, above it.
type pieces struct {
	of     *Stream
	layout *prefix.Layout
	by     map[string]*piece // the open ones, by whose they are
	order  []*piece          // all
	last   *piece            // of the line before
	most   int               // pieces told apart
	parted bool              // a name has more than one
	kept   *int              // bytes that all of them keep
}

// A piece is the lines of one of them.
type piece struct {
	whose       string
	first, last string // its times
	title       string // the line by which it was announced
	named       int    // where the line by which it was announced last stands
	sigil       string // before the command that it is the output of, where one was announced
	stream      *Stream
}

const (
	maxPieces  = 64
	pieceWhole = 8 << 10 // a piece up to this size is held whole, so that it can go out unchanged
	others     = "others"
	maxNested  = 2 // a runner may run another

	bannerLines = 5  // that a runner prints before it names the command
	fewLines    = 40 // of all commands together are read as one output
	bannerAfter = 2  // and after it named the script
)

// learn decides whether each line begins with a prefix that is none of the
// tool's: behind it the content is that of a tool, or lines begin there as none
// that stands alone does.
func (s *Stream) learn() *prefix.Layout {
	if s.opt.Rule != "" || s.nested == maxNested || !slices.Contains([]string{"", "Bash", "TaskOutput"}, s.env.Tool) {
		return nil
	}
	texts := make([]string, len(s.sample))
	for i, l := range s.sample {
		texts[i] = l.Text
	}
	for l := range strings.Lines(s.end()) {
		texts = append(texts, lines.Clean(strings.TrimSuffix(l, "\n")))
	}
	raw := strings.Join(texts, "\n")
	tier, kind := s.opt.Library.OfCommand(rule.Target{Tool: s.env.Tool, Command: s.cmd, Sample: func() string { return raw }})
	if tier != rule.BuiltIn || kind == rule.Known {
		return nil // whoever wrote the rule knows what the lines look like
	}
	e := evidence{texts: texts, raw: raw, kind: kind}
	layouts := prefix.Learn(texts[:len(s.sample)])
	if len(layouts) == 0 {
		return e.none(s.opt.Library)
	}
	e.suspects, e.journal = s.opt.Library.Suspects(s.env.Tool, raw), prefix.Journal(layouts)
	e.known, _ = e.suspects.Recognise(raw)
	var best *prefix.Layout
	most := 0
	for _, layout := range layouts {
		if n := e.worth(layout); n > most {
			best, most = layout, n
		}
	}
	return cmp.Or(best, e.none(s.opt.Library))
}

// none is the prefix of lines without one, if they are of several pieces all the
// same.
func (e *evidence) none(lib *rule.Library) *prefix.Layout {
	if e.script(lib) {
		return &prefix.Layout{}
	}
	return nil
}

// An evidence is what is known of an output of which each line begins alike.
type evidence struct {
	texts    []string
	raw      string // all of them
	kind     rule.Kind
	suspects rule.Suspects
	known    string // the rule for a tool that raw looks like as it is
	journal  bool   // it looks like a system's log
}

// worth says how sure it is that a prefix was put there by someone else than the
// one who wrote what is behind it; 0 is not at all.
func (e *evidence) worth(layout *prefix.Layout) (n int) {
	kind := e.kind
	if e.journal && layout.Timed() {
		kind = max(kind, rule.Logs)
	}
	plain := kind == rule.Any && layout.Plain()
	bare, loose := stripped(layout, e.texts)
	dated := rule.Dated(bare)
	id, hits := e.suspects.Recognise(bare)
	if strings.HasPrefix(id, "run/") && kind == rule.Logs {
		id = "" // a trace is what any program logs
	}
	switch gain := hits - e.suspects.Hits(id, e.raw); {
	case id != "" && gain < 0:
		return 0
	case id != "" && gain > 0:
		n = 10 * gain
	case layout.Leveled(), kind == rule.Logs && !(dated && e.journal), kind == rule.Misfit && layout.Named():
		return 0
	case e.known != "" && (e.known != id || !plain):
		return 0
	case id == "" && plain && !dated:
		// A listing with a date in each row is no log of one.
		if doc, hits := e.suspects.Document(bare); layout.Named() || !strings.HasPrefix(doc, "files/") {
			n = 4 * max(0, hits-e.suspects.Hits(doc, e.raw))
		}
	}
	if loose {
		n += 3
	}
	if dated {
		n += 2
	}
	if plain && (layout.Named() || id != "" && !strings.HasPrefix(id, "run/")) {
		n++
	}
	return n
}

// stripped is the text without the prefix, each service's lines together. loose
// reports whether what is left are lines that do not stand for themselves, blank
// and indented ones, or a CI runner's marks.
func stripped(layout *prefix.Layout, texts []string) (text string, loose bool) {
	by := map[string]*strings.Builder{}
	var order []string
	n, blank, indented, marks := 0, 0, 0, 0
	for _, t := range texts {
		l, ok := layout.Cut(t)
		if !ok {
			continue
		}
		b := by[l.Whose]
		if b == nil {
			b = &strings.Builder{}
			by[l.Whose] = b
			order = append(order, l.Whose)
		}
		b.WriteString(l.Text)
		b.WriteByte('\n')
		n++
		switch {
		case lines.Blank(l.Text):
			blank++
		case strings.HasPrefix(l.Text, "##["):
			marks++
		case l.Text[0] == ' ' || l.Text[0] == '\t':
			if c := strings.TrimLeft(l.Text, " \t")[0]; c < '0' || c > '9' { // numbers may be aligned
				indented++
			}
		}
	}
	var all strings.Builder
	for _, whose := range order {
		all.WriteString(by[whose].String())
	}
	return all.String(), blank*50 > n || blank > 0 && indented*20 > n || indented*5 > n*2 && indented*20 < n*19 || marks > 1
}

// end is the end of an output that is held whole and longer than its sample.
func (s *Stream) end() string {
	w := s.raw.whole
	if len(w) <= sampleBytes {
		return ""
	}
	return w[max(sampleBytes, len(w)-sampleBytes/4):]
}

// newPieces begins to hand out the lines of s.
func (s *Stream) newPieces() *pieces {
	p := &pieces{of: s, layout: s.layout, by: map[string]*piece{}, most: maxPieces, kept: s.kept}
	if p.kept == nil {
		p.kept = new(int)
	}
	if s.nested > 0 {
		p.most = maxPieces / 4
	}
	return p
}

// take hands a line to the piece it is of.
func (p *pieces) take(l record.Line) {
	cut, ok := p.layout.Cut(l.Text)
	at := p.last
	switch {
	case l.Keep || lines.Blank(l.Text): // no line of the tool's, or one that tells nothing
	case !ok && !p.layout.Named():
		cut.Text = l.Text // in between others: the runner has one stream
	default:
		at = p.by[cut.Whose]
	}
	if l.Keep {
		cut.Text = l.Text
	}
	if at == nil {
		at = p.open(cut.Whose, ok)
	}
	if p.last = at; at.whose == others && cut.Whose != others {
		cut.Text = l.Text
	}
	if cut.When != "" {
		if at.first == "" {
			at.first = cut.When
		}
		at.last = cut.When
	}
	if command, ok := p.announced(at, cut.Text); ok {
		own := strings.HasPrefix(cut.Text, "##[") // it has a heading of its own
		if c := at.stream; !at.banner(cut.Text) && len(p.order) < p.most {
			at = p.begin(at.whose, command)
			p.last, at.first, at.last = at, cut.When, cut.When
			p.by[at.whose] = at
			if !own {
				at.title = cut.Text
			}
		} else if c.filter == nil {
			c.cmd = shell.Parse(command)
		}
		if at.sigil, at.named = cut.Text[:1], at.stream.n; at.title != "" && at.stream.n == 0 {
			return
		}
	}
	at.take(record.Line{N: at.stream.n, Text: cut.Text, Keep: l.Keep})
}

// banner reports whether a piece is as yet no more than what a runner prints before
// it names the command s.
func (at *piece) banner(s string) bool {
	n := at.stream.n
	if at.sigil == "" {
		return n < bannerLines
	}
	return at.sigil == ">" && s[0] == '>' && n-at.named <= bannerAfter
}

// open begins a piece for a name that is new.
func (p *pieces) open(whose string, prefixed bool) *piece {
	if len(p.order) >= p.most && whose != others {
		if at := p.by[others]; at != nil {
			p.by[whose] = at
			return at
		}
		at := p.begin(others, "")
		p.by[others], p.by[whose] = at, at
		return at
	}
	command := ""
	if !prefixed {
		command = p.of.env.Command // what the runner itself says
	}
	at := p.begin(whose, command)
	p.by[whose] = at
	return at
}

// begin makes a piece. Of a command that is known its rule decides.
func (p *pieces) begin(whose, command string) *piece {
	opt := p.of.opt
	opt.Verify, opt.Passthrough = Verify{}, nil
	env := p.of.env
	env.Command, env.Argv, env.CombinedText = command, nil, ""
	c := NewStream(env, opt)
	c.nested, c.around = p.of.nested+1, p.of.cmd
	if len(c.around.Calls) == 0 {
		c.around = p.of.around
	}
	c.tail = func() string { return p.tail(whose) }
	c.step, c.kept = whose, p.kept
	c.asIs = false // what is around it was not excluded
	if command != "" && p.order != nil {
		p.parted = true
	}
	at := &piece{whose: whose, stream: c}
	p.order = append(p.order, at)
	return at
}

// take gives a line to the stream of a piece.
func (at *piece) take(l record.Line) {
	if at.stream.raw.total <= pieceWhole {
		at.stream.raw.Write([]byte(l.Text + "\n"))
	} else if at.stream.raw.ring == nil {
		at.stream.raw.held, at.stream.raw.ring = nil, []byte{}
	}
	at.stream.take(l)
}

// tail is the end of what is held whole, of one piece.
func (p *pieces) tail(whose string) string {
	if p.parted || !p.layout.Named() && !p.layout.Timed() {
		return "" // it may be of another command
	}
	var b strings.Builder
	w := p.of.raw.whole
	for l := range strings.Lines(w[max(0, len(w)-sampleBytes):]) {
		if cut, ok := p.layout.Cut(lines.Clean(strings.TrimSuffix(l, "\n"))); ok && cut.Whose == whose {
			b.WriteString(cut.Text + "\n")
		}
	}
	return b.String()
}

// announced reports whether a line is the one by which a runner says what it
// runs next. Within content, a diff for example, no line is.
func (p *pieces) announced(at *piece, s string) (command string, ok bool) {
	lib := p.of.opt.Library
	if command, ok = announces(lib, s); !ok || s[0] == '#' && s[1] == '#' {
		return command, ok
	}
	return command, at.sigil == s[:1] || !at.content(lib)
}

// announces reports whether a line is a command that has a rule, behind what a
// shell or a runner of scripts puts there.
func announces(lib *rule.Library, s string) (command string, ok bool) {
	if command, ok = strings.CutPrefix(s, "##[group]Run "); ok {
		return command, true
	}
	sigil, command, ok := strings.Cut(s, " ")
	if !ok || sigil == "" || len(sigil) > 4 || strings.Trim(sigil, "$+>%#❯") != "" || command == "" || command[0] == ' ' {
		return "", false
	}
	if sigil == ">" && packageScript(command) {
		return "npm run " + command[strings.IndexByte(command, ' ')+1:], true
	}
	known, runner := lib.Knows(shell.Parse(command))
	word, _, _ := strings.Cut(command, " ")
	switch {
	case !known, runner && sigil == ">": // "> nx run web:test" is what nx says of each task
		return "", false
	case word[0] >= 'A' && word[0] <= 'Z' && !strings.Contains(word, "="): // "> Task :compile" is what Gradle says
		return "", false
	}
	return command, true
}

// packageScript reports whether s is a package with its version, and a script of it.
func packageScript(s string) bool {
	pkg, script, ok := strings.Cut(s, " ")
	at := strings.LastIndexByte(pkg, '@')
	return ok && at > 0 && at+1 < len(pkg) && pkg[at+1] >= '0' && pkg[at+1] <= '9' && script != "" && script[0] != ' '
}

// script reports whether an output without a prefix is that of several commands,
// each of which is announced.
func (e *evidence) script(lib *rule.Library) bool {
	n, last := 0, -bannerAfter-1
	for i, s := range e.texts {
		if _, ok := announces(lib, s); ok {
			if s[0] != '>' || i-last > bannerAfter { // a package's script, then its command
				n++
			}
			last = i
		}
	}
	return n > 1 && len(e.texts) > fewLines && e.kind == rule.Any && !lib.Content("", e.raw)
}

// content reports whether a piece is a document, by its first lines.
func (at *piece) content(lib *rule.Library) bool {
	s := at.stream
	if s.rule != nil {
		return s.rule.Data
	}
	return lib.Content(s.env.Tool, s.sampleText())
}

// finishPieces puts the results of all pieces together.
func (s *Stream) finishPieces(exit *int) Result {
	raw, whole := s.raw.all()
	m := Meta{FailureSignal: "none", Warnings: s.warns}
	body := s.pieces.body(exit, &m)
	if s.rule = s.pieces.rule(); s.broken {
		if whole {
			return s.again(raw, exit)
		}
		return s.bothEnds(m.Warnings)
	}
	m.Rule = s.rule.ID
	if whole && !strings.HasSuffix(raw, "\n") {
		body = strings.TrimSuffix(body, "\n")
	}
	if s.noShorter(body, &m) {
		return s.unchanged(raw, m)
	}
	return s.deliver(body, m)
}

// body is the result of each piece below its heading. Of those of which nothing is
// left the lines are counted together, and those that say the same have one heading.
func (p *pieces) body(exit *int, m *Meta) string {
	type part struct {
		headings []string
		text     string
	}
	var parts []*part
	same := map[string]*part{}
	gone := 0
	flush := func() {
		if gone > 0 {
			parts = append(parts, &part{text: Omission(gone)})
			gone = 0
		}
	}
	for _, at := range p.sorted() {
		c := at.stream
		res := c.Finish(exit)
		p.of.broken = p.of.broken || c.broken
		m.add(res.Meta)
		if n := at.gone(res); n > 0 {
			gone += n
			continue
		}
		if lines.Blank(res.Reduced) {
			continue
		}
		text := strings.TrimRight(res.Reduced, "\n") + "\n"
		if one := same[text]; one != nil && at.first == "" && at.whose != "" && at.title == "" {
			one.headings = append(one.headings, at.heading())
			continue
		}
		flush()
		one := &part{[]string{at.heading()}, text}
		if at.title != "" {
			one.text = redact.Line(at.title) + "\n" + text
		} else {
			same[text] = one
		}
		parts = append(parts, one)
	}
	flush()
	var b strings.Builder
	heading := ""
	for _, one := range parts {
		if h := strings.Join(one.headings, ", "); h != "" && h != heading {
			heading = h
			b.WriteString(strings.ReplaceAll(h, ":, ", ", ") + "\n")
		}
		b.WriteString(one.text)
	}
	return b.String()
}

// sorted puts the pieces of one name together, and those without one first: what
// stands below a heading would be taken for a part of that.
func (p *pieces) sorted() []*piece {
	at := map[string]int{"": 0}
	for _, piece := range p.order {
		if _, ok := at[piece.whose]; !ok {
			at[piece.whose] = len(at)
		}
	}
	return slices.SortedStableFunc(slices.Values(p.order), func(a, b *piece) int { return at[a.whose] - at[b.whose] })
}

// gone is how many lines a piece has, if nothing of it is left or it is the CI
// runner's own and went well.
func (at *piece) gone(res Result) (n int) {
	c := at.stream
	if at.title != "" {
		n = 1
	}
	switch {
	case lines.Blank(res.Reduced):
		return n
	case c.store == nil || c.broken:
	case c.ci != nil && c.ci.runner && res.Meta.Unchanged && res.Meta.FailureSignal != "pattern" && c.store.failures == 0:
		return n + c.n
	default:
		if k := c.store.silent.clear(0, c.n); res.Reduced == Omission(k) {
			return n + k
		}
	}
	return 0
}

// add takes over what is known of a piece.
func (m *Meta) add(piece Meta) {
	if piece.FailureSignal != "none" && m.FailureSignal != "exit" {
		m.FailureSignal = piece.FailureSignal
	}
	m.Restored += piece.Restored
	m.RegexTimedOut = append(m.RegexTimedOut, piece.RegexTimedOut...)
	for _, w := range piece.Warnings {
		if !slices.Contains(m.Warnings, w) {
			m.Warnings = append(m.Warnings, w)
		}
	}
}

// rule is that of the piece that tells most, by which the whole is named.
func (p *pieces) rule() *rule.Rule {
	main := slices.MaxFunc(p.order, func(a, b *piece) int { return a.tells() - b.tells() })
	return cmp.Or(main.stream.rule, rule.Generic())
}

// tells says how much the rule of a piece tells of the output as a whole: that
// of a failure most, then that of a tool, then the longest.
func (at *piece) tells() int {
	n := at.stream.n
	if r := at.stream.rule; r != nil && r.ID != "generic" {
		n += 1 << 40
	}
	if st := at.stream.store; st != nil && st.failures > 0 {
		n += 1 << 50
	}
	return n
}

// heading is the prefix of a piece, once: whose it is, and from when to when.
func (at *piece) heading() string {
	head := strings.ReplaceAll(at.whose, "\t", " › ")
	if at.first != "" {
		when := trimStamp(at.first)
		if last := trimStamp(at.last); last != when {
			when += "–" + shorter(when, last)
		}
		if head == "" {
			return when + ":"
		}
		return head + " (" + when + "):"
	}
	if head == "" {
		return ""
	}
	return head + ":"
}

// trimStamp takes the brackets off a time.
func trimStamp(s string) string { return strings.Trim(s, "[](){}<>:, ") }

// shorter is the end of a time span without what its start says already: the
// date.
func shorter(first, last string) string {
	at := strings.LastIndexAny(last[:min(len(last), 12)], "T ")
	if at > 0 && at < len(first) && first[:at+1] == last[:at+1] {
		return last[at+1:]
	}
	return last
}
