//go:build unix

package shim

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/child"
	"cairn/internal/compact"
)

// Where the output is not ours to touch, the tool takes the shim's place: the
// agent has its bytes, as they are written.
func TestStepsAside(t *testing.T) {
	tests := []struct {
		name, script string
		env          []string
		note         Call
	}{
		{"turned off", "make", []string{"TEST_OFF=1"}, Call{}},
		{"excluded", "make all", []string{"TEST_EXCLUDE=make"}, Call{}},
		{"a server", "npm run dev", nil, Call{}},
		{"a watcher", "npm test -- --watch", nil, Call{}},
		{"in the background", "make all", nil, Call{Command: "make all", Background: true}},
		{"no room", "make", []string{"TEST_NO_ROOM=1"}, Call{}},
		{"no home", "make", []string{"CAIRN_HOME=/dev/null/home"}, Call{}},
		{"the call is not known", "unset BASH_EXECUTION_STRING; make", nil, Call{}},
	}
	for _, tt := range tests {
		a := newAgent(t)
		a.tool("npm", "exec make")
		if tt.note.Command != "" {
			if err := a.shell.Note("session", tt.note); err != nil {
				t.Fatal(err)
			}
		}
		want, wantEnd := a.withoutUs("bash", tt.script)
		if out, _ := a.call("bash", "npm test"); !compacted(out) { // the control
			t.Errorf("%s: nothing is compacted: %.200q", tt.name, out)
		}
		a.env = append(a.env, tt.env...)
		if out, end := a.call("bash", tt.script); out != want || end != wantEnd {
			t.Errorf("%s: ended %+v, want %+v; read %.200q", tt.name, end, wantEnd, out)
		}
		if left := a.rawFiles(); len(left) > 0 {
			t.Errorf("%s: left behind: %q", tt.name, left)
		}
	}
}

// Our own output is never cut, whatever tool of the block it runs under.
func TestOurOwnOutput(t *testing.T) {
	a := newAgent(t)
	a.shell.Tools = append(a.shell.Tools, "cairn")
	a.write()
	const text = `seq -f "step %g: what the agent is to do" 1 300`
	a.tool("cairn", text)
	a.tool("other", text)
	for _, script := range []string{"cairn plan content show rules", "timeout 60 cairn plan content show rules"} {
		want, _ := a.withoutUs("bash", script)
		if out, _ := a.call("bash", script); out != want || strings.Count(out, "\n") != 300 {
			t.Errorf("%s: read %d bytes of %d", script, len(out), len(want))
		}
	}
	if out, _ := a.call("bash", "timeout 60 other"); !strings.HasPrefix(out, compact.HeaderPrefix) {
		t.Errorf("the control: %.200q", out)
	}
}

// An equal command that waits again is compacted again.
func TestNoteIsTakenAway(t *testing.T) {
	a := newAgent(t)
	call := Call{Command: `make "all"  it's`, Background: true}
	script := `make "all"  it\'s`
	for _, background := range []bool{true, false} {
		call.Background = background
		call.Command = script
		if err := a.shell.Note("session", call); err != nil {
			t.Fatal(err)
		}
		if out, _ := a.call("bash", script); compacted(out) == background {
			t.Errorf("background %v: %.200q", background, out)
		}
	}
	// Nor is a longer command taken for the one in the background that is a
	// part of it.
	for _, c := range []Call{{Command: "make slow", Background: true}, {Command: "true && make slow"}} {
		if err := a.shell.Note("session", c); err != nil {
			t.Fatal(err)
		}
		if out, _ := a.call("bash", c.Command); compacted(out) == c.Background {
			t.Errorf("%s: %.200q", c.Command, out)
		}
	}
	// Another session's notes are not ours.
	call.Background = true
	if err := a.shell.Note("../../other", call); err != nil {
		t.Fatal(err)
	}
	if out, _ := a.call("bash", script); !compacted(out) {
		t.Errorf("another session's note: %.200q", out)
	}
}

// A file of the agent's that only looks like its stdout is not taken for it,
// nor is what is not a file.
func TestNotTheCallsOutput(t *testing.T) {
	a := newAgent(t)
	cmd, _ := a.command("bash", "", "make")
	pipe, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	buf := make([]byte, 1<<20)
	n := 0
	for {
		k, err := pipe.Read(buf[n:])
		if n += k; err != nil {
			break
		}
	}
	cmd.Wait()
	if strings.Contains(string(buf[:n]), "[cairn") || !strings.Contains(string(buf[:n]), "\n1500\n") {
		t.Errorf("a pipe was compacted: %.200q", buf[:n])
	}
}

// What the tool left behind goes on writing, and the agent is told where.
func TestDescendantWritesOn(t *testing.T) {
	a := newAgent(t)
	a.tool("make", `(until [ -e go ]; do sleep 0.01; done; echo late; sleep 60) & echo pid $!; seq 1 3000`)
	out, end := a.call("bash", "make")
	m := regexp.MustCompile(`(?s)pid (\d+)\n.*\n\[cairn: a process goes on writing to (.+)\]\n$`).FindStringSubmatch(out)
	if m == nil || end.Code != 0 {
		t.Fatalf("%+v, %q", end, out)
	}
	pid, _ := strconv.Atoi(m[1])
	defer syscall.Kill(pid, syscall.SIGKILL)
	if fi, err := os.Stat(m[2]); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", err, fi)
	}
	os.WriteFile(filepath.Join(a.dir, "go"), nil, 0o600)
	eventually(t, "the late line in the file", func() bool { return strings.HasSuffix(a.read(m[2]), "late\n") })
}

// startMake starts a make that tells who called it and then waits for a
// signal, with the traps that are set first.
func (a *agent) startMake(traps string) (shim int, end func() (string, child.Status)) {
	a.Helper()
	a.tool("make", traps+`
		seq 1 3000; echo $PPID > ppid; mv ppid caller
		until [ -e go ]; do sleep 0.01; done; echo went on; echo done > finished`)
	cmd, out := a.command("bash", "", "make; exit $?")
	if err := cmd.Start(); err != nil {
		a.Fatal(err)
	}
	eventually(a.T, "make runs", func() bool { _, err := os.Stat(filepath.Join(a.dir, "caller")); return err == nil })
	shim, err := strconv.Atoi(strings.TrimSpace(a.read("caller")))
	if err != nil || shim == cmd.Process.Pid {
		a.Fatalf("make was called by %d, the shell: %v", shim, err)
	}
	return shim, func() (string, child.Status) { return a.end(cmd, out) }
}

func TestSignals(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP} {
		a := newAgent(t)
		shim, end := a.startMake(`trap "echo cleaned up; exit 7" ` + name)
		syscall.Kill(shim, sig)
		if out, status := end(); status.Code != 7 || !strings.HasSuffix(out, "cleaned up\n") || !strings.Contains(out, "[cairn: ") {
			t.Errorf("%s, caught: %+v, %.200q", name, status, out)
		}
		a = newAgent(t)
		shim, end = a.startMake("")
		syscall.Kill(shim, sig)
		out, status := end()
		if code := status.ExitCode(); code != 128+int(sig) || !strings.Contains(out, "[cairn: ") {
			t.Errorf("%s: %+v, %.200q", name, status, out)
		}
		if left := a.rawFiles(); len(left) > 0 {
			t.Errorf("%s: left behind: %q", name, left)
		}
	}
}

// A shim that is killed harms nobody: the tool goes on and ends well.
func TestKilled(t *testing.T) {
	a := newAgent(t)
	shim, end := a.startMake("")
	syscall.Kill(shim, syscall.SIGKILL)
	if _, status := end(); status.Code != 137 {
		t.Errorf("the shell says %+v", status)
	}
	os.WriteFile(filepath.Join(a.dir, "go"), nil, 0o600)
	eventually(t, "make ends", func() bool { _, err := os.Stat(filepath.Join(a.dir, "finished")); return err == nil })
	if left := a.rawFiles(); len(left) != 1 || !strings.HasSuffix(a.read(left[0]), "3000\nwent on\n") {
		t.Errorf("what it wrote is not there: %q", left)
	}
}

// What a killed shim left is removed after a week.
func TestOldFilesGo(t *testing.T) {
	a := newAgent(t)
	dir := filepath.Join(a.shell.Home.Calls(), "raw")
	old := time.Now().Add(-rawAge - time.Hour)
	note := filepath.Join(notesOf(a.shell.Home, "gone"), "x.json")
	for _, name := range []string{filepath.Join(dir, "old.out"), filepath.Join(dir, "new.out"), note} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.Chtimes(filepath.Join(dir, "old.out"), old, old)
	os.Chtimes(filepath.Dir(note), old, old)
	if err := a.shell.Note("session", Call{Command: "make", Timeout: time.Minute}); err != nil {
		t.Fatal(err)
	}
	a.call("bash", "make")
	if left := a.rawFiles(); len(left) != 1 || filepath.Base(left[0]) != "new.out" {
		t.Errorf("left: %q", left)
	}
	if _, err := os.Stat(filepath.Dir(note)); err == nil {
		t.Error("the notes of an old session are still there")
	}
}
