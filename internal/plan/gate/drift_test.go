package gate

import (
	"reflect"
	"strings"
	"testing"

	"cairn/test/plantest"
)

func driftOf(t *testing.T, root, structure string, threshold int, action string) Drift {
	t.Helper()
	f := file(".planning/codebase/STRUCTURE.md", structure)
	return codebaseDrift(&f, gitIn(root), threshold, action)
}

// The four kinds, directories counted as directories, .planning/ left out (D7).
func TestCodebaseDriftKinds(t *testing.T) {
	root := repository(t, map[string]string{"src/main.ts": "", "tools/old.sh": "", "docs/a.md": ""})
	base := run(t, root, "rev-parse", "HEAD")
	plantest.Write(t, root, map[string]string{
		"src/new.ts":                               "", // in a mapped directory
		"src/deep/er/x.ts":                         "", // below one
		"tools/new.sh":                             "", // in a directory that is not new
		"root.txt":                                 "",
		"lib/a/1.ts":                               "",
		"lib/a/2.ts":                               "",
		"lib/b/3.ts":                               "",
		"packages/p/src/index.ts":                  "",
		"packages/p/src/routes/users.ts":           "",
		"apps/web/prisma/migrations/1/m.sql":       "",
		"db/migrate/1_x.rb":                        "",
		".planning/phases/01-base/01-01-PLAN.md":   "",
		".planning/codebase/new/STRUCTURE-copy.md": "",
		"über dir/ä.ts":                            "",
	})
	run(t, root, "rm", "-q", "docs/a.md")
	committed(t, root, "more")
	d := driftOf(t, root, "---\nlast_mapped_commit: "+base+"\n---\n# Structure\n- `src/` code, ./docs\n", 3, "warn")
	want := []Element{
		{Barrel, "packages/p/src/index.ts"},
		{Migration, "apps/web/prisma/migrations/1/m.sql"}, {Migration, "db/migrate/1_x.rb"},
		{NewDir, "lib/a"}, {NewDir, "lib/b"}, {NewDir, "über dir"},
		{Route, "packages/p/src/routes/users.ts"},
	}
	if !reflect.DeepEqual(d.Elements, want) {
		t.Errorf("elements\n got %v\nwant %v", d.Elements, want)
	}
	if want := []string{"apps/web", "db", "lib", "packages/p"}; !reflect.DeepEqual(d.Affected, want) {
		t.Errorf("affected %v, want %v", d.Affected, want)
	}
	if r := d.Result; r.Passed || r.No() || !d.Required || d.LastMapped != base || len(r.Missing) != 7 || !strings.Contains(r.Message, "map the code again: apps/web, db, lib, packages/p") {
		t.Errorf("result %+v", r)
	}
}

func TestCodebaseDriftThreshold(t *testing.T) {
	root := repository(t, map[string]string{"a/x": "", "b/x": ""})
	for _, structure := range []string{"# no commit named", "---\nlast_mapped_commit: 0123456\n---\n", "---\nlast_mapped_commit: --all\n---\n"} {
		for threshold, want := range map[int]bool{2: true, 3: false} {
			if d := driftOf(t, root, structure, threshold, "warn"); d.Required != want || d.Result.Passed == want || d.Result.No() {
				t.Errorf("%q, threshold %d: %+v", structure, threshold, d)
			}
		}
	}
}

func TestCodebaseDriftSkips(t *testing.T) {
	if d := codebaseDrift(nil, noGit, 3, "warn"); !d.Result.Skipped || d.Result.Reason != "no codebase/STRUCTURE.md" {
		t.Errorf("%+v", d)
	}
	if d := driftOf(t, t.TempDir(), "# S", 3, "warn"); !d.Result.Skipped || d.Result.No() || d.Result.Reason != "not a git repository with a commit" {
		t.Errorf("%+v", d)
	}
}

func TestMapped(t *testing.T) {
	for _, tt := range []struct {
		structure, dir string
		want           bool
	}{
		{"`src`", "src", true}, {"src/", "src/a/b", true}, {"├── src/", "src", true}, {"./src", "src", true}, {"see src.", "src", true},
		{"src/main.ts holds", "src/new", true}, {"src/lib/ and x/y.z", "src/new", false}, {"src/lib.", "src/new", false}, {"`src/lib/a.ts`", "src/new", false},
		{"resrc", "src", false}, {"src-old", "src", false}, {"lib/src", "src", false}, {"srcs", "src", false}, {"a/b", "a/c", false}, {"", "a", false},
	} {
		if got := mapped(tt.structure, tt.dir); got != tt.want {
			t.Errorf("%s in %q: %v", tt.dir, tt.structure, got)
		}
	}
}

func TestSafePath(t *testing.T) {
	for s, want := range map[string]bool{
		"src": true, "apps/web-2": true, "a.b/c_d": true,
		"": false, "/src": false, "a//b": false, "../a": false, "a/..": false, "a b": false, "a;b": false, "ü": false, "-a": false,
	} {
		if safePath(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}
