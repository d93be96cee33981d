package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// The head of a report of eslint -f json, which is one line, and what is
// looked for in it. A quote inside of a string is behind a backslash, so that
// none of these is found there.
const (
	eslintReport     = `[{"filePath":"`
	eslintFile       = `{"filePath":"`
	eslintMessage    = `{"ruleId":`
	eslintSuppressed = `"suppressedMessages":[`
	eslintCounts     = `"errorCount":`
)

// eslintJSON gives out the messages of a report, each as a record of its own
// with the part of the line up to its place. The line may be cut off.
func eslintJSON(l Line, emit Emit) bool {
	if !strings.HasPrefix(l.Text, eslintReport) {
		return false
	}
	file, found := "", false
	for s := l.Text; ; {
		at, what := len(s), ""
		for _, w := range [...]string{eslintFile, eslintMessage, eslintSuppressed, eslintCounts} {
			if i := strings.Index(s[:at], w); i >= 0 {
				at, what = i, w
			}
		}
		switch what {
		case eslintFile:
			s = s[at+len(eslintFile)-1:]
			n := stringEnd(s)
			file, s = strings.Trim(s[:n], `"`), s[n:]
		case eslintSuppressed, eslintCounts: // no message of this file follows
			if at = strings.Index(s, eslintFile); at < 0 {
				at = len(s)
			}
			s = s[at:]
		case eslintMessage:
			rec, n := eslintEntry(s[at:], file)
			s = s[at+n:]
			if n == 0 {
				s = s[len(eslintMessage):]
				continue
			}
			found = true
			rec.Lines = []Line{{N: l.N, Text: rec.Row}}
			emit(rec)
		default:
			if !found {
				l.Text = lines.Clip(l.Text)
				emit.line(Keep, l)
			}
			return true
		}
	}
}

// eslintEntry reads a message and how long it is up to the end of its place.
func eslintEntry(s, file string) (rec Record, n int) {
	i := strings.Index(s, `"column":`)
	if i < 0 {
		return rec, 0
	}
	n = i + len(`"column":`)
	col := jsonNumber(s[n:])
	n += len(col)
	row := s[:n]
	_, line, _ := strings.Cut(row, `"line":`)
	_, severity, _ := strings.Cut(row, `"severity":`)
	_, rule, _ := strings.Cut(row, eslintMessage)
	rule, _, _ = strings.Cut(rule, ",")
	rec = Record{Class: Failure, Group: strings.Trim(rule, `"`), Site: file + ":" + jsonNumber(line) + ":" + col, Under: file, Row: row}
	if strings.HasPrefix(severity, "1") {
		rec.Class = Warn
	}
	if rec.Group == "null" {
		rec.Group = "Parsing error"
	}
	return rec, n
}

// jsonNumber is the whole number that s begins with.
func jsonNumber(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }
