package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"cairn/internal/command"
	"cairn/internal/home"
	releases "cairn/internal/update"
	"cairn/internal/update/known"
	"cairn/internal/version"
)

// released serves a release of that version and makes this binary one of 1.2.0
// that knows the page.
func released(t *testing.T, latest, binary string, asked *int) {
	t.Helper()
	sum := sha256.Sum256([]byte(binary))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/cairn" {
			fmt.Fprint(w, binary)
			return
		}
		*asked++
		r := releases.Release{Version: latest, Assets: []releases.Asset{{OS: runtime.GOOS, Arch: runtime.GOARCH, URL: "cairn", SHA256: hex.EncodeToString(sum[:])}}}
		if err := json.NewEncoder(w).Encode(r); err != nil {
			t.Error(err)
		}
	}))
	known.Page, version.Stamped = s.URL+"/latest.json", "1.2.0"
	t.Cleanup(func() {
		s.Close()
		known.Page, version.Stamped = "", ""
	})
}

func updateEnv(t *testing.T, vars map[string]string) (*Env, home.Home, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	var out bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(key string) string {
		if key == "CAIRN_HOME" {
			return dir
		}
		return vars[key]
	}}
	return env, home.Home(dir), &out
}

// check is cairn update --check.
func check(env *Env) (code int) {
	root := newRoot(env)
	root.SetArgs([]string{"update", "--check"})
	return exitCode(env, root.Execute())
}

func TestUpdateBinary(t *testing.T) {
	asked := 0
	released(t, "1.3.0", "the new one", &asked)
	_, h, _ := updateEnv(t, nil)
	if err := os.MkdirAll(h.BinDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(h.BinDir(), "cairn")
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.WriteFile(name, []byte("the old one"), 0o755); err != nil {
		t.Fatal(err)
	}
	newest, err := releases.Install(t.Context(), h, name)
	data, _ := os.ReadFile(name)
	fi, _ := os.Stat(name)
	if err != nil || newest != "1.3.0" || string(data) != "the new one" || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o755 {
		t.Errorf("%v, %s, %q, %v", err, newest, data, fi)
	}
	if look := known.Read(h.Update()); look.Latest != "1.3.0" || look.Checked.IsZero() {
		t.Errorf("%+v", look)
	}
	// The one that is there is not fetched again, and a link is not ours.
	version.Stamped = "1.3.0"
	if newest, err := releases.Install(t.Context(), h, name); err != nil || newest != "" {
		t.Errorf("%v, %q", err, newest)
	}
	version.Stamped = "1.2.0"
	target := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(target, []byte("mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	os.Remove(name)
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
	if _, err := releases.Install(t.Context(), h, name); err == nil || !strings.Contains(err.Error(), "not a file of ours") {
		t.Error(err)
	}
	if data, _ := os.ReadFile(target); string(data) != "mine" {
		t.Errorf("the link's target: %q", data)
	}
}

func TestUpdateFails(t *testing.T) {
	env, h, _ := updateEnv(t, nil)
	if _, err := releases.Install(t.Context(), h, ""); !errors.Is(err, releases.ErrNoPage) {
		t.Errorf("a build from source: %v", err)
	}
	asked := 0
	released(t, "1.3.0", "x", &asked)
	known.Page = strings.Replace(known.Page, "latest.json", "cairn", 1)
	if _, err := releases.Install(t.Context(), h, ""); !errors.Is(err, releases.ErrPage) {
		t.Error(err)
	}
	if code := check(env); code != command.ExitData {
		t.Errorf("a page that is none: exit code %d", code)
	}
	look := known.Read(h.Update())
	if look.Error == "" || look.IsDue(time.Now()) {
		t.Errorf("it would be asked again today: %+v", look)
	}
	known.Page = "http://127.0.0.1:1/latest.json"
	if code := check(env); code != command.ExitNet {
		t.Errorf("a page that is away: exit code %d", code)
	}
}

func TestUpdateCheck(t *testing.T) {
	asked := 0
	released(t, "1.3.0", "x", &asked)
	env, h, out := updateEnv(t, nil)
	if err := check(env); err != command.ExitOK || !strings.Contains(out.String(), "1.3.0 is there, this is 1.2.0") {
		t.Errorf("%v, %q", err, out)
	}
	if look := known.Read(h.Update()); !look.Available || look.Installed != "1.2.0" || asked != 1 {
		t.Errorf("%+v, asked %d times", look, asked)
	}
	if got := known.Newer(known.Last(h.Update()), version.Release()); got != "1.3.0" {
		t.Errorf("the status line says %q", got)
	}
	version.Stamped = "1.3.0" // by another way meanwhile
	if got := known.Newer(known.Last(h.Update()), version.Release()); got != "" {
		t.Errorf("the status line says %q", got)
	}
}
