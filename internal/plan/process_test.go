package plan

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestProcess is not a test: run by process, it is another cairn that
// changes the plan at the same time.
func TestProcess(t *testing.T) {
	job, root := os.Getenv("CAIRN_TEST_JOB"), os.Getenv("CAIRN_TEST_ROOT")
	if job == "" {
		t.Skip("run by other tests")
	}
	w, err := At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	decide := func(text string) error {
		_, err := w.Update(context.Background(), "state decide", func(tx *Tx) error {
			tx.EditState(func(s *State) {
				s.Decide(Decision{"2", text, ""})
				s.SetValue("Status", text)
			})
			return nil
		})
		return err
	}
	switch job {
	case "loop": // until killed
		for n := 1; err == nil; n++ {
			err = decide(strconv.Itoa(n))
		}
	case "hold": // the lock, until killed
		_, err = w.Update(context.Background(), "hold", func(*Tx) error {
			fmt.Println("held")
			time.Sleep(time.Minute)
			return nil
		})
	default:
		err = decide(job)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// process starts another process with a job.
func process(t *testing.T, w *Workspace, job string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcess$", "-test.v")
	cmd.Env = append(os.Environ(), "CAIRN_TEST_JOB="+job, "CAIRN_TEST_ROOT="+w.Root)
	return cmd
}

func decisions(t *testing.T, w *Workspace) (list []string, status string) {
	t.Helper()
	err := w.View(func(tx *Tx) error {
		s := tx.State()
		for _, d := range s.ListDecisions() {
			list = append(list, d.Summary)
		}
		status = s.Value("Status")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, status
}

func TestParallelDecisionsAreAllKept(t *testing.T) {
	const writers = 64
	w := copied(t, "ws")
	var cmds []*exec.Cmd
	for n := range writers {
		cmd := process(t, w, fmt.Sprintf("decision %d.", n))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	list, _ := decisions(t, w)
	if len(list) != 2+writers {
		t.Errorf("%d decisions, want %d", len(list), 2+writers)
	}
	all := strings.Join(list, "\n")
	for n := range writers {
		if want := fmt.Sprintf("decision %d.", n); strings.Count(all, want) != 1 {
			t.Errorf("%q stands %d times", want, strings.Count(all, want))
		}
	}
}

// A writer that is killed leaves the file as it was before or after one of
// its edits: the last decision is the status.
func TestKilledWriterLeavesAWholeFile(t *testing.T) {
	for _, after := range []time.Duration{30, 47, 71, 98, 140} {
		w := copied(t, "ws")
		cmd := process(t, w, "loop")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for list, _ := decisions(t, w); len(list) < 4; list, _ = decisions(t, w) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(after * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		list, status := decisions(t, w)
		for i, d := range list[2:] {
			if d != strconv.Itoa(i+1) {
				t.Fatalf("decisions are %q", list)
			}
		}
		if last := list[len(list)-1]; status != last {
			t.Errorf("the status is of edit %s, the last decision %s", status, last)
		}
		if b, err := os.ReadFile(w.Abs(w.Path("STATE.md"))); err != nil || !strings.HasSuffix(string(b), ".continue-here.md\n") {
			t.Errorf("the file ends with %q: %v", b[max(0, len(b)-40):], err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if _, err := w.Update(ctx, "after", func(tx *Tx) error {
			tx.EditState(func(s *State) { s.Block("after") })
			return nil
		}); err != nil {
			t.Error(err)
		}
		cancel()
	}
}

func TestLockThatIsHeldAndLockWhoseHolderDied(t *testing.T) {
	w := copied(t, "ws")
	cmd := process(t, w, "hold")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "held"; {
	}
	block := func(wait time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		defer cancel()
		_, err := w.Update(ctx, "block", func(tx *Tx) error {
			tx.EditState(func(s *State) { s.Block("x") })
			return nil
		})
		return err
	}
	before := tree(t, w)
	if err := block(100 * time.Millisecond); !errors.Is(err, ErrLocked) {
		t.Errorf("while it is held: %v", err)
	}
	equalTrees(t, tree(t, w), before)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := block(5 * time.Second); err != nil {
		t.Errorf("the lock of a dead process: %v", err)
	}
}
