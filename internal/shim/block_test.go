//go:build unix

package shim

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"cairn/internal/child"
	"cairn/test/cairntest"
)

const strict = "set -euo pipefail; "

// What the agent reads of a noisy tool is compacted exactly when it goes to
// the agent directly; everything else is byte for byte what it is without us,
// and every command ends as it ends without us.
func TestWhatIsCompacted(t *testing.T) {
	cairntest.Long(t)
	tests := []struct {
		script string
		want   bool // what the agent reads is compacted
		file   string
	}{
		{"make", true, ""},
		{"CODE=0 make", true, ""},
		{"mkdir sub && cd sub && make", true, ""},
		{"true && make || echo failed", true, ""},
		{"if make; then echo yes; else echo no; fi", true, ""},
		{"(make)", true, ""},
		{"make; echo code $?", true, ""},
		{"x=$(echo a); make", true, ""},
		{"make 2>&1 | tail -2", false, ""},
		{"make 2>/dev/null | cat", false, ""},
		{"x=$(CODE=0 make 2>/dev/null); echo ${#x}", false, ""},
		{"echo $(CODE=0 make 2>&1 | wc -l)", false, ""},
		{"make > out.txt 2>&1", false, "out.txt"},
		{"{ make; } > out.txt", false, "out.txt"},
		{"(make) >> out.txt", false, "out.txt"},
		{"for i in 1 2; do make || true; done > out.txt", false, "out.txt"},
		{"f() { make; }; f > out.txt", false, "out.txt"},
		{"exec > out.txt; make", false, "out.txt"},
		{"exec > out.txt 2>&1; make", false, "out.txt"},
		{"make >/dev/null", false, ""},
		{"command make", false, ""},
		{"sh -c make", false, ""},
		{"echo x | xargs make", false, ""},
		{"diff <(make) <(make) && echo same", false, ""},
	}
	for _, shell := range shells(t) {
		modes := []string{strict}
		if shell == "bash" {
			modes = append(modes, "")
		}
		for _, mode := range modes {
			a := newAgent(t)
			for _, tt := range tests {
				name := shell + " " + mode + tt.script
				clean := func() {
					os.RemoveAll(a.dir)
					if err := os.Mkdir(a.dir, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				clean()
				wantOut, wantEnd := a.withoutUs(shell, mode+tt.script)
				wantFile := ""
				if tt.file != "" {
					wantFile = a.read(tt.file)
				}
				clean()
				out, end := a.callAfter(shell, mode, tt.script)
				if end != wantEnd {
					t.Errorf("%s: ended %+v, want %+v", name, end, wantEnd)
				}
				if tt.want != compacted(out) {
					t.Errorf("%s: compacted %v, want %v: %.300q", name, compacted(out), tt.want, out)
				}
				if !tt.want && out != wantOut {
					t.Errorf("%s: read %.300q, want %.300q", name, out, wantOut)
				}
				if tt.file != "" && a.read(tt.file) != wantFile {
					t.Errorf("%s: the file has %.300q", name, a.read(tt.file))
				}
			}
			if left := a.rawFiles(); len(left) > 0 {
				t.Errorf("%s: left behind: %q", shell, left)
			}
		}
	}
}

// What goes to a file of the user's own is not taken along.
func TestStderrElsewhere(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		out, _ := a.call(shell, "make 2> err.txt")
		if !strings.Contains(out, "[cairn: 3,000 → ") || a.read("err.txt") != "main.c:3: error: undefined name\n" {
			t.Errorf("%s: read %.200q, err.txt %q", shell, out, a.read("err.txt"))
		}
		if out, _ = a.call(shell, "make 2>/dev/null"); strings.Contains(out, "error:") {
			t.Errorf("%s: shown what was thrown away: %q", shell, out)
		}
	}
}

func TestEndsAsTheTool(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		a.tool("npm", `seq 1 3000; kill -$1 $$; sleep 5`)
		for _, tt := range []struct {
			script string
			want   child.Status
		}{
			{"CODE=0 make", child.Status{}},
			{"CODE=7 make", child.Status{Code: 7}},
			{"CODE=255 make", child.Status{Code: 255}},
			{"npm TERM", child.Status{Code: 143}},
			{"npm KILL", child.Status{Code: 137}},
			{"npm SEGV", child.Status{Code: 139}},
			{"exec npm TERM", child.Status{Signal: syscall.SIGTERM}}, // a function in zsh, not in bash
			{"go run .", child.Status{Code: 126}},
		} {
			if strings.HasPrefix(tt.script, "go") {
				os.WriteFile(filepath.Join(a.bin, "go"), []byte("x"), 0o644) // found, not executable
				a.env = append(a.env, "PATH="+a.bin)
			}
			if out, end := a.call(shell, tt.script+"; exit $?"); end.ExitCode() != tt.want.ExitCode() {
				t.Errorf("%s: %s ended %+v, want %+v: %.200q", shell, tt.script, end, tt.want, out)
			}
		}
		if out, end := a.call(shell, "npm() { :; }; unset -f npm; gradlew 2>/dev/null; ./gradlew"); end.Code != 127 {
			t.Errorf("%s: a tool that is not there: %+v, %q", shell, end, out)
		}
	}
}

func TestFunctions(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		a.tool("npm", "echo the tool")
		out, end := a.call(shell, strict+"typeset -f make ./gradlew > /dev/null && echo defined; command -v cairn_tool || echo clean")
		if out != "defined\nclean\n" || end != (child.Status{}) {
			t.Errorf("%s: %q, %+v", shell, out, end)
		}
		// A function of the user's own is kept.
		if out, _ := a.callAfter(shell, "npm() { echo mine; }; ", "npm"); out != "mine\n" {
			t.Errorf("%s: the user's own function: %q", shell, out)
		}
		// Nothing is exported: child processes have the tools alone.
		if out, _ := a.call(shell, `sh -c 'npm; echo "${CAIRN_OUT-}${CAIRN_CALL-}${CAIRN_BIN-}"'`); out != "the tool\n\n" {
			t.Errorf("%s: a child sees %q", shell, out)
		}
		a.tool("go", `echo "args: $# $1 $3"; env | grep -c '^CAIRN_\(OUT\|CALL\)=.'; cat`)
		if out, _ := a.call(shell, `echo typed | go "a  b" '' '$x *'`); out != "args: 3 a  b $x *\n0\ntyped\n" {
			t.Errorf("%s: the tool has %q", shell, out)
		}
		if out, _ := a.call(shell, `go "a  b" '' '$x *' < /dev/null`); out != "args: 3 a  b $x *\n0\n" {
			t.Errorf("%s: the tool has %q", shell, out)
		}
		// Off for one command, also for what the tool starts.
		if out, _ := a.callAfter(shell, "CAIRN_RAW=1; ", "make"); compacted(out) {
			t.Errorf("%s: CAIRN_RAW=1 is not seen", shell)
		}
		if err := os.WriteFile(filepath.Join(a.dir, "gradlew"), []byte("#!/bin/sh\nseq 1 3000; echo 'main.c:3: error: undefined name'; exit 1"), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, end := a.call(shell, "./gradlew build"); !compacted(out) || end.Code != 1 {
			t.Errorf("%s: ./gradlew: %+v, %.200q", shell, end, out)
		}
	}
}

// Where cairn has been taken away since, the tools are as without us.
func TestCairnGone(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		want, wantEnd := a.withoutUs(shell, "make")
		out, end := a.call(shell, strict+"rm \"$CAIRN_BIN\"; make") // during the call
		if out != want || end != wantEnd {
			t.Errorf("%s: %+v, %.200q", shell, end, out)
		}
		if out, end = a.callAfter(shell, strict, "make"); out != want || end != wantEnd { // before it
			t.Errorf("%s: %+v, %.200q", shell, end, out)
		}
	}
}

// The longest command that a shell can be given does not fit into the
// environment of a process, where its variable's name stands before it.
func TestLongCommand(t *testing.T) {
	const most = 128<<10 - 1 // of one argument, on Linux
	for _, shell := range shells(t) {
		a := newAgent(t)
		empty, _ := a.command(shell, "", "make #  ")
		room := most - len(empty.Args[2])
		for _, filler := range []string{strings.Repeat("x", room), strings.Repeat("語", room/3)} {
			out, end := a.call(shell, "make # "+filler)
			if end.Code != 2 || !strings.Contains(out, "undefined name") {
				t.Errorf("%s: %d bytes: %+v, %.200q", shell, len(filler), end, out)
			}
		}
	}
}

func TestBlockOnce(t *testing.T) {
	a := newAgent(t)
	first := a.read(a.shell.EnvFile)
	a.write() // resumed
	if a.read(a.shell.EnvFile) != first {
		t.Error("a second block, or another one")
	}
	// Sourced twice in one shell: nothing is wrapped twice.
	for _, shell := range shells(t) {
		if out, end := a.callAfter(shell, strict+"source '"+a.shell.EnvFile+"'; ", "make"); !compacted(out) || end.Code != 2 || strings.Count(out, "[cairn:") != 1 {
			t.Errorf("%s: sourced twice: %+v, %.300q", shell, end, out)
		}
	}
	// What others wrote stays, before and after; the block is renewed.
	if err := os.WriteFile(a.shell.EnvFile, []byte("export A=1\n"+first+"export B=2"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.shell.Tools = []string{"pytest"}
	a.write()
	got := a.read(a.shell.EnvFile)
	if !strings.HasPrefix(got, "export A=1\n"+blockBegin) || !strings.HasSuffix(got, blockEnd+"\nexport B=2") ||
		strings.Contains(got, "npm") || !strings.Contains(got, " pytest;") || strings.Count(got, blockBegin) != 1 {
		t.Errorf("renewed to %s", got)
	}
	// A block without an end was cut by somebody: nothing is guessed.
	cut := "export A=1\n" + blockBegin + "\nmake() { :; }\n"
	if err := os.WriteFile(a.shell.EnvFile, []byte(cut), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.shell.WriteBlock(); err == nil || a.read(a.shell.EnvFile) != cut {
		t.Errorf("%v, now %s", err, a.read(a.shell.EnvFile))
	}
}

func TestToolNamesCannotInject(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		a.shell.Tools = []string{"x; touch pwned", "$(touch pwned)", "`touch pwned`", "a b", "make\ntouch pwned", "", "*", "-f", "if", "make", "'", "é"}
		a.write()
		out, end := a.callAfter(shell, strict, "make")
		if _, err := os.Stat(filepath.Join(a.dir, "pwned")); err == nil || end.Code != 2 || !compacted(out) {
			t.Errorf("%s: %v, %+v, %.300q", shell, err, end, out)
		}
	}
}
