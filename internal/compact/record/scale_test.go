package record

import (
	"fmt"
	"strings"
	"testing"
)

// scaled parses a text with a parser that shows one part in so many.
func scaled(name, text string, parts int) string {
	p := New(name)
	p.(Scaled).Scale(parts)
	var recs []Record
	emit := func(r Record) { recs = append(recs, r) }
	for n, t := range strings.Split(text, "\n") {
		p.Line(Line{N: n, Text: t}, emit)
	}
	p.Close(emit)
	return strings.Join(shown(recs, Keep), "\n")
}

// A third of a diff names every file, and a merge with conflicts is whole.
func TestScaledDiff(t *testing.T) {
	var b strings.Builder
	for f := range 6 {
		fmt.Fprintf(&b, "diff --git a/src/f%d.go b/src/f%d.go\n--- a/src/f%d.go\n+++ b/src/f%d.go\n@@ -0,0 +1,60 @@\n", f, f, f, f)
		for i := range 60 {
			fmt.Fprintf(&b, "+line %d of file %d: %s\n", i, f, strings.Repeat("word ", 60))
		}
	}
	all, less := scaled("diff", b.String(), 1), scaled("diff", b.String(), 3)
	if len(less) > len(all)*2/3 || len(less) < len(all)/5 {
		t.Errorf("%d bytes of %d", len(less), len(all))
	}
	for f := range 6 {
		if !strings.Contains(less, fmt.Sprintf("f%d.go", f)) {
			t.Errorf("lost file %d in %s", f, less)
		}
	}
	b.Reset()
	fmt.Fprintf(&b, "diff --cc notes.md\nindex 1111111,2222222..0000000\n--- a/notes.md\n+++ b/notes.md\n@@@ -1,60 -1,60 +1,123 @@@\n++<<<<<<< HEAD\n")
	for i := range 60 {
		fmt.Fprintf(&b, " +ours %d %s\n", i, strings.Repeat("x", 50))
	}
	b.WriteString("++=======\n")
	for i := range 60 {
		fmt.Fprintf(&b, "+ theirs %d %s\n", i, strings.Repeat("y", 50))
	}
	b.WriteString("++>>>>>>> topic\n")
	if all, less := scaled("diff", b.String(), 1), scaled("diff", b.String(), 3); all != less {
		t.Errorf("of a merge %d of %d bytes", len(less), len(all))
	}
}

// Of a log authors and days go, of one commit that is shown they stay.
func TestScaledLog(t *testing.T) {
	if got := scaled("gitlog", twoCommits, 3); strings.Contains(got, "Ann Ash") || strings.Contains(got, "Aug 20") ||
		!strings.Contains(got, "131c86aadddfa5cb6dca8339c9d6294c4eacb8ac Fix it") {
		t.Errorf("log: %s", got)
	}
	one, _, _ := strings.Cut(twoCommits, "commit 131c")
	if got := scaled("gitshow", one, 3); !strings.Contains(got, "Ann Ash") {
		t.Errorf("show: %s", got)
	}
}

func TestNarrow(t *testing.T) {
	for text, want := range map[string]string{
		"short":                       "short",
		strings.Repeat("a", 50):       strings.Repeat("a", 50), // a marker would be as long
		strings.Repeat("a", 90):       strings.Repeat("a", 10) + " [… 80 bytes …]",
		strings.Repeat("ä", 45):       strings.Repeat("ä", 5) + " [… 80 bytes …]",
		"a" + strings.Repeat("ä", 45): "a" + strings.Repeat("ä", 4) + " [… 82 bytes …]",
	} {
		if got := Narrow(text, 10); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
