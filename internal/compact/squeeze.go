package compact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// squeezed is the text of a result with what its messages repeat said once: a
// file that several messages in a row are about heads them, those of them that
// say the same are one line with their places, so are lines that differ in a name,
// and of lines under one label the first has it. Nothing is left out.
func squeezed(body string) string {
	in := strings.Split(body, "\n")
	quoted := map[string]bool{}
	for i, s := range in {
		in[i] = quotedOnce(s, quoted)
	}
	out := in[:0:0]
	for i := 0; i < len(in); {
		n := 0
		if first, ok := parseSpot(in[i]); ok {
			var run []string
			if run, n = sameFile(first, in[i:]); n > 0 {
				out = append(out, run...)
			}
		} else if at, rest, ok := parseRow(in[i]); ok {
			for n = 1; i+n < len(in); n++ {
				other, same, _ := parseRow(in[i+n])
				if same != rest || leadingSpace(in[i+n]) != leadingSpace(in[i]) {
					break
				}
				at += "," + other
			}
			out = append(out, in[i][:leadingSpace(in[i])]+at+rest)
		}
		if n == 0 {
			out, n = append(out, in[i]), 1
		}
		i += n
	}
	out = namesOnce(out)
	labelOnce(out)
	return strings.Join(out, "\n")
}

// labelOnce takes the label off lines below one that has the same: they are
// indented by a space. Markers may stand in between.
func labelOnce(ls []string) {
	open := ""
	for i, s := range ls {
		label := labelOf(s)
		switch {
		case label != "" && label == open:
			ls[i] = " " + s[len(label):]
		case !strings.HasPrefix(s, "[… "):
			open = label
		}
	}
}

// labelOf returns the label that a program puts before each line of a message,
// with the space behind it: "npm error ", "npm WARN "; or the test that pytest lists
// with one parameter of many: "FAILED t.py::test".
func labelOf(s string) string {
	if i := strings.IndexByte(s, '['); i > 0 && (strings.HasPrefix(s, "FAILED ") || strings.HasPrefix(s, "ERROR ")) && strings.Contains(s[:i], "::") {
		return s[:i]
	}
	rest, ok := strings.CutPrefix(s, "npm ")
	if i := strings.IndexByte(rest, ' '); ok && i > 0 {
		switch rest[:i] {
		case "error", "ERR!", "warn", "WARN":
			return s[:len("npm ")+i+1]
		}
	}
	return ""
}

// quotedOnce is a line without the ends of long quoted texts that a line above
// it has shown: what a test got, again and again.
func quotedOnce(s string, seen map[string]bool) string {
	if len(s) < quotedLong {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		end := i + 1
		for end < len(s) && s[end] != '"' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s) {
			break
		}
		text := s[i : end+1]
		b.WriteString(s[:i])
		if s = s[end+1:]; len(text) < quotedLong || !seen[text] {
			seen[text] = len(seen) < maxKeys
			b.WriteString(text)
			continue
		}
		cut := quotedShown
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		b.WriteString(text[:cut] + `…" [… as above …]`)
	}
	return b.String() + s
}

const (
	quotedLong  = 80 // bytes of a quoted text that is worth leaving out
	quotedShown = 40 // and of its beginning, which stays
)

// fewMessages about one file stay as they are: a heading would save next to nothing.
const fewMessages = 3

// A spot is a message with its place: "lib/a.go:3:1: text", "lib/a.ts(3,1): text".
type spot struct{ file, at, text string }

func (s spot) site() string {
	if strings.HasPrefix(s.at, "(") {
		return s.file + s.at
	}
	return s.file + ":" + s.at
}

// sameFile is what becomes of the run of messages about one file that begins
// with first, and how many lines it takes: 0 if heading them saves nothing.
// Indented lines and markers between two messages belong to the first of them.
func sameFile(first spot, in []string) (out []string, n int) {
	type message struct {
		spot
		below []string
	}
	var run []message
	for i, s := range in {
		if sp, ok := parseSpot(s); ok && sp.file == first.file {
			run = append(run, message{spot: sp})
			n = i + 1
			continue
		} else if ok || s == "" || s[0] != ' ' && s[0] != '\t' && !strings.HasPrefix(s, "[… ") {
			break
		}
		last := &run[len(run)-1]
		last.below = append(last.below, s)
		n = i + 1
	}
	if len(run) < fewMessages {
		return nil, 0
	}
	alone := map[string][]spot{} // of messages with nothing below, those that differ in one quoted name at most
	for _, m := range run {
		if len(m.below) == 0 {
			before, _, after := quotedName(m.text)
			alone[before+"\x00"+after] = append(alone[before+"\x00"+after], m.spot)
		}
	}
	out = append(out, first.file)
	for _, m := range run {
		before, _, after := quotedName(m.text)
		switch same := alone[before+"\x00"+after]; {
		case len(m.below) > 0:
			out = append(append(out, " "+m.at+m.text), m.below...)
		case len(same) > 0:
			out = append(out, " "+oneMessage(same, before, after))
			delete(alone, before+"\x00"+after)
		}
	}
	return out, n
}

// oneMessage is the line for messages that are the same, or differ in a name:
// "3:1,9:2: unused" or "3:1 'a', 9:2 'b': … is unused".
func oneMessage(same []spot, before, after string) string {
	one := true
	for _, m := range same {
		one = one && m.text == same[0].text
	}
	var b strings.Builder
	for i, m := range same {
		_, name, _ := quotedName(m.text)
		switch {
		case i > 0 && !one:
			b.WriteString(", ")
		case i > 0 && m.at[0] != '(':
			b.WriteByte(',')
		}
		if b.WriteString(m.at); !one {
			b.WriteString(" " + name)
		}
	}
	if one {
		return b.String() + same[0].text
	}
	return b.String() + before + "…" + after
}

// quotedName cuts a message around the first name in it that stands in quotes.
func quotedName(s string) (before, name, after string) {
	for _, q := range [...][2]string{{"'", "'"}, {`"`, `"`}, {"`", "`"}, {"‘", "’"}} {
		i := strings.Index(s, " "+q[0]) + 1
		if strings.HasPrefix(s, q[0]) {
			i = 0
		} else if i < 1 {
			continue
		}
		n := strings.Index(s[i+len(q[0]):], q[1])
		if end := i + len(q[0]) + n + len(q[1]); n > 0 && n < nameLong && len(s)-(end-i) > messageShort {
			return s[:i], s[i:end], s[end:]
		}
	}
	return s, "", ""
}

const (
	nameLong     = 60 // bytes of a quoted name that one message may have and another not
	messageShort = 24 // of the rest, below which saying it once saves little
)

// Shows reports whether a result has a line, be it as a message below its file,
// or with its place below it.
func Shows(result, line string) bool {
	result, line = unruled(result), unruledLine(line)
	if strings.Contains(squeeze(result), squeeze(line)) {
		return true
	}
	if label := labelOf(line); label != "" && strings.Contains(result, label) {
		return strings.Contains(squeeze(result), " "+squeeze(line[len(label):]))
	}
	words := strings.Fields(line)
	head, below := "", ""
	for _, s := range strings.Split(result, "\n") {
		switch leadingSpace(s) {
		case 0:
			head, below = s, ""
		case 1:
		default:
			below += "\n" + s
		}
		if unit := head + below + "\n" + s; !slices.ContainsFunc(words, func(w string) bool { return !hasWord(unit, result, w) }) {
			return true
		}
	}
	return false
}

// hasWord reports whether a part of a result has a word, or a place: then the
// directory of its file may be anywhere.
func hasWord(s, result, w string) bool {
	w = strings.Trim(w, ".,:;()'\"`‘’^-|✖×[]")
	if w == "" || strings.Contains(s, w) && strings.Trim(w, "0123456789:,") != "" {
		return true
	}
	file, at := splitPlace(w)
	if strings.Trim(w, "0123456789:,") == "" {
		file, at = "", w
	}
	dir, base := cutDir(file)
	return at+dir != "" && strings.Contains(s, base) && strings.Contains(result, dir) && hasPlace(s, strings.Trim(at, ":()"))
}

// hasPlace reports whether s has a place, and not only as a part of another.
func hasPlace(s, at string) bool {
	for i := 0; ; {
		j := strings.Index(s[i:], at)
		if j < 0 {
			return false
		}
		i += j + len(at)
		before := byte(' ')
		if i > len(at) {
			before = s[i-len(at)-1]
		}
		if (before < '0' || before > '9') && (i == len(s) || s[i] < '0' || s[i] > '9') {
			return true
		}
	}
}

// parseSpot reads a line that begins with a file and a place in it.
func parseSpot(s string) (spot, bool) {
	if s == "" || s[0] == ' ' || s[0] == '\t' || s[0] == '[' {
		return spot{}, false
	}
	file, rest := splitPlace(s)
	if rest == "" || len(file) < 3 || strings.ContainsAny(file, " \t\"'<>|=") || !strings.ContainsAny(file, "./") || strings.IndexFunc(file, unicode.IsLetter) < 0 {
		return spot{}, false
	}
	end := 0
	if rest[0] == '(' {
		end = strings.IndexByte(rest, ')') + 1
		if end == 0 || strings.Trim(rest[1:end-1], "0123456789,") != "" {
			return spot{}, false
		}
	} else {
		rest = rest[1:]
		end = len(rest) - len(strings.TrimLeft(rest, "0123456789:"))
		if end > 0 && rest[end-1] == ':' {
			end--
		}
	}
	if text := rest[end:]; strings.HasPrefix(text, ": ") || strings.HasPrefix(text, " - ") {
		return spot{file, rest[:end], text}, true
	}
	return spot{}, false
}

// parseRow reads an indented row of a linter below its file: "  3:1  error  text".
func parseRow(s string) (at, rest string, ok bool) {
	t := s[leadingSpace(s):]
	end := len(t) - len(strings.TrimLeft(t, "0123456789:"))
	at, rest = t[:end], t[end:]
	line, column, found := strings.Cut(at, ":")
	ok = found && len(t) < len(s) && line != "" && column != "" && !strings.Contains(column, ":") && strings.HasPrefix(rest, "  ")
	return at, rest, ok
}

func leadingSpace(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
