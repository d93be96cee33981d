package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// log is the parser for logs of servers and programs. A line is a record with
// what is told below it: a stack, or PostgreSQL's detail. Errors, warnings and
// distinct requests stay, equal ones are counted; the rest is left to dedupe
// and the window.
type log struct {
	open     Record // a fault that is not complete yet
	under    bool   // the last line was an ordinary one: lines below that have no time are its own
	below    int    // of those, how many came
	told     set    // faults by what they say
	requests set
	notable  int // ordinary lines kept for their words

	one [1]Line // the record of most lines, used again for each
}

const (
	logBlock    = 200 // lines of one fault held
	logLoose    = 15  // of them, that are not indented
	logRequests = 40  // distinct failed requests kept
	logServed   = 15  // and distinct others
	logNotable  = 40
	logBelow    = 2   // lines kept below an ordinary one
	logTold     = 400 // different faults remembered
)

func (p *log) Line(l Line, emit Emit) {
	l.Text = lines.Clip(l.Text)
	s := l.Text
	l.Text = journalFields(s)
	name, said := cutService(s)
	own := startsEntry(said)
	if p.open.Lines != nil {
		if before, _ := cutService(p.open.Lines[0].Text); before == name && p.continues(s, own) {
			p.open.Lines = append(p.open.Lines, l)
			return
		}
		p.Close(emit)
	}
	if !own && p.under && indented(s) {
		p.below++
		emit.line(Body.unless(p.below > logBelow, Noise), l)
		return
	}
	p.under, p.below = false, 0
	if r, ok := readRequest(s); ok {
		p.request(l, r, emit)
		return
	}
	switch class := logLevel(s); {
	case class == Failure, class == Warn, strings.HasPrefix(s, pyTraceHead):
		p.open = Record{Class: class.unless(class == Body, Failure), Lines: []Line{l}}
	case lines.Classify(s) >= lines.Trouble && p.notable < logNotable:
		p.notable++
		p.open = Record{Class: Keep, Lines: []Line{l}}
	default:
		p.under = true
		p.one[0] = l
		emit(Record{Lines: p.one[:]})
	}
}

// continues reports whether a line belongs to the open fault.
func (p *log) continues(s string, own bool) bool {
	n := len(p.open.Lines)
	if own || n >= logBlock {
		return n < logBlock && hasAny(s[:min(len(s), 160)], logDetails...)
	}
	last := p.open.Lines[n-1].Text
	return indented(s) || lines.Blank(s) || hasPrefix(s, pyChained...) || hasPrefix(s, pyTraceHead, "Caused by: ") || indented(last) || n < logLoose
}

func (p *log) Close(emit Emit) {
	r := take(&p.open)
	if r.Lines == nil {
		return
	}
	var drop []Line
	r.Lines, drop = thinTrace(r.Lines)
	r.Lines, drop = thinStack(r.Lines, drop)
	r.Key, r.Site = faultKey(r.Lines), lines.Location(r.Lines[0].Text)
	if len(r.Lines) > 1 {
		r.Brief = 1
	}
	if p.told[r.Key] {
		if r.Lines = again(r.Lines, emit); len(r.Lines) > 1 {
			r.Brief = len(r.Lines)
		}
	} else {
		p.told.add(r.Key, logTold)
	}
	emit(r)
	emitDropped(drop, emit)
}

// again leaves of a fault that was told before what happened and what was
// raised; where is known.
func again(ls []Line, emit Emit) []Line {
	keep, drop := split(ls, func(i int, l Line) bool { return i == 0 || raised(l.Text) })
	emit.each(Folded, drop)
	return keep
}

// raised reports whether s, below an entry, is no frame of its stack.
func raised(s string) bool {
	return !indented(s) && !lines.Blank(s) && !startsEntry(s) && !hasPrefix(s, pyChained...) && !strings.HasPrefix(s, pyTraceHead)
}

// emitDropped lets go of lines of a stack; marks under a source line are as
// good as blank.
func emitDropped(drop []Line, emit Emit) {
	for _, l := range drop {
		emit.line(Good.unless(pyCaret(l.Text), Folded), l)
	}
}

// faultKey is what a fault says: its first line and the exceptions below.
func faultKey(ls []Line) string {
	key := lines.Template(ls[0].Text)
	for _, l := range ls[1:] {
		if raised(l.Text) {
			key += "\n" + lines.Template(l.Text)
		}
	}
	return key
}

// thinStack moves the frames beyond the first own ones, and all foreign ones
// but the first, from keep to drop.
func thinStack(ls, drop []Line) (keep, dropped []Line) {
	own, other := 0, 0
	keep, dropped = split(ls, func(_ int, l Line) bool {
		t := strings.TrimLeft(l.Text, " \t")
		frame, mine := lines.Frame(l.Text)
		gone := elided(t)
		switch {
		case gone:
		case !frame && strings.HasPrefix(t, "Caused by: "):
			own, other = 0, 0
		case !frame || !strings.HasPrefix(t, "at "):
		case mine:
			own++
			gone = own > stackFrames
		default:
			other++
			gone = other > 1 || own > 0
		}
		return !gone
	})
	return keep, append(drop, dropped...)
}

// logLevel reads the level of a log line: Failure, Warn, or Body for the
// others and for lines without one. Known are a word of its own ("ERROR",
// "[error]", "error:"), key=value, JSON with a level by name or by number
// (pino, bunyan), and the first letter of klog.
func logLevel(s string) Class {
	if strings.HasPrefix(s, "{") {
		return levelClass(jsonLevel(s))
	}
	if len(s) > 5 && digitsOnly(s[1:5]) && s[5] == ' ' { // klog: E1120 20:48:40.107
		return Body.unless(s[0] == 'W', Warn).unless(s[0] == 'E' || s[0] == 'F', Failure)
	}
	head := s[:min(len(s), 160)]
	for words := 0; words < 10; words++ {
		var w string
		if w, head, _ = strings.Cut(strings.TrimLeft(head, " \t"), " "); w == "" {
			break
		}
		if !mayBeLevel(w[0]) {
			continue
		}
		for _, key := range [...]string{"level=", "lvl=", "severity="} {
			if v, ok := strings.CutPrefix(w, key); ok {
				return levelClass(strings.ToUpper(strings.Trim(v, `"`)))
			}
		}
		t := strings.TrimLeft(w, "[(<|")
		bracketed := len(t) < len(w)
		n := 0
		for n < len(t) && (t[n] >= 'A' && t[n] <= 'Z' || t[n] >= 'a' && t[n] <= 'z') {
			n++
		}
		level, rest := t[:n], t[n:]
		upper := strings.ToUpper(level)
		if level != upper && !bracketed && !strings.HasPrefix(rest, ":") || rest != "" && !strings.ContainsAny(rest[:1], ":])>|,") || !isLevel(upper) {
			continue
		}
		return levelClass(upper)
	}
	return Body
}

// mayBeLevel reports whether a level, or its key, can begin with c.
func mayBeLevel(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == '[' || c == '(' || c == '<' || c == '|'
}

// levels by what they mean; other words are none.
func levelClass(word string) Class {
	switch word {
	case "ERROR", "ERR", "EROR", "FATAL", "PANIC", "CRITICAL", "CRIT", "SEVERE", "ALERT", "EMERG", "EMERGENCY":
		return Failure
	case "WARN", "WARNING":
		return Warn
	}
	return Body
}

func isLevel(word string) bool {
	switch word {
	case "INFO", "DEBUG", "TRACE", "NOTICE", "LOG", "VERBOSE", "FINE", "FINER", "FINEST", "CONFIG", "STATEMENT", "DETAIL", "HINT", "CONTEXT":
		return true
	}
	return levelClass(word) != Body
}

// jsonLevel finds the level of a log line in JSON, in capitals.
func jsonLevel(s string) string {
	if _, v, ok := strings.Cut(s, `"PRIORITY":"`); ok { // journalctl -o json
		return levelName(v != "" && v[0] <= '3', v != "" && v[0] == '4')
	}
	for _, key := range [...]string{`"level":`, `"severity":`, `"lvl":`, `"log.level":`, `"levelname":`} {
		i := strings.Index(s, key)
		if i < 0 {
			continue
		}
		v := strings.TrimLeft(s[i+len(key):], " ")
		if v, ok := strings.CutPrefix(v, `"`); ok {
			name, _, _ := strings.Cut(v, `"`)
			return strings.ToUpper(name)
		}
		return levelName(hasPrefix(v, "5", "6"), strings.HasPrefix(v, "4")) // pino and bunyan
	}
	return ""
}

// levelName names a level that is given as a number.
func levelName(fails, warns bool) string {
	switch {
	case fails:
		return "ERROR"
	case warns:
		return "WARN"
	}
	return "INFO"
}

// jsonLogLine reports whether s is a log line in JSON: an object with a level
// and a time or a message.
func jsonLogLine(s string) bool {
	return strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") && jsonLevel(s) != "" && hasAny(s, `"msg"`, `"message"`, `"MESSAGE"`, `"ts"`, `"time"`, `"timestamp"`, `"event"`)
}

// startsEntry reports whether s begins an entry of a log: it has a time, a
// level or is a request.
func startsEntry(s string) bool {
	return !indented(s) && !lines.Blank(s) && (stamped(s) || request(s) || jsonLogLine(s) || klogOrLeveled(s))
}

// klogOrLeveled reports whether s, without a time, begins with a level.
func klogOrLeveled(s string) bool {
	w, _, _ := strings.Cut(s, " ")
	w, _, _ = strings.Cut(w, ":")
	w = strings.Trim(w, "[]<>|")
	return isLevel(w) || hasAny(s[:min(len(s), 60)], "level=", "lvl=") || len(s) > 5 && digitsOnly(s[1:5]) && s[5] == ' '
}

// logDetails are in lines with a time that belong to the fault above, as those
// of PostgreSQL do.
var logDetails = words{" DETAIL: ", " HINT: ", " CONTEXT: ", " STATEMENT: ", " QUERY: ", " LOCATION: "}

// cutService cuts the name that docker compose and kubectl put before each line
// of several containers: "web-1  | text", "[pod/web-1/app] text".
func cutService(s string) (name, text string) {
	if strings.HasPrefix(s, "[pod/") {
		if name, text, ok := strings.Cut(s, "] "); ok {
			return name, text
		}
	}
	name, text, ok := strings.Cut(s, "| ")
	if n := strings.TrimRight(name, " "); ok && n != name && len(n) < 60 && !strings.ContainsAny(n, " \t") {
		return n, text
	}
	return "", s
}

// journalFields returns of an entry of journalctl -o json the fields that
// people read; any other line as it is.
func journalFields(s string) string {
	if !strings.HasPrefix(s, "{") || !strings.Contains(s, `"__REALTIME_TIMESTAMP":"`) {
		return s
	}
	var b strings.Builder
	for _, key := range [...]string{`"__REALTIME_TIMESTAMP":`, `"PRIORITY":`, `"SYSLOG_IDENTIFIER":`, `"MESSAGE":`} {
		if i := strings.Index(s, key+`"`); i >= 0 {
			value := s[i+len(key):]
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(key + value[:stringEnd(value)])
		}
	}
	return b.String()
}

// A served request is a line of an access log in the common or the combined
// format: `10.0.0.1 - - [20/Nov/2026:15:37:22 +0000] "GET / HTTP/1.1" 200 157`.
type served struct {
	status string
	asked  string // method and path, without the query, numbers alike
}

// request reports whether s is a line of an access log.
func request(s string) bool { return strings.Contains(s, ` HTTP/`) && strings.Contains(s, `" `) }

func readRequest(s string) (served, bool) {
	_, rest, ok := strings.Cut(s, `"`)
	if !ok || !request(s) {
		return served{}, false
	}
	asked, rest, _ := strings.Cut(rest, `" `)
	status, _, _ := strings.Cut(rest, " ")
	if len(status) != 3 || !digitsOnly(status) {
		return served{}, false
	}
	asked, _, _ = strings.Cut(asked, "?")
	asked, _, _ = strings.Cut(asked, " HTTP/")
	return served{status, numberless(asked)}, true
}

// failed reports whether the answer was an error.
func (r served) failed() bool { return r.status[0] == '4' || r.status[0] == '5' }

// request keeps the first of equal requests, failed ones before others; who
// asked does not make them different.
func (p *log) request(l Line, r served, emit Emit) {
	key := r.status + " " + r.asked
	limit := logServed
	if r.failed() {
		limit = logRequests
	}
	if !p.requests[key] {
		if len(p.requests) >= limit {
			emit.line(Body, l)
			return
		}
		p.requests.add(key, limit)
	}
	emit(Record{Class: Keep, Key: key, Lines: []Line{l}})
}

// numberless replaces each number by one mark.
func numberless(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch digit := s[i] >= '0' && s[i] <= '9'; {
		case !digit:
			b.WriteByte(s[i])
		case i == 0 || s[i-1] < '0' || s[i-1] > '9':
			b.WriteByte('#')
		}
	}
	return b.String()
}
