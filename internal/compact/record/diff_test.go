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
		"diff --git a/ b/ ×3: old => new (rename from a to b), go.sum +1, logo.png (Binary files differ) [… lock file …]")
	equal(t, notes(recs), "[…]", "[…]")
}

// Files of which nothing is shown stand on one line with those of their
// directory, with what became of them.
func TestDiffNamesFiles(t *testing.T) {
	whole := func(old, new, about string, n int) string {
		s := fmt.Sprintf("diff --git a/%s b/%s\n%s--- a/%s\n+++ b/%s\n@@ -1,9 +7,%d @@\n", old, new, about, old, new, n)
		for i := range n {
			s += fmt.Sprintf("+line %d of a file that is quite long, as files are\n", i)
		}
		return s
	}
	added, gone := "new file mode 100755\nindex 0..1\n", "deleted file mode 100644\nindex 1..0\n"
	in := whole("a/x.go", "a/x.go", "", 2) + whole("a/one.svg", "a/one.svg", added, 3) + whole("a/two.svg", "a/two.svg", added, 3) +
		whole("c/three.go", "c/three.go", added, 900) + whole("c/four.go", "d/five.go", "similarity index 90%\nrename from c/four.go\nrename to d/five.go\n", 1) +
		strings.Replace(whole("d/six.go", "d/six.go", gone, 9), "+line", "-line", -1) + "diff --git a/d/run b/d/run\nold mode 100644\nnew mode 100755\n" +
		whole("d/with space.go", "d/with space.go", "", 2) + "diff --git a/e/k.asc b/e/k.asc\nindex 1..2\n--- a/e/k.asc\n+++ b/e/k.asc\n@@ -1,2 +1,2 @@\n-iQIzBAABCgAdFiEEkwealRHvwLfWzb+1sNpg+0VLrxgFAmo2n1YACgkQsNpg+0VL\n+rxgIQA//S9rRZNMEU9lHvS2XNqpCA5LGWS9z0mXAGHEW9fLtSxZywoaEcaKv9BvS\n"
	in += "diff --git a/f/SUMS b/f/SUMS\nindex 1..2 100644\n--- a/f/SUMS\n+++ b/f/SUMS\n@@ -0,0 +1,20 @@\n"
	for i := range 20 {
		in += fmt.Sprintf("+71b8d6e8f5fe81f6c6d0d110e3892251f6ce76ed095abd315e26e6e1193af%03d  app-%d.zip\n", i, i)
	}
	in += "diff --git a/vendor/z b/vendor/z\nindex 1..2 160000\n--- a/vendor/z\n+++ b/vendor/z\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n"
	got := strings.Join(shown(parse(t, "diff", in), Keep), "\n")
	for _, want := range []string{
		"\ndiff --git a/vendor/z b/vendor/z\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
		"diff --git a/a/x.go b/a/x.go\n@@",
		"\ndiff --git a/a/ b/a/ ×2 (new 100755) +3: one.svg, two.svg [… generated …]\n",
		"\ndiff --git a/c/three.go b/c/three.go (new 100755) +900\n",
		"\ndiff --git a/c/four.go b/d/five.go (rename from a to b)\n@@ -1,9 +7,1 @@\n+line 0",
		"\ndiff --git a/d/ b/d/ ×2: six.go (deleted) −9, run (old mode 100644, new mode 100755)\n",
		"\ndiff --git a/d/with space.go b/d/with space.go\n[… the change of a/x.go @7 again @7 …]\n",
		"\ndiff --git a/f/SUMS b/f/SUMS +20 [… checksums …]\n",
		"\ndiff --git a/e/k.asc b/e/k.asc +1 −1 [… encoded …]",
	} {
		if !strings.Contains(got+"\n", want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Where there is no room for all, files are shown whole or by their places.
func TestDiffShowsWholeFiles(t *testing.T) {
	var b strings.Builder
	for f := range 12 {
		fmt.Fprintf(&b, "diff --git a/f%d.go b/f%d.go\n--- a/f%d.go\n+++ b/f%d.go\n", f, f, f, f)
		for h := range 1 + f {
			fmt.Fprintf(&b, "@@ -%d,4 +%d,7 @@ func f()\n", h*100+1, h*100+2)
			b.WriteString(" before\n")
			for i := range 5 {
				fmt.Fprintf(&b, "+hunk %d line %d of file %d\n", h, i, f)
			}
			b.WriteString(" after\n after\n")
		}
	}
	got := strings.Join(shown(parse(t, "diff", b.String()), Keep), "\n") + "\n"
	for _, want := range []string{"+hunk 4 line 4 of file 4\n", "f11.go +60 @2,102,202,302,402,502,602,702,…\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if len(got) > diffRoom*3/2 || strings.Contains(got, "of file 11") {
		t.Errorf("%d bytes are shown", len(got))
	}
}

// A change that is made in many places is shown once.
func TestDiffShowsAChangeOnce(t *testing.T) {
	hunk := func(at int, about string) string {
		return fmt.Sprintf("@@ -%d,3 +%d,3 @@ func f%d()\n before\n-\toldClient.CallWithRetry(ctx, %s)\n+\tfreshClient.CallWithRetry(ctx, %s)\n after\n", at, at+1, at, about, about)
	}
	recs := parse(t, "diff", "diff --git a/x.go b/x.go\n"+hunk(10, "a")+hunk(20, "b")+hunk(30, "a")+hunk(40, "a")+
		"diff --git a/y.go b/y.go\n"+hunk(5, "a")+hunk(9, "b")+
		"diff --git a/z.go b/z.go\n@@ -1,1 +1,2 @@\n-x\n+y\n"+hunk(7, "b")+"@@ -9,1 +9,2 @@\n-x\n+y\n")
	equal(t, shown(recs, Keep), "diff --git a/x.go b/x.go", "@@ -10,3 +11,3 @@ func f10()", "-\toldClient.CallWithRetry(ctx, a)", "+\tfreshClient.CallWithRetry(ctx, a)",
		"@@ -20,3 +21,3 @@ func f20()", "-\toldClient.CallWithRetry(ctx, b)", "+\tfreshClient.CallWithRetry(ctx, b)", "[… the change @11 again @31,41 …]",
		"diff --git a/y.go b/y.go", "[… the change of x.go @11 again @6, the change of x.go @21 again @10 …]",
		"diff --git a/z.go b/z.go", "@@ -1,1 +1,2 @@", "-x", "+y", "[… the change of x.go @21 again @8 …]", "@@ -9,1 +9,2 @@", "-x", "+y")
}

// Of the lines between two changes of a hunk their absence is shown, and their
// number where it is not that of any hunk; one that is as short stays.
func TestDiffMarksWhatIsBetween(t *testing.T) {
	recs := parse(t, "diff", "diff --git a/x b/x\n@@ -1,20 +1,20 @@\n one\n-a\n two\n three\n-b\n }\n-c\n"+strings.Repeat(" many\n", 7)+"-d\n")
	equal(t, shown(recs, Keep), "diff --git a/x b/x", "@@ -1,20 +1,20 @@", "-a", "-b", " }", "-c", "-d")
	equal(t, notes(recs), "[…]")
	equal(t, shown(recs, Good), " many", " many", " many", " many", " many", " many", " many")
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
		if !strings.Contains(got, fmt.Sprintf("diff --git a/f%d b/f%d", f, f)) || f%20 > 0 && !strings.Contains(got+"\n", fmt.Sprintf("+line 2 of file %d\n", f)) {
			t.Errorf("lost file %d", f)
		}
	}
	if n := notes(recs); len(n) != 1 || !strings.Contains(n[0], "the file: +900 −0") || !strings.Contains(got, "f0 +900 @1\n") {
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
