package plan

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var rewrite = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares text with the file testdata/name.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *rewrite {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, text, want)
	}
}
