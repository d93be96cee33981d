package record

import (
	"fmt"
	"strings"
	"testing"
)

func TestGitStatus(t *testing.T) {
	long := "On branch main\nYour branch is ahead of 'origin/main' by 1 commit.\n  (use \"git push\" to publish your local commits)\n\nChanges to be committed:\n  (use \"git restore --staged <file>...\" to unstage)\n\tmodified:   a/x.go\n\trenamed:    b.go -> c.go\n\nUntracked files:\n\ta/y.go\n"
	equal(t, shown(parseCut(t, "gitstatus", long), Keep), "On branch main, ahead of 'origin/main' by 1 commit.",
		"Changes to be committed:", "\tmodified: a/x.go", "\trenamed: b.go -> c.go", "Untracked files:", "\ta/y.go")
	var b strings.Builder
	for _, section := range []string{"Changes to be committed:", "Changes not staged for commit:"} {
		b.WriteString(section + "\n")
		for i := range 10 {
			fmt.Fprintf(&b, "\tmodified:   lib/f%d.go\n", i)
		}
	}
	got := groups(parseCut(t, "gitstatus", b.String()))
	if len(got) != 20 || got[0] != "modified:   lib/\x00Changes to be committed:: f0.go" || got[10] == got[0] {
		t.Errorf("%q", got)
	}
	equal(t, shown(parseCut(t, "gitstatus", "On branch main\nYour branch and 'origin/main' have diverged,\nand have 1 and 2 different commits each, respectively.\n  (use \"git pull\" if you want to integrate the remote branch with yours)\n\nno changes added to commit (use \"git add\" and/or \"git commit -a\")\n"), Keep),
		"On branch main", "Your branch and 'origin/main' have diverged,", "and have 1 and 2 different commits each, respectively.", "no changes added to commit")
	short := " M a b.go\n?? new/\nUU both.go\n"
	equal(t, shown(parseCut(t, "gitstatus", short), Keep), " M a b.go", "?? new/", "UU both.go")
	equal(t, shown(parseCut(t, "gitstatus", "On branch a\nYour branch is up to date with 'origin/a'.\n\nChanges to be committed:\n\tmodified:   a.go\n\tmodified:   lib/b.go\n\tmodified:   with space.go\n\tnew file:   c.go\n\nUnmerged paths:\n\tboth modified:   d.go\n\tboth modified:   e.go\n\nUntracked files:\n\tx\n\ty\n"), Keep),
		"On branch a, up to date with 'origin/a'.", "Changes to be committed:", "\tmodified: a.go lib/b.go", "\tmodified: with space.go", "\tnew file: c.go",
		"Unmerged paths:", "\tboth modified: d.go", "\tboth modified: e.go", "Untracked files:", "\tx y")
}

func TestGitSync(t *testing.T) {
	recs := parseCut(t, "gitsync", `remote: Enumerating objects: 12, done.
remote: Counting objects: 100% (12/12), done.
From ../origin
   1111111..2222222  main       -> origin/main
 * [new branch]      topic      -> origin/topic
Auto-merging b.txt
Auto-merging a.txt
CONFLICT (content): Merge conflict in a.txt
Automatic merge failed; fix conflicts and then commit the result.
`)
	equal(t, shown(recs, Failure), "CONFLICT (content): Merge conflict in a.txt", "Automatic merge failed; fix conflicts and then commit the result.")
	equal(t, shown(recs, Keep), "From ../origin", "1111111..2222222 main -> origin/main")
	equal(t, groups(recs), "* [new branch] -> origin/: topic")
	equal(t, shown(recs, Folded), "Auto-merging b.txt", "Auto-merging a.txt")
	equal(t, shown(recs, Good), "remote: Enumerating objects: 12, done.", "remote: Counting objects: 100% (12/12), done.")
	equal(t, shown(parse(t, "gitsync", "Auto-merging b.txt\nMerge made by the 'ort' strategy.\n"), Good), "Auto-merging b.txt")
	recs = parse(t, "gitsync", "error: failed to push some refs to 'x'\nhint: Updates were rejected because\nhint: not have locally.\nhint: See the note.\nAborting\nhint: again\n")
	equal(t, shown(recs, Keep, Failure), "error: failed to push some refs to 'x'", "hint: Updates were rejected because", "Aborting", "hint: again")
	recs = parse(t, "gitsync", `error: could not apply c9e2966... feat
hint: After resolving the conflicts, mark them with
hint: "git add/rm <pathspec>", then run
hint: "git revert --continue".
hint: You can instead skip this commit with "git revert --skip".
hint: To abort and get back to the state before "git revert",
hint: run "git revert --abort".
Could not apply c9e2966... feat
`)
	equal(t, shown(recs, Keep, Failure), "error: could not apply c9e2966... feat", `hint: "git revert --continue".`,
		`You can instead skip this commit with "git revert --skip".`, `run "git revert --abort".`)
}

// The outputs of several commands are read one after the other.
func TestGitMixed(t *testing.T) {
	status := "On branch main\nYour branch is up to date with 'origin/main'.\n\nChanges not staged for commit:\n  (use \"git add <file>...\" to update what will be committed)\n\tmodified:   a.go\n\tmodified:   b.go\n\n"
	patch := "diff --git a/a.go b/a.go\nindex 1..2 100644\n--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n-x\n+y\n b\n c\ndiff --git a/e b/e\nnew file mode 100644\nindex 0..1\n"
	log := "commit 2c8cd3ac958a7eb316d67f2d316c27086c4c0369\nAuthor: Ann <a@x.y>\nDate:   2026-08-20\n\n    Subject\n\n    On branch main it was\n"
	want := map[string][]string{
		status: {"On branch main, up to date with 'origin/main'.", "Changes not staged for commit:", "\tmodified: a.go b.go"},
		patch:  {"diff --git a/a.go b/a.go", "@@ -1,3 +1,3 @@", "-x", "+y", "diff --git a/e b/e (new)"},
		log:    {"Ann, 2026-08-20:", "commit 2c8cd3ac958a7eb316d67f2d316c27086c4c0369 Subject", "On branch main it was"},
	}
	for _, parser := range []string{"diff", "gitlog", "gitstatus", "gitsync"} {
		for _, parts := range [][]string{{status, patch, log}, {log, status, patch}, {patch, log, status}, {status, log}} {
			var all []string
			for _, part := range parts {
				all = append(all, want[part]...)
			}
			equal(t, shown(parseCut(t, parser, strings.Join(parts, "")), Keep), all...)
		}
	}
}

// A status does not keep whatever comes after it.
func TestGitStatusThenLists(t *testing.T) {
	in := "On branch main\nnothing to commit, working tree clean\n src/a.go | 2 +-\n src/b.go | 3 +++\n 2 files changed, 4 insertions(+), 1 deletion(-)\n"
	for i := range 500 {
		in += fmt.Sprintf("%07x commit number %d\n", 0xabcdef0+i, i)
	}
	recs := parseCut(t, "gitstatus", in)
	equal(t, groups(recs), "src/: a.go 2", "src/: b.go 3")
	if got := shown(recs, Keep); len(got) < 200 || len(got) > 450 || got[2] != " 2 files changed, 4 insertions(+), 1 deletion(-)" {
		t.Errorf("%d lines: %q", len(got), got[:5])
	}
}

func TestGitRefs(t *testing.T) {
	recs := parseCut(t, "gitsync", " * [new branch]      a/b        -> origin/a/b\n * [new branch]      HEAD -> main2\n * [new tag]         v1.0       -> v1.0\n - [deleted]         (none)     -> origin/old/x\n * [new branch]      main -> main\n * [new ref]         refs/pull/1/head -> refs/pull/1/head\n * branch            main       -> FETCH_HEAD\n")
	equal(t, groups(recs), "* [new branch] -> origin/: a/b", "* [new tag]: v1.0", "- [deleted] -> origin/: old/x")
	equal(t, shown(recs, Keep, Body), "* [new branch] HEAD -> main2", "* [new branch] main -> main", "* [new ref] refs/pull/1/head -> refs/pull/1/head", " * branch            main       -> FETCH_HEAD")
}

// What git and the hooks say each time, whatever happens, goes.
func TestGitSyncSaysLess(t *testing.T) {
	recs := parse(t, "gitsync", `Note: switching to 'v2.0'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them.

  git switch -c <new-branch-name>

Turn off this advice by setting config variable advice.detachedHead to false

HEAD is now at 1f2e3d4 Release 2.0
`)
	equal(t, shown(recs, Body, Keep), "Note: switching to 'v2.0'.", "HEAD is now at 1f2e3d4 Release 2.0")
	recs = parse(t, "gitsync", `[STARTED] Running tasks for staged files...
[COMPLETED] Backed up original state in git stash (9d2f1ab)
[COMPLETED] tsc --noEmit
[FAILED] eslint --fix [FAILED]
[FAILED] eslint --fix [FAILED]
[FAILED] vitest related [FAILED]
[SKIPPED] Skipped because of errors from tasks.
[COMPLETED] Cleaning up temporary files...
`)
	equal(t, shown(recs, Body, Keep), "[COMPLETED] tsc --noEmit", "[FAILED] eslint --fix [FAILED]", "[FAILED] vitest related [FAILED]")
	recs = parse(t, "gitsync", "Rebasing (1/2)\nerror: could not apply 1a2b3c4... Add b\nRecorded preimage for 'b'\nCould not apply 1a2b3c4... # Add b\n")
	equal(t, shown(recs, Body, Keep, Failure), "error: could not apply 1a2b3c4... Add b", "Recorded preimage for 'b'")
}

func TestBlame(t *testing.T) {
	recs := parseCut(t, "blame", `dfa2052c age.go     (Filippo V (1) 2021-11-24 11:29:15 +0100   1) // Copyright
dfa2052c age.go     (Filippo V (1) 2021-11-24 11:29:15 +0100   2) // Use
0940f184 old/age.go (Ann       2019-10-06 23:16:20 -0400   3) f(1)
dfa2052c age.go     (Filippo V 2021-11-24 11:29:15 +0100   4) }
fatal: no such path
`)
	equal(t, shown(recs, Body), "dfa2052c age.go (Filippo V (1) 2021-11-24 1) // Copyright", "2) // Use",
		"0940f184 old/age.go (Ann 2019-10-06 3) f(1)", "dfa2052c 4) }", "fatal: no such path")

	long := ""
	for i := range 2 * blameFew {
		long += fmt.Sprintf("%s age.go (%s 2021-11-24 11:29:15 +0100 %3d) x\n", []string{"dfa2052c", "^0940f18"}[i/5%2], []string{"Ann V (1)", "Bo       "}[i/5%2], i+1)
	}
	recs = parseCut(t, "blame", long)
	equal(t, shown(recs, Body, Keep), "[… lines by commit, code not shown …]",
		"dfa2052c age.go Ann V (1) 2021-11-24: 1-5,11-15,21-25,31-35,41-45,51-55,61-65,71-75,81-85,91-95,101-105,111-115,121-125,131-135,141-145,151-155",
		"^0940f18 age.go Bo 2021-11-24: 6-10,16-20,26-30,36-40,46-50,56-60,66-70,76-80,86-90,96-100,106-110,116-120,126-130,136-140,146-150,156-160")

	long = ""
	for i := range 5000 {
		long += fmt.Sprintf("%08x (Ann 2021-11-24 11:29:15 +0100 %3d) x\n", i%400+0x1000000*(i%2), i+1)
	}
	got := shown(parseCut(t, "blame", long), Keep)
	if n := len(strings.Join(got, "\n")); n > blameRoom+100 || !strings.Contains(got[1], "00000000 Ann 2021-11-24: 1,401,") || !strings.HasSuffix(got[len(got)-1], " more commits …]") {
		t.Errorf("%d bytes: %q", n, got)
	}
}
