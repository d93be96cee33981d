package item

import (
	"strings"
	"testing"

	"cairn/internal/plan/doc"
)

// Setting a field that is not there adds a line, or two, and touches no other
// byte, whatever the file is.
func FuzzSetField(f *testing.F) {
	for _, s := range []string{
		"", "text", "title: a\n\nb\n", "---\ntitle: a\n---\nb", "\xef\xbb\xbf---\r\na: [x\r\n---\r\n", "# h\n\narea: x\n- y\n", "\xff\x00\n: :\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := doc.Parse([]byte(s))
		h := readHeader(d)
		if h.get("zz") != "" || strings.Contains(s, "zz") {
			return
		}
		before := d.String()
		if err := h.set("zz", "2026-01-01"); err != nil {
			if d.String() != before {
				t.Errorf("%q is refused, and became %q", s, d)
			}
			return
		}
		if got := readHeader(d).get("zz"); got != "2026-01-01" {
			t.Errorf("%q became %q, and reads as %q", s, d, got)
		}
		after := d.String()
		i := strings.Index(after, "zz: 2026-01-01")
		rest := after[i+len("zz: 2026-01-01"):]
		if cut := after[:i] + strings.TrimLeft(rest, "\r\n"); !sameButSpace(cut, before) {
			t.Errorf("%q became %q", before, after)
		}
	})
}

// sameButSpace compares two texts without the white space that stands around
// what was added.
func sameButSpace(a, b string) bool {
	bare := strings.NewReplacer("\r", "", "\n", "", " ", "", "\t", "").Replace
	return bare(a) == bare(b)
}
