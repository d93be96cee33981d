package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cairn/internal/host"
	"cairn/test/cairntest"
)

// settingsOf is the file that registers the hooks of a host for this user.
func (u *user) settingsOf(h host.Host) string {
	return filepath.Join(filepath.Dir(u.home), filepath.FromSlash(h.ConfigDir), filepath.FromSlash(h.Settings))
}

// found are settings that users have: with hooks of their own on the same
// event, in any formatting. A host that drops files with comments gets none.
func found(h host.Host) map[string]string {
	if h.Own != nil {
		return nil // the user's settings are other files
	}
	other := `{"type": "command", "command": "lint.sh",   "timeout": 3}`
	entry := `{"matcher": "*", "hooks": [` + other + `]}`
	if h.Shape.Flat {
		entry = `{"command":"lint.sh",   "timeout": 3}`
	}
	version := ""
	if h.Shape.Version != 0 {
		version = `"version": 1, `
	}
	all := map[string]string{
		"empty": "", "blank": "\n \n", "object": "{}", "other keys": "{\n\t\"theme\" : \"dark\",\r\n  \"a\": [ ]\n}\n\n",
		"own hooks":         "{" + version + `"hooks": {"` + h.ReplaceEvent + `": [` + entry + "]}}",
		"own hooks, lines":  "{" + version + "\n    \"hooks\":\n    {\n        \"" + h.ReplaceEvent + "\":\n        [\n            " + entry + "\n        ],\n        \"Other\": []\n    }\n}",
		"null hooks":        `{` + version + `"hooks": null}`,
		"a byte-order mark": "\ufeff{" + version + "\"hooks\": {}}\n",
	}
	if !h.StrictJSON {
		all["comments"] = "{ // mine\n  " + version + "\"hooks\": { /* none */ },\n}\n"
	}
	return all
}

// CH1–CH4: installed once, twice and taken out again twice, the settings are
// what they were to the byte, whatever was in them; and hooks of the user's
// stay in force.
func TestCH1To4Install(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	each(t, "", func(t *testing.T, u *user, h host.Host, _ hostCall) {
		name := u.settingsOf(h)
		must := func(args ...string) {
			t.Helper()
			if out, err := u.agent(args...); err != nil {
				t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
			}
		}
		for what, before := range found(h) {
			u.file(name, before)
			must("install", h.Name, "--only", "compact")
			once := textOf(t, name)
			must("compact", "install", h.Name)
			if twice := textOf(t, name); twice != once || !strings.Contains(once, "cairn") {
				t.Errorf("%s: installed\n%s\ninstalled again\n%s", what, once, twice)
			}
			if strings.Contains(before, "lint.sh") && !strings.Contains(once, "lint.sh") {
				t.Errorf("%s: the user's hook is gone", what)
			}
			events := map[string]bool{}
			for _, k := range h.HooksOn(runtime.GOOS, host.Compact) {
				events[k.Event] = true
			}
			if strings.Count(once, " hook "+h.Name) != len(events) {
				t.Errorf("%s: registered\n%s", what, once)
			}
			if h.Shape.Version != 0 && strings.Count(once, `"version"`) != 1 {
				t.Errorf("%s: the host drops a file without a version:\n%s", what, once)
			}
			must("uninstall", h.Name)
			must("uninstall", h.Name)
			if after := textOf(t, name); after != before {
				t.Errorf("%s: was %q\nis %q", what, before, after)
			}
		}
		// Where there was nothing, nothing is left.
		root := filepath.Join(filepath.Dir(u.home), strings.Split(h.ConfigDir, "/")[0])
		if err := os.RemoveAll(root); err != nil {
			t.Fatal(err)
		}
		must("install", h.Name)
		must("uninstall", h.Name)
		if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", root, err)
		}
	})
}

func textOf(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

// CH13: doctor sees what changed since install, and repairs it.
func TestCH13Drift(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	each(t, "", func(t *testing.T, u *user, h host.Host, _ hostCall) {
		verdicts := func(args ...string) map[string]string {
			out, _ := u.agent(append([]string{"doctor", h.Name, "--json"}, args...)...)
			var report struct {
				Checks []struct{ Host, Check, Status string }
			}
			if err := json.Unmarshal([]byte(out), &report); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			all := map[string]string{}
			for _, c := range report.Checks {
				if c.Host == h.Name {
					all[c.Check] = c.Status
				}
			}
			return all
		}
		name := u.settingsOf(h)
		if out, err := u.agent("install", h.Name); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if v := verdicts(); v["hooks"] != "ok" || v["binary"] != "ok" || v["round trip"] != "ok" {
			t.Errorf("installed: %v", v)
		}
		good := textOf(t, name)
		u.file(name, strings.ReplaceAll(good, filepath.ToSlash(u.home), "/opt/gone"))
		if v := verdicts(); v["hooks"] == "ok" {
			t.Errorf("another binary: %v", v)
		}
		if u.file(name, "{}\n"); h.Own != nil {
			os.Remove(name)
		}
		if v := verdicts(); v["hooks"] != "fail" {
			t.Errorf("nothing registered: %v", v)
		}
		if v := verdicts("--fix", "--yes"); v["hooks"] != "ok" {
			t.Errorf("repaired: %v", v)
		}
	})
}

// A host whose hooks cannot replace anything gets none, and the user hears why.
func TestRunOnly(t *testing.T) {
	t.Parallel()
	for _, h := range host.All() {
		if h.RunOnly == "" {
			continue
		}
		u := newUser(t)
		root := filepath.Dir(u.home)
		u.file(filepath.Join(root, filepath.FromSlash(h.ConfigDir), "settings.json"), "{}")
		for _, verb := range []string{"install", "doctor"} {
			out, err := u.agent(verb, h.Name)
			if err != nil || !strings.Contains(out, h.RunOnly) || !strings.Contains(out, h.Source) || !strings.Contains(out, "cairn run -- ") {
				t.Errorf("%s %s: %v\n%s", verb, h.Name, err, out)
			}
		}
		if out, err := u.agent("uninstall", h.Name); err != nil {
			t.Errorf("uninstall %s: %v\n%s", h.Name, err, out)
		}
		if left, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(h.ConfigDir), "*")); len(left) != 1 {
			t.Errorf("%s: files %q", h.Name, left)
		}
		if answer, _ := u.hook(h.Name, []byte("{}")); answer != "" || strings.Contains(u.log(), "panic") {
			t.Errorf("hook %s: %q, log %q", h.Name, answer, u.log())
		}
	}
}
