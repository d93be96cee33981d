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
		"Bob:", "131c86aadddfa5cb6dca8339c9d6294c4eacb8ac Fix it", "[… 2 more lines of messages …]")
	one, _, _ := strings.Cut(twoCommits, " docs/")
	if got := shown(parseCut(t, "gitlog", one), Keep); len(got) != 4 || got[2] != "The body explains" {
		t.Errorf("the message of an only commit: %q", got)
	}
}

func TestGitLogFormats(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"graph", "*   44ee17760 Merge pull request\n|\\  \n| * 366aea95e Note it\n|/  \n* 1dacadf71 Start\n", "* 44ee17760 Merge pull request\n|* 366aea95e Note it\n* 1dacadf71 Start"},
		{"graph, full", "* commit 44ee17760\n| Author: A <a@x.y>\n| Date:   2026-08-20\n| \n|     - *Subject*\n|     \n|     body\n| \n* commit 366aea95e\n  Author: A <a@x.y>\n  Date:   2026-08-20\n  \n      First\n",
			"A, 2026-08-20:\n* commit 44ee17760 - *Subject*\n* 366aea95e First\n[… 1 more line of messages …]"},
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
	equal(t, got[:4], "Ann, Aug 20 2027:", fmt.Sprintf("commit %040x Subject 0", 0xabcdef), "1 file changed, 2 insertions(+)", fmt.Sprintf("%040x Subject 1", 1+0xabcdef))
	equal(t, got[len(got)-4:], fmt.Sprintf("%040x", logWhole+1+0xabcdef)[:logShort]+" Subject 21", "1 file, 23(+)", fmt.Sprintf("%040x", logWhole+2+0xabcdef)[:logShort]+" Subject 22", "1 file, 24(+)")
	if n := strings.Count(strings.Join(got, "\n"), "Aug 20"); n != 2 || !strings.Contains(strings.Join(got, "\n"), "Bob, Aug 20 2026:") {
		t.Errorf("%d headings: %q", n, got)
	}
	bare := shown(parseCut(t, "gitlog", "commit 44ee17760a\nAuthor: A <a@x.y>\nDate:   2026-08-20\n\ncommit 366aea95ea\nAuthor: A <a@x.y>\nDate:   2026-08-20\n\n    *star*\n"), Keep)
	equal(t, bare, "commit 44ee17760a (A, 2026-08-20)", "366aea95ea *star*")
}

// Author and day stand where they change, each for itself; of a merge and what it
// merges the subject stands once; the only file of a commit has its figures.
func TestGitLogSaysOnce(t *testing.T) {
	commit := func(n int, by, day, subject, files string) string {
		return fmt.Sprintf("commit %040x\nAuthor: %s <x@example.com>\nDate:   Thu Aug %s 09:12:10 2026 -0700\n\n    %s\n\n%s", n+0xabcdef, by, day, subject, files)
	}
	one := " a/b/c.go | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)\n\n"
	two := " a/b/c.go | 1 +\n a/b/d.go | 1 +\n 2 files changed, 2 insertions(+)\n\n"
	log := commit(0, "Ann", "20", "Add a limit to queries (#12)", one) + commit(1, "Bob", "20", "Add a limit to queries", one) + commit(2, "Bob", "19", "Fix it", two)
	var rows []string
	for _, r := range parseCut(t, "gitlog", log) {
		if r.List == ListName || r.Class == Keep {
			rows = append(rows, strings.Trim(r.Group[:strings.IndexByte(r.Group+"\x00", 0)]+r.Row, "\x00")+r.Lines[0].Text[:min(len(r.Lines[0].Text), (1-min(1, len(r.Row)))*200)])
		}
	}
	equal(t, rows, "Ann, Aug 20 2026:", fmt.Sprintf("commit %040x Add a limit to queries (#12)", 0xabcdef), "a/b/c.go 4", "1 file changed, 2 insertions(+), 2 deletions(-)",
		"Bob:", fmt.Sprintf("%040x [same subject]", 1+0xabcdef), "a/b/c.go 2(+), 2(-)", "Aug 19:", fmt.Sprintf("%040x Fix it", 2+0xabcdef), "a/b/c.go 1", "a/b/d.go 1", "2 files changed, 2 insertions(+)")
}

// Of a graph the column of each commit stays, the merge of several branches too.
func TestGitLogGraph(t *testing.T) {
	graph := "*   1f2e3d4 (HEAD -> main) Merge branch 'a' (#7)\n|\\  \n| * 2f2e3d4 one\n| *   3f2e3d4 Merge 'b'\n| |\\  \n| | * 4f2e3d4 two\n* | | 5f2e3d4 three\n*-.   6f2e3d4 Merge branches 'c' and 'd'\n| | * 7f2e3d4 - four\n"
	equal(t, shown(parseCut(t, "gitlog", graph), Keep), "* 1f2e3d4 (HEAD -> main) Merge branch 'a' (#7)", "|* 2f2e3d4 one", "|* 3f2e3d4 Merge 'b'", "||* 4f2e3d4 two",
		"* 5f2e3d4 three", "* 6f2e3d4 Merge branches 'c' and 'd'", "||* 7f2e3d4 - four")
	long := fmt.Sprintf("*   commit %040x\n|\\  Merge: 1 2\n| | Author: Ann <x@y>\n| | Date:   Thu Aug 20 09:12:10 2026 -0700\n| | \n| |     Merge it\n| | \n| * commit %040x\n|/  Author: Ann <x@y>\n|   Date:   Thu Aug 20 09:12:10 2026 -0700\n|   \n|       One\n", 0xabc, 0xabd)
	equal(t, shown(parseCut(t, "gitlog", long), Keep), "Ann, Aug 20 2026:", fmt.Sprintf("* commit %040x Merge it", 0xabc), fmt.Sprintf("|* %040x One", 0xabd))
}

// A graph takes a third of the room.
func TestGitLogGraphRoom(t *testing.T) {
	rows, graph := "", ""
	for i := range 300 {
		rows += fmt.Sprintf("%07x Change how oven %d is heated\n", 0xabcdef0+i, i)
		graph += fmt.Sprintf("| * %07x Change how oven %d is heated\n", 0xabcdef0+i, i)
	}
	n, m := len(strings.Join(shown(parseCut(t, "gitlog", rows), Keep), "\n")), len(strings.Join(shown(parseCut(t, "gitlog", graph), Keep), "\n"))
	if m > logRoom/3 || m < logRoom/4 || n < logRoom/2 {
		t.Errorf("%d bytes of a graph, %d of rows", m, n)
	}
}

// What is said of a commit's signature stands behind its subject, in any format.
func TestGitLogSignatures(t *testing.T) {
	good := "gpg: Signature made Sat Nov 28 14:37:17 2026 UTC\ngpg:                using EDDSA key C8\ngpg: Good signature from \"Bob <b@x>\" [ultimate]\n"
	head := func(n int, said string) string {
		return fmt.Sprintf("commit %040x\n%sAuthor: Ann <x@y>\nDate:   Thu Aug 20 09:12:10 2026 -0700\n\n    Subject %d\n\n", n, said, n)
	}
	log := head(1, good) + head(2, good) + head(3, "") + head(4, "No signature\n") + head(5, "gpg: BAD signature from \"Bob <b@x>\" [ultimate]\n")
	equal(t, shown(parseCut(t, "gitlog", log), Keep), "Ann, Aug 20 2026:", fmt.Sprintf(`commit %040x Subject 1 [Good signature from "Bob <b@x>" [ultimate]]`, 1), fmt.Sprintf("%040x Subject 2 [signature as above]", 2),
		fmt.Sprintf("%040x Subject 3", 3), fmt.Sprintf("%040x Subject 4 [No signature]", 4), fmt.Sprintf(`%040x Subject 5 [BAD signature from "Bob <b@x>" [ultimate]]`, 5))
	short := "1f2e3d4 " + good + "one\n2f2e3d4 two\n3f2e3d4 No signature\n- three\n"
	equal(t, shown(parseCut(t, "gitlog", short), Keep), `1f2e3d4 one [Good signature from "Bob <b@x>" [ultimate]]`, "2f2e3d4 two", "3f2e3d4 - three [No signature]")
}
