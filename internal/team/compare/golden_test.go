package compare

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/term"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
		t.Errorf("%s differs; -update writes it:\n%s", file, got)
	}
}

func TestTextGolden(t *testing.T) {
	a, b := sample()
	c := Runs(a, b, Options{Quarantined: func(_, title, _ string) bool { return strings.HasSuffix(title, "answers 11") }})
	c.A.Ref, c.B.Ref = "@main", "latest"
	for _, test := range []struct {
		name string
		v    View
	}{{"sample.txt", View{Limit: 5}}, {"sample-color.txt", View{Paint: term.Paint(true)}}} {
		var out bytes.Buffer
		if err := c.Text(&out, test.v); err != nil {
			t.Fatal(err)
		}
		if test.v.Limit > 0 && bytes.ContainsRune(out.Bytes(), '\x1b') {
			t.Error("a control character of a stranger is printed")
		}
		golden(t, test.name, out.Bytes())
	}
}

func TestMarkdownGolden(t *testing.T) {
	a, b := sample()
	golden(t, "sample.md", []byte(Runs(a, b, Options{}).Markdown(8)))
}

func TestJSONGolden(t *testing.T) {
	a, b := sample()
	c := Runs(a, b, Options{})
	c.Cases = append(c.Cases[:2:2], c.Of(Flaky)[0]) // the rest is of the same form
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "sample.json", append(data, '\n'))
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain text, with: commas.":     "plain text, with: commas.",
		"<script>alert(1)</script>":     "&lt;script&gt;alert(1)&lt;/script&gt;",
		"a|b `c` *d* _e_ [f](g)":        "a\\|b \\`c\\` \\*d\\* \\_e\\_ \\[f\\](g)",
		"@owner #12 https://x www.x.de": "&#64;owner &#35;12 https&#58;//x www&#46;x.de",
		"two\nlines\x1b[31m\u202e":      "two lines",
		"- item":                        "\\- item",
		"1. item":                       "1\\. item",
		"1.5 s":                         "1.5 s",
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
