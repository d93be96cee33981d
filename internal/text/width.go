// Package text writes values and words for a person to read: amounts, counts,
// times, slugs, and text that fits a width. One function for each, so that the
// same value looks the same wherever cairn says it.
//
// It is a leaf of pure functions: no terminal, no HTML, no clock. A page's
// script says amounts and times in the same way (team/page/base.js).
package text

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width is how many columns a terminal draws a text in. Escape sequences take
// none.
func Width(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return uniseg.StringWidth(Plain(s))
		}
	}
	return len(s)
}

// Cut shortens a text to a width in columns, the last of them …. A color that
// is cut would color the rest: what is cut has none.
func Cut(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	s = Plain(s)
	end, at, state := 0, 0, -1
	for rest := s; rest != ""; {
		var letter string
		var columns int
		letter, rest, columns, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if at += columns; at >= width {
			break
		}
		end += len(letter)
	}
	if width < 1 {
		return ""
	}
	return s[:end] + "…"
}

// Pad fills a text with spaces to a width, PadLeft from the left.
func Pad(s string, width int) string     { return s + space(s, width) }
func PadLeft(s string, width int) string { return space(s, width) + s }

func space(s string, width int) string { return strings.Repeat(" ", max(0, width-Width(s))) }

// Shorten shows a text on one line of at most limit characters, the last of
// them … when there is more.
func Shorten(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}

// First is the beginning of a text, at most so many characters, and … when there
// are more.
func First(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// Head is what of a text fits in so many bytes, in whole characters. A byte
// that is no UTF-8 is left out.
func Head(s string, most int) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }

// Clip is Head with … where something is missing, for which it takes room.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return Head(s, most-len("…")) + "…"
}

// Wrap breaks a text's paragraphs at words so that no line is wider than width.
// Paragraphs are told apart by blank lines; an indented line stays as it is.
func Wrap(s string, width int) string {
	var out, words []string
	flush := func() {
		if len(words) > 0 {
			out, words = append(out, Fold(strings.Join(words, " "), width, 0)), nil
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			flush()
			out = append(out, line)
			continue
		}
		words = append(words, strings.Fields(line)...)
	}
	flush()
	return strings.Join(out, "\n")
}

// Fold breaks a sentence at words so that no line is wider than width, 0 for
// any; what goes on is indented by so many columns. A text of several lines
// stays as it is.
func Fold(s string, width, indent int) string {
	if width == 0 || Width(s) <= width || strings.Contains(s, "\n") {
		return s
	}
	var out strings.Builder
	at := 0
	for i, word := range strings.Split(s, " ") {
		n := Width(word)
		switch {
		case i == 0:
		case at+1+n > width && at > indent:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += n
	}
	return out.String()
}

// Plain is text without escape sequences: those of a color, and what else a
// stranger may have put there.
func Plain(s string) string {
	var out strings.Builder
	for s != "" {
		at := strings.IndexAny(s, "\x1b\u009b")
		if at < 0 {
			break
		}
		out.WriteString(s[:at])
		s = s[at:]
		switch {
		case strings.HasPrefix(s, "\u009b"), strings.HasPrefix(s, "\x1b["): // two bytes each
			end := strings.IndexFunc(s[2:], func(r rune) bool { return r < ' ' || r >= '@' })
			if end < 0 {
				return out.String()
			}
			s = s[2+end:]
			if s[0] >= '@' && s[0] <= '~' { // the last of the sequence; else it was broken off
				s = s[1:]
			}
		case len(s) > 1 && strings.IndexByte("]PX^_", s[1]) >= 0: // a string, to BEL or ESC \
			end := strings.IndexAny(s[2:], "\a\x1b")
			if end < 0 {
				return out.String()
			}
			s = strings.TrimPrefix(s[2+end+1:], "\\")
		default:
			s = s[1:]
		}
	}
	return out.String() + s
}
