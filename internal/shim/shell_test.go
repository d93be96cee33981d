package shim

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/home"
)

// SessionStart fires again on resume, clear and compact; another hook may
// write to the same file.
func TestWriteBlockKeepsOne(t *testing.T) {
	file := filepath.Join(t.TempDir(), "env.sh")
	if err := os.WriteFile(file, []byte("export BEFORE=1"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Shell{EnvFile: file, Binary: "/it's/cairn", Tools: []string{"make", "no; tool"}, Home: home.Home("/home/dev/.cairn")}
	read := func() string {
		if err := s.WriteBlock(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	first := read()
	if err := os.WriteFile(file, []byte(first+"export AFTER=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Tools = []string{"go"}
	second := read()
	for _, want := range []string{"export BEFORE=1\n", "export AFTER=1\n", `CAIRN_BIN='/it'\''s/cairn'`, "in go;"} {
		if strings.Count(second, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, second)
		}
	}
	for _, gone := range []string{"in make;", "no; tool", "@"} {
		if strings.Contains(strings.ReplaceAll(second, `$@`, ""), gone) {
			t.Errorf("%q is there:\n%s", gone, second)
		}
	}
}
