package cli

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the scripts print into them")

// TestMain makes this test binary a cairn for the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cairn": func() { os.Exit(Main(os.Args)) }})
}

// Every directory of testdata/script is a domain, every file in it a story.
func TestScripts(t *testing.T) {
	dirs, err := filepath.Glob("../../testdata/script/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				UpdateScripts:       *update,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				Setup: func(e *testscript.Env) error {
					home := filepath.Join(e.WorkDir, "home")
					e.Setenv("HOME", home)
					e.Setenv("USERPROFILE", home)
					e.Setenv("CAIRN_HOME", filepath.Join(home, ".cairn"))
					e.Setenv("CLAUDE_CONFIG_DIR", "")
					return os.MkdirAll(home, 0o755)
				},
			})
		})
	}
}
