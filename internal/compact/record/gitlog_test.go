package record

import (
	"fmt"
	"strings"
	"testing"
)

const twoCommits = `commit 2c8cd3ac958a7eb316d67f2d316c27086c4c0369 (HEAD -> main)
Merge: e1fd5946 131c86aa
Author: Ann Ash <ann@example.com>
Date:   Thu Aug 20 09:12:10 2026 -0700

    Add an entry

    The body explains
      why.

 docs/faq.md            | 104 ++++++++++------
 logo.png               | Bin 0 -> 12 bytes
 2 files changed, 65 insertions(+), 39 deletions(-)

commit 131c86aadddfa5cb6dca8339c9d6294c4eacb8ac
Author: Bob <bob@example.com>
Date:   Thu Aug 20 08:40:07 2026 +0400

    Fix it
`

func TestGitLog(t *testing.T) {
	equal(t, groups(parseCut(t, "gitlog", twoCommits)), "docs/\x001: faq.md 104", "./\x001: logo.png Bin 0 -> 12")
	equal(t, shown(parseCut(t, "gitlog", twoCommits), Keep),
		"Ann Ash, Aug 20 2026:", "commit 2c8cd3ac958a7eb316d67f2d316c27086c4c0369 (HEAD -> main) Add an entry",
		"2 files changed, 65 insertions(+), 39 deletions(-)",
		"Bob, Aug 20:", "commit 131c86aadddfa5cb6dca8339c9d6294c4eacb8ac Fix it", "[… 2 more lines of messages …]")
	one, _, _ := strings.Cut(twoCommits, " docs/")
	if got := shown(parseCut(t, "gitlog", one), Keep); len(got) != 4 || got[2] != "The body explains" {
		t.Errorf("the message of an only commit: %q", got)
	}
}

func TestGitLogFormats(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"graph", "*   44ee17760 Merge pull request\n|\\  \n| * 366aea95e Note it\n|/  \n* 1dacadf71 Start\n", "*   44ee17760 Merge pull request\n| * 366aea95e Note it\n* 1dacadf71 Start"},
		{"graph, full", "* commit 44ee17760\n| Author: A <a@x.y>\n| Date:   2026-08-20\n| \n|     - *Subject*\n|     \n|     body\n| \n* commit 366aea95e\n  Author: A <a@x.y>\n  Date:   2026-08-20\n  \n      First\n",
			"| A, 2026-08-20:\n* commit 44ee17760 - *Subject*\n* commit 366aea95e First\n[… 1 more line of messages …]"},
		{"patch", "commit 44ee17760a\nAuthor: A <a@x.y>\nDate:   2026-08-20\n\n    Subject\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-commit 1234567\n+b\n c\n\ncommit 366aea95ea\nAuthor: B <a@x.y>\nDate:   2026-08-20\n\n    First\n",
			"A, 2026-08-20:\ncommit 44ee17760a Subject\ndiff --git a/x b/x\n@@ -1,2 +1,2 @@\n-commit 1234567\n+b\nB, 2026-08-20:\ncommit 366aea95ea First"},
		{"raw, signed", "commit 44ee17760a\ntree 1f2e3d4c\nauthor A <a@x.y> 1775707443 -0700\ncommitter A <a@x.y> 1775707443 -0700\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQJjBAABCABNFiEElYA9VthxhDIwUSDdQzaKeqjMWSYFAmnXJTUbFIAAAAAABAAO\n -----END PGP SIGNATURE-----\n\n    Subject\n",
			"A:\ncommit 44ee17760a Subject"},
		{"a date that is missing", "commit 44ee17760a\nAuthor: A <a@x.y>\nDate:\n\n    Subject\n", "A:\ncommit 44ee17760a Subject"},
		{"names", "44ee17760 Subject\nM\ta.go\nR100\tb.go\tc.go\n366aea95e First\nA\ta.go\n", "44ee17760 Subject\nR100\tb.go\tc.go\n366aea95e First\nM\t./\x001: a.go\nA\t./\x002: a.go"},
	} {
		t.Run(c.name, func(t *testing.T) {
			recs := parseCut(t, "gitlog", c.in)
			equal(t, append(shown(recs, Keep), groups(recs)...), c.want)
		})
	}
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "%07x commit number %d\n", 0xabcdef0+i, i)
	}
	if n := len(shown(parseCut(t, "gitlog", b.String()), Keep)); n < logRoom/30 || n > logRoom/20 {
		t.Errorf("%d of 500 commits are kept", n)
	}
}

func TestGitShow(t *testing.T) {
	if got := shown(parseCut(t, "gitshow", twoCommits), Keep); len(got) != 7 || got[2] != "The body explains" {
		t.Errorf("messages are kept: %q", got)
	}
	file := "package x\n\n1234567 is no commit\ncommit 1234567\n"
	equal(t, shown(parseCut(t, "gitshow", file), Keep), strings.TrimSuffix(file, "\n"))
}

// Of many commits those that nobody asks for by their names have short ones;
// author, day and year stand where they change; a summary says its words once.
func TestGitLogOfMany(t *testing.T) {
	var b strings.Builder
	for i := range logWhole + 3 {
		fmt.Fprintf(&b, "commit %040x\nAuthor: %s <x@example.com>\nDate:   Thu Aug 20 09:12:10 %d -0700\n\n    Subject %d\n\n 1 file changed, %d insertions(+)\n\n", i+0xabcdef, []string{"Ann", "Bob"}[i/12], 2027-i/12, i, i+2)
	}
	got := shown(parseCut(t, "gitlog", b.String()), Keep)
	equal(t, got[:3], "Ann, Aug 20 2027:", fmt.Sprintf("commit %040x Subject 0", 0xabcdef), "1 file changed, 2 insertions(+)")
	equal(t, got[len(got)-4:], fmt.Sprintf("%040x", logWhole+1+0xabcdef)[:logShort]+" Subject 21", "1 file, 23(+)", fmt.Sprintf("%040x", logWhole+2+0xabcdef)[:logShort]+" Subject 22", "1 file, 24(+)")
	if n := strings.Count(strings.Join(got, "\n"), "Aug 20"); n != 2 || !strings.Contains(strings.Join(got, "\n"), "Bob, Aug 20 2026:") {
		t.Errorf("%d headings: %q", n, got)
	}
	bare := shown(parseCut(t, "gitlog", "commit 44ee17760a\nAuthor: A <a@x.y>\nDate:   2026-08-20\n\ncommit 366aea95ea\nAuthor: A <a@x.y>\nDate:   2026-08-20\n\n    *star*\n"), Keep)
	equal(t, bare, "commit 44ee17760a (A, 2026-08-20)", "commit 366aea95ea *star*")
}
