package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test that docs/security.md names is there, and every threat has one.
func TestSecurityPage(t *testing.T) { testsOfPage(t, "docs/security.md", 38) }

// So it is with docs/sync-errors.md.
func TestSyncErrorsPage(t *testing.T) { testsOfPage(t, "docs/sync-errors.md", 27) }

// testsOfPage looks at a page's tables: the last cell of each row names tests.
func testsOfPage(t *testing.T, page string, least int) {
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	there := testNames(t)
	quoted := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.TrimSpace(cells[len(cells)-1]) == "test" {
			continue
		}
		rows++
		names := quoted.FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(names) == 0 {
			t.Errorf("%s: no test in %q", page, line)
		}
		for _, name := range names {
			if !there[name[1]] {
				t.Errorf("%s: there is no test %s", page, name[1])
			}
		}
	}
	if rows < least {
		t.Errorf("%s has %d rows, not the %d that there were", page, rows, least)
	}
}

// testNames are the Go tests, and the scripts as DOMAIN/NAME.
func testNames(t *testing.T) map[string]bool {
	names := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	for _, dir := range []string{"internal", "test", "."} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || dir == "." && name != "."):
				return filepath.SkipDir
			case !strings.HasSuffix(name, "_test.go"):
				return nil
			}
			src, err := os.ReadFile(name)
			for _, m := range function.FindAllSubmatch(src, -1) {
				names[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	scripts, _ := filepath.Glob("testdata/script/*/*.txtar")
	for _, s := range scripts {
		names[filepath.Base(filepath.Dir(s))+"/"+strings.TrimSuffix(filepath.Base(s), ".txtar")] = true
	}
	return names
}
