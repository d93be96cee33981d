package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 5, time.UTC)

func put(t *testing.T, c Cache, suite, key, data string) {
	t.Helper()
	if err := c.Write(suite, key, "a case", []byte(data), noon); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	c := Cache{Root: filepath.Join(t.TempDir(), "not", "there")}
	for name, data := range map[string]string{
		"number": "-1.50e+3", "text": `"<&> \u003c ü"`, "null": "null", "spaces": "{ \"a\" :\n [1 , 2]}",
		"twice": `{"a":1,"a":2}`, "half": `"cut emoji \ud83d"`, "braces": `{"data":{"data":"}}"}}`,
	} {
		put(t, c, "s", name, "\n "+data+"\n")
		e, err := c.Read("s", name)
		if err != nil || string(e.Data) != data || e.Suite != "s" || e.Key != name || e.Case != "a case" || !e.CachedAt.Equal(noon) {
			t.Errorf("%s: %q, %+v, %v", name, e.Data, e, err)
		}
	}
	if _, err := c.Read("s", "other"); err != ErrMiss {
		t.Errorf("no entry: %v", err)
	}
	for path, mode := range map[string]fs.FileMode{"": 0o700, "s": 0o700, "s/null.json": 0o600} {
		if fi, err := os.Stat(filepath.Join(c.Root, path)); err != nil || fi.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
}

func TestRefusedData(t *testing.T) {
	c := Cache{Root: t.TempDir()}
	put(t, c, "s", "k", "1")
	for data, want := range map[string]string{
		"": "it is empty", " \n": "it is empty", "{": "at byte 1", "NaN": "no JSON", "[1,]": "no JSON", "1 2": "ends at byte 1", "\"\xff\"": "not UTF-8",
		strings.Repeat("[", 20_000): "no JSON", strings.Repeat(" ", 3) + `"` + strings.Repeat("x", MaxData) + `"`: "more than 64 MB",
	} {
		if err := c.Write("s", "k", "", []byte(data), noon); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", data, err)
		}
	}
	if e, err := c.Read("s", "k"); err != nil || string(e.Data) != "1" {
		t.Errorf("%s, %v", e.Data, err)
	}
}

func TestEntriesOfOthers(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"one without a key", `{"_cache_version": 1, "_cached_at": "2026-03-15T10:30:00+00:00", "_suite": "s", "_case_name": null, "data": {"a": 1}, "more": []}`, ""},
		{"data first", `{"data":[],"_suite":"s","_cache_version":1}`, ""},
		{"of a newer version", `{"_cache_version":2,"_suite":7}`, "miss"},
		{"an empty file", "", "it is empty"},
		{"a torn one", `{"_cache_version":1,"_suite":"s","data":{"a":`, "it is no JSON: unexpected EOF at byte 45"},
		{"zeros, as after a power cut", strings.Repeat("\x00", 60), "it is no JSON"},
		{"two", `{"_cache_version":1,"_suite":"s","data":1}{}`, "follows the JSON value"},
		{"a list", `[]`, "it is not an object"},
		{"no version", `{"_suite":"s","data":1}`, "it has no _cache_version"},
		{"a version of words", `{"_cache_version":"1","_suite":"s","data":1}`, "_cache_version is not a whole number"},
		{"no data", `{"_cache_version":1,"_suite":"s"}`, "it has no data"},
		{"no suite", `{"_cache_version":1,"data":1}`, "it has no _suite"},
		{"another suite", `{"_cache_version":1,"_suite":"S\u001b","data":1}`, `its suite is "S\x1b"`},
		{"another key", `{"_cache_version":1,"_suite":"s","_key":"K","data":1}`, `its key is "K"`},
		{"a suite of numbers", `{"_cache_version":1,"_suite":1,"data":1}`, "its _suite is not a string"},
		{"no time", `{"_cache_version":1,"_cached_at":"today","_suite":"s","data":1}`, "_cached_at is no time"},
	} {
		c := Cache{Root: t.TempDir()}
		put(t, c, "s", "k", "1")
		if err := os.WriteFile(filepath.Join(c.Root, "s", "k.json"), []byte(tt.file), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := c.Read("s", "k")
		var corrupt *CorruptError
		switch found := errors.As(err, &corrupt); {
		case tt.want == "" && err != nil, tt.want == "miss" && (found || !errors.Is(err, ErrMiss)):
			t.Errorf("%s: %v", tt.name, err)
		case len(tt.want) > 4 && (!found || !errors.Is(err, ErrMiss) || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		files, invalid, err := c.Verify(func(int64) {})
		if bad := tt.want != ""; err != nil || files != 1 || (len(invalid) == 1) != bad {
			t.Errorf("%s: %d files, %+v, %v", tt.name, files, invalid, err)
		}
	}
}

func TestWhatIsNoFile(t *testing.T) {
	c := Cache{Root: t.TempDir()}
	var corrupt *CorruptError
	if err := os.MkdirAll(filepath.Join(c.Root, "s", "dir.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read("s", "dir"); !errors.As(err, &corrupt) {
		t.Error(err)
	}
	large := filepath.Join(c.Root, "s", "large.json")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read("s", "large"); !errors.As(err, &corrupt) || !strings.HasSuffix(err.Error(), "it is too large") {
		t.Error(err)
	}
	if err := c.Write("s", "dir", "", []byte("1"), noon); err == nil {
		t.Error("a directory was replaced")
	}
}

func TestStatsAndClear(t *testing.T) {
	c := Cache{Root: t.TempDir()}
	if s, err := (Cache{Root: filepath.Join(c.Root, "none")}).Stats(); s != nil || err != nil {
		t.Error(s, err)
	}
	for _, name := range []string{"b/1", "b/2", "a/1"} {
		suite, key, _ := strings.Cut(name, "/")
		put(t, c, suite, key, `"four"`)
	}
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	for name, at := range map[string]time.Time{"b/1": day(1), "b/2": day(9), "a/1": day(5)} {
		if err := os.Chtimes(filepath.Join(c.Root, name+".json"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "x.json")
	for _, name := range []string{outside, filepath.Join(c.Root, "x.json"), filepath.Join(c.Root, "b", "x.txt")} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(c.Root, "link")); err != nil {
		t.Skip(err)
	}
	list, err := c.Stats()
	if err != nil || len(list) != 2 || list[0].Name != "a" || list[1].Files != 2 ||
		!list[1].Oldest.Equal(day(1)) || !list[1].Newest.Equal(day(9)) || list[1].Bytes != 2*list[0].Bytes {
		t.Errorf("%+v, %v", list, err)
	}
	for _, tt := range []struct {
		suite  string
		before time.Time
		want   int
	}{{"a", day(5), 0}, {"b", day(9), 1}, {"none", time.Time{}, 0}, {"", day(6), 1}, {"", time.Time{}, 1}} {
		if n, bytes, err := c.Clear(tt.suite, tt.before); n != tt.want || err != nil || (bytes > 0) != (n > 0) {
			t.Errorf("%q %v: %d, %d bytes, %v", tt.suite, tt.before, n, bytes, err)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(c.Root, "*"))
	if len(left) != 3 { // b with x.txt, link, x.json
		t.Error(left)
	}
}

func TestPolicy(t *testing.T) {
	c := Cache{Root: t.TempDir()}
	put(t, c, "s", "k", "1")
	for _, tt := range []struct {
		on, clear  string
		hit, wrote bool
		said       string
	}{
		{"", "", true, true, ""}, {"1", "0", true, true, ""}, {"yes", "no", true, true, ""},
		{"0", "", false, false, ""}, {"off", "", false, false, ""}, {"False", "1", false, false, ""},
		{"", "1", false, true, ""}, {"", "true", false, true, ""},
		{"", "1773576000", true, true, ""}, {"", "1773576000.5", false, true, ""}, {"", "1773576001", false, true, ""},
		{"", "2026-03-15T12:00:00Z", true, true, ""}, {"", "2026-03-15T14:00:01+02:00", false, true, ""},
		{"2", "", true, true, `"2" is neither`}, {"", "today", true, true, `"today" is neither`}, {"", "17", true, true, `"17" is`}, {"", "NaN", true, true, `"NaN" is`},
	} {
		p, err := ParsePolicy(tt.on, tt.clear)
		if (err == nil) != (tt.said == "") || err != nil && !strings.HasPrefix(err.Error(), tt.said) {
			t.Errorf("%+v: %v", tt, err)
		}
		c.Policy = p
		if _, err := c.Read("s", "k"); (err == nil) != tt.hit {
			t.Errorf("%+v: read %v", tt, err)
		}
		if err := c.Write("new", "k", "", []byte("1"), noon); err != nil {
			t.Error(err)
		}
		if err := os.RemoveAll(filepath.Join(c.Root, "new", "k.json")); err != nil {
			t.Error(err)
		}
		if err := os.Remove(filepath.Join(c.Root, "new")); (err == nil) != tt.wrote {
			t.Errorf("%+v: the directory: %v", tt, err)
		}
	}
}
