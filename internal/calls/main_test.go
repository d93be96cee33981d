//go:build unix

package calls

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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

// The test binary is also the cairn that the block calls.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "shell-exit" {
		asShellExit(os.Args[2])
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every exit takes a second under -race
	os.Exit(m.Run())
}

func asShellExit(arg string) {
	if os.Getenv("TEST_CRASH") != "" {
		panic("crashed")
	}
	claude, _ := host.Sourcing()
	status, _ := strconv.Atoi(arg)
	script, _ := io.ReadAll(os.Stdin)
	if status == 0 {
		os.Exit(0)
	}
	err := End(Options{
		Status: status, Script: string(script), Command: claude.ShellCommand,
		Stdout: os.Stdout, Was: os.Getenv("CAIRN_OUT"),
		Home: home.Home(os.Getenv("CAIRN_DIR")), Session: os.Getenv(claude.SessionEnv),
		Compact: compact.Options{
			Level: compact.Normal, Library: rule.Load(), Exclude: strings.Fields(os.Getenv("TEST_EXCLUDE")), Off: os.Getenv("TEST_OFF") != "",
		},
		Used: func(e compact.Envelope, m compact.Meta) {
			if name := os.Getenv("TEST_USED"); name != "" {
				os.WriteFile(name, []byte(e.Command), 0o600)
			}
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(0)
}

// An agent makes calls as Claude Code does: one shell for each, with stdout and
// stderr appended to one file, in a script around the command.
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
	a.shell = &Shell{EnvFile: filepath.Join(root, "env.sh"), Binary: cairn, Home: home.Home(filepath.Join(root, "home"))}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "CAIRN_") && !strings.HasPrefix(e, "TEST_") {
			a.env = append(a.env, e)
		}
	}
	a.env = append(a.env, "PATH="+a.bin+":"+os.Getenv("PATH"), "CLAUDE_CODE_SESSION_ID=session", "HOME="+root)
	a.tool("check", `seq 1 1500; echo "main.c:3: error: undefined name" >&2; seq 1501 3000; echo "the end"; exit ${CODE:-2}`)
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

// script is what the host gives the shell: what hooks left, then the command as
// one word.
func (a *agent) script(env, command string) string {
	if env != "" {
		env = strings.TrimSuffix(env, "\n") + "\n: && "
	}
	return "source /dev/null 2>/dev/null || true && " + env + `{ \builtin unalias -- 'which'; \builtin unset -f -- 'which'; } >/dev/null 2>&1 || true && ` +
		"eval '" + strings.ReplaceAll(command, "'", `'"'"'`) + "' < /dev/null && pwd -P >| '" + a.dir + ".cwd'"
}

// start starts a call, whose output goes to the file.
func (a *agent) start(shell, env, command string) (cmd *exec.Cmd, out string) {
	a.Helper()
	out = a.dir + ".output"
	os.Remove(out)
	os.Remove(a.dir + ".cwd")
	f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		a.Fatal(err)
	}
	defer f.Close()
	cmd = exec.Command(shell, "-c", a.script(env, command))
	cmd.Dir, cmd.Env = a.dir, a.env
	cmd.Stdout, cmd.Stderr = f, f
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		a.Fatal(err)
	}
	return cmd, out
}

// An end is all that a call leaves.
type end struct {
	out    string
	status child.Status
	cwd    string            // where the next call begins; "" as this one
	files  map[string]string // in the directory
}

func (a *agent) end(cmd *exec.Cmd, out string) end {
	a.Helper()
	late := time.AfterFunc(20*time.Second, func() {
		a.Error("still running")
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	})
	defer late.Stop()
	cmd.Wait()
	w := cmd.ProcessState.Sys().(syscall.WaitStatus)
	e := end{out: a.read(out), status: child.Status{Code: w.ExitStatus()}, files: map[string]string{}}
	if w.Signaled() {
		e.status = child.Status{Signal: w.Signal()}
	}
	cwd, _ := os.ReadFile(a.dir + ".cwd")
	e.cwd = string(cwd)
	names, _ := os.ReadDir(a.dir)
	for _, n := range names {
		if n.Type().IsRegular() {
			e.files[n.Name()] = a.read(n.Name())
		}
	}
	return e
}

// call makes a call in an empty directory.
func (a *agent) call(shell, command string) end {
	a.Helper()
	env, _ := os.ReadFile(a.shell.EnvFile)
	return a.callWith(shell, string(env), command)
}

func (a *agent) callWith(shell, env, command string) end {
	a.Helper()
	os.RemoveAll(a.dir)
	if err := os.Mkdir(a.dir, 0o755); err != nil {
		a.Fatal(err)
	}
	return a.end(a.start(shell, env, command))
}

// withoutUs is the call where there is no block.
func (a *agent) withoutUs(shell, command string) end {
	a.Helper()
	return a.callWith(shell, "", command)
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

func shells(t *testing.T) []string {
	list := []string{"bash"}
	if _, err := exec.LookPath("zsh"); err == nil {
		list = append(list, "zsh")
	} else {
		t.Log("no zsh here")
	}
	return list
}

// compacted reports whether a text of check's is compacted: what matters of it
// is there.
func compacted(s string) bool {
	return strings.HasPrefix(s, compact.HeaderPrefix) && strings.Contains(s, "main.c:3: error: undefined name") &&
		strings.Contains(s, "the end") && !strings.Contains(s, "\n1200\n")
}
