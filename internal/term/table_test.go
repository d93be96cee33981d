package term

import (
	"bytes"
	"testing"
)

func TestTable(t *testing.T) {
	var out bytes.Buffer
	c := &clipper{w: &out, width: 6}
	for _, part := range []string{"short\nsix", " is\nseven is\n日", "本語\n日本語x\n"} {
		if n, err := c.Write([]byte(part)); n != len(part) || err != nil {
			t.Error(n, err)
		}
	}
	if want := "short\nsix is\nseven…\n日本語\n日本…\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
	if w := Table(&out); w != &out {
		t.Error("what is no terminal is cut")
	}
}
