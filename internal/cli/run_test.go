//go:build unix

package cli

import (
	"bytes"
	"cairn/internal/command"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// run runs a shell command that has $cairn, and returns what it printed and
// its exit code.
func (u *user) run(script string) (stdout, stderr string, code int) {
	u.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = u.dir, append(u.env[:len(u.env):len(u.env)], "cairn="+u.cairn)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	late := time.AfterFunc(30*time.Second, func() {
		u.Errorf("%s: still running", script)
		cmd.Process.Kill()
	})
	defer late.Stop()
	cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

const failing = `"$cairn" run -- sh -c 'seq 1 3000; echo "main.c:3: error: undefined name"; exit 7'`

// check runs a failing command and looks at what an agent gets.
func (u *user) check(what, script string) (stdout, stderr string) {
	u.Helper()
	out, stderr, code := u.run(script)
	if code != 7 || !strings.HasPrefix(out, "[cairn: 3,001 → ") || !strings.HasSuffix(out, "main.c:3: error: undefined name\n") {
		u.Errorf("%s: exit code %d, printed %.300q, said %q", what, code, out, stderr)
	}
	return out, stderr
}

// What cannot be stored costs the stored copy and nothing else.
func TestRunWithoutRoom(t *testing.T) {
	u := newUser(t)
	out, _ := u.check("the control", failing)
	if !strings.Contains(out, "cairn compact show ") {
		t.Errorf("the control stores nothing: %.200q", out)
	}
	os.RemoveAll(u.home)

	out, stderr := u.check("a full disk", "ulimit -f 1; "+failing) // 512 bytes or 1 KB
	if strings.Contains(out, "raw:") || stderr != "" {
		t.Errorf("a full disk: printed %.100q, said %q", out, stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(u.home, "compact", "tee", "*.log")); len(left) > 0 {
		t.Errorf("a full disk: half an output is stored: %q", left)
	}

	u.file(filepath.Join(u.dir, "file"), "")
	out, stderr = u.check("a home that cannot be made", `CAIRN_HOME="$PWD/file/home"; export CAIRN_HOME; `+failing)
	if strings.Contains(out, "raw:") || stderr != "" {
		t.Errorf("a home that cannot be made: printed %.100q, said %q", out, stderr)
	}
	if os.Getuid() != 0 {
		os.MkdirAll(u.home, 0o500)
		u.check("a home that cannot be written", failing)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		// The command's own exit code, or ours if it has none.
		if _, stderr, code := u.run(failing + " > /dev/full"); code != 7 {
			t.Errorf("stdout is full: exit code %d, said %q", code, stderr)
		}
		if _, stderr, code := u.run(`"$cairn" run -- seq 1 10 > /dev/full`); code != 1 || !strings.Contains(stderr, "no space left") {
			t.Errorf("stdout is full after a success: exit code %d, said %q", code, stderr)
		}
	}
}

// A project's rules are a stranger's files: none of them may cost the output,
// the exit code, or much time.
func TestRunWithHostileRules(t *testing.T) {
	u := newUser(t)
	rules := filepath.Join(u.dir, ".cairn", "rules")
	rule := func(fields string) string {
		return `{"id":"hostile/x","family":"hostile","match":{"commands":["sh"]},` + fields + `}`
	}
	for name, text := range map[string]string{
		"huge.json":      rule(`"description":"` + strings.Repeat("x", 20<<20) + `"`),
		"lookahead.json": rule(`"primitives":{"filter":{"drop":["(?=error)","(a+)+\\1"]}}`),
		"binary.json":    "\x00\xff\xfe{\"id\":\"hostile/y\"",
		"deep.json":      strings.Repeat(`{"id":`, 5000),
		"wrong.json":     `{"id":"build/make","primitives":"none","match":7}`,
		"noid.json":      `{}`,
		"array.json":     `[]`,
		"empty.json":     ``,
		"a/b/c/d/e.json": rule(`"priority":1`),
	} {
		u.file(filepath.Join(rules, name), text)
	}
	for name, target := range map[string]string{"loop": ".", "up": "../..", "self.json": "self.json", "zero.json": "/dev/zero", "gone.json": "/gone"} {
		if err := os.Symlink(target, filepath.Join(rules, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(rules, "fifo.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, stderr := u.check("untrusted rules", failing); strings.Count(stderr, "\n") > 2 || !strings.Contains(stderr, "cairn trust") {
		t.Errorf("untrusted rules: said %.1000s", stderr)
	}
	u.trust()
	if _, stderr := u.check("hostile rules", failing); strings.Count(stderr, "\n") != 4 || !strings.Contains(stderr, "cairn compact reload") {
		t.Errorf("hostile rules: said %.1000s", stderr)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	if out, _ := u.hook("claude", bashEvent(u.dir, "make", numbered(3000, "x"))); !strings.HasPrefix(answered(t, out), "[cairn: 3,000 → ") {
		t.Errorf("the hook answered %.200q", out)
	}
	// And they are told to whoever asks.
	_, stderr, code := u.run(`"$cairn" compact reload`)
	if code != command.ExitData || !strings.Contains(stderr, "huge.json") || !strings.Contains(stderr, "lookahead.json") || !strings.Contains(stderr, "binary.json") {
		t.Errorf("reload: exit code %d, said %.2000s", code, stderr)
	}

	// The directory itself may be anything.
	os.RemoveAll(rules)
	u.file(rules, "not a directory")
	u.check("a file for a directory", failing)
	os.Remove(rules)
	if err := os.Symlink(rules, rules); err != nil {
		t.Fatal(err)
	}
	u.check("a link to itself", failing)
}

// 100 MB without a line end pass in constant memory. What the tool says at the
// end is the peak of its parent: wait(2) would count what the process that
// started cairn had in memory.
func TestRunLongLine(t *testing.T) {
	u := newUser(t)
	out, stderr, code := u.run(`GOGC=100 "$cairn" run -- sh -c 'head -c 100000000 /dev/zero | tr "\0" x; echo
		echo "main.c:3: error: undefined name"; grep VmHWM /proc/$PPID/status || echo VmHWM: 1 kB; exit 3'`)
	var peak int
	_, last, _ := strings.Cut(out, "\nmain.c:3: error: undefined name\n")
	if _, err := fmt.Sscanf(last, "VmHWM: %d kB\n", &peak); err != nil || code != 3 || stderr != "" || len(out) > 10_000 || !strings.Contains(out, " bytes …]") {
		t.Fatalf("%v: exit code %d, said %q, printed %d bytes: %.300q", err, code, stderr, len(out), out)
	}
	if peak > 64<<10 {
		t.Errorf("%d kB were in memory", peak)
	}
	t.Logf("%d kB", peak)
}
