//go:build unix

package child

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/test/cairntest"
)

func sh(script string) Command {
	return Command{Path: "/bin/sh", Args: []string{"sh", "-c", script}, Copier: []string{os.Args[0], "copy"}}
}

func TestPipeKeepsTheOrder(t *testing.T) {
	var want, got bytes.Buffer
	for i := range 500 {
		fmt.Fprintf(&want, "out %d\nerr %d\n", i, i)
	}
	script := `i=0; while [ $i -lt 500 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done`
	if _, err := Pipe(sh(script), &got); err != nil || got.String() != want.String() {
		t.Errorf("%v, %d bytes, want %d", err, got.Len(), want.Len())
	}
	got.Reset()
	if status, err := Pipe(sh("head -c 5000000 /dev/zero; exit 3"), &got); err != nil || got.Len() != 5_000_000 || status.Code != 3 {
		t.Errorf("%v, %+v, %d bytes", err, status, got.Len())
	}
}

func TestPipePassesChunksOnAtOnce(t *testing.T) {
	cairntest.Long(t)
	var at []time.Duration
	start := time.Now()
	Pipe(sh("echo 1; sleep 0.3; echo 2 >&2; sleep 0.3; echo 3"), writer(func(b []byte) (int, error) {
		at = append(at, time.Since(start))
		return len(b), nil
	}))
	if len(at) != 3 || at[1]-at[0] < 200*time.Millisecond || at[2]-at[1] < 200*time.Millisecond {
		t.Errorf("chunks came at %v", at)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

func TestPipeKeepsStderrApart(t *testing.T) {
	err, _ := os.Create(t.TempDir() + "/err")
	defer err.Close()
	var out bytes.Buffer
	c := sh("echo out; echo err >&2")
	c.Stderr = err
	Pipe(c, &out)
	if b, _ := os.ReadFile(err.Name()); out.String() != "out\n" || string(b) != "err\n" {
		t.Errorf("out %q, err %q", out.String(), b)
	}
}

// A failing writer is our trouble: the tool ends as it would have.
func TestPipeReportsAFailedWriter(t *testing.T) {
	full := errors.New("no space left")
	status, err := Pipe(sh("head -c 1000000 /dev/zero && exit 4"), writer(func([]byte) (int, error) { return 0, full }))
	if err != full || status.Code != 4 {
		t.Errorf("%v, %+v", err, status)
	}
}

func TestPipeLeavesNothingBehind(t *testing.T) {
	cairntest.Long(t)
	before, fds := runtime.NumGoroutine(), openFiles()
	for range 5 {
		Pipe(sh("echo x; sleep 0.1"), io.Discard) // long enough for a witness
	}
	Pipe(sh("sleep 1 & echo"), io.Discard)
	eventually(t, "no goroutine more than before", func() bool { return runtime.NumGoroutine() <= before })
	if n := openFiles(); n > fds+1 { // one for the runtime's poller
		t.Errorf("%d open files, before %d", n, fds)
	}
}

func openFiles() int {
	list, _ := os.ReadDir("/dev/fd")
	return len(list)
}

func TestDescendantsThatKeepThePipe(t *testing.T) {
	dir := t.TempDir()
	script := `(trap 'echo broken > ` + dir + `/log' PIPE; until [ -e ` + dir + `/ended ]; do sleep 0.02; done; echo late; echo "wrote $?" > ` + dir + `/log
		head -c 1000000 /dev/zero; echo "wrote all $?" > ` + dir + `/log; sleep 30) & echo pid $!; echo done`
	u := launch(t, "pipe", "sh", "-c", script)
	pid := u.pids("pid", 1)[0]
	defer syscall.Kill(pid, syscall.SIGKILL)
	if got := u.ends(); got != (Status{}) {
		t.Errorf("ended with %+v", got)
	}
	if err := os.WriteFile(dir+"/ended", nil, 0o600); err != nil { // before, the descendant writes nothing
		t.Fatal(err)
	}
	eventually(t, "the descendant writes more than a pipe holds", func() bool {
		b, _ := os.ReadFile(dir + "/log")
		return string(b) == "wrote all 0\n"
	})
	if !running(pid) {
		t.Error("the descendant is dead")
	}
	if strings.Contains(u.output(), "late") {
		t.Error("without Late its output still came")
	}
}

func TestDescendantsThatNeverPause(t *testing.T) {
	cairntest.Long(t)
	for _, chatter := range []string{"while echo x; do sleep 0.02; done", "while echo x; do :; done"} {
		u := launch(t, "pipe", "sh", "-c", `(`+chatter+`) & echo pid $!; head -c 60000 /dev/zero; echo last`)
		pid := u.pids("pid", 1)[0]
		start := time.Now()
		u.ends()
		if took := time.Since(start); took > 3*patience {
			t.Errorf("%s: took %v", chatter, took)
		}
		if !strings.Contains(u.output(), "last\n") {
			t.Errorf("%s: the tool's own last words are lost", chatter)
		}
		if !running(pid) {
			t.Errorf("%s: is dead", chatter)
		}
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

func TestLateOutputOnATerminalStillComes(t *testing.T) {
	u := launch(t, "live", "sh", "-c", "(sleep 0.4; echo late) & echo done")
	u.ends()
	if u.output() != "done\n" {
		t.Errorf("at the end: %q", u.output())
	}
	u.says("late\n")
}

// With the reader gone, all ends as in a pipeline without us.
func TestBrokenStdout(t *testing.T) {
	for _, tt := range []struct {
		pipeline string
		want     string // status of each part
	}{
		{`"$0" pipe yes | head -1`, "141 0"},
		{`"$0" exec yes | head -1`, "141 0"},
		{`"$0" hold yes | true`, "141 0"},
		{`"$0" pipe sh -c 'yes; exit 3' | head -1`, "3 0"},
		{`yes | "$0" pipe cat | head -1`, "141 141 0"},
	} {
		cmd := exec.Command("bash", "-c", tt.pipeline+`; echo ${PIPESTATUS[*]}`, os.Args[0])
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		late := time.AfterFunc(10*time.Second, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		out, _ := cmd.Output()
		late.Stop()
		if got := strings.TrimPrefix(string(out), "y\n"); got != tt.want+"\n" || strings.Contains(stderr.String(), "test:") {
			t.Errorf("%s: got %q, want %q; stderr %q", tt.pipeline, got, tt.want, stderr.String())
		}
	}
}

func BenchmarkPipe(b *testing.B) {
	const size = 1 << 30
	b.SetBytes(size)
	for range b.N {
		var n int64
		Pipe(sh(fmt.Sprintf("head -c %d /dev/zero", size)), writer(func(p []byte) (int, error) {
			n += int64(len(p))
			return len(p), nil
		}))
		if n != size {
			b.Fatalf("%d bytes", n)
		}
	}
}

func BenchmarkPipeShortTool(b *testing.B) {
	for range b.N {
		Pipe(Command{Path: "/bin/true", Args: []string{"true"}}, io.Discard)
	}
}
