//go:build unix

package drive_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
)

func TestMain(m *testing.M) {
	if root := os.Getenv("DRIVE_STEP_IN"); root != "" {
		w, err := plan.Open(root, "")
		if err == nil {
			id, _ := doc.ParsePhaseID("1")
			d := drive.Driver{Workspace: w, Context: context.Background(), Now: time.Now(), Getenv: func(string) string { return "" }}
			_, err = d.Step(id, nil)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Whenever a step is killed, the next one goes on: nothing is merged, recorded or
// committed twice, and nothing is lost.
func TestKilledStep(t *testing.T) {
	root := planned(t, nil)
	kill := func() {
		t.Helper()
		for i := range 6 {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "DRIVE_STEP_IN="+root)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(10+35*i) * time.Millisecond)
			if i%2 == 0 { // the git that it started is killed with it, and leaves its lock
				_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
				_ = cmd.Wait()
				unlock(t, root)
			} else {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}
		}
	}
	files := map[string]string{"01-01": "a.go", "01-02": "b.go", "01-03": "c.go"}
	for range 8 {
		kill()
		s := step(t, root)
		t.Logf("%s: %s; did %q, %q", s.Do, s.Why, s.Did, plans(s))
		if len(s.Ask) > 0 { // on a fast machine each that was killed had handed its agents out
			var said []drive.Said
			for _, q := range s.Ask {
				said = append(said, drive.Said{ID: q.ID, Answer: "go on"})
			}
			s = step(t, root, said...)
		}
		if len(s.Spawn) > 0 && s.Spawn[0].Role == "verifier" {
			break
		}
		for _, a := range s.Spawn {
			executes(t, a, root, files[a.Plan])
		}
	}
	state, log := string(read(t, root, ".planning/STATE.md")), git(t, root, "log", "--format=%s")
	for id := range files {
		if n := strings.Count(state, "| Phase 1 P"+id[3:]+" |"); n != 1 {
			t.Errorf("%s is recorded %d times", id, n)
		}
		if n := strings.Count(log, "feat("+id+")"); n != 1 {
			t.Errorf("%s was committed %d times", id, n)
		}
	}
	if n := strings.Count(state, "one file — simple"); n != 3 {
		t.Errorf("%d decisions", n)
	}
	if n := strings.Count(log, "merge executor worktree"); n > 2 {
		t.Errorf("%d merges", n)
	}
	if out := git(t, root, "status", "--porcelain"); out != "" {
		t.Error("left:", out)
	}
	if out := git(t, root, "worktree", "list"); strings.Contains(out, "worktree-agent") {
		t.Error(out)
	}
}

// unlock removes what git says may be removed when no git runs.
func unlock(t *testing.T, root string) {
	t.Helper()
	if err := filepath.WalkDir(root+"/.git", func(name string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".lock") {
			err = os.Remove(name)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
