package cli

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cairn/test/cairntest"
	"cairn/test/pgtest"
)

var update = flag.Bool("update", false, "write what the scripts print into them")

// TestMain makes this test binary a cairn for the scripts.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"cairn": func() { os.Exit(Main(os.Args)) }})
}

// tests removes the binary that some tests build when all have run.
type tests struct{ m *testing.M }

func (t tests) Run() int {
	defer func() { os.RemoveAll(buildDir) }()
	return pgtest.Main(t.m.Run)
}

var buildDir string

// build makes the binary as it is shipped: what a test allocates, links
// or keeps beside its binary must not count.
var build = sync.OnceValues(func() (name string, err error) {
	if buildDir, err = os.MkdirTemp("", "cairn-built"); err != nil {
		return "", err
	}
	name = filepath.Join(buildDir, "cairn")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name, cairntest.Build(name)
})

// built is the binary as it is shipped; what starts it is left to make test.
func built(t *testing.T) string {
	t.Helper()
	cairntest.Long(t)
	name, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// endServer ends the server that cairn up left in an environment.
func endServer(t *testing.T, environ []string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	down := exec.Cmd{Path: self, Args: []string{"cairn", "down"}, Env: environ}
	if out, err := down.CombinedOutput(); err != nil {
		t.Errorf("cairn down: %v: %s", err, out)
	}
}

// Every directory of testdata/script is a domain, every file in it a story.
func TestScripts(t *testing.T) {
	cairntest.NoRace(t) // each of their commands is a process
	t.Parallel()
	dirs, err := filepath.Glob("../../testdata/script/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				UpdateScripts:       *update,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				Setup: func(e *testscript.Env) error {
					home := filepath.Join(e.WorkDir, "home")
					e.Setenv("HOME", home)
					e.Setenv("GORACE", "atexit_sleep_ms=0") // or every exit takes a second under -race
					e.Setenv("USERPROFILE", home)
					e.Setenv("CAIRN_HOME", filepath.Join(home, ".cairn"))
					e.Setenv("CLAUDE_CONFIG_DIR", "")
					e.Setenv("CAIRN_SYNC_BACKGROUND", "0") // nothing may outlive a test
					if filepath.Base(dir) == "up" {
						e.Defer(func() { endServer(t, e.Vars) })
					}
					return os.MkdirAll(home, 0o755)
				},
			})
		})
	}
}
