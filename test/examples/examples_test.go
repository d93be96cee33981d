// Package examples runs what stands in examples/eval with the tools that a
// reader of them would use: each runner pushes its results by the real binary.
//
// It is test code only.
package examples

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"cairn/test/cairntest"
)

// run is what cairn eval show --json prints of it.
type run struct {
	Suite   string `json:"suite"`
	Branch  string `json:"git_branch"`
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"`
	Skipped int    `json:"skipped"`
	Errored int    `json:"errored"`
}

func TestRunners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are written for a POSIX shell")
	}
	bin := t.TempDir()
	if err := cairntest.Build(filepath.Join(bin, "cairn")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, tool, command string
		fails               bool // the tool says with its exit code that a case failed
		want                run
	}{
		{"pytest", "pytest", "pytest -q -p no:cacheprovider", true, run{Passed: 2, Failed: 1, Skipped: 1, Errored: 1}},
		{"go", "go", "go run . | cairn eval push -", false, run{Passed: 2, Failed: 1}},
		{"jest", "node", "node node_modules/jest/bin/jest.js --reporters=./cairn.js", true, run{Passed: 2, Failed: 1, Skipped: 1}},
		{"ruby", "ruby", "ruby evals.rb", false, run{Passed: 2, Failed: 1, Errored: 1}},
		{"shell", "sh", "./evals.sh", false, run{Passed: 2, Failed: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, err := filepath.Abs(filepath.Join("../../examples/eval", tt.name))
			if err != nil {
				t.Fatal(err)
			}
			need(t, tt.tool)
			if tt.name == "jest" {
				if _, err := os.Stat(filepath.Join(dir, "node_modules", "jest", "bin", "jest.js")); err != nil {
					t.Skip("Jest is not there; scripts/setup.sh installs it where the registry can be reached")
				}
			}
			home := t.TempDir()
			environ := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "CAIRN_HOME="+home,
				"PYTHONDONTWRITEBYTECODE=1", "EVAL_LABEL=", "EVAL_TIER=", "EVAL_JUDGE_TIER=")
			sh := func(command string) (string, error) {
				cmd := exec.Command("sh", "-c", command)
				cmd.Dir, cmd.Env = dir, environ
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			out, err := sh(tt.command)
			if (err != nil) != tt.fails {
				t.Fatalf("%v\n%s", err, out)
			}
			shown, err := sh("cairn eval show --json")
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, shown, out)
			}
			var got run
			if err := json.Unmarshal([]byte(shown), &got); err != nil {
				t.Fatal(err)
			}
			tt.want.Suite, tt.want.Branch = tt.name, got.Branch
			if got != tt.want {
				t.Errorf("got %+v, want %+v\n%s", got, tt.want, out)
			}
		})
	}
}

// need skips a test whose tool is not there; in CI, which installs it, that is
// a failure.
func need(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err == nil {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is not there, and scripts/setup.sh should have installed it", tool)
	}
	t.Skipf("%s is not there; scripts/setup.sh installs it", tool)
}

// A runner that pushes is short: that is the point.
func TestRunnersAreShort(t *testing.T) {
	const most = 20
	for _, name := range []string{"pytest/conftest.py", "go/main.go", "jest/cairn.js", "ruby/evals.rb", "shell/evals.sh"} {
		data, err := os.ReadFile(filepath.Join("../../examples/eval", name))
		if err != nil {
			t.Fatal(err)
		}
		if n := code(string(data)); n > most {
			t.Errorf("%s: %d lines of code, more than %d", name, n, most)
		}
	}
}

// code counts the lines that are neither empty nor a comment.
func code(text string) (n int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}
