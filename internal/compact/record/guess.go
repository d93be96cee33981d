package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// guess is the parser for output that no rule is for. Where its first lines
// are those of a list, paths or rows that look the same, every line that looks
// so is a row of it. A text that a person wrote stays as it is. All else is text.
type guess struct {
	held []Line
	list func(string) bool // what a row looks like; nil: there is no list
	text plainText
	seen bool // the first lines were looked at
	room int  // bytes for more of a text that a person wrote

	scale

	steps tally // lines of progress, by what they begin with
	step  Line  // the last of them, if it is not shown
}

const (
	guessLook = 40  // lines that decide
	guessLong = 300 // a longer line is no row
	guessStep = 3   // lines of progress that begin with the same word
)

func (p *guess) Line(l Line, emit Emit) {
	if p.seen {
		p.take(l, emit)
		return
	}
	if p.held = append(p.held, l); len(p.held) == guessLook {
		p.look(emit)
	}
}

func (p *guess) Close(emit Emit) {
	p.seen = true // so few lines are shown anyway
	p.look(emit)
	if p.step.Text != "" {
		emit.line(Keep, take(&p.step)) // how far it came
	}
	p.text.Close(emit)
}

func (p *guess) look(emit Emit) {
	if !p.seen {
		if p.list = listOf(p.held); p.list == nil && !p.less() && lines.Prose(textsOf(p.held)) {
			p.room = lines.ProseRoom
		}
	}
	p.seen = true
	for _, l := range take(&p.held) {
		p.take(l, emit)
	}
}

func (p *guess) take(l Line, emit Emit) {
	if p.room > 0 {
		p.room -= len(l.Text) + 1
		emit.line(Keep, l)
		return
	}
	if word := stepWord(l.Text); word != "" && p.list == nil && p.steps.next(word) > guessStep && worth(l.Text) == Body {
		p.text.Close(emit)
		if p.step.Text != "" {
			emit.line(Good, p.step)
		}
		p.step = l
		return
	}
	if p.list == nil || !p.list(l.Text) || worth(l.Text) != Body {
		p.text.Line(l, emit)
		return
	}
	p.text.Close(emit)
	if pathAlone(l.Text) {
		emit(named(l, "", l.Text, ""))
		return
	}
	emit.row(l)
}

// stepWord returns the word that a line of progress begins with: "Compiling
// 'a.py'...". It is "" for any other line.
func stepWord(s string) string {
	w := word(s)
	if len(w) < 5 || len(s) > guessLong || !isCapital(s[0]) || !strings.HasSuffix(w, "ing") || !hasSuffix(s, "...", "…", "... done", "... ok", "... OK", "...done") {
		return ""
	}
	return w
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// listOf says what the rows of a list look like that begins with these lines,
// or nil when they are none.
func listOf(head []Line) func(string) bool {
	most := func(is func(string) bool) bool {
		rows, all := 0, 0
		for _, l := range head {
			if lines.Blank(l.Text) {
				continue
			}
			all++
			if is(l.Text) {
				rows++
			}
		}
		return all >= guessLook/2 && rows*10 >= all*9
	}
	switch {
	case most(moded):
		return moded
	case !varied(head):
		return nil
	case most(pathAlone) && !wrapped(head):
		return pathAlone
	case most(setting):
		return setting
	case most(wordAlone) && !wrapped(head):
		return wordAlone
	}
	if at := columnAt(head); at > 0 {
		if row := func(s string) bool { return startsColumn(s, at) }; most(row) {
			return row
		}
	}
	tabs := strings.Count(head[len(head)-1].Text, "\t")
	if row := func(s string) bool { return strings.Count(s, "\t") == tabs && s[0] != '\t' && len(s) < guessLong }; tabs > 0 && most(row) {
		return row
	}
	return nil
}

// pathAlone reports whether s is a path and nothing else.
func pathAlone(s string) bool {
	return strings.Contains(s, "/") && wordAlone(s)
}

// moded reports whether s begins as a line of ls -l does.
func moded(s string) bool {
	return len(s) > 12 && strings.IndexByte("-dlbcps", s[0]) >= 0 && strings.Trim(s[1:10], "rwxsStT-") == "" && strings.ContainsAny(s[10:12], " .+")
}

// wordAlone reports whether s is one word that is a name.
func wordAlone(s string) bool {
	return s != "" && len(s) < guessLong && !strings.ContainsAny(s, " \t\"'`(){}<>;,=|") && strings.Trim(s, "0123456789.-") != "" && !strings.HasSuffix(s, ":")
}

// setting reports whether s is NAME=value.
func setting(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !isDigit(name[0]) && !strings.ContainsAny(name, " \t\"'`(){}<>;,|:/[]")
}

// varied reports whether most lines begin with a cell of their own: what a
// service or a test runner prints begins with the same few.
func varied(head []Line) bool {
	first := map[string]bool{}
	for _, l := range head {
		cell, _, _ := strings.Cut(strings.TrimSpace(l.Text), "  ")
		cell, _, _ = strings.Cut(cell, "\t")
		first[cell] = true
	}
	return len(first)*2 > len(head)
}

// wrapped reports whether most lines are as long as each other and long: an
// encoded text, not names.
func wrapped(head []Line) bool {
	same := 0
	for _, l := range head {
		if len(l.Text) == len(head[0].Text) {
			same++
		}
	}
	return same > len(head)/2 && len(head[0].Text) >= 60
}

// columnAt returns where the second column of a table begins that is padded
// with spaces, or 0.
func columnAt(head []Line) int {
	starts := map[int]int{}
	best := 0
	for _, l := range head {
		for i := 2; i < len(l.Text) && i < guessLong; i++ {
			if startsColumn(l.Text, i) {
				if starts[i]++; starts[i] > starts[best] {
					best = i
				}
			}
		}
	}
	return best
}

// numberOrName reports whether s begins with a name, or with a number that is
// set to the right.
func numberOrName(s string) bool {
	t := strings.TrimLeft(s, " ")
	return t != "" && (len(t) == len(s) || isDigit(t[0]))
}

// startsColumn reports whether a column of s begins at i, after padding.
func startsColumn(s string, i int) bool {
	return i < len(s) && i > 2 && s[i] != ' ' && s[i-1] == ' ' && s[i-2] == ' ' && numberOrName(s) && !stamped(s)
}

func textsOf(ls []Line) (out []string) {
	for _, l := range ls {
		out = append(out, l.Text)
	}
	return out
}
