package worktree

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// dead returns the id of a process that has ended.
func dead(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("git", "--version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// lock locks a worktree as an agent did some time ago.
func (r *repo) lock(e Entry, reason string, age time.Duration) string {
	r.t.Helper()
	r.git(r.dir, "worktree", "lock", "--reason", reason, e.Path)
	lock := filepath.Join(r.dir, ".git", "worktrees", filepath.Base(e.Path), "locked")
	at := time.Now().Add(-age)
	if err := os.Chtimes(lock, at, at); err != nil {
		r.t.Fatal(err)
	}
	return lock
}

func TestReap(t *testing.T) {
	cairntest.Long(t)
	const old = 10 * time.Minute
	gone := fmt.Sprintf("agent a (pid %d)", dead(t))
	for _, c := range []struct {
		name    string
		lock    string
		age     time.Duration
		prepare func(*repo, Entry)
		status  Status
		reason  Reason
	}{
		{name: "orphan", lock: gone, age: old, prepare: merge, status: Reaped},
		{name: "its directory is gone", lock: gone, age: old, prepare: func(r *repo, e Entry) { merge(r, e); os.RemoveAll(e.Path) }, status: Reaped},
		{name: "just locked", lock: gone, age: time.Minute, prepare: merge, status: Skipped, reason: LockTooFresh},
		{name: "no process named", lock: "portable disk", age: old, prepare: merge, status: Skipped, reason: OwnerUnknown},
		{name: "alive", lock: fmt.Sprint(os.Getpid()), age: old, prepare: merge, status: Skipped, reason: OwnerAlive},
		{name: "not merged", lock: gone, age: old, status: Skipped, reason: NotMerged},
		{name: "no commit", lock: gone, age: old, prepare: func(r *repo, _ Entry) { r.write(r.dir, ".git/worktrees/a/HEAD", "ref: refs/heads/none\n") }, status: Skipped, reason: NoTip},
		{name: "work not committed", lock: gone, age: old, prepare: func(r *repo, e Entry) { merge(r, e); r.write(e.Path, "x", "") }, status: Skipped, reason: ReapFailed},
		{name: "cannot be removed", lock: gone, age: old, prepare: func(r *repo, e Entry) { merge(r, e); r.write(r.dir, ".git/worktrees/a/modules/m", "") }, status: Skipped, reason: ReapFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			e := r.agent("a")
			r.agent("unlocked")
			if c.prepare != nil {
				c.prepare(r, e)
			}
			lock := r.lock(e, c.lock, c.age)
			would, err := Reaper{Dir: r.dir, DryRun: true}.Run(context.Background())
			if _, gone := os.Stat(lock); err != nil || len(would) != 1 || gone != nil || c.name != "cannot be removed" && would[0].Reason != c.reason {
				t.Errorf("a dry run: %+v, %v", would, err)
			}
			got, err := Reaper{Dir: r.dir}.Run(context.Background())
			if err != nil || len(got) != 1 || got[0].Status != c.status || got[0].Reason != c.reason {
				t.Fatalf("%+v, %v", got, err)
			}
			_, err = os.Stat(lock)
			if locked := err == nil; locked != (c.status == Skipped) {
				t.Errorf("locked afterwards: %v", locked)
			}
			if again, err := (Reaper{Dir: r.dir}).Run(context.Background()); err != nil || c.status == Skipped && again[0].Reason != c.reason || c.status == Reaped && len(again) != 0 {
				t.Errorf("a second time: %+v, %v", again, err)
			}
			if c.status == Reaped && r.hasBranch(e.Branch) {
				t.Error("its merged branch is still there")
			}
		})
	}
}

func merge(r *repo, e Entry) { r.git(r.dir, "merge", "-q", "--no-ff", "-m", "merge", e.Branch) }

func TestOwner(t *testing.T) {
	for text, want := range map[string]int{
		"claude agent agent-a12f (pid 4242)": 4242,
		"pid: 17 since noon":                 17,
		`{"pid":99}`:                         99,
		"123\n":                              123,
		"agent 55":                           0,
		"rapid growth":                       0,
		"-5":                                 0,
		"":                                   0,
	} {
		if got, ok := owner(text); got != want || ok != (want > 0) {
			t.Errorf("owner(%q) is %d, %v, want %d", text, got, ok, want)
		}
	}
}
