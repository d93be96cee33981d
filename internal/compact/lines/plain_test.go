package lines

import (
	"strings"
	"testing"
)

// A line that is said to be plain is what Clean makes of it, wherever in it a byte
// stands.
func TestPlain(t *testing.T) {
	for at := range 24 {
		for c := range 256 {
			line := strings.Repeat("x", at) + string([]byte{byte(c)}) + strings.Repeat(" ~", 11-at/2)
			want := c >= ' ' && c <= '~'
			if got := Plain(line); got != want {
				t.Fatalf("byte %#x at %d: plain is %v", c, at, got)
			}
			if want && Clean(line) != line {
				t.Fatalf("byte %#x at %d: %q is cleaned to %q", c, at, line, Clean(line))
			}
		}
	}
}
