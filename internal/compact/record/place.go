package record

import "strings"

// A diagnostic is the first line of a compiler's or a linter's message, taken
// apart. The forms are those of gcc and clang (file:line:col: error: text), of
// tsc and msc (file(line,col): error TS1: text), of tsc --pretty and pyright
// (file:line:col - error TS1: text) and, without a label, of go and linters
// (file:line:col: text).
type diagnostic struct {
	site    string // "file:line:col" or "file(line,col)", as written
	label   string // "error", "fatal error", "warning", "note", …; "" when there is none
	code    string // "TS2345" of "error TS2345:"
	text    string
	indent  int
	columns bool // the site names a column
}

// parseDiagnostic reads a line. ok is false for one that names no place at
// its start.
func parseDiagnostic(s string) (d diagnostic, ok bool) {
	t := strings.TrimLeft(s, " \t")
	d.indent = len(s) - len(t)
	end := placeEnd(t)
	if end < 0 {
		return d, false
	}
	d.site = t[:end]
	d.columns = strings.ContainsAny(d.site[strings.LastIndexAny(d.site, "./\\")+1:], ",(") || strings.Count(d.site, ":") >= 2
	rest := t[end:]
	switch {
	case hasPrefix(rest, ": ", ":\t"):
		rest = rest[2:]
	case strings.HasPrefix(rest, " - "):
		rest = rest[3:]
	default:
		return d, false
	}
	d.label, d.code, d.text = cutLabel(rest)
	return d, strings.TrimSpace(d.text) != ""
}

// placeEnd returns the length of the place that s starts with, or -1.
func placeEnd(s string) int {
	i := 1
	for ; i < len(s)-1; i++ {
		c := s[i]
		if c == ' ' || c == '\t' || c == '"' {
			return -1
		}
		if (c == ':' || c == '(') && isDigit(s[i+1]) {
			break
		}
	}
	if i >= len(s)-1 || !fileLike(s[:i]) {
		return -1
	}
	open := s[i]
	for i++; i < len(s) && isDigit(s[i]); i++ {
	}
	for i+1 < len(s) && (s[i] == ':' || s[i] == ',' || s[i] == '-') && isDigit(s[i+1]) {
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	if open == '(' {
		if i >= len(s) || s[i] != ')' {
			return -1
		}
		i++
	}
	return i
}

// fileLike reports whether a word may be a file's name: not a number and not
// a clock time, and no URL's scheme and host.
func fileLike(w string) bool {
	letters := strings.ContainsFunc(w, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
	return letters && !strings.Contains(w, "://") && !strings.HasPrefix(w, "[")
}

var labels = [...]string{"fatal error", "internal compiler error", "error", "warning", "note", "remark", "information", "info", "hint", "help", "style", "refactor", "convention", "fatal", "Error", "Warning", "sorry, unimplemented"}

// cutLabel takes "error TS2345: text" and "error[E1]: text" apart.
func cutLabel(s string) (label, code, text string) {
	for _, l := range labels {
		rest, ok := strings.CutPrefix(s, l)
		if !ok {
			continue
		}
		if strings.HasPrefix(rest, "[") {
			if j := strings.Index(rest, "]: "); j > 0 {
				return l, rest[1:j], rest[j+3:]
			}
		}
		if strings.HasPrefix(rest, ":") {
			return l, "", strings.TrimLeft(rest[1:], " ")
		}
		if strings.HasPrefix(rest, " ") {
			if j := strings.Index(rest, ": "); j > 1 && !strings.Contains(rest[1:j], " ") {
				return l, rest[1:j], rest[j+2:]
			}
		}
	}
	return "", "", s
}

// class is what a diagnostic with this label is worth; ok is false for a
// remark that belongs to the one before it.
func labelClass(label string) (c Class, ok bool) {
	switch strings.ToLower(label) {
	case "warning", "style", "refactor", "convention", "info", "information":
		return Warn, true
	case "note", "remark", "hint", "help":
		return Body, false
	}
	return Failure, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// digits is how many digits s begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// leading is how many spaces s begins with.
func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// marks reports whether s points at the line above it, with carets, tildes and
// what else compilers draw with, perhaps with a word beside them.
func marks(s string) bool {
	found := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '^', '~':
			found = true
		case ' ', '\t', '-', '|', '+':
		default:
			return found && strings.ContainsAny(s[:i], "^~") && s[i-1] == ' '
		}
	}
	return found
}

// draws reports whether s is nothing but such marks, without a word.
func draws(s string) bool {
	return strings.ContainsAny(s, "^~") && strings.Trim(s, " \t^~-|+") == ""
}
