package term

import (
	"bytes"
	"testing"

	"cairn/internal/text"
)

func TestPaint(t *testing.T) {
	var out bytes.Buffer
	if got := NewPaint(&out, func(string) string { return "" }).Bad("x"); got != "x" {
		t.Errorf("a buffer is no terminal, got %q", got)
	}
	red := Paint(true).Bad("fail")
	if red != "\x1b[31mfail\x1b[0m" || text.Width(red) != 4 || text.Cut(red, 3) != "fa…" {
		t.Errorf("%q is %d wide, cut %q", red, text.Width(red), text.Cut(red, 3))
	}
	c := NewColumns(&out)
	c.Write([]byte(red + "\tb\nlonger\tb\n"))
	if c.Flush(); out.String() != red+"    b\nlonger  b\n" {
		t.Errorf("%q", out.String())
	}
}
