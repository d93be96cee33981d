package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, []byte(strings.Repeat("x", 2048)), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, read := range map[string]func(string, int64) ([]byte, error){"ReadFile": ReadFile, "ReadRegular": ReadRegular} {
		if data, err := read(name, 2048); len(data) != 2048 || err != nil {
			t.Errorf("%s: %d bytes, %v", what, len(data), err)
		}
		if _, err := read(name, 2047); err == nil || !strings.Contains(err.Error(), name+" holds more than 1 KB") {
			t.Errorf("%s of what is too large: %v", what, err)
		}
		if _, err := read(filepath.Join(dir, "b"), 1); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of what is not there: %v", what, err)
		}
		if _, err := read(dir, 1); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s of a directory: %v", what, err)
		}
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		if _, err := ReadRegular(os.DevNull, 1); err == nil {
			t.Error("a device is no regular file")
		}
	}
}
