package early

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/compact"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/outside"
	"cairn/internal/update"
	"cairn/internal/update/known"
	"cairn/internal/verifier"
)

// What this package imports is initialized before it, on every call: none of that
// may be of a server or of the command tree.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "cairn/internal/hook") {
		t.Fatalf("go list says %q", deps)
	}
	for _, late := range []string{"net", "net/http", "text/template", "database/sql", "github.com/spf13/cobra", "cairn/internal/command", "cairn/internal/install"} {
		if slices.Contains(deps, late) {
			t.Errorf("early depends on %s", late)
		}
	}
}

// TestNotLinked: what the whole program imports is initialized before this package
// where its path sorts before that of one this package imports. Each of these took a
// noticeable part of every call.
func TestNotLinked(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "cairn").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "cairn/internal/early") {
		t.Fatalf("go list says %q", deps)
	}
	for path, why := range map[string]string{
		"google.golang.org/protobuf": "registers descriptors and reads the executable, a millisecond",
		"go.opentelemetry.io/proto":  "registers descriptors",
		"go/types":                   "declares the universe, 0.15 ms",
	} {
		for _, dep := range deps {
			if dep == path || strings.HasPrefix(dep, path+"/") {
				t.Errorf("cairn depends on %s: it %s", dep, why)
			}
		}
	}
}

// A line that is not answered here is left to the command tree.
func TestAnswers(t *testing.T) {
	for _, line := range []string{"", "hook", "hook --help", "hook -h", "hook claude --only", "hook claude --help", "hook --only plan claude", "shell-exit", "shell-exit -h", "shell-exit 1 2", "plan query", "help hook"} {
		if answers(append([]string{"cairn"}, strings.Fields(line)...)) {
			t.Errorf("%q was answered", line)
		}
	}
}

// A hook ends before its host gives up on it, also one that waits for the
// verifier.
func TestHookLimit(t *testing.T) {
	dir := t.TempDir()
	for _, key := range []string{"", "a key"} {
		env := &outside.Env{Getenv: func(name string) string {
			return map[string]string{verifier.KeyVariable: key, "CAIRN_HOME": dir, "CAIRN_COMPACT_VERIFIER_ENABLED": "true"}[name]
		}}
		for _, h := range host.All() {
			if asks := hookSettings(env, h).Compact(dir).Verify.Ask != nil; asks != (key != "" && waitsForVerifier(h)) {
				t.Errorf("%s, key %q: the verifier is asked: %v", h.Name, key, asks)
			}
			if limit := hookLimit(env, h); h.Timeout > 0 && (limit <= 0 || limit+time.Second > h.Timeout) {
				t.Errorf("%s waits %v for a hook, which may take %v", h.Name, h.Timeout, limit)
			} else if h.Timeout > 0 && key != "" && waitsForVerifier(h) && limit < compact.VerifyLimit {
				t.Errorf("%s: the verifier may take %v, the hook %v", h.Name, compact.VerifyLimit, limit)
			}
		}
	}
}

// Once a day, and never where nobody asked for it.
func TestLooksForUpdate(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	t.Cleanup(func() { s.Close(); known.Page = "" })
	for _, tt := range []struct {
		name    string
		vars    map[string]string
		page    bool
		config  string
		checked time.Duration // ago; 0: never
		want    bool
	}{
		{"by default", nil, true, "", 0, false}, // nothing is sent unless a person turns it on
		{"the first time", nil, true, "update_check = true\n", 0, true},
		{"a build from source", nil, false, "update_check = true\n", 0, false},
		{"in CI", map[string]string{"CI": "true"}, true, "update_check = true\n", 0, false},
		{"a probe", map[string]string{home.Probe: "1"}, true, "update_check = true\n", 0, false},
		{"switched off", nil, true, "update_check = false\n", 0, false},
		{"off in the environment", map[string]string{"CAIRN_UPDATE_CHECK": "false"}, true, "update_check = true\n", 0, false},
		{"today", nil, true, "update_check = true\n", 23 * time.Hour, false},
		{"yesterday", nil, true, "update_check = true\n", 25 * time.Hour, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if known.Page = ""; tt.page {
				known.Page = s.URL + "/latest.json"
			}
			h := home.Home(t.TempDir())
			env := &outside.Env{Getenv: func(key string) string {
				if key == "CAIRN_HOME" {
					return string(h)
				}
				return tt.vars[key]
			}}
			if err := os.WriteFile(h.Config(), []byte(tt.config), 0o600); err != nil {
				t.Fatal(err)
			}
			if tt.checked > 0 {
				if err := update.Note(h, known.Look{Checked: time.Now().Add(-tt.checked)}); err != nil {
					t.Fatal(err)
				}
			}
			if got := looksForUpdate(env); got != tt.want {
				t.Errorf("looks: %v", got)
			}
		})
	}
	if asked != 0 {
		t.Errorf("the hook itself asked %d times", asked)
	}
}
