package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// documents reads the JSON in an output, whatever command wrote it: a document
// over many lines or on one, one a line, or several. It leaves the other lines
// to the parser of the rule. All documents together are a list whose rows are
// compared: what is usual in them is told once, what is odd stays.
type documents struct {
	rest    Parser
	narrow  bool // rest wants no overlong lines
	noXML   bool // rest shows parts of files
	anyway  bool // the output is JSON: documents need not begin at the start of a line
	files   bool // it may be files that people edit, or logs: those are not for us
	logs    bool // it may be a log with an entry a line: those are the rule's
	off     bool // and they are
	watch   bool // of a log only odd entries are added to what the rule keeps
	entries records
	xml     *xmlText   // the open document of XML
	left    string     // what stands of it at the end of a piece of a line
	decl    []Line     // "<?xml ...?>", until it is known what follows
	table   *tableRows // of a rule that shows tables
	talk    talker     // what the rule's tool may say in the midst of a document
	talked  bool       // it did, or the last line goes on

	told   int // lines that are none
	read   jsonReader
	col    jsonColumn
	sure   bool   // there is JSON in the output, more than a few words of it
	broken bool   // one of them broke off
	held   []Line // lines of JSON before that is sure
	bytes  int    // of them
	leaves int    // scalars at which usual rows are let go

	failures int  // told by rest
	to       Emit // where its records go
	count    Emit // its counting, made once
}

const (
	xmlDecl    = 5        // lines that may stand before a document of XML
	jsonSure   = 1500     // bytes of documents that are worth cutting
	jsonAbove  = 10       // lines that may stand above a document in a file
	jsonHeld   = 64 << 10 // bytes of one that has not ended
	jsonLeaves = 20_000   // scalars held
	jsonFirst  = 60       // entries of a list that are held at its start when there are more
	jsonLast   = 3        // and at its end
	jsonOdds   = 2000     // and odd ones

	jsonLogEntry = 4 << 10 // bytes of an entry of a log
	jsonEntries  = 20      // odd entries added to a log
)

// WithDocuments returns a parser that reads the JSON in an output, and leaves
// the rest to p. A parser that reads JSON itself is returned as it is.
func WithDocuments(p Parser) Parser {
	switch p.(type) {
	case ownJSON:
		return p
	case *documents:
		p.(*documents).table = &tableRows{}
		return p
	}
	d := &documents{rest: p, narrow: !TakesLong(p)}
	switch p := p.(type) {
	case *diff, *gitMixed, *grep:
		d.noXML = true
	case talker:
		d.talk = p
	case *content:
		d.files = true
	case *log:
		d.logs = true
	}
	_, search := p.(*grep)
	if search || tabled(p) {
		d.table = &tableRows{search: search}
	}
	return d
}

// A talker is a parser of a tool that says on stderr how far it is, while the
// document goes to stdout: between cuts that off the end of a line.
type talker interface {
	between(s string) (document string, talk bool)
}

// ownJSON is implemented by parsers for which JSON is the tool's own format.
type ownJSON interface{ ownJSON() }

func (*goTest) ownJSON() {}

// newJSON is the parser for an output that is JSON.
func newJSON() *documents { return &documents{rest: &beside{}, anyway: true} }

// InDocument reports whether p reads a document that has not ended.
func InDocument(p Parser) bool {
	d, ok := p.(*documents)
	return ok && (d.read.reading() || d.xml != nil)
}

func (*documents) wide() {}

func (p *documents) Line(l Line, emit Emit) {
	if p.off {
		if p.watch {
			p.watches(l)
		}
		p.text(l, emit)
		return
	}
	if p.xml != nil && !p.read.reading() {
		p.text(l, emit)
		return
	}
	if p.talk != nil && (p.read.reading() || hasPrefix(l.Text, "{", "[")) {
		document, talk := p.talk.between(l.Text)
		if talk && document == "" {
			p.talked = true
			p.rest.Line(l, p.counting(emit))
			return
		}
		if p.read.cut != "" && !p.talked {
			p.hole(emit)
		}
		l.Text, p.talked = document, talk || l.More
	}
	if t := strings.TrimLeft(l.Text, " \t"); p.files && p.told > jsonAbove && len(t) < jsonSure && !p.read.reading() {
		// JSON in the midst of a text, which people edit
	} else if p.read.reading() || t != "" && (t[0] == '{' || t[0] == '[') && (p.anyway || t[0] == l.Text[0]) {
		p.json(l, emit)
		return
	} else if t == "" && (p.held != nil || p.sure && p.anyway) {
		p.take(l, emit)
		return
	}
	if p.broken {
		p.fragment(l, emit)
		return
	}
	p.text(l, emit)
}

// text gives a line that is no JSON to the parser of the rule.
func (p *documents) text(l Line, emit Emit) {
	p.told++
	p.release(emit)
	if p.inXML(l, emit) {
		return
	}
	for _, d := range take(&p.decl) {
		p.tell(d, emit)
	}
	p.tell(l, emit)
}

// inXML takes a line of a report in XML, which stands anywhere in an output, or of any XML
// that is one long line.
func (p *documents) inXML(l Line, emit Emit) bool {
	t := strings.TrimSpace(l.Text)
	if p.xml == nil && !p.noXML && t != "" && t[0] == '<' {
		root := xmlRoot(t)
		long := len(t) > jsonSure && t[0] == l.Text[0] && strings.HasSuffix(t, ">") && !hasAny(strings.ToLower(t[:min(len(t), 200)]), "<html", "<!doctype html", "<svg", "<script", "<div")
		switch report := oneOf(root, xmlTestRoots...) || oneOf(root, xmlReports...); {
		case root == "" && len(p.decl) < xmlDecl && hasPrefix(t, "<?xml ", "<!--", "<!DOCTYPE ", "<?"):
			p.decl = append(p.decl, l)
			return true
		case long, report && (p.decl != nil || strings.ContainsAny(t, "=>")):
			p.xml = &xmlText{}
			for _, d := range take(&p.decl) {
				p.xml.Line(d, emit)
			}
		}
	}
	if p.xml == nil {
		return false
	}
	l.Text = p.left + l.Text
	p.left = ""
	if at := strings.LastIndexByte(l.Text, '<'); l.More && at > 0 && strings.IndexByte(l.Text[at:], '>') < 0 {
		l.Text, p.left = l.Text[:at], l.Text[at:] // the line is parted within a tag
	}
	p.xml.Line(l, emit)
	if p.xml.done() {
		p.xml.Close(emit)
		p.xml = nil
	}
	return true
}

// tell gives a line to the parser of the rule.
func (p *documents) tell(l Line, emit Emit) {
	if p.table != nil {
		p.table.line(l, emit)
	}
	if p.narrow {
		l.Text = lines.Clip(l.Text)
	}
	p.rest.Line(l, p.counting(emit))
}

// counting passes on what the parser of the rule tells, and counts its failures.
func (p *documents) counting(emit Emit) Emit {
	if p.to = emit; p.count == nil {
		p.count = func(r Record) {
			if r.Class == Failure {
				p.failures++
			}
			p.to(r)
		}
	}
	return p.count
}

// release gives lines that are not worth a cut to the parser of the rule.
func (p *documents) release(emit Emit) {
	for _, l := range take(&p.held) {
		if p.narrow {
			l.Text = lines.Clip(l.Text)
		}
		p.rest.Line(l, p.counting(emit))
	}
	if !p.sure && !p.watch {
		p.read, p.bytes = jsonReader{keys: p.read.keys}, 0
	}
}

// json takes a line that begins with JSON or is within it.
func (p *documents) json(l Line, emit Emit) {
	for s := l.Text; ; {
		p.read.more = l.More || p.talk != nil
		rest, ok := p.read.read(s, l.N)
		if !ok {
			p.breaks(l, rest, emit)
			return
		}
		rest = strings.TrimLeft(rest, " \t\r")
		switch {
		case rest == "":
			p.take(l, emit)
			return
		case rest[0] == '{' || rest[0] == '[': // one directly after another
			s = rest
		case p.broken && strings.ContainsRune(",]}", rune(rest[0])): // within what broke off
			if s = strings.TrimLeft(rest, ",]} \t\r"); s == "" {
				p.take(l, emit)
				return
			}
			if s[0] != '{' && s[0] != '[' {
				p.take(Line{N: l.N}, emit)
				p.text(Line{N: l.N, Text: s}, emit)
				return
			}
		case p.sure, len(s)-len(rest) > jsonSure:
			p.take(l, emit)
			p.text(Line{N: l.N, Text: rest}, emit)
			return
		default:
			p.breaks(l, rest, emit)
			return
		}
	}
}

// breaks takes a line in which a document breaks off, or that only looked like
// the beginning of one.
func (p *documents) breaks(l Line, rest string, emit Emit) {
	if !p.sure && p.bytes+len(l.Text)-len(rest) > jsonSure && p.read.reading() && len(p.read.root.kids[0].kids) > 0 {
		p.commit(emit)
	}
	if !p.sure || !p.read.reading() || p.read.root.kids[len(p.read.root.kids)-1].line == l.N && len(l.Text)-len(rest) < jsonSure {
		p.read.forget()
		p.text(l, emit)
		return
	}
	p.read.abandon()
	p.broken, p.anyway = true, true
	if strings.HasPrefix(rest, `"`) && !l.Keep && p.reports() { // within the text of a file
		p.take(Line{N: l.N}, emit)
		return
	}
	p.fragment(Line{N: l.N, Text: rest, Keep: l.Keep}, emit)
}

// hole ends a document that breaks off in a string, with the line before.
func (p *documents) hole(emit Emit) {
	p.read.cut = ""
	if !p.sure && p.bytes <= jsonSure {
		p.release(emit)
		return
	}
	p.commit(emit)
	p.read.abandon()
	p.broken, p.anyway = true, true
}

// fragment takes a line in which a document that broke off may go on, with an
// entry of a list: somebody left out what was between.
func (p *documents) fragment(l Line, emit Emit) {
	at := strings.Index(l.Text, ",{")
	if at < 0 || len(l.Text) < jsonSure {
		p.text(l, emit)
		return
	}
	p.text(Line{N: l.N, Text: l.Text[:at+1], Keep: l.Keep}, emit)
	p.json(Line{N: l.N, Text: l.Text[at+1:]}, emit)
}

// take takes a line that is JSON, all of it.
func (p *documents) take(l Line, emit Emit) {
	p.bytes += len(l.Text) + 1
	if p.sure {
		p.silence(l, emit)
	} else if p.held = append(p.held, l); p.bytes >= jsonHeld || p.bytes >= jsonSure && !p.read.reading() {
		if p.watch = (p.files || p.logs) && logged(p.held); p.watch || p.files && settings(p.held) {
			p.off = true
			p.release(emit)
			return
		}
		p.commit(emit)
	}
	if p.read.leaves > max(p.leaves, jsonLeaves) {
		p.judge()
		p.read.leaves = thin(&p.read.root)
		p.leaves = 2 * p.read.leaves
	}
}

// watches reads an entry of a log, which the rule reads too and keeps where it
// is bad.
func (p *documents) watches(l Line) {
	if !strings.HasPrefix(l.Text, "{") || l.More || logLevel(l.Text) != Body || journalFields(l.Text) != l.Text {
		return
	}
	if rest, ok := p.read.read(l.Text, l.N); ok && !p.read.reading() && strings.TrimSpace(rest) == "" {
		p.entries.add(p.read.root.kids[0], Line{N: l.N, Text: lines.Clip(l.Text)})
	}
	p.read = jsonReader{keys: p.read.keys}
}

// logged reports whether most of the lines are of a log.
func logged(ls []Line) bool {
	n := 0
	for _, l := range ls {
		if len(l.Text) < jsonLogEntry && jsonLogLine(strings.TrimSpace(l.Text)) {
			n++
		}
	}
	return n > len(ls)/2
}

func (p *documents) commit(emit Emit) {
	p.sure = true
	for _, l := range take(&p.held) {
		p.silence(l, emit)
	}
}

// silence lets go of a line that the document is told instead of.
func (p *documents) silence(l Line, emit Emit) {
	if l.Keep {
		emit.line(Keep, Line{N: l.N, Text: lines.Clip(l.Text), Keep: true})
		return
	}
	emit.line(Folded, Line{N: l.N})
}

func (p *documents) judge() {
	p.read.root.kind, p.read.root.open, p.read.root.docs = '[', true, true
	p.col.judgeAll(&p.read.root)
}

func (p *documents) Close(emit Emit) {
	if p.read.reading() && p.sure {
		p.read.abandon()
	}
	p.release(emit)
	if p.xml != nil {
		p.xml.Close(emit)
	}
	for _, d := range take(&p.decl) {
		p.tell(d, emit)
	}
	p.entries.spare(emit)
	if p.table != nil {
		p.table.end(emit)
	}
	p.rest.Close(p.counting(emit))
	if p.sure {
		p.reported(emit)
	}
	if p.sure && p.read.root.n > 0 {
		p.judge()
		v := jsonView{room: jsonRoom, row: jsonEntry, odd: jsonOdd, few: jsonFews, fails: jsonFails, most: map[*jsonNode]int{}}
		if p.read.spaced {
			v.gap = " "
		}
		all := p.read.root.findings("")
		if len(all) < findingsFew {
			p.read.root.unlist()
			all = nil
		} else {
			p.read.root.shrink()
			v.room, v.row, v.odd, v.few = v.room/4, jsonFew, v.odd/4, v.few/4
		}
		v.documents(&p.read.root, &p.col)
		for _, l := range v.out {
			emit(Record{Class: Keep, Instead: true, Lines: []Line{l}})
		}
		if all != nil {
			emitFindings(all, v.at, emit)
		}
	}
}

// thin lets go of the rows that are usual, but for the first and the last, and
// returns how many scalars are left.
func thin(n *jsonNode) (leaves int) {
	if !n.container() {
		n.text = strings.Clone(n.text) // not of a line that is not held any more
		return 1
	}
	if len(n.kids) > jsonFirst+jsonLast {
		odd := 0
		last := len(n.kids) - jsonLast
		i := -1
		n.kids, _ = split(n.kids, func(_ int, kid *jsonNode) bool {
			i++
			if kid.odd > 0 && odd < jsonOdds {
				odd++
				return true
			}
			if _, ok := kid.finding("?"); (ok || kid.fails()) && odd < jsonOdds {
				odd++
				return true
			}
			return kid.at < jsonFirst || i >= last || kid.open || !kid.known
		})
	}
	for _, kid := range n.kids {
		leaves += thin(kid)
	}
	return leaves
}

// beside is the parser for what stands beside JSON.
type beside struct{}

func (beside) wide() {}

func (beside) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	l.Text = lines.Clip(l.Text)
	emit.line(Body.unless(t == "", Folded).unless(t != "" && toolSays(t), Keep), l)
}

func (beside) Close(Emit) {}

// identifies reports whether the value of a key tells which of many an entry
// is, or what state it is in.
func identifies(key string) bool {
	if oneOf(key, "OwnerId", "Code", "deviceName", "kind", "RootDeviceName", "RootDeviceType", "DeviceName", "RevisionId", "PackageType", "eventId", "ReservationId", "ImageId") {
		return false // the same in all, or read by nobody
	}
	return oneOf(strings.ToLower(key), "id", "name", "names", "key", "title", "status", "state", "type", "kind", "version", "path", "url", "html_url", "email", "login",
		"number", "phase", "message", "level", "error", "err", "exception", "detail", "conclusion", "severity", "code", "value", "file", "line", "namespace", "arn", "ref", "sha", "tag", "reason", "nodeid", "outcome", "description", "full_description", "classname", "filename", "filepath", "file_path", "line_number", "lineno", "uri") || hasSuffix(key, "Id", "_id", "Name", "_name", "Type", "_type", "State", "Status", "_status", "IpAddress", "Arn", "ID", "Zone")
}
