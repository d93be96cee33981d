package spool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cannot be read is kept as it is, said, and stops nothing.
func TestGarbage(t *testing.T) {
	s, _ := open(t)
	garbage := map[string]string{
		"00/0000.json":     "",
		"00/dup.json":      "first",
		"01/dup.json":      "second",
		"02/torn.json":     `{"v":1,"id":"x","body":{"a":`,
		"03/zeros.json":    strings.Repeat("\x00", 100),
		"04/no-body.json":  `{"v":1}`,
		"05/list.json":     `[]`,
		"06/no-v.json":     `{"body":1}`,
		"07/words.json":    `{"v":"1","body":1}`,
		"08/time.json":     `{"v":1,"not_before":"soon","body":1}`,
		"09/attempts.json": `{"v":1,"attempts":-1,"body":1}`,
		"0a/after.json":    `{"v":1,"body":1,"id":"x"}`,
		"0b/two.json":      `{"v":1,"body":1}{}`,
	}
	left := map[string]string{"0c/later.json": `{"v":2,"entirely":"else"}`, "0d/x.tmp": "x", "0e/README": "x"}
	for _, list := range []map[string]string{garbage, left} {
		for name, text := range list {
			path := filepath.Join(s.root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(s.root, "0f", "dir.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, s, "1")
	if c := claim(t, s, noon, 1)[0]; string(c.Body) != "1" {
		t.Errorf("%+v", c)
	}
	status(t, s, 1, 1, len(garbage))
	kept := map[string]bool{}
	names, _ := filepath.Glob(filepath.Join(s.root, "refused", "*.json"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		kept[string(data)] = err == nil
		reason, err := os.ReadFile(strings.TrimSuffix(name, ".json") + ".reason")
		if err != nil || !strings.HasPrefix(string(reason), "it cannot be read: ") {
			t.Errorf("%s: %q, %v", name, reason, err)
		}
	}
	for name, text := range garbage {
		if !kept[text] {
			t.Errorf("%s is lost", name)
		}
	}
	for name, text := range left {
		if data, err := os.ReadFile(filepath.Join(s.root, name)); err != nil || string(data) != text {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// Whatever a file holds, it is read, left for later or refused with a reason;
// what is read can be put back and is the same.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"v":1,"id":"x","kind":"k","attempts":3,"not_before":"2026-03-15T12:00:00Z","body":{"a":[1]}}`, `{"v":1,"v":2,"body":1}`, `{"v":2}`, "", `{"v":1,"body":1,"body":2}`, "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decode(data)
		if err != nil {
			return
		}
		again, err := decode(encode(r))
		if err != nil || string(again.Body) != string(r.Body) || again.Attempts != r.Attempts || again.Kind != r.Kind ||
			again.LastError != r.LastError || !again.NotBefore.Equal(r.NotBefore) {
			t.Fatalf("%+v became %+v: %v", r, again, err)
		}
	})
}
