package lines

import (
	"strconv"
	"strings"
)

// A line over ClipOver bytes keeps its first ClipHead and last ClipTail
// bytes, less what would split a character.
const (
	ClipOver = 8 << 10
	ClipHead = 1 << 10
	ClipTail = 256
)

// Clip shortens an overlong line and says in it how many bytes are missing.
func Clip(s string) string {
	if len(s) <= ClipOver {
		return s
	}
	head := runeEnd([]byte(s[:ClipHead+4]), ClipHead)
	tail := runeStart([]byte(s[len(s)-ClipTail:]))
	return string(append(clipMarked(head, len(s)-len(head)-len(tail)), tail...))
}

func clipMarked(head []byte, cut int) []byte {
	return append(head[:len(head):len(head)], " [… "+Count(cut)+" bytes …] "...)
}

// Count prints n with a comma between thousands.
func Count(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Blank reports whether s has nothing but white space.
func Blank(s string) bool { return strings.TrimSpace(s) == "" }
