// Package up tries the first command of README: on a clean clone with an empty
// home, the pages that cairn up opens show the history of the repository, in
// the numbers that git prints.
package up

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "cairn/internal/cli" // the binary is of it: what changes there makes a result that was kept worthless
	"cairn/internal/team/local"
	"cairn/test/browsertest"
	"cairn/test/cairntest"
)

// promised is how long after the build the pages are there at the latest.
const promised = time.Minute

var build struct {
	dir string // with the binary in it
	err error
}

func TestMain(m *testing.M) {
	code := 1
	if build.dir, build.err = os.MkdirTemp("", "up"); build.err == nil {
		build.err = cairntest.Build(binary())
		code = browsertest.Main(m)
		os.RemoveAll(build.dir)
	}
	os.Exit(code)
}

func binary() string { return filepath.Join(build.dir, "cairn") }

func TestReadmeBeginsWithUp(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(string(data)); m == nil || m[1] != "go run . up\n" {
		t.Errorf("the first block of shell is %q", m)
	}
}

// A machine has a home with nothing in it, and a clean clone.
type machine struct {
	t           *testing.T
	home, clone string
}

func newMachine(t *testing.T, origin string) machine {
	t.Helper()
	if build.err != nil {
		t.Fatal(build.err)
	}
	m := machine{t: t, home: t.TempDir(), clone: filepath.Join(t.TempDir(), "clone")}
	if out, err := m.command("git", "clone", "--quiet", origin, m.clone).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() { _ = m.command(binary(), "down").Run() }) // where the test did not come to it
	return m
}

// command is one in the clone, with nothing of the tester's own settings.
func (m machine) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), promised)
	m.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	if _, err := os.Stat(m.clone); err == nil {
		cmd.Dir = m.clone
	}
	cmd.Env = append(plain(), "HOME="+m.home, "USERPROFILE="+m.home, "TZ=UTC", "NO_COLOR=1")
	return cmd
}

// plain is the environment without what leads to the tester's own settings, home
// and repository.
func plain() (env []string) {
	for _, v := range os.Environ() {
		switch name, _, _ := strings.Cut(v, "="); {
		case strings.HasPrefix(name, "CAIRN_"), strings.HasPrefix(name, "GIT_"), strings.HasPrefix(name, "XDG_"):
		case name == "HOME", name == "USERPROFILE", name == "CLAUDE_CONFIG_DIR", name == "CODEX_HOME":
		default:
			env = append(env, v)
		}
	}
	return append(env, "GIT_CONFIG_NOSYSTEM=1")
}

func (m machine) run(name string, args ...string) string {
	m.t.Helper()
	cmd := m.command(name, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		m.t.Fatalf("%s %v: %v: %s%s", name, args, err, out, &errs)
	}
	return string(out)
}

// up is the command of README, as the test can run it.
func (m machine) up() string {
	m.t.Helper()
	return m.run(binary(), "up", "--no-open", "--no-agents", "--listen", "127.0.0.1:0")
}

func TestUpShowsWhatGitSays(t *testing.T) {
	for name, origin := range map[string]func(*testing.T) string{"this repository": thisRepository, "one with releases": madeRepository} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t, origin(t))
			said := m.up()
			site := m.enter(said)
			m.compare(site, m.git())

			again := m.up()
			for _, want := range []string{"already, since", "git         nothing new", "delivered   nothing new"} {
				if !strings.Contains(again, want) {
					t.Errorf("the second time does not say %q:\n%s", want, again)
				}
			}
			m.compare(site, m.git())
			if out := m.run("git", "status", "--short"); out != "" {
				t.Errorf("the clone is not clean: %s", out)
			}

			m.run(binary(), "down")
			if held, err := local.Held(filepath.Join(m.home, ".cairn", "server")); held || err != nil {
				t.Errorf("a server is left: %v", err)
			}
			for _, process := range processesOf(m.home) {
				t.Errorf("a process is left: %s", process)
			}
		})
	}
}

// processesOf are the processes that have home as theirs, where the system tells.
func processesOf(home string) (found []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range names {
		if env, err := os.ReadFile(name); err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00HOME="+home+"\x00")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}
