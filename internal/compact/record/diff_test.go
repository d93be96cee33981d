package record

import (
	"fmt"
	"strings"
	"testing"
)

func TestDiffKeepsChanges(t *testing.T) {
	recs := parse(t, "diff", `diff --git a/x.go b/x.go
index 1..2 100644
--- a/x.go
+++ b/x.go
@@ -1,9 +1,9 @@ func f() {
 one
-two
+zwei
 three
 four
--- five
+++ cinq
 six
 seven
\ No newline at end of file
diff --git a/old b/new
similarity index 100%
rename from old
rename to new
diff --git a/go.sum b/go.sum
index 3..4 100644
--- a/go.sum
+++ b/go.sum
@@ -1 +1,2 @@
 a
+b
diff --git a/logo.png b/logo.png
index 3..4 100644
Binary files a/logo.png and b/logo.png differ
`)
	equal(t, shown(recs, Keep),
		"diff --git a/x.go b/x.go", "@@ -1,9 +1,9 @@ func f() {", "-two", "+zwei", "--- five", "+++ cinq", `\ No newline at end of file`,
		"diff --git a/old b/new", "rename from old", "rename to new",
		"diff --git a/go.sum b/go.sum",
		"diff --git a/logo.png b/logo.png", "Binary files a/logo.png and b/logo.png differ")
	equal(t, notes(recs), "[… +1 −0, lock file …]")
	equal(t, shown(recs, Good), " three", " four", " six", " seven")
}

func TestDiffPlainAndCombined(t *testing.T) {
	recs := parse(t, "diff", `Only in a: x
--- a/f.c	2026-01-01
+++ b/f.c	2026-01-02
@@ -1,2 +1,2 @@
-a
+b
 c
diff --cc merged.txt
index 1,2..0
--- a/merged.txt
+++ b/merged.txt
@@@ -1,3 -1,3 +1,7 @@@
  same
++<<<<<<< HEAD
 +ours
++=======
+ theirs
++>>>>>>> topic
`)
	equal(t, shown(recs, Keep, Body), "Only in a: x", "--- a/f.c	2026-01-01", "+++ b/f.c	2026-01-02", "@@ -1,2 +1,2 @@", "-a", "+b",
		"diff --cc merged.txt", "@@@ -1,3 -1,3 +1,7 @@@", "++<<<<<<< HEAD", " +ours", "++=======", "+ theirs", "++>>>>>>> topic")
}

func TestDiffLastWordsInALine(t *testing.T) {
	var b strings.Builder
	b.WriteString("diff --git a/big b/big\n--- a/big\n+++ b/big\n@@ -1,5000 +1,5000 @@\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "-old line number %d\n", i)
		if i == 4000 {
			b.WriteString("-old lifatal: unable to read 25de82b9f52976f346d0c5ed05f7942646171899\nne number 4000\n")
		}
	}
	recs := parse(t, "diff", b.String())
	got := shown(recs, Keep)
	if last := got[len(got)-1]; !strings.Contains(last, "fatal: unable to read") {
		t.Errorf("the last line kept is %q", last)
	}
}

func TestDiffSharesTheRoom(t *testing.T) {
	var b strings.Builder
	for f := range 60 {
		fmt.Fprintf(&b, "diff --git a/f%d b/f%d\n--- a/f%d\n+++ b/f%d\n", f, f, f, f)
		n := 3
		if f%20 == 0 {
			n = 900
		}
		fmt.Fprintf(&b, "@@ -0,0 +1,%d @@\n", n)
		for i := range n {
			fmt.Fprintf(&b, "+line %d of file %d\n", i, f)
		}
	}
	recs := parse(t, "diff", b.String())
	got := strings.Join(shown(recs, Keep), "\n")
	if len(got) > diffRoom*3/2 {
		t.Errorf("%d bytes are shown", len(got))
	}
	for f := range 60 {
		for _, want := range []string{fmt.Sprintf("diff --git a/f%d b/f%d", f, f), fmt.Sprintf("+line 2 of file %d\n", f)} {
			if !strings.Contains(got+"\n", want) {
				t.Errorf("lost %q", want)
			}
		}
	}
	if n := notes(recs); len(n) != 3 || !strings.Contains(n[2], "the file: +900 −0") {
		t.Errorf("notes %q", n)
	}
}

func TestDiffHoldsLittle(t *testing.T) {
	p := &diff{}
	out := 0
	emit := func(r Record) { out += len(r.Lines) }
	p.Line(Line{Text: "diff --git a/big b/big"}, emit)
	for hunk := range 50 {
		p.Line(Line{Text: "@@ -1,2000 +1,2000 @@"}, emit)
		for range 2000 {
			p.Line(Line{N: hunk, Text: "-a line of some length, as lines are"}, emit)
		}
	}
	if p.held > diffHeld {
		t.Errorf("%d bytes are held", p.held)
	}
	p.Close(emit)
	if want := 1 + 50*2001; out != want {
		t.Errorf("%d of %d lines came out", out, want)
	}
}

// A diff of words has no signs: its changes stand inside of lines. Brackets in
// the source of an ordinary diff do not make it one.
func TestDiffOfWords(t *testing.T) {
	recs := parse(t, "diff", "diff --git a/x.py b/x.py\n@@ -1,5 +1,6 @@\n{+import b+}\nimport a\nx = [-1-]{+2+}\ndef f():\n    return [-x-]{+y+}\nend\n")
	equal(t, shown(recs, Keep), "diff --git a/x.py b/x.py", "@@ -1,5 +1,6 @@", "{+import b+}", "x = [-1-]{+2+}", "    return [-x-]{+y+}")
	recs = parse(t, "diff", "diff --git a/x.py b/x.py\n@@ -1,4 +1,4 @@\n a = '[-z-]'\n-b\n+c\n d\n e\n")
	equal(t, shown(recs, Keep), "diff --git a/x.py b/x.py", "@@ -1,4 +1,4 @@", " a = '[-z-]'", "-b", "+c")
}
