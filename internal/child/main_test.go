//go:build unix

package child

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is also the program under test, as `VERB CMD…`:
// pipe streams, hold prints at the end, exec replaces.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && verbs[os.Args[1]] != nil {
		verbs[os.Args[1]](os.Args[2:])
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every exit takes a second under -race
	os.Exit(m.Run())
}

var verbs = map[string]func(args []string){
	"copy": func([]string) { Copy() },
	"exec": func(args []string) { fail(Exec(command(args))) },
	"pipe": func(args []string) {
		end(Pipe(command(args), os.Stdout))
	},
	"live": func(args []string) {
		c := command(args)
		c.Late = os.Stdout
		end(Pipe(c, os.Stdout))
	},
	"hold": func(args []string) {
		var held bytes.Buffer
		c := command(args)
		c.Reader = os.Stdout
		status, err := Pipe(c, &held)
		os.Stdout.Write(held.Bytes())
		end(status, err)
	},
}

func command(args []string) Command {
	path, err := Find(args[0])
	fail(err)
	return Command{Path: path, Args: args, Copier: []string{os.Args[0], "copy"}}
}

func fail(err error) {
	var start *StartError
	switch e := err.(type) {
	case nil:
		return
	case *StartError:
		start = e
	default:
		start = &StartError{"test", err, 1}
	}
	fmt.Fprintln(os.Stderr, start)
	os.Exit(start.Code)
}

func end(status Status, err error) {
	fail(err)
	status.Exit()
}

// us is a run of the program under test.
type us struct {
	*exec.Cmd
	t   *testing.T
	out string // file that gets stdout and stderr
}

// launch starts the program under test as a shell or a host would: in a group
// of its own and without a terminal.
func launch(t *testing.T, args ...string) *us {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = filepath.Dir(out.Name())
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
	return &us{cmd, t, out.Name()}
}

func (u *us) output() string {
	b, _ := os.ReadFile(u.out)
	return string(b)
}

// says waits until the output holds want.
func (u *us) says(want string) {
	u.t.Helper()
	eventually(u.t, fmt.Sprintf("output %q", want), func() bool { return strings.Contains(u.output(), want) })
}

// ends waits for the end and returns how it came.
func (u *us) ends() Status {
	u.t.Helper()
	late := time.AfterFunc(10*time.Second, func() {
		u.t.Errorf("still running; output %q", u.output())
		u.Process.Kill()
	})
	defer late.Stop()
	u.Wait()
	return statusOf(u.ProcessState)
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

// pids reads the process ids that a tool printed, one on each line after word.
func (u *us) pids(word string, n int) []int {
	u.t.Helper()
	var list []int
	eventually(u.t, fmt.Sprintf("%d lines %q", n, word), func() bool {
		list = list[:0]
		for line := range strings.Lines(u.output()) {
			var pid int
			if k, _ := fmt.Sscanf(line, word+" %d\n", &pid); k == 1 && strings.HasSuffix(line, "\n") {
				list = append(list, pid)
			}
		}
		return len(list) == n
	})
	return list
}

// running reports whether pid is a process and not a zombie.
func running(pid int) bool {
	for p := range processes() {
		if p.pid == pid {
			return true
		}
	}
	return false
}
