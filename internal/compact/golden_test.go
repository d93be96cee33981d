package compact

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the .want files from what comes out")

// TestGolden compacts every captured output: the lines that must survive do,
// the result is not longer, and it is the one that was reviewed (.want).
func TestGolden(t *testing.T) {
	for _, name := range fixtures(t) {
		t.Run(strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(name, "testdata/fixtures/")), ".txt"), func(t *testing.T) {
			f := readFixture(t, name)
			res := Compact(f.Envelope, Options{Level: Normal})
			for _, k := range f.Lost(res.Reduced) {
				t.Errorf("lost: %s", k)
			}
			if len(res.Reduced) > len(f.CombinedText) {
				t.Errorf("%d bytes became %d", len(f.CombinedText), len(res.Reduced))
			}
			want := strings.TrimSuffix(name, ".txt") + ".want"
			if *update {
				if err := os.WriteFile(want, []byte(res.Reduced), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			old, err := os.ReadFile(want)
			if err != nil {
				t.Fatalf("%v; look at the result, then go test ./internal/compact -run Golden -update", err)
			}
			if string(old) != res.Reduced {
				t.Errorf("differs from %s; got:\n%s", want, res.Reduced)
			}
		})
	}
}

func fixtures(t testing.TB) (names []string) {
	err := filepath.WalkDir("testdata/fixtures", func(name string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".txt" {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return names
}

func readFixture(t testing.TB, name string) Fixture {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ParseFixture(data)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}
