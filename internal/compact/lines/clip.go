package lines

import (
	"strings"

	"cairn/internal/text"
)

// A line over ClipOver bytes keeps its first ClipHead and last ClipTail
// bytes, less what would split a character, and ClipFaults around errors in it;
// of minified source the ends are shorter.
const (
	ClipOver   = 8 << 10
	ClipHead   = 1 << 10
	ClipTail   = 256
	ClipFaults = 600
)

// Clip shortens an overlong line of an output and says in it how many bytes are
// missing.
func Clip(s string) string {
	if len(s) <= ClipOver {
		return s
	}
	if minified(s) {
		return spans(s, ClipTail, ClipTail/2, 0, nil)
	}
	labelled, _ := faultsIn(s)
	return spans(s, ClipHead, ClipTail, ClipFaults, labelled)
}

// Ends shortens an overlong line of a file to its ends, whatever it says.
func Ends(s string) string {
	if len(s) <= ClipOver {
		return s
	}
	return spans(s, ClipHead, ClipTail, 0, nil)
}

// minified reports whether a line is source code that a tool put on one line.
// A part of such a line is of no use to a reader.
func minified(s string) bool {
	s = s[:min(len(s), 4<<10)]
	n := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', ')', ';', '=':
			n++
		}
	}
	return n > len(s)/12
}

func clipMarked(head []byte, cut int) []byte {
	return append(head[:len(head):len(head)], " [… "+text.Thousands(cut)+" bytes …] "...)
}

// Blank reports whether s has nothing but white space.
func Blank(s string) bool { return strings.TrimSpace(s) == "" }
