//go:build unix

package child

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// modes are the two ways to run a tool; the status must be the same in all.
func modes(t *testing.T) map[string][]string {
	return map[string][]string{
		"pipe": {"pipe"},
		"exec": {"exec"},
	}
}

func TestStatusIsTheTools(t *testing.T) {
	tests := []struct {
		script string
		want   Status
	}{
		{"exit 0", Status{}},
		{"exit 1", Status{Code: 1}},
		{"exit 255", Status{Code: 255}},
		{"exit 143", Status{Code: 143}}, // not the same as death by signal
		{"kill -TERM $$", Status{Signal: syscall.SIGTERM}},
		{"kill -INT $$", Status{Signal: syscall.SIGINT}},
		{"kill -QUIT $$", Status{Signal: syscall.SIGQUIT}},
		{"kill -SEGV $$", Status{Signal: syscall.SIGSEGV}},
		{"kill -ABRT $$", Status{Signal: syscall.SIGABRT}},
		{"kill -USR1 $$", Status{Signal: syscall.SIGUSR1}},
		{"kill -PIPE $$", Status{Signal: syscall.SIGPIPE}},
		{"kill -KILL $$", Status{Signal: syscall.SIGKILL}},
	}
	for name, mode := range modes(t) {
		for _, tt := range tests {
			t.Run(name+"/"+tt.script, func(t *testing.T) {
				// Whoever may dump a core does.
				argv := append([]string{"exec", "sh", "-c", `ulimit -c unlimited; exec "$@"`, "-", os.Args[0]}, mode...)
				u := launch(t, append(argv, "sh", "-c", tt.script)...)
				if got := u.ends(); got != tt.want {
					t.Errorf("got %+v, want %+v; output %q", got, tt.want, u.output())
				}
				if u.ProcessState.Sys().(syscall.WaitStatus).CoreDump() && name != "exec" {
					t.Error("dumped a core of our own")
				}
				if u.output() != "" {
					t.Errorf("said %q", u.output())
				}
			})
		}
	}
}

func TestExitCode(t *testing.T) {
	if got := (Status{Signal: syscall.SIGTERM}).ExitCode(); got != 143 {
		t.Errorf("TERM gives %d", got)
	}
	if got := (Status{Code: 7}).ExitCode(); got != 7 {
		t.Errorf("7 gives %d", got)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string, mode os.FileMode) {
		os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("a/tool", "#!/bin/sh\necho a\n", 0o644)
	write("b/tool", "#!/bin/sh\necho b $0 $1\n", 0o755)
	write("b/plain", "echo plain $0 $1\n", 0o755) // no #! line
	write("b/lost", "#!/no/such/interpreter\n", 0o755)
	write("a/only", "x", 0o644)
	write("here", "#!/bin/sh\necho here\n", 0o755)
	os.Mkdir("b/dir", 0o755)
	tests := []struct {
		name, path string
		out        string
		code       int
	}{
		{"tool", "a:b", "b b/tool 1", 0},
		{"plain", "b", "plain b/plain 1", 0},
		{"here", "a:", "here", 0},
		{"./here", "a", "here", 0},
		{"only", "a:b", "a/only: permission denied", 126},
		{"./a/only", "", "./a/only: permission denied", 126},
		{"./b/dir", "", "./b/dir: is a directory", 126},
		{"dir", "a:b", "dir: command not found", 127},
		{"none", "a:b", "none: command not found", 127},
		{"./none", "", "./none: no such file or directory", 127},
		{"here/x", "", "here/x: not a directory", 127},
		{"lost", "b", "b/lost: bad interpreter: no such file or directory", 126},
		{"", "b", ": command not found", 127},
	}
	for name, mode := range modes(t) {
		for _, tt := range tests {
			t.Run(name+"/"+tt.name, func(t *testing.T) {
				cmd := exec.Command(os.Args[0], append(mode, tt.name, "1")...)
				cmd.Env = []string{"PATH=" + tt.path}
				out, _ := cmd.CombinedOutput()
				if got := strings.TrimSpace(string(out)); got != tt.out || cmd.ProcessState.ExitCode() != tt.code {
					t.Errorf("got %q and %d, want %q and %d", got, cmd.ProcessState.ExitCode(), tt.out, tt.code)
				}
			})
		}
	}
}

// The tool finds the world as it is without us.
func TestNothingIsTouched(t *testing.T) {
	script := `pwd; umask; ulimit -n; ulimit -Hn; ulimit -s; echo "$0" "$#" "$2"; env | sort; read x; echo "$x"; echo fd3 >&3`
	sh := []string{"sh", "-c", script, "zero", "one", "tw o"}
	run := func(argv ...string) string {
		outer := append([]string{"-c", `umask 027; ulimit -Sn 100; ulimit -Ss 4096; exec "$@"`, "-"}, argv...)
		cmd := exec.Command("sh", outer...)
		cmd.Dir = "/usr"
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "B=2", "A=1\nx", "GOMAXPROCS=1"}
		cmd.Stdin = strings.NewReader("typed\n")
		r, w, _ := os.Pipe()
		cmd.ExtraFiles = []*os.File{w}
		out, err := cmd.CombinedOutput()
		w.Close()
		three := make([]byte, 10)
		n, _ := r.Read(three)
		r.Close()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out) + string(three[:n])
	}
	want := run(sh...)
	if !strings.Contains(want, "zero 2 tw o") || !strings.Contains(want, "typed\nfd3") {
		t.Fatalf("the control run says %q", want)
	}
	for name, mode := range modes(t) {
		if got := run(append(append([]string{os.Args[0]}, mode...), sh...)...); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
