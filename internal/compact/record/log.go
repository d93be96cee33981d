package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// log is the parser for logs of servers: a line is a record with the lines
// below that have no time of their own, or that say more of the same fault.
// Errors and failed requests stay, equal ones are counted; the rest is left to
// dedupe and the window.
type log struct {
	open     Record          // a fault that is not complete yet
	requests map[string]bool // distinct failed ones kept
}

const (
	logBlock    = 60 // lines of one fault
	logRequests = 40
)

func (p *log) Line(l Line, emit func(Record)) {
	l.Text = lines.Clip(l.Text)
	s := l.Text
	if p.open.Lines != nil {
		if len(p.open.Lines) < logBlock && (!stamped(s) && !request(s) || elaborates(s)) {
			p.open.Lines = append(p.open.Lines, l)
			return
		}
		p.Close(emit)
	}
	if key := failedRequest(s); key != "" {
		if p.requests == nil {
			p.requests = map[string]bool{}
		}
		if p.requests[key] || len(p.requests) < logRequests {
			p.requests[key] = true
			emit(Record{Class: Keep, Key: key, Lines: []Line{l}})
			return
		}
	} else if class := logClass(s); class != Body {
		p.open = Record{Class: class, Lines: []Line{l}}
		return
	}
	emit(Record{Lines: []Line{l}})
}

func (p *log) Close(emit func(Record)) {
	if n := len(p.open.Lines); n > 0 {
		first := p.open.Lines[0].Text
		p.open.Key = lines.Template(first)
		// An exception's message comes last.
		if last := p.open.Lines[n-1].Text; !indented(last) && !stamped(last) {
			p.open.Key += lines.Template(last)
		}
		emit(p.open)
	}
	p.open = Record{}
}

// logClass reads the level of a line. Only the part before the message counts.
func logClass(s string) Class {
	head := s[:min(len(s), 120)]
	for i := 0; i < len(head); i++ {
		if i > 0 && (isLetter(head[i-1]) || head[i-1] == '_') {
			continue
		}
		switch c := head[i]; c {
		case 'E', 'F', 'P', 'C', 'S', 'W', 'T', '[', 'l', '"', 'e':
			if class := logLevel(head[i:]); class != Body && !strings.HasSuffix(head[:i], " 0 ") {
				return class
			}
		}
	}
	if lines.Classify(s) >= lines.Trouble {
		return Keep
	}
	return Body
}

// logLevel returns the class of the level that s begins with, Body for none.
func logLevel(s string) Class {
	for _, w := range [...]string{"ERROR", "FATAL", "PANIC", "CRITICAL", "SEVERE", "[error]", "[emerg]", "[crit]", "[alert]", "level=error", "level=fatal", "lvl=eror", `"level":"error"`, "error: ", "Traceback (most recent"} {
		if w[0] == s[0] && strings.HasPrefix(s, w) {
			return Failure
		}
	}
	for _, w := range [...]string{"WARN", "[warn]", "level=warn", `"level":"warn`} {
		if w[0] == s[0] && strings.HasPrefix(s, w) {
			return Warn
		}
	}
	return Body
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// elaborates reports whether a line with a time belongs to the fault above,
// as those of PostgreSQL do.
func elaborates(s string) bool {
	for _, w := range [...]string{" DETAIL: ", " HINT: ", " CONTEXT: ", " STATEMENT: "} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// request reports whether s is a line of an access log in the common format:
// `10.0.0.1 - - [20/Nov/2026:15:37:22 +0000] "GET / HTTP/1.1" 200 157`.
func request(s string) bool { return strings.Contains(s, ` HTTP/`) && strings.Contains(s, `" `) }

// failedRequest returns the status, from 400 on, and what was asked, with
// numbers alike; or "".
func failedRequest(s string) string {
	_, rest, ok := strings.Cut(s, `"`)
	if !ok || !request(s) {
		return ""
	}
	asked, rest, _ := strings.Cut(rest, `" `)
	status, _, _ := strings.Cut(rest, " ")
	if len(status) != 3 || status[0] != '4' && status[0] != '5' {
		return ""
	}
	return status + " " + numberless(asked)
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
