//go:build unix

package calls

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/child"
	"cairn/test/cairntest"
)

// Whatever fails is compacted, and ends as it ends without us.
func TestWhatFailsIsCompacted(t *testing.T) {
	cairntest.Long(t)
	for _, shell := range shells(t) {
		a := newAgent(t)
		for _, command := range []string{
			"check", "CODE=7 check", "(check)", "{ check; }", "mkdir sub && cd sub && check", "true && check", "check && echo never",
			"if check; then :; else exit 4; fi", "for i in 1; do check || exit 5; done", "f() { check; }; f", "bash -c check", `bash -c "check && echo 'it'\''s good'"`,
			"check | cat; (exit 3)", "set -o pipefail; check 2>&1 | cat", "check; exit 9", "set -e; check", "set -u; check", "set -x; check", "set -euo pipefail; check",
			"trap 'echo cleaned up' EXIT; check", "timeout 20 check", "nohup check < /dev/null", "env A=1 check", "x=1 check; false",
			"export HOME=/nonexistent; check", "mkdir gone && cd gone && rmdir ../gone; check", "IFS=x; set -f; check", "eval check", "exec 3>f; check",
			"echo \"it's\n$(echo two)\" # a 'comment'\ncheck", "(sleep 0.1) & check", "umask 777; check", "set -C; check",
		} {
			want, got := a.withoutUs(shell, command), a.call(shell, command)
			if got.status != want.status || got.cwd != want.cwd || got.status == (child.Status{}) {
				t.Errorf("%s: %s: ended %+v in %q, want %+v in %q", shell, command, got.status, got.cwd, want.status, want.cwd)
			}
			if !compacted(got.out) || strings.Count(got.out, "[cairn: ") != 1 {
				t.Errorf("%s: %s: read %.300q", shell, command, got.out)
			}
		}
		if got := a.call(shell, "trap 'echo cleaned up' EXIT; check"); !strings.HasSuffix(got.out, "the end\ncleaned up\n") {
			t.Errorf("%s: a trap of the command's own: %q", shell, got.out[max(0, len(got.out)-100):])
		}
	}
}

// What the agent does not read when the call fails is not touched.
func TestLeftAlone(t *testing.T) {
	for _, tt := range []struct {
		name, command string
		env           []string
		note          Call
	}{
		{"turned off", "check", []string{"TEST_OFF=1"}, Call{}},
		{"excluded", "check all", []string{"TEST_EXCLUDE=check"}, Call{}},
		{"asked for raw", "check", []string{"CAIRN_RAW=1"}, Call{}},
		{"crashed", "check", []string{"TEST_CRASH=1"}, Call{}},
		{"in the background", "check all", nil, Call{Command: "check all", Background: true}},
		{"moved there", "check all", nil, Call{Task: "work", Background: true}},
		{"a redirect", "exec >> f; check", nil, Call{}},
		{"both redirected", "exec > f 2>&1; check", nil, Call{}},
		{"success", "CODE=0 check", nil, Call{}},
		{"another shell's", "exec check", nil, Call{}},
		{"killed", "check; kill -9 $$", nil, Call{}},
		{"ended by its own trap", "trap 'echo bye' EXIT; check; exit 3", nil, Call{}},
	} {
		for _, shell := range shells(t) {
			a := newAgent(t)
			if got := a.call(shell, "check other"); !compacted(got.out) { // the control
				t.Errorf("%s, %s: nothing is compacted: %.200q", shell, tt.name, got.out)
			}
			if err := a.shell.Note("session", tt.note); err != nil {
				t.Fatal(err)
			}
			want := a.withoutUs(shell, tt.command)
			a.env = append(a.env, tt.env...)
			if got := a.call(shell, tt.command); got.out != want.out || got.status != want.status || got.files["f"] != want.files["f"] {
				t.Errorf("%s, %s: ended %+v, want %+v; read %.200q, f %.100q", shell, tt.name, got.status, want.status, got.out, got.files["f"])
			}
		}
	}
}

// If cairn was removed since, a call is not changed.
func TestCairnGone(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		want := a.withoutUs(shell, "check")
		for _, when := range []string{"rm \"$CAIRN_BIN\"; check", "check"} { // during the call, and before it
			if got := a.call(shell, when); got.out != want.out || got.status != want.status {
				t.Errorf("%s: %s: %+v, %.200q", shell, when, got.status, got.out)
			}
		}
	}
}

// Only a file that is appended to is made shorter, and only if it is a file.
func TestNotAFileOfOurs(t *testing.T) {
	a := newAgent(t)
	env, _ := os.ReadFile(a.shell.EnvFile)
	name := filepath.Join(a.dir, "written")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-c", a.script(string(env), "check"))
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = a.dir, a.env, f, f
	cmd.Run()
	if text := a.read(name); strings.Contains(text, "[cairn") || !strings.Contains(text, "\n1200\n") {
		t.Errorf("a file at an offset: %.200q", text)
	}
	cmd = exec.Command("bash", "-c", a.script(string(env), "check"))
	cmd.Dir, cmd.Env = a.dir, a.env
	if text, _ := cmd.CombinedOutput(); strings.Contains(string(text), "[cairn") || !strings.Contains(string(text), "\n1200\n") {
		t.Errorf("a pipe: %.200q", text)
	}
}

// What a job of the call writes while we work comes after what is compacted.
func TestWrittenMeanwhile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(name, []byte("much text\nlate\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := replace(f, int64(len("much text\n")), "less\n"); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(name); string(data) != "less\nlate\n" {
		t.Errorf("the file has %q", data)
	}
}

// A job that outlives the call goes on writing behind our text.
func TestJobWritesOn(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		cmd, out := a.start(shell, a.read(a.shell.EnvFile), "(until [ -e go ]; do sleep 0.01; done; echo late; echo done > finished) & check")
		if got := a.end(cmd, out); !compacted(got.out) || !strings.HasSuffix(got.out, "the end\n") {
			t.Errorf("%s: %.200q", shell, got.out)
		}
		os.WriteFile(filepath.Join(a.dir, "go"), nil, 0o600)
		eventually(t, "the late line", func() bool { return strings.HasSuffix(a.read(out), "the end\nlate\n") })
		eventually(t, "the job ends", func() bool { _, err := os.Stat(filepath.Join(a.dir, "finished")); return err == nil })
	}
}

// A host that ends the call by a signal, to the shell or to its group, has what
// was written until then, and is not kept waiting.
func TestEndedByASignal(t *testing.T) {
	for _, shell := range shells(t) {
		for _, group := range []bool{false, true} {
			a := newAgent(t)
			cmd, out := a.start(shell, a.read(a.shell.EnvFile), "check; echo started > started; exec 5>&1; sleep 10 5>&-; echo never")
			eventually(t, "it runs", func() bool { _, err := os.Stat(filepath.Join(a.dir, "started")); return err == nil })
			pid := cmd.Process.Pid
			if group {
				pid = -pid
			}
			syscall.Kill(pid, syscall.SIGTERM)
			got := a.end(cmd, out)
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			if got.status != (child.Status{Signal: syscall.SIGTERM}) || !strings.Contains(got.out, "undefined name") || strings.Contains(got.out, "never") {
				t.Errorf("%s, group %v: %+v, %.200q", shell, group, got.status, got.out)
			}
		}
	}
}

// The program stat has other options on other systems.
func TestEachStat(t *testing.T) {
	stat, err := exec.LookPath("stat")
	if err != nil || exec.Command(stat, "-Lc", "%d:%i", "/").Run() != nil {
		t.Skip("no GNU stat to stand in for the others")
	}
	for name, only := range map[string]string{
		"BSD":     `[ "$*" = "-Lf %d:%i" ] && exec ` + stat + ` -Lc %d:%i -`,
		"BusyBox": `[ "$3" = /dev/fd/3 ] && exec ` + stat + ` "$@"`,
	} {
		for _, shell := range shells(t) {
			a := newAgent(t)
			a.tool("stat", only+"\necho wrong usage >&2; exit 1")
			if got := a.call(shell, "check"); got.status.Code != 2 || !compacted(got.out) {
				t.Errorf("%s, %s: %+v, %.200q", name, shell, got.status, got.out)
			}
			a.tool("stat", "echo no stat here; exit 1")
			if got := a.call(shell, "check"); got.status.Code != 2 || strings.Contains(got.out, "[cairn") || strings.Contains(got.out, "no stat") {
				t.Errorf("no stat, %s: %+v, %.200q", shell, got.status, got.out)
			}
		}
	}
}

// The command that rules are chosen by is the agent's own.
func TestCommandOfTheCall(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		used := filepath.Join(a.bin, "used")
		a.env = append(a.env, "TEST_USED="+used)
		for _, command := range []string{"check", "check 'a b' \"it's\" && eval x\n# more < /dev/null && pwd", `check \\ $HOME "$(echo '"')"`} {
			a.call(shell, command)
			if got := a.read(used); got != command {
				t.Errorf("%s: %q is taken for %q", shell, command, got)
			}
		}
	}
}

// The longest command that a shell can be given.
func TestLongCommand(t *testing.T) {
	const most = 128<<10 - 1 // of one argument, on Linux
	for _, shell := range shells(t) {
		a := newAgent(t)
		room := most - len(a.script(a.read(a.shell.EnvFile), "check # "))
		for _, filler := range []string{strings.Repeat("x", room), strings.Repeat("語", room/3)} {
			if got := a.call(shell, "check # "+filler); got.status.Code != 2 || !compacted(got.out) {
				t.Errorf("%s: %d bytes: %+v, %.200q", shell, len(filler), got.status, got.out)
			}
		}
	}
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
