package wave

import (
	"reflect"
	"strings"
	"testing"
)

// changing makes a wave of plans a, b, c … from the files each changes.
func changing(files ...string) Wave {
	w := Wave{Number: 1}
	for i, f := range files {
		w.Plans = append(w.Plans, Plan{ID: string(rune('a' + i)), Files: strings.Fields(f)})
	}
	return w
}

func TestOverlapsAndBatches(t *testing.T) {
	for _, c := range []struct {
		name    string
		wave    Wave
		overlap []Overlap
		batches string
	}{
		{"nothing shared", changing("src/a.go", "src/b.go", ""), nil, "a b c"},
		{"a file", changing("src/a.go", "x ./src/a.go", "y"), []Overlap{{"src/a.go", []string{"a", "b"}}}, "a c|b"},
		{"three plans", changing("go.mod", "go.mod", "go.mod"), []Overlap{{"go.mod", []string{"a", "b", "c"}}}, "a|b|c"},
		{"a directory", changing("src/", "src/deep/a.go"), []Overlap{{"src/", []string{"a", "b"}}}, "a|b"},
		{"a name that only begins alike", changing("src/app", "src/apple.go"), nil, "a b"},
		{"a glob", changing("src/*.go", "src/a.go"), []Overlap{{"src/*.go", []string{"a", "b"}}}, "a|b"},
		{"a glob elsewhere", changing("src/*.go", "docs/a.md"), nil, "a b"},
		{"everything", changing("**", "docs/a.md"), []Overlap{{"**", []string{"a", "b"}}}, "a|b"},
		{"brackets are names", changing("app/[id]/page.tsx", "app/i/page.tsx"), nil, "a b"},
		{"two separate pairs", changing("p", "p", "q", "q"), []Overlap{{"p", []string{"a", "b"}}, {"q", []string{"c", "d"}}}, "a c|b d"},
		{"a backslash", changing(`src\a.go`, "src/a.go"), []Overlap{{`src\a.go`, []string{"a", "b"}}}, "a|b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.wave.Overlaps(); !reflect.DeepEqual(got, c.overlap) {
				t.Errorf("overlaps are %v, want %v", got, c.overlap)
			}
			var batches []string
			for _, b := range c.wave.Batches() {
				var ids []string
				for _, p := range b {
					ids = append(ids, p.ID)
				}
				batches = append(batches, strings.Join(ids, " "))
			}
			if got := strings.Join(batches, "|"); got != c.batches {
				t.Errorf("batches are %s, want %s", got, c.batches)
			}
		})
	}
}

func TestMainTree(t *testing.T) {
	for _, c := range []struct {
		files, submodules string
		want              bool
	}{
		{"src/a.go", "", false},
		{"", "", false},
		{"", "vendor/lib", true},
		{"src/a.go", "vendor/lib", false},
		{"vendor/lib/x.c", "vendor/lib", true},
		{"vendor/library/x.c", "vendor/lib", false},
		{"vendor/*", "vendor/lib", true},
		{"src/**/*.go", "vendor/lib", false},
	} {
		p := Plan{Files: strings.Fields(c.files)}
		if got := p.MainTree(strings.Fields(c.submodules)); got != c.want {
			t.Errorf("%q with submodules %q: %v", c.files, c.submodules, got)
		}
	}
}
