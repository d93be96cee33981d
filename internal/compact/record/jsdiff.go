package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// A diff of a failure stands below a line or two that say which side is which:
// "- Expected" and "+ Received", or "+ actual - expected".

// jsLegend reports whether t says which side of a diff is which.
func jsLegend(t string) bool {
	return hasPrefix(t, "- Expected", "+ Received", "- Snapshot", "+ actual - expected", "+ expected - actual")
}

// thinDiffs leaves out of what is kept the lines of a diff that are equal on
// both sides, but for those that tell where in the value a change is; and all
// of a diff that says no more than the message above it.
func (f *jsFault) thinDiffs(keep []bool) {
	before := "" // the legend of the diff above
	for i := 0; i < len(f.body); i++ {
		if f.body[i].part != partMessage || !jsLegend(strings.TrimSpace(f.body[i].Text)) {
			continue
		}
		column, legend, says := leading(f.body[i].Text), i, strings.TrimSpace(f.body[i].Text)
		for i++; i < len(f.body) && (f.body[i].part == partSkip || jsLegend(strings.TrimSpace(f.body[i].Text))); i++ {
		}
		from := i
		for i < len(f.body) && f.inDiff(i, column) {
			i++
		}
		if before == "+ actual - expected" && says == "+ expected - actual" { // mocha draws what assert's message has drawn
			clear(keep[legend:i])
		} else {
			f.thinDiff(keep, legend, from, i, column)
		}
		before = says
		i--
	}
}

// inDiff reports whether line i, below one of a diff, is another.
func (f *jsFault) inDiff(i, column int) bool {
	l := f.body[i]
	if kind, _ := errorOf(l.Text); kind != "" && leading(l.Text) == column {
		return false // the stack begins
	}
	return leading(l.Text) >= column && l.part == partMessage && !jsLegend(strings.TrimSpace(l.Text)) ||
		leading(l.Text) >= column && l.part == partSkip && !lines.Blank(l.Text)
}

// thinDiff does so for the diff in lines from to to, whose marks stand at column.
func (f *jsFault) thinDiff(keep []bool, legend, from, to, column int) {
	changed := func(i int) bool {
		s := f.body[i].Text
		return len(s) > column && leading(s) == column && (s[column] == '-' || s[column] == '+')
	}
	inside := func(i int) int {
		s := f.body[i].Text
		return leading(s[min(len(s), column+1):])
	}
	var minus, plus []string
	nested := false // the change is in a part of the value
	for i := from; i < to; i++ {
		if !changed(i) {
			continue
		}
		nested = nested || inside(i) > 1
		side := &minus
		if f.body[i].Text[column] == '+' {
			side = &plus
		}
		*side = append(*side, strings.TrimRight(strings.TrimSpace(f.body[i].Text[column+1:]), ","))
	}
	if len(minus)+len(plus) == 0 {
		return
	}
	if !nested && len(minus) == 1 && len(plus) == 1 && f.says(legend, to, minus[0]) && f.says(legend, to, plus[0]) {
		clear(keep[legend:to])
		return
	}
	inner := -1   // of the change below, how far in it stands
	text := false // which is a line of text, told by the one above it
	for i := to - 1; i >= from; i-- {
		in := inside(i)
		switch {
		case changed(i):
			if inner = in; i+1 < to && changed(i+1) {
				inner = min(in, inside(i+1))
			}
			text = !hasSuffix(f.body[i].Text, ",", "{", "[", "}", "]") && nested
		case in > 1 && in < inner && !strings.HasPrefix(strings.TrimSpace(f.body[i].Text), "@@ "):
			inner, text = in, false // what the change is in
		case text && strings.TrimSpace(f.body[i].Text) != "" && !strings.HasPrefix(strings.TrimSpace(f.body[i].Text), "@@ "):
			text = false
			keep[i] = !hasSuffix(f.body[i].Text, "{", "[", "(")
		default:
			keep[i] = false
		}
	}
}

// says reports whether the message has a value in it, but for lines from to to.
func (f *jsFault) says(from, to int, value string) bool {
	for i, l := range f.body {
		if l.part != partMessage || value == "" || from <= i && i < to || hasPrefix(strings.TrimSpace(l.Text), "- ", "+ ") {
			continue
		}
		for rest := l.Text; ; {
			_, after, ok := strings.Cut(rest, value)
			if !ok {
				break
			}
			before := rest[:len(rest)-len(after)-len(value)]
			if !wordEnd(before) && !wordStart(after) {
				return true
			}
			rest = after
		}
	}
	return false
}

func wordEnd(s string) bool   { return s != "" && wordByte(s[len(s)-1]) }
func wordStart(s string) bool { return s != "" && wordByte(s[0]) }

func wordByte(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
