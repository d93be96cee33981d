package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func files(t *testing.T, named ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for i := 0; i < len(named); i += 2 {
		name := filepath.Join(dir, named[i])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(named[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func keyOf(t *testing.T, text, root string, added ...string) string {
	t.Helper()
	c, err := ParseCase([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	key, err := Key(c, SourcesOf(c, root, root, added, root))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Keys that were given out stay: a change here makes every user's cache miss,
// so it needs another keyVersion. The first three were computed apart from this
// code, with the layout that Key and ParseCase describe.
func TestGoldenKeys(t *testing.T) {
	dir := files(t, "a.txt", "Be brief.\n", "b/c.txt", "")
	for _, tt := range []struct {
		text, want string
		added      []string
	}{
		{"name: x", "6bebcd39a73e941e", nil},
		{"name: x", "427aa2bc2c976c74", []string{"a.txt"}},
		{"name: x\nprompt_source_files: [a.txt, b/c.txt]", "e40af36b53fd7e31", nil},
		{"name: x\nn: [1, 1.5, true, null, ~, 'a', \"b\"]\nm: {k: v}\nt: |\n  two\n  lines\n", "494db806496decf3", nil},
	} {
		if got := keyOf(t, tt.text, dir, tt.added...); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestWhatChangesAKey(t *testing.T) {
	const base = "name: x\nuser: {a: 1, b: [1, two]}\ntext: one two\n"
	dir := files(t)
	key := keyOf(t, base, dir)
	for name, text := range map[string]string{
		"comments and order":   "# c\ntext: one two # c\nuser:\n  b:\n    - 1\n    - two\n  a: 1\nname: x\n",
		"quotes":               "name: 'x'\nuser: {\"a\": 1, b: [1, \"two\"]}\ntext: |-\n  one two\n",
		"JSON":                 `{"name":"x","user":{"a":1,"b":[1,"two"]},"text":"one two"}`,
		"what is expected":     base + "expectations:\n  - type: worthy\ndescription: d\ntags: [a]\ncategory: c\n",
		"an anchor":            "name: x\nuser: &u {a: 1, b: [1, two]}\ntext: &t one two\n",
		"an alias":             "expectations: &u {a: 1, b: [1, two]}\nuser: *u\nname: x\ntext: one two\n",
		"anchors inside":       "tags: [&l [1, &t two]]\nuser: {a: 1, b: *l}\nname: x\ntext: one two\n",
		"an empty source list": base + "prompt_source_files: []\n",
	} {
		if got := keyOf(t, text, dir); got != key {
			t.Errorf("%s: another key", name)
		}
	}
	seen := map[string]string{key: "itself"}
	for name, text := range map[string]string{
		"a name":                    "name: y\nuser: {a: 1, b: [1, two]}\ntext: one two\n",
		"a text for a number":       "name: x\nuser: {a: '1', b: [1, two]}\ntext: one two\n",
		"order in a list":           "name: x\nuser: {a: 1, b: [two, 1]}\ntext: one two\n",
		"space in a text":           "name: x\nuser: {a: 1, b: [1, two]}\ntext: 'one two '\n",
		"one more":                  base + "more: null\n",
		"one less":                  "name: x\nuser: {a: 1, b: [1, two]}\n",
		"one deeper":                "name: x\nuser: {a: 1, b: [[1, two]]}\ntext: one two\n",
		"a float":                   "name: x\nuser: {a: 1.0, b: [1, two]}\ntext: one two\n",
		"a tag":                     "name: x\nuser: {a: !!str 1, b: [1, two]}\ntext: one two\n",
		"what an alias stands for":  "expectations: &u {a: 2, b: [1, two]}\nuser: *u\nname: x\ntext: one two\n",
		"expectations further down": "name: x\nuser: {a: 1, b: [1, two], expectations: 1}\ntext: one two\n",
		"a merge":                   "tags: &u {a: 1}\nname: x\nuser: {<<: *u, b: [1, two]}\ntext: one two\n",
	} {
		got := keyOf(t, text, dir)
		if other, twice := seen[got]; twice {
			t.Errorf("%s: the same key as %s", name, other)
		}
		seen[got] = name
	}
}

func TestSources(t *testing.T) {
	const text = "name: x\nprompt_source_files: [p/a]\n"
	root := files(t, "p/a", "one", "p/b", "two", "evals/p/a", "one")
	key := keyOf(t, text, root)
	for name, got := range map[string]string{
		"another checkout":  keyOf(t, text, files(t, "p/a", "one")),
		"given again":       keyOf(t, text, root, "p/a", "./p/../p/a", filepath.Join(root, "p", "a")),
		"given, not listed": keyOf(t, "name: x", root, "p/a"),
	} {
		if got != key {
			t.Errorf("%s: another key", name)
		}
	}
	if keyOf(t, text, root, "p/b") != keyOf(t, "name: x\nprompt_source_files: [p/b, p/a]", root) {
		t.Error("the order counts")
	}
	seen := map[string]string{key: "itself"}
	for name, got := range map[string]string{
		"none":                   keyOf(t, "name: x", root),
		"other content":          keyOf(t, text, files(t, "p/a", "One")),
		"another name":           keyOf(t, "name: x\nprompt_source_files: [p/c]", files(t, "p/c", "one")),
		"one more":               keyOf(t, text, root, "p/b"),
		"content that slid over": keyOf(t, text, files(t, "p/a", "on", "p/b", "etwo"), "p/b"),
		"contents swapped":       keyOf(t, text, files(t, "p/a", "two", "p/b", "one"), "p/b"),
	} {
		if other, twice := seen[got]; twice {
			t.Errorf("%s: the same key as %s", name, other)
		}
		seen[got] = name
	}
	c, err := ParseCase([]byte("prompt_source_files: &f [p/a, &d ./p/a, ../p/b, *d]\nexpectations: *f"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range SourcesOf(c, filepath.Join(root, "evals"), root, nil, "") {
		got = append(got, s.Name)
	}
	if want := "p/a evals/p/a p/b evals/p/a"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestMissingSource(t *testing.T) {
	dir := files(t, "d/f", "")
	for _, name := range []string{"none", "d", "d/f/g"} {
		c, err := ParseCase([]byte("prompt_source_files: [" + name + "]"))
		if err != nil {
			t.Fatal(err)
		}
		if key, err := Key(c, SourcesOf(c, dir, dir, nil, dir)); err == nil || key != "" || strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %q, %v", name, key, err)
		}
	}
}

func TestNoCase(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "not 0",
		"# nothing":                          "not 0",
		"a: 1\n---\nb: 2":                    "not 2",
		"just text":                          "line 1: it is not a mapping",
		"\na: 1\na: 2":                       "line 3: mapping key \"a\" already defined",
		"a: [1":                              "line 1: ",
		"a: *x":                              "line 1: *x is not defined above",
		"a: &x [*x]":                         "*x is not defined above",
		"prompt_source_files: a.txt":         "line 1: prompt_source_files is not a list",
		"prompt_source_files:":               "line 1: prompt_source_files is not a list",
		"prompt_source_files:\n- a\n- [b]":   "line 3: a file of prompt_source_files",
		"prompt_source_files: ['']":          "is not a name",
		"a: \xff\xfe\x00":                    "no case",
		strings.Repeat("[", 100_000):         "nested deeper",
		strings.Repeat("- ", 100_000):        "nested deeper",
		"a: " + strings.Repeat("&x ", 9_000): "nested deeper",
		strings.Repeat("#", MaxCase+1):       "larger than 4 MB",
	} {
		if c, err := ParseCase([]byte(text)); !errors.Is(err, ErrCase) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v, %v, want %q", text, c, err, want)
		}
	}
}

// Aliases of aliases are as fast as any others.
func TestAliasBomb(t *testing.T) {
	text := "a0: &a0 [x, x]\n"
	for i := range 100 {
		d := string(rune('0'+i/10)) + string(rune('0'+i%10))
		prev := "a0"
		if i > 0 {
			prev = "b" + string(rune('0'+(i-1)/10)) + string(rune('0'+(i-1)%10))
		}
		text += "b" + d + ": &b" + d + " [*" + prev + ", *" + prev + ", *" + prev + "]\n"
	}
	if _, err := ParseCase([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func FuzzParseCase(f *testing.F) {
	for _, s := range []string{"name: x", "a: &x [1]\nb: *x", "<<: {a: 1}", "? a\n: b", "a: !!binary |\n  eA==", `{"a": [1e400, "\ud83d"]}`, "a: .nan", "%YAML 1.2\n---\na: 1", "prompt_source_files: [a]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1000 {
			return
		}
		one, err := ParseCase(text)
		two, again := ParseCase(text)
		if one.input != two.input || (err == nil) != (again == nil) {
			t.Fatalf("%q gives two keys", text)
		}
	})
}
