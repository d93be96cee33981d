package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/home"
	"cairn/internal/host"
)

// sandbox is a user's home with an agent's directory and a binary to install.
func sandbox(t *testing.T) (Machine, Target) {
	t.Helper()
	dir := t.TempDir()
	m := Machine{
		Home:       home.Home(filepath.Join(dir, ".cairn")),
		Executable: filepath.Join(dir, "build", "cairn"),
		GOOS:       "linux",
		Getenv:     func(key string) string { return map[string]string{"HOME": dir}[key] },
	}
	write(t, m.Executable, "#!/bin/sh\nexit 0\n", 0o755)
	h, _ := host.Find("claude")
	return m, m.Target(h)
}

func write(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var compact = Options{Parts: []host.Part{host.Compact}}

func install(t *testing.T, m Machine, target Target) *Plan {
	t.Helper()
	p, err := m.PlanInstall(target, compact)
	if err == nil {
		_, err = p.Apply()
	}
	if err != nil {
		t.Fatalf("install: %v", err)
	}
	return p
}

func uninstall(t *testing.T, m Machine, target Target) *Plan {
	t.Helper()
	p, err := m.PlanUninstall(target, nil, host.Parts()...)
	if err == nil {
		_, err = p.Apply()
	}
	if err != nil {
		t.Fatalf("uninstall: %v", err)
	}
	return p
}

// tree is every path under dir with its mode and content or link.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		fmt.Fprintf(&out, "%s %s", fi.Mode(), rel)
		if link, err := os.Readlink(name); err == nil {
			fmt.Fprintf(&out, " → %s", link)
		} else if fi.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, " %q", data)
		}
		out.WriteByte('\n')
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out.String()
}

// originals returns the settings files of testdata/settings and some that a
// text file would not survive.
func originals(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{
		"empty":              "",
		"blank":              " \n\t\n",
		"object":             "{}",
		"object-line":        "{}\n",
		"object-open":        "{\n}\n",
		"minified":           `{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}`,
		"no-end-of-line":     "{\n  \"model\": \"opus\"\n}",
		"windows":            "{\r\n  \"model\": \"opus\",\r\n  \"hooks\": {\r\n    \"PreToolUse\": []\r\n  }\r\n}\r\n",
		"byte-order-mark":    "\ufeff{\n  \"model\": \"opus\"\n}\n",
		"blank-with-mark":    "\ufeff\n",
		"hooks-null":         "{\n  \"hooks\": null\n}\n",
		"hooks-empty":        "{\n  \"hooks\": { }\n}\n",
		"event-null":         "{\n  \"hooks\": {\n    \"PostToolUse\": null\n  }\n}\n",
		"event-empty":        "{\n  \"hooks\": {\n    \"PostToolUse\": [\n    ]\n  }\n}\n",
		"comment-at-the-end": "{\"model\": \"opus\"} // no line end",
		"hooks-twice":        "{\"hooks\": {\"Stop\": []}, \"hooks\": {\"PostToolUse\": []}}\n",
	}
	names, err := filepath.Glob("testdata/settings/*.json")
	if err != nil || len(names) < 5 {
		t.Fatalf("testdata/settings: %d files, %v", len(names), err)
	}
	for _, name := range names {
		all[strings.TrimSuffix(filepath.Base(name), ".json")] = read(t, name)
	}
	var huge strings.Builder
	huge.WriteString("{\n  \"permissions\": {\n    \"allow\": [")
	for i := range 4000 {
		fmt.Fprintf(&huge, "%s\n      \"Bash(tool-%d:*)\"", map[bool]string{true: ","}[i > 0], i)
	}
	all["huge"] = huge.String() + "\n    ]\n  },\n  \"hooks\": {}\n}\n"
	return all
}

func TestInstallThenUninstallIsIdentity(t *testing.T) {
	t.Parallel()
	for name, text := range originals(t) {
		t.Run(name, func(t *testing.T) {
			m, target := sandbox(t)
			write(t, target.Settings(), text, 0o640)
			before := tree(t, target.Dir)

			install(t, m, target)
			after := read(t, target.Settings())
			checkRegistered(t, m, target, text, after)

			if p := install(t, m, target); p.Changed() {
				t.Errorf("installing again changes\n%s", p.Diff())
			}
			uninstall(t, m, target)
			if got := tree(t, target.Dir); got != before {
				t.Errorf("after uninstall:\n%s\nbefore install:\n%s", got, before)
			}
			if left := tree(t, string(m.Home)); strings.Contains(left, "cairn\n") || strings.Contains(left, ".json") {
				t.Errorf("left in the user's directory:\n%s", left)
			}
			if p := uninstall(t, m, target); p.Changed() || p.WasInstalled() {
				t.Errorf("uninstalling again changes\n%s", p.Diff())
			}
		})
	}
}

// checkRegistered looks at the result as the host does: every other member as
// before, and our hooks once each behind those that were there.
func checkRegistered(t *testing.T, m Machine, target Target, before, after string) {
	t.Helper()
	f := settings{path: "settings.json"}
	if isBlank([]byte(before)) {
		before = "{}"
	}
	plainBefore, _ := f.plain([]byte(before))
	plainAfter, err := f.plain([]byte(after))
	if err != nil {
		t.Fatal(err)
	}
	if json.Valid([]byte(before)) && !json.Valid([]byte(after)) {
		t.Errorf("no longer plain JSON:\n%s", after)
	}
	was, is := decode(t, plainBefore), decode(t, plainAfter)
	hooks, _ := was["hooks"].(map[string]any)
	if hooks == nil {
		hooks = map[string]any{}
	}
	for _, r := range m.registrations(target, compact.Parts) {
		groups, _ := hooks[r.event].([]any)
		raw, _ := json.Marshal(r.entry())
		var g any
		_ = json.Unmarshal(raw, &g)
		hooks[r.event] = append(groups, g)
	}
	was["hooks"] = hooks
	want, _ := json.Marshal(was)
	got, _ := json.Marshal(is)
	if !bytes.Equal(want, got) {
		t.Errorf("settings say\n%.2000s\nwant\n%.2000s", got, want)
	}
}

func decode(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &v); err != nil {
		t.Fatalf("%v in\n%.2000s", err, text)
	}
	return v
}

// What a user edits after install stays, and is all that differs from the
// original after uninstall.
func TestUserEditsSurviveUninstall(t *testing.T) {
	t.Parallel()
	edits := map[string]func(string) string{
		"member in front": func(s string) string {
			i := strings.Index(s, "{") + 1
			return s[:i] + "\"mine\": 1, " + s[i:]
		},
		"text behind": func(s string) string { return s + "\n" },
		"model":       func(s string) string { return strings.ReplaceAll(s, "opus", "haiku") },
	}
	for name, text := range originals(t) {
		for edit, apply := range edits {
			if isBlank([]byte(text)) || edit == "member in front" && decodeLen(t, text) == 0 || strings.HasSuffix(text, "// no line end") {
				continue
			}
			t.Run(name+"/"+edit, func(t *testing.T) {
				m, target := sandbox(t)
				write(t, target.Settings(), text, 0o644)
				install(t, m, target)
				write(t, target.Settings(), apply(read(t, target.Settings())), 0o644)
				uninstall(t, m, target)
				if got, want := read(t, target.Settings()), apply(text); got != want {
					t.Errorf("got\n%.3000s\nwant\n%.3000s", got, want)
				}
			})
		}
	}
}

func decodeLen(t *testing.T, text string) int {
	plain, err := (&settings{}).plain([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return len(decode(t, plain))
}

// The user's own hook inside a group of ours, and one behind it, stay.
func TestHooksAddedToOursSurvive(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, target.Settings(), "{}\n", 0o644)
	install(t, m, target)
	text := read(t, target.Settings())
	ours := "            \"timeout\": 10\n          }\n        ]\n      }\n    ]\n  }\n}\n"
	theirs := "            \"timeout\": 10\n          },\n          {\n            \"type\": \"command\",\n            \"command\": \"lint\"\n          }\n        ]\n      }\n    ]\n  }\n}\n"
	if !strings.HasSuffix(text, ours) {
		t.Fatalf("the layout is another one:\n%s", text)
	}
	write(t, target.Settings(), strings.TrimSuffix(text, ours)+theirs, 0o644)
	if p := install(t, m, target); p.Changed() {
		t.Errorf("nothing is missing, yet install changes\n%s", p.Diff())
	}
	uninstall(t, m, target)
	got := read(t, target.Settings())
	if strings.Contains(got, "cairn") || !strings.Contains(got, `"command": "lint"`) || strings.Contains(got, "SessionStart") {
		t.Errorf("left:\n%s", got)
	}
}

func TestNoFileNoDirectory(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	before := tree(t, filepath.Dir(target.Dir))
	install(t, m, target)
	checkRegistered(t, m, target, "{}", read(t, target.Settings()))
	uninstall(t, m, target)
	if got := tree(t, filepath.Dir(target.Dir)); !strings.HasPrefix(got, before[:strings.Index(before, "\n")]) || strings.Contains(got, ".claude") {
		t.Errorf("after uninstall:\n%s", got)
	}

	// With something of the user's in it by then, the file stays.
	install(t, m, target)
	write(t, target.Settings(), strings.Replace(read(t, target.Settings()), "{", "{\n  \"model\": \"opus\",", 1), 0o600)
	install(t, m, target)
	uninstall(t, m, target)
	if got, want := read(t, target.Settings()), "{\n  \"model\": \"opus\"\n}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMovedBinaryReplacesTheEntry(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	text := "{\n  \"model\": \"opus\"\n}\n"
	write(t, target.Settings(), text, 0o644)
	install(t, m, target)
	moved := m
	moved.Home = home.Home(string(m.Home) + "-elsewhere")
	if err := os.Rename(string(m.Home), string(moved.Home)); err != nil {
		t.Fatal(err)
	}
	for _, lostManifest := range []bool{false, true} {
		if lostManifest {
			if err := os.RemoveAll(moved.Home.Manifests()); err != nil {
				t.Fatal(err)
			}
		}
		install(t, moved, target)
		checkRegistered(t, moved, target, text, read(t, target.Settings()))
	}
	uninstall(t, moved, target)
	if got := read(t, target.Settings()); got != text {
		t.Errorf("got %q, want %q", got, text)
	}
}

func TestUninstallWithoutManifest(t *testing.T) {
	t.Parallel()
	for name, text := range originals(t) {
		m, target := sandbox(t)
		write(t, target.Settings(), text, 0o644)
		install(t, m, target)
		if err := os.RemoveAll(string(m.Home)); err != nil {
			t.Fatal(err)
		}
		uninstall(t, m, target)
		got := read(t, target.Settings())
		if strings.Contains(got, "hook claude") {
			t.Errorf("%s: left:\n%.2000s", name, got)
		}
		if !slices.Contains([]string{"empty", "blank", "blank-with-mark", "object", "object-line", "object-open", "hooks-null", "hooks-empty", "event-null", "event-empty", "hooks-twice", "windows", "huge"}, name) && got != text {
			t.Errorf("%s: got\n%.2000s\nwant\n%.2000s", name, got, text)
		}
	}
}
