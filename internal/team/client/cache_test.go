package client

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/home"
	"cairn/internal/project"
)

// A pull writes nothing outside of the repository, whatever links a clone
// brought along in place of the cache's directories and files.
func TestPullWritesThroughNoLink(t *testing.T) {
	t.Parallel()
	for _, link := range []string{".cairn", ".cairn/team-cache", ".cairn/team-cache/.meta.json",
		".cairn/team-cache/eval_runs.json", ".cairn/team-cache/.lock", ".cairn/.gitignore"} {
		repo, out := t.TempDir(), t.TempDir()
		at := filepath.Join(repo, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		to := out
		if filepath.Ext(link) != "" && link != ".cairn" || filepath.Base(link) == ".lock" {
			to = filepath.Join(out, "new") // which writing would make
		}
		if err := os.Symlink(to, at); err != nil {
			t.Skip(err)
		}
		c := OpenCache(project.Open(home.Home(t.TempDir()), home.Repo(repo)))
		failed := 0
		for _, write := range []func() error{
			func() error { _, err := c.prepare(); return err },
			func() error { return c.WriteTable("eval_runs", []jsontext.Value{[]byte("{}")}) },
			func() error { return c.WriteMeta(Meta{}) },
			c.Ignore,
			c.Problem,
		} {
			if write() != nil {
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("%s: nothing is refused", link)
		}
		_ = c.Remove()
		if left, _ := os.ReadDir(out); len(left) > 0 {
			t.Errorf("%s: outside there is %v", link, left)
		}
	}
}
