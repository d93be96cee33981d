package record

import (
	"strings"
)

// frameless is a diagnostic of rustc's without the source that it shows: the
// place says where that is. What stands beside the marks stays, with the number
// of its line where that is not the place's, and so does code that is suggested.
func frameless(block []Line, emit Emit) []Line {
	out := block[:0:0]
	at, number := "", ""             // the lines of the last place, and of the source above
	suggested, impls := false, false // what the last heading is about
	for i, l := range block {
		s := strings.TrimLeft(l.Text, " ")
		arrow, place := cutArrow(l.Text)
		n, numbered := sourceRow(l.Text)
		switch {
		case i == 0:
		case arrow:
			at, number = placeLine(place), ""
			l.Text = " " + s
		case strings.HasPrefix(s, "::: "):
			place = strings.TrimPrefix(s, "::: ")
			at, number = placeLine(place), ""
			if ownFile(place) && !impls {
				l.Text = " " + s
				break
			}
			emit.line(Folded, l)
			continue
		case numbered && suggested:
			l.Text = s
		case numbered, s == "...", barred(l.Text):
			if numbered {
				number = n
			}
			_, marks, _ := strings.Cut(l.Text, "|")
			label := strings.TrimLeft(marks, " |^~-_/\\")
			if marks = strings.TrimSuffix(marks, label); label == "" || numbered || s == "..." {
				emit.line(Folded, l)
				continue
			}
			l.Text = "  "
			if number != at && number != "" {
				l.Text += number + ": "
			}
			if strings.HasSuffix(strings.TrimRight(marks, " "), "^") {
				l.Text += "^ "
			}
			l.Text += label
		case hasPrefix(l.Text, "help: ", "note: "):
			impls = strings.HasPrefix(s, "help: the following other types implement trait ")
			suggested = !impls && strings.HasPrefix(s, "help: ")
		case impls && (!strings.HasPrefix(s, "= ") || strings.Contains(s, "` implements `") || s == "= note: in this macro invocation"):
			emit.line(Folded, l)
			continue
		default:
			impls = strings.HasPrefix(s, "= help: the following other types implement trait ")
			if strings.HasPrefix(s, "= ") {
				s, _, _ = strings.Cut(s, " (in Nightly builds, run with ")
				l.Text = " " + s
			}
		}
		out = append(out, l)
	}
	return out
}

// sourceRow reads a line of source as rustc shows it: "12 | code", and
// "12 + code" where it suggests it.
func sourceRow(s string) (number string, ok bool) {
	s = strings.TrimLeft(s, " ")
	i := digits(s)
	code := strings.TrimLeft(s[i:], " ")
	return s[:i], i > 0 && len(code) < len(s)-i && code != "" && strings.IndexByte("|+-~/", code[0]) >= 0
}

// placeLine is the line of "src/a.rs:3:5".
func placeLine(place string) string {
	_, at, _ := strings.Cut(place, ":")
	line, _, _ := strings.Cut(at, ":")
	return line
}

// ownFile reports whether a path of rustc's is in the project.
func ownFile(path string) bool {
	return !hasPrefix(path, "/rustc/") && !hasAny(path, "/.cargo/registry/", "/.cargo/git/", "/.rustup/", "/lib/rustlib/")
}
