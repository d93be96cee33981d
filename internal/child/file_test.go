//go:build unix

package child

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func private(t *testing.T) *os.File {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "out"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestFileFollowsAllInOrder(t *testing.T) {
	var want, got bytes.Buffer
	for i := range 500 {
		fmt.Fprintf(&want, "out %d\nerr %d\n", i, i)
	}
	want.WriteString(strings.Repeat("\x00", 3_000_000))
	f := private(t)
	status, err := File(sh(`i=0; while [ $i -lt 500 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done
		head -c 3000000 /dev/zero; exit 3`), f, func(b []byte) { got.Write(b) })
	if err != nil || status.Code != 3 || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%v, %+v, %d bytes, want %d", err, status, got.Len(), want.Len())
	}
}

func TestFileTellsOfSilence(t *testing.T) {
	var silent, longest int
	var at []time.Duration
	start := time.Now()
	File(sh("echo 1; sleep 0.4; echo 2"), private(t), func(b []byte) {
		if silent++; len(b) > 0 {
			at, silent = append(at, time.Since(start)), 0
		}
		longest = max(longest, silent)
	})
	if longest < 10 {
		t.Errorf("told %d times", longest)
	}
	if len(at) != 2 || at[1]-at[0] < 300*time.Millisecond {
		t.Errorf("chunks came at %v", at)
	}
}

func TestFileKeepsStderrApart(t *testing.T) {
	f, stderr := private(t), private(t)
	var got bytes.Buffer
	c := sh("echo out; echo err >&2")
	c.Stderr = stderr
	File(c, f, func(b []byte) { got.Write(b) })
	if b, _ := os.ReadFile(stderr.Name()); got.String() != "out\n" || string(b) != "err\n" {
		t.Errorf("out %q, err %q", got.String(), b)
	}
}

func TestDescendantsWriteOnIntoTheFile(t *testing.T) {
	f := private(t)
	u := launch(t, "file", f.Name(), "sh", "-c", `(sleep 0.3; echo late; exec sleep 60) & echo pid $!`)
	pid := u.pids("pid", 1)[0]
	defer syscall.Kill(pid, syscall.SIGKILL)
	start := time.Now()
	u.ends()
	if took := time.Since(start); took > 200*time.Millisecond {
		t.Errorf("waited %v for a descendant", took)
	}
	eventually(t, "the late output in the file", func() bool {
		b, _ := os.ReadFile(f.Name())
		return strings.HasSuffix(string(b), "late\n")
	})
	if !running(pid) {
		t.Error("the descendant is dead")
	}
}

func BenchmarkFile(b *testing.B) {
	const size = 256 << 20
	b.SetBytes(size)
	for range b.N {
		f, _ := os.OpenFile(filepath.Join(b.TempDir(), "out"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
		n := 0
		File(sh(fmt.Sprintf("head -c %d /dev/zero", size)), f, func(p []byte) { n += len(p) })
		if f.Close(); n != size {
			b.Fatalf("%d bytes", n)
		}
	}
}
