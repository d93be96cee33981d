package lines

import (
	"encoding/binary"
	"strings"
)

// Clean returns what a person would see of line on a terminal: without escape
// sequences, NUL and other control bytes, and of a line redrawn with carriage
// returns only the last state, and those that speak of a fault: a spinner may
// have written over them. Most lines need none of that and cost one scan.
func Clean(line string) string {
	if len(line) > 0 && line[len(line)-1] == '\r' {
		line = strings.TrimRight(line, "\r")
	}
	if !hasControl(line) {
		return line
	}
	if i := strings.LastIndexByte(line, '\r'); i >= 0 && !content(line[:i]) {
		line = faults(line[:i], line[i+1:]) + line[i+1:]
	}
	return stripControl(line)
}

// faults returns the states of a redrawn line that speak of a fault and are not
// in the last one. Those that only count on are one.
func faults(states, last string) string {
	var out strings.Builder
	last = stripControl(last)
	seen := map[string]bool{}
	for state := range strings.SplitSeq(states, "\r") {
		state = strings.TrimSpace(stripControl(state))
		signal := Classify(state)
		if kind := strings.Map(noDigit, state); signal >= Trouble && !seen[kind] {
			seen[kind] = true
			if !strings.Contains(last, state) && (signal == Failure || !alikeHalf(state, strings.TrimSpace(last))) {
				out.WriteString(state + " ")
			}
		}
	}
	return out.String()
}

func noDigit(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// alikeHalf reports whether a line that was redrawn begins as state did, as that
// of a test whose name speaks of an error does.
func alikeHalf(state, last string) bool {
	return strings.HasPrefix(last, state[:len(state)/2])
}

// widest is how many bytes one state of a progress line may have. What is
// longer is content that a progress meter was written into, as curl does.
const widest = 512

// content reports whether any of the states of a redrawn line is too long to
// be progress.
func content(states string) bool {
	for len(states) > widest {
		i := strings.IndexByte(states, '\r')
		if i < 0 || i > widest {
			return true
		}
		states = states[i+1:]
	}
	return false
}

// Plain reports whether a line is printable ASCII alone: nearly all are. It looks at
// eight bytes at a time. One with a tab is not plain.
func Plain(line string) bool {
	const each = 0x0101010101010101
	s := line
	for ; len(s) >= 8; s = s[8:] {
		w := binary.LittleEndian.Uint64([]byte(s))
		// The high bit of a byte of the first is set where it is less than a space (or
		// where the one before it borrows: then that one is), of the second from 0x7f on.
		if ((w-each*' ')|(w+each)|w)&(each*0x80) != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func hasControl(s string) bool {
	for i := 0; i < len(s); i++ {
		if class[s[i]]&control != 0 {
			return true
		}
	}
	// C1 control sequence introducer, U+009B.
	return strings.Contains(s, "\u009b")
}

func stripControl(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	plain := 0 // where the text begins that is not written yet
	for i := 0; i < len(s); {
		skip := 1
		switch c := s[i]; {
		case c == 0x1b:
			skip = escapeLen(s[i:])
		case c == 0xc2 && i+1 < len(s) && s[i+1] == 0x9b:
			skip = 2 + csiLen(s[i+2:])
		case class[c]&control == 0:
			i++
			continue
		}
		out.WriteString(s[plain:i])
		i += skip
		plain = i
	}
	out.WriteString(s[plain:])
	return out.String()
}

// escapeLen returns the length of the escape sequence b starts with, by
// ECMA-48: CSI (ESC [ … final), string sequences such as OSC (ESC ] … BEL or
// ESC \), and the two- and three-byte forms. Of a string that does not end in
// its line only the beginning is one: the rest may be all there is of an error.
func escapeLen(b string) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		return 2 + csiLen(b[2:])
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
				return i + 2
			}
		}
		return 2
	}
	if b[1] >= 0x20 && b[1] <= 0x2f && len(b) > 2 {
		return 3
	}
	return 2
}

// csiLen returns the length of the parameters and the final byte of a control
// sequence. A byte that cannot be part of one ends it.
func csiLen(b string) int {
	for i := 0; i < len(b); i++ {
		c := b[i]
		if c >= 0x40 && c <= 0x7e {
			return i + 1
		}
		if c < 0x20 || c > 0x7e {
			return i
		}
	}
	return len(b)
}
