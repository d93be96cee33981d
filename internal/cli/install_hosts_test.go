package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/host"
	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/content"
	"cairn/internal/plan/settings"
	"cairn/test/cairntest"
)

// treeOf is every path under dir with its mode and the sum of what it has.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s", fi.Mode(), name)
		switch {
		case fi.Size() > 1<<20: // cairn itself, which takes longer than all else
			fmt.Fprintf(&b, " %d %s", fi.Size(), fi.ModTime())
		case fi.Mode().IsRegular():
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %x", sha256.Sum256(data))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every agent, with everything, in the user's home and in a repository: the
// planning commands find its roles there, the doctor has nothing to say, and
// after the uninstall not a byte is another.
func TestEveryHost(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	u := newUser(t)
	root := filepath.Dir(u.home)
	must := func(args ...string) string {
		t.Helper()
		out, err := u.agent(args...)
		if err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return out
	}
	for _, h := range host.All() {
		u.file(filepath.Join(root, filepath.FromSlash(h.ConfigDir), "mine.txt"), h.Name)
		for what, text := range found(h) {
			if what == "own hooks, lines" && h.Settings != "" {
				u.file(u.settingsOf(h), text)
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(u.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(u.home); err != nil {
		t.Fatal(err)
	}
	_, roles, err := content.InProfile("full")
	if err != nil || len(roles) < 20 {
		t.Fatalf("%d roles, %v", len(roles), err)
	}
	before := treeOf(t, root)
	for _, where := range []string{"--global", "--local"} {
		must("install", "--all", where, "--profile", "full")
		var report struct {
			Installed []struct {
				Host                      string
				Local                     bool
				Files                     int
				Missing, Edited, Outdated []string
			}
		}
		out, _ := u.agent("doctor", "--json") // some binaries of agents are not here
		if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Installed) == 0 {
			t.Fatalf("%v: %s", err, out)
		}
		for _, s := range report.Installed {
			if s.Local != (where == "--local") || s.Missing != nil || s.Edited != nil || s.Outdated != nil {
				t.Errorf("%s: %+v", where, s)
			}
			h, _ := host.Find(s.Host)
			in := lookFor(t, u, s.Host)
			for _, p := range roles {
				if h.Prompts.Agent.Path != "" && slices.Contains(in.Missing, p.Name) {
					t.Errorf("%s %s: of %d files %s is not found in %s", where, s.Host, s.Files, p.Name, in.Dir)
				}
			}
			if h.Prompts.Agent.Path == "" && len(in.Missing) > 0 {
				t.Errorf("%s has no agents, and misses some", s.Host)
			}
		}
		installed := treeOf(t, root)
		must("install", "--all", where)
		if again := treeOf(t, root); again != installed {
			t.Errorf("%s: again writes\n%s\nwas\n%s", where, again, installed)
		}
		must("uninstall", where)
		if after := treeOf(t, root); after != before {
			t.Errorf("%s: after uninstall\n%s\nbefore\n%s", where, after, before)
		}
	}
}

// Agents that share directories leave none of those that install made, in
// whichever order they go.
func TestSharedDirectories(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	for _, order := range [][]string{{"opencode", "kilo"}, {"kilo", "opencode"}, {"gemini", "antigravity"}, {"antigravity", "gemini"}} {
		u := newUser(t)
		root := filepath.Dir(u.home)
		before := treeOf(t, root)
		for _, name := range order {
			if out, err := u.agent("install", name, "--profile", "core"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		for _, name := range order {
			if out, err := u.agent("uninstall", name); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		if after := treeOf(t, root); after != before {
			t.Errorf("%v: after uninstall\n%s", order, after)
		}
	}
}

// lookFor finds the roles of a runtime as the planning commands do.
func lookFor(t *testing.T, u *user, runtime string) (in agent.Installed) {
	t.Helper()
	dir := t.TempDir()
	u.file(filepath.Join(dir, ".planning", "config.json"), fmt.Sprintf(`{"runtime": %q}`, runtime))
	w, err := plan.Open(dir, "")
	if err == nil {
		err = w.View(func(tx *plan.Tx) error {
			in = agent.Look(settings.Load(tx), u.dir, func(key string) string {
				return map[string]string{"HOME": filepath.Dir(u.home)}[key]
			})
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}
