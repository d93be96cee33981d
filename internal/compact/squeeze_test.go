package compact

import (
	"fmt"
	"strings"
	"testing"
)

// Messages about one file stand below its name, and those that say the same
// are one line with every place; each can still be read.
func TestMessagesBelowTheirFile(t *testing.T) {
	for _, form := range []struct{ name, place string }{{"colon", "%s:%d:7"}, {"parens", "%s(%d,7)"}, {"line", "%s:%d"}} {
		var in []string
		for i := range 40 {
			file, text := "lib/shelf/atlas.x", "name is not known here"
			if i%4 == 0 {
				text = fmt.Sprint("no such member: m", i)
			}
			if i%5 == 1 {
				text = fmt.Sprintf("the name 'v%d' is bound and never read again", i)
			}
			if i >= 25 {
				file = "lib/shelf/globe.x"
			}
			in = append(in, fmt.Sprintf(form.place, file, i+1)+": error: "+text)
		}
		in = append(in, "lib/other.x:9:1: error: alone", "done")
		body := strings.Join(in, "\n")
		got := squeezed(body)
		if len(got)*2 > len(body) {
			t.Errorf("%s: %d bytes became %d:\n%s", form.name, len(body), len(got), got)
		}
		for _, l := range in {
			if !Shows(got, l) {
				t.Errorf("%s: lost %q in:\n%s", form.name, l, got)
			}
		}
		if l := "lib/shelf/atlas.x:999:7: error: name is not known here"; Shows(got, l) {
			t.Errorf("%s: shows %q, which is not there", form.name, l)
		}
	}
}

// A long text that was quoted above is not quoted whole again.
func TestQuotedOnce(t *testing.T) {
	long := `"usage: ledger [flags]\n\n  --book \"name\"  the book to open\n  --year int     the year to show\n"`
	body := "a.x:1: got " + long + ", want 1\nb.x:2: got " + long + ", want 2\nc.x:3: got \"short\", want \"short\""
	got := squeezed(body)
	if strings.Count(got, long) != 1 || !strings.Contains(got, "as above …], want 2") || !strings.Contains(got, `got "short", want "short"`) {
		t.Errorf("became:\n%s", got)
	}
}

// What is no message of a file stays as it is: times, addresses, rows of a table.
func TestSqueezeLeavesOthers(t *testing.T) {
	body := strings.Repeat("12:30:01: started\n", 5) + strings.Repeat("http://a.example:80: refused\n", 2) + strings.Repeat("  12:3 kg\n", 4) + "a b.x:1:2: c\na b.x:1:3: c\na b.x:1:4: c\n"
	if got := squeezed(body); got != body {
		t.Errorf("became:\n%s", got)
	}
}

// Many tests that fail alike are each named.
func TestAlikeFailuresAreNamed(t *testing.T) {
	var b strings.Builder
	b.WriteString("1..30\n")
	for i := range 30 {
		fmt.Fprintf(&b, "not ok %d the pump stops when valve v%d closes\n  expected \"idle\"\n  Error: expected \"idle\"\n      at Context.<anonymous> (test/pump.js:%d:8)\n", i+1, i, 20+i)
	}
	code := 1
	got := Compact(Envelope{Command: "npx mocha --reporter tap", CombinedText: b.String(), ExitCode: &code}, Options{Level: Normal}).Reduced
	for i := range 30 {
		if !strings.Contains(got, fmt.Sprintf("v%d closes", i)) {
			t.Errorf("no test v%d in:\n%s", i, got)
		}
	}
}

// A label that each line of a message has is said once, and again where another
// stands between.
func TestLabelOnce(t *testing.T) {
	body := "npm warn deprecated oven@1.0.0: use kiln\n[… the same ×2 more …]\nnpm warn cleanup failed\nnpm error code E1\nnpm error   from the root\nother\nnpm error code E2\nnpm run build"
	want := "npm warn deprecated oven@1.0.0: use kiln\n[… the same ×2 more …]\n cleanup failed\nnpm error code E1\n   from the root\nother\nnpm error code E2\nnpm run build"
	got := squeezed(body)
	if got != want {
		t.Errorf("became:\n%s", got)
	}
	for l := range strings.Lines(body) {
		if !Shows(got, l) {
			t.Errorf("lost %q", l)
		}
	}
	if Shows(got, "npm error code E3") || Shows(got, "npm error cleanup of the root") {
		t.Error("shows what is not there")
	}
}
