//go:build unix

package shim

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/child"
	"cairn/internal/compact"
	"cairn/internal/compact/rule"
	"cairn/internal/home"
	"cairn/internal/host"
)

// The test binary is also the cairn that the shell functions call.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "shim" {
		asShim(os.Args[2:])
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every exit takes a second under -race
	os.Exit(m.Run())
}

func asShim(args []string) {
	claude, _ := host.Sourcing()
	o := Options{
		Args: args, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Environ: os.Environ(),
		Home:    home.Find(os.Getenv),
		Session: os.Getenv(claude.SessionEnv),
		Timeout: claude.UsualTimeout(os.Getenv),
		Compact: compact.Options{Level: compact.Normal, Library: rule.Load(), Exclude: strings.Fields(os.Getenv("TEST_EXCLUDE"))},
		Off:     os.Getenv("TEST_OFF") != "",
	}
	if os.Getenv("TEST_NO_ROOM") != "" {
		minRoom = 1 << 62
	}
	status, err := Run(o)
	if start, ok := err.(*child.StartError); ok {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(start.Code)
	}
	status.Exit()
}

// An agent is the shell of an agent: a directory to work in with tools on its
// PATH, and the block that is sourced before each command.
type agent struct {
	*testing.T
	dir   string // where commands run
	bin   string // first on the PATH
	env   []string
	shell *Shell
}

func newAgent(t *testing.T) *agent {
	t.Helper()
	root := t.TempDir()
	a := &agent{T: t, dir: filepath.Join(root, "work"), bin: filepath.Join(root, "bin")}
	for _, dir := range []string{a.dir, a.bin} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cairn := filepath.Join(root, "ca'irn $x") // a name that must be quoted
	if err := os.Symlink(self, cairn); err != nil {
		t.Fatal(err)
	}
	a.shell = &Shell{
		EnvFile: filepath.Join(root, "env.sh"), Binary: cairn, Home: home.Home(filepath.Join(root, "home")),
		Tools: []string{"make", "go", "npm", "./gradlew", "timeout"},
	}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "CAIRN_") && !strings.HasPrefix(e, "BASH_DEFAULT_TIMEOUT_MS=") {
			a.env = append(a.env, e)
		}
	}
	a.env = append(a.env, "PATH="+a.bin+":"+os.Getenv("PATH"), "CAIRN_HOME="+string(a.shell.Home),
		"CLAUDE_CODE_SESSION_ID=session", "HOME="+root)
	a.tool("make", `seq 1 3000; echo "main.c:3: error: undefined name" >&2; exit ${CODE:-2}`)
	a.write()
	return a
}

// tool puts a program on the PATH.
func (a *agent) tool(name, script string) {
	a.Helper()
	if err := os.WriteFile(filepath.Join(a.bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		a.Fatal(err)
	}
}

func (a *agent) write() {
	a.Helper()
	if err := a.shell.WriteBlock(); err != nil {
		a.Fatal(err)
	}
}

// command is a call as the host makes it: one shell with the command in its
// arguments, stdout and stderr in one file.
func (a *agent) command(shell, before, script string) (cmd *exec.Cmd, out string) {
	a.Helper()
	f, err := os.CreateTemp(a.TempDir(), "out")
	if err != nil {
		a.Fatal(err)
	}
	a.Cleanup(func() { f.Close() })
	cmd = exec.Command(shell, "-c", before+"source '"+a.shell.EnvFile+"' && eval "+quote(script))
	cmd.Dir, cmd.Env = a.dir, a.env
	cmd.Stdout, cmd.Stderr = f, f
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd, f.Name()
}

// call runs a command and returns what the agent reads, and how it ended.
func (a *agent) call(shell, script string) (string, child.Status) {
	a.Helper()
	return a.callAfter(shell, "", script)
}

func (a *agent) callAfter(shell, before, script string) (string, child.Status) {
	a.Helper()
	cmd, out := a.command(shell, before, script)
	if err := cmd.Start(); err != nil {
		a.Fatal(err)
	}
	return a.end(cmd, out)
}

func (a *agent) end(cmd *exec.Cmd, out string) (string, child.Status) {
	a.Helper()
	late := time.AfterFunc(20*time.Second, func() {
		a.Error("still running")
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	})
	defer late.Stop()
	cmd.Wait()
	return a.read(out), statusOf(cmd.ProcessState)
}

func statusOf(state *os.ProcessState) child.Status {
	w := state.Sys().(syscall.WaitStatus)
	if w.Signaled() {
		return child.Status{Signal: w.Signal()}
	}
	return child.Status{Code: w.ExitStatus()}
}

func (a *agent) read(file string) string {
	a.Helper()
	if !filepath.IsAbs(file) {
		file = filepath.Join(a.dir, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		a.Error(err)
	}
	return string(data)
}

// rawFiles are the files that tools wrote to and that are still there.
func (a *agent) rawFiles() []string {
	files, _ := filepath.Glob(filepath.Join(a.shell.Home.Calls(), "raw", "*"))
	return files
}

// withoutUs is what a command prints, and how it ends, where there is no
// block.
func (a *agent) withoutUs(shell, script string) (string, child.Status) {
	a.Helper()
	b := *a
	with := *a.shell
	with.EnvFile = "/dev/null"
	b.shell = &with
	return b.call(shell, script)
}

func shells(t *testing.T) []string {
	list := []string{"bash"}
	if _, err := exec.LookPath("zsh"); err == nil {
		list = append(list, "zsh")
	} else {
		t.Log("no zsh here")
	}
	return list
}

func compacted(s string) bool {
	return strings.Contains(s, compact.HeaderPrefix) && strings.Contains(s, "main.c:3: error: undefined name") && !strings.Contains(s, "\n1500\n")
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
