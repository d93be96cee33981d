package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// A goStatement is what a failed test said by t.Error or t.Log, with what is
// indented below it; or what it printed, which has no place.
type goStatement struct {
	place string
	lines []Line
}

// goStatements splits the output of a test.
func goStatements(ls []Line) (out []goStatement) {
	depth := -1 // of the message that goes on
	for _, l := range ls {
		inset, place := leading(l.Text), goPlace(l.Text)
		switch {
		case place != "":
			depth = inset
			out = append(out, goStatement{place: place, lines: []Line{l}})
		case len(out) > 0 && (depth < 0 || inset > depth || lines.Blank(l.Text)):
			last := &out[len(out)-1]
			last.lines = append(last.lines, l)
		default:
			depth = -1
			out = append(out, goStatement{lines: []Line{l}})
		}
	}
	return out
}

// goPlace is where a line says that it comes from: "a_test.go:12" of
// "    a_test.go:12: got 1".
func goPlace(t string) string {
	s := strings.TrimLeft(t, " ")
	if at := lines.Location(s); at != "" && len(s) < len(t) && strings.HasPrefix(s, at+":") {
		return at
	}
	return ""
}

// says is the text of a message, without its place and the test's name.
func (m goStatement) says(test string) string {
	return strings.ReplaceAll(strings.TrimPrefix(said(m.lines, nil), m.place), test, "")
}

// emitFailed gives what a failed test says, and its result. Of a test that says
// the same as one before only its name and place are listed. In another, a
// message that was there before is listed with its place, as are the later
// messages that are alike but for what they quote, beyond the first few.
func (p *goTest) emitFailed(r goResult, emit Emit) {
	keep, drop := thinOutput(assertions(r.lines, emit))
	emit.each(Noise, drop)
	messages := goStatements(keep)
	result := Record{Class: Failure, Lines: []Line{r.result}}
	whole, place := "", ""
	for _, m := range messages {
		whole += m.says(r.name)
		if place == "" {
			place = m.place
		}
	}
	result.Key = p.reasons.key(whole)
	_, again := p.reasons.places[result.Key]
	result.Site = p.reasons.where(result.Key, r.name, place)
	first := true
	for _, m := range messages {
		if again || len(messages) == 1 {
			result.Lines = append(result.Lines, m.lines...)
			continue
		}
		rec := Record{Class: Failure, Lines: m.lines}
		if m.place != "" {
			text := m.says(r.name)
			if rec.Site, rec.Key = m.place, "message "+text; !first {
				rec.Key = "message " + p.messages.like(text, lines.Template(unquoted(text)))
			}
			first = false
		}
		emit(rec)
		result.Class = Keep // the messages are the failure
	}
	slices.SortFunc(result.Lines, func(a, b Line) int { return a.N - b.N })
	emit(result)
}

// unquoted is a text without what stands in double quotes.
func unquoted(s string) string {
	var b strings.Builder
	for i, quoted := 0, false; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case !quoted:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// assertions shortens what testify prints: a table of the place, the error and
// the test's name below the place that testing printed.
func assertions(ls []Line, emit Emit) []Line {
	out := ls[:0:0]
	head := -1  // the line of out that has the place, of the table that goes on
	label := "" // of the row that goes on
	var diff []Line
	short := 0 // "expected" and "actual" that are told in a line of their own
	endDiff := func() {
		if short < 2 {
			out = append(out, diff...)
		} else {
			emit.each(Folded, diff)
		}
		diff, short = nil, 0
	}
	for _, l := range ls {
		name, value, row := tableRow(l.Text)
		if !row || head < 0 && name != "Error Trace" {
			endDiff()
			head = -1
			out = append(out, l)
			continue
		}
		if name != "" {
			label = name
		}
		if name == "Error Trace" {
			endDiff()
			if head = len(out) - 1; head < 0 || goPlace(out[head].Text) == "" {
				head = -1
				out = append(out, l)
				continue
			}
		}
		if label != "Error" {
			endDiff()
		}
		inset := strings.Repeat(" ", leading(out[head].Text)+4)
		at := goPlace(out[head].Text)
		bare := strings.TrimSpace(value)
		switch {
		case bare == "", label == "Test", label == "Error Trace" && (strings.HasSuffix(bare, "/"+at) || !ownGoFrame("runtime.", bare)):
			emit.line(Folded, l)
		case name == "Error" && strings.HasSuffix(strings.TrimSpace(out[head].Text), at+":"):
			out[head].Text = strings.TrimRight(out[head].Text, " ") + " " + bare
			emit.line(Folded, l)
		case label == "Error" && (bare == "Diff:" || len(diff) > 0):
			l.Text = inset + strings.TrimRight(value, " ")
			diff = append(diff, l)
		default:
			if label == "Error" && hasPrefix(value, "expected: ", "actual  : ") && len(value) < assertionShort {
				short++
			}
			l.Text = inset + strings.TrimRight(value, " ")
			if name != "" && name != "Error" || label == "Error Trace" {
				l.Text = inset + label + ": " + bare
			}
			out = append(out, l)
		}
	}
	endDiff()
	return out
}

const assertionShort = 120 // bytes of a value that needs no diff

// tableRow reads a row of testify's: "\tError:      \tNot equal" and what goes on below it.
func tableRow(t string) (name, value string, ok bool) {
	t, ok = strings.CutPrefix(strings.TrimLeft(t, " "), "\t")
	name, value, found := strings.Cut(t, "\t")
	if !ok || !found {
		return "", "", ok && lines.Blank(t)
	}
	name = strings.TrimRight(name, " ")
	return strings.TrimSuffix(name, ":"), value, name == "" || strings.HasSuffix(name, ":")
}
