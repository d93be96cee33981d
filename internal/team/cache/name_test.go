package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	for _, name := range []string{"a", "my_suite", "abc123def456", "A-b.c", "_x", "überprüfung", "評価", "नाम", "console", "com", "com10", strings.Repeat("x", maxName)} {
		if err := checkName("key", name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{
		"", ".", "..", "...", ".hidden", "a.", "-rf", "a/b", `a\b`, "../x", "/x", "C:", "a:b", "a b", "a\x00", "a\n", "\x1b[31m", "a*", "a?", `"`, "<", "|",
		"con", "NUL", "nul.txt", "Com1", "lpt9.x", "\xff", "a\u202eb", "\ufffd", strings.Repeat("x", maxName+1), strings.Repeat("ü", maxName/2+1),
	} {
		err := checkName("key", name)
		if !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		} else if strings.ContainsAny(err.Error(), "\x00\n\x1b") {
			t.Errorf("%q is said as %q", name, err)
		}
	}
}

// Whatever name is taken is a file directly in the directory, and comes back
// from it.
func FuzzName(f *testing.F) {
	for _, s := range []string{"a", "..", "a/b", "nul", "評価", "a\x00", "x."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if checkName("key", name) != nil {
			return
		}
		dir := t.TempDir()
		if !filepath.IsLocal(name) || filepath.Base(name) != name || len(name) > maxName {
			t.Fatalf("%q was taken", name)
		}
		c := Cache{Root: dir}
		put(t, c, name, name, "1")
		entries, err := os.ReadDir(filepath.Join(dir, name))
		if err != nil || len(entries) != 1 || entries[0].Name() != name+suffix {
			t.Fatalf("%q: %v, %v", name, entries, err)
		}
		if _, err := c.Read(name, name); err != nil {
			t.Fatal(err)
		}
	})
}

// No bytes make a reader of entries fail in another way than by an error, and
// data that is returned can be written and comes back the same.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"_cache_version":1,"_suite":"s","data":{"a":[1,"\ud83d"]}}`, `{"_cache_version":1,"_key":null}`, `{"_cache_version":1e3}`, "[]", "", `{"data":1,"data":2,"_cache_version":1,"_suite":"s"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := decode(raw)
		if err != nil {
			return
		}
		if cerr := checkData(e.Data); cerr != nil && cerr.Error() != "it is not UTF-8" {
			t.Fatalf("data %q: %v", e.Data, cerr)
		}
		again, err := decode(encode(e))
		if err != nil || string(again.Data) != string(e.Data) || again.Suite != e.Suite || again.Case != e.Case || !again.CachedAt.Equal(e.CachedAt) {
			t.Fatalf("%q became %q: %v", e.Data, again.Data, err)
		}
	})
}
