package worktree

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

func (r *repo) clean(c Cleanup, entries ...Entry) *Result {
	r.t.Helper()
	c.Dir = r.dir
	res, err := c.Run(context.Background(), entries)
	if err != nil {
		r.t.Fatal(err)
	}
	return res
}

func TestCleanupBringsAWaveHome(t *testing.T) {
	r := newRepo(t)
	entries := []Entry{r.agent("a"), r.agent("b")}
	r.git(r.dir, "worktree", "lock", "--reason", "agent b (pid 1)", entries[1].Path)
	for _, run := range []string{"first", "second"} {
		res := r.clean(Cleanup{}, entries...)
		if !res.OK() || len(res.Outcomes) != 2 || len(res.Pending) != 0 {
			t.Fatalf("%s run: %+v", run, res)
		}
		for _, o := range res.Outcomes {
			if o.Status != MergedRemoved || o.Warning != "" || r.hasBranch(o.Branch) {
				t.Errorf("%s run: %+v, branch there: %v", run, o, r.hasBranch(o.Branch))
			}
			if _, err := os.Stat(o.Path); err == nil {
				t.Errorf("%s run: %s is still there", run, o.Path)
			}
		}
		if !r.has("a.txt") || !r.has("b.txt") {
			t.Errorf("%s run: the agents' files are not in the main tree", run)
		}
		if n := r.git(r.dir, "rev-list", "--count", "--merges", "HEAD"); n != "2" {
			t.Errorf("%s run: %s merges, want 2", run, n)
		}
	}
}

func TestCleanupBlocks(t *testing.T) {
	cairntest.Long(t)
	for _, c := range []struct {
		why     Reason
		prepare func(*repo, *Entry)
		detail  string
	}{
		{BranchMismatch, func(r *repo, e *Entry) { r.git(e.Path, "switch", "-q", "-c", "worktree-agent-other") }, "on worktree-agent-other"},
		{BranchMismatch, func(r *repo, e *Entry) { r.git(e.Path, "switch", "-q", "--detach") }, "on no branch"},
		{BranchMismatch, func(r *repo, e *Entry) { r.git(r.dir, "worktree", "remove", e.Path) }, "no worktree at"},
		{BaseMismatch, func(r *repo, e *Entry) { r.commitEmpty(r.dir); e.Base = r.git(r.dir, "rev-parse", "HEAD") }, "began at"},
		{BaseMismatch, func(r *repo, e *Entry) { e.Base = strings.Repeat("1", 40) }, "no commit here"},
		{DeletionsUnknown, func(r *repo, e *Entry) { r.loseTree(e.Branch) }, "git diff"},
		{HasDeletions, func(r *repo, e *Entry) { r.git(e.Path, "rm", "-q", "README.md"); r.commit(e.Path, "rm") }, "deletes README.md"},
		{Dirty, func(r *repo, e *Entry) { r.write(e.Path, "new.txt", "") }, "not committed: new.txt"},
		{Dirty, func(r *repo, e *Entry) { r.write(e.Path, "README.md", "") }, "not committed: README.md"},
		{Dirty, func(r *repo, e *Entry) { r.ignorePlan(); r.write(e.Path, ".planning/phases/1/SUMMARY.md", "") }, "SUMMARY.md"},
		{MergeFailed, func(r *repo, e *Entry) { r.conflict(e.Path) }, "git merge"},
		{MergeFailed, func(r *repo, e *Entry) { r.git(r.dir, "switch", "-q", "--detach") }, "no branch"},
		{RemoveFailed, func(r *repo, e *Entry) { r.write(r.dir, ".git/worktrees/a/modules/m/HEAD", "") }, "submodules"},
	} {
		t.Run(string(c.why), func(t *testing.T) {
			r := newRepo(t)
			e, after := r.agent("a"), r.agent("b")
			c.prepare(r, &e)
			res := r.clean(Cleanup{}, e, after)
			o := res.Outcomes[0]
			if o.Status != Blocked || o.Reason != c.why || !strings.Contains(o.Detail, c.detail) {
				t.Errorf("outcome is %+v", o)
			}
			if res.OK() || len(res.Pending) != 1 || res.Pending[0].Branch != after.Branch {
				t.Errorf("the rest should be pending: %+v", res)
			}
			if !r.hasBranch(e.Branch) {
				t.Error("the branch is gone")
			}
			if merging := r.has(".git/MERGE_HEAD"); merging || r.git(r.dir, "status", "--porcelain", "-uno") != "" {
				t.Errorf("the main tree is not clean, merging: %v", merging)
			}
		})
	}
}

func (r *repo) commitEmpty(dir string) { r.git(dir, "commit", "-q", "--allow-empty", "-m", "more") }

// loseTree deletes the object that lists a branch's files.
func (r *repo) loseTree(branch string) {
	r.t.Helper()
	tree := r.git(r.dir, "rev-parse", branch+"^{tree}")
	if err := os.Remove(filepath.Join(r.dir, ".git", "objects", tree[:2], tree[2:])); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) ignorePlan() {
	r.write(r.dir, ".git/info/exclude", ".planning/\n")
}

func (r *repo) conflict(tree string) {
	r.write(tree, "README.md", "one\ntheirs\nthree\n")
	r.commit(tree, "theirs")
	r.write(r.dir, "README.md", "one\nours\nthree\n")
	r.commit(r.dir, "ours")
}

func TestDeletionsThatWereLookedAt(t *testing.T) {
	r := newRepo(t)
	e := r.agent("a")
	r.git(e.Path, "rm", "-q", "README.md")
	r.commit(e.Path, "rm")
	if res := r.clean(Cleanup{AllowDeletions: true}, e); !res.OK() || r.has("README.md") {
		t.Errorf("%+v", res)
	}
}

func TestRenameIsNoDeletion(t *testing.T) {
	r := newRepo(t)
	e := r.agent("a")
	r.git(e.Path, "mv", "README.md", "READ.md")
	r.commit(e.Path, "mv")
	if res := r.clean(Cleanup{}, e); !res.OK() || !r.has("READ.md") {
		t.Errorf("%+v", res)
	}
}

func TestWhatKeptItBeforeIsForgotten(t *testing.T) {
	r := newRepo(t)
	e := r.agent("a")
	e.Status, e.Reason = Blocked, Dirty
	if o := r.clean(Cleanup{}, e).Outcomes[0]; o.Status != MergedRemoved || o.Reason != "" {
		t.Errorf("%+v", o)
	}
}

func TestOwnFilesOfThePlanAreNotWork(t *testing.T) {
	r := newRepo(t)
	r.ignorePlan()
	e := r.agent("a")
	r.write(e.Path, ".planning/.cairn/lock", "")
	r.write(e.Path, ".planning/.journal.jsonl", "")
	r.write(e.Path, ".planning/.gitignore", "/.gitignore\n")
	r.write(e.Path, "build.log", "")
	if res := r.clean(Cleanup{}, e); !res.OK() {
		t.Errorf("%+v", res)
	}
}

func TestBranchThatCannotBeDeletedIsAWarning(t *testing.T) {
	r := newRepo(t)
	e := r.agent("a")
	r.git(r.dir, "worktree", "add", "-q", "-f", filepath.Join(filepath.Dir(r.dir), "again"), e.Branch)
	res := r.clean(Cleanup{}, e)
	if o := res.Outcomes[0]; !res.OK() || o.Warning != BranchDeleteFailed {
		t.Errorf("%+v", o)
	}
}

// A clean-up that was killed is finished by the next one.
func TestCleanupGoesOn(t *testing.T) {
	steps := [][]string{
		{"merge", "-q", "--no-ff", "-m", mergeSubject("worktree-agent-a"), "worktree-agent-a"},
		{"worktree", "remove", "../a"},
		{"branch", "-q", "-D", "worktree-agent-a"},
	}
	for n := range len(steps) + 1 {
		r := newRepo(t)
		entries := []Entry{r.agent("a"), r.agent("b")}
		for _, args := range steps[:n] {
			r.git(r.dir, args...)
		}
		res := r.clean(Cleanup{}, entries...)
		if !res.OK() || r.git(r.dir, "rev-list", "--count", "--merges", "HEAD") != "2" || len(r.git(r.dir, "branch", "--list", "worktree-agent-*")) > 0 {
			t.Errorf("killed after %d steps: %+v", n, res)
		}
	}
}

// Executors that skipped the hooks have it run once for the wave.
func TestHookRunsOnceAfterTheWave(t *testing.T) {
	for _, c := range []struct {
		skip bool
		exit string
		runs string
		ok   bool
	}{
		{skip: true, exit: "0", runs: "x", ok: true},
		{skip: true, exit: "1", runs: "x", ok: false},
		{skip: false, exit: "1", runs: "", ok: true},
	} {
		r := newRepo(t)
		entries := []Entry{r.agent("a"), r.agent("b")}
		hook := filepath.Join(r.dir, ".git", "hooks", "pre-commit")
		r.write(r.dir, ".git/hooks/pre-commit", "#!/bin/sh\nprintf x >> \"$(git rev-parse --git-common-dir)/runs\"\necho bad style >&2\nexit "+c.exit+"\n")
		if err := os.Chmod(hook, 0o755); err != nil {
			t.Fatal(err)
		}
		res := r.clean(Cleanup{SkipHooks: c.skip}, entries...)
		runs, _ := os.ReadFile(filepath.Join(r.dir, ".git", "runs"))
		if string(runs) != c.runs || res.OK() != c.ok || !r.has("b.txt") {
			t.Errorf("skip %v, exit %s: ran %q, ok %v", c.skip, c.exit, runs, res.OK())
		}
		if !c.ok && !strings.Contains(res.Hook.Detail, "bad style") {
			t.Errorf("the hook said %q", res.Hook.Detail)
		}
	}
}
