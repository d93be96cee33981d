package doc

import (
	"encoding/json"
	"strings"
	"testing"

	"cairn/internal/jsonc"
)

func frontJSON(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(Parse([]byte(s)).Front().JSON())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestFrontReads(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"scalars", "a: 1\nb: \"x: \\\"y\\\" \\u00e9\"\nc: 'it''s' # no\nd: x#y # no\ne:\nf: \"\"", `{"a":"1","b":"x: \"y\" é","c":"it's","d":"x#y","e":null,"f":""}`},
		{"lists", "a:\n- x\n- 'y'\nb:\n  - z # c\n\n  # c\n  -\nc: [1, \"b, c\", [d], {e: f}]\nd: []", `{"a":["x","y"],"b":["z",null],"c":["1","b, c",["d"],{"e":"f"}],"d":[]}`},
		{"maps in lists", "a:\n  - p: 1\n    q:\n      - r\n      - s: t\n  -\n    p: 2\n  - - n\n    - m", `{"a":[{"p":"1","q":["r",{"s":"t"}]},{"p":"2"},["n","m"]]}`},
		{"flow on lines", "a: [ # c\n  x, # c\n  \"y\",\n]\nb: {c: d,\n  e: [f]}\ng: 1", `{"a":["x","y"],"b":{"c":"d","e":["f"]},"g":"1"}`},
		{"literal", "a: |\n  x\n    y\n\n  z\n\nb: |-\n  x\nc: |+\n  x\n\nd: |2\n    x\ne: >\n  a\n  b\n\n  c\n    d\n  e\nf: |\ng: h", `{"a":"x\n  y\n\nz\n","b":"x","c":"x\n\n","d":"  x\n","e":"a b\nc\n  d\ne\n","f":"","g":"h"}`},
		{"folded", "a: one\n  two\n\n  three\nb: \"one\n  two \\\n  three\n\n  four\"\nc:\n  long\n  text", `{"a":"one two\nthree","b":"one two three\nfour","c":"long text"}`},
		{"by hand", "title: Router: chi is small\nctx: @src/a.go\n\tx: 1\nq: \"a\" b\nl: [x](y)\nu: [a, b\nv: 'open\nw: - x\npages: [src/[id]/p.tsx, '*.{a,b}', x.{a,b}]", `{"title":"Router: chi is small","ctx":"@src/a.go","x":"1","q":"\"a\" b","l":"[x](y)","u":"[a, b","v":"'open","w":"- x","pages":["src/[id]/p.tsx","*.{a,b}","x.{a,b}"]}`},
		{"odd indents", "a: 1\n   b: 2\n  c: 3\nd:\n    e: 1\n  f: 2\njunk\ng: \"x\\.y\"", `{"a":"1","b":"2","c":"3","d":{"e":"1"},"f":"2","g":"x\\.y"}`},
		{"twice", "a: 1\nb: 2\na: 3", `{"a":"3","b":"2"}`},
		{"json", "{\"a\": [1, {\"b\":\"c\"}]}", `{"a":["1",{"b":"c"}]}`},
		{"anchors are text", "a: &x 1\nb: *x\nc: &y\n  d: !!str 2", `{"a":"\u0026x 1","b":"*x","c":{"d":"!!str 2"}}`},
		{"empty", "# only\n", `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := frontJSON(t, "---\n"+c.yaml+"\n---\nbody\n")
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if crlf := frontJSON(t, strings.ReplaceAll("---\n"+c.yaml+"\n---\nbody\n", "\n", "\r\n")); crlf != c.want {
				t.Errorf("with CRLF %s", crlf)
			}
		})
	}
	for _, s := range []string{"", "a: 1\n", "---\na: 1\n", "\n---\na: 1\n---\n"} {
		if Parse([]byte(s)).Front() != nil {
			t.Errorf("%q has no frontmatter", s)
		}
	}
}

func TestFrontAccess(t *testing.T) {
	d := Parse([]byte("---\na: {b: [x, 'y']}\nn: 07\nyes: True\nd:\n  - Router: chi is small\n  - \"No: ORM\"\n---\n"))
	f := d.Front()
	if f.Get("a", "b", "1").Text() != "y" || f.Get("a", "c", "d") != nil || f.Get("n").Int(0) != 7 || !f.Get("yes").Bool(false) || !f.Get("no").Bool(true) {
		t.Error("a value is not found")
	}
	if got := strings.Join(f.Get("d").Strings(), "|"); got != "Router: chi is small|No: ORM" {
		t.Errorf("decisions are %s", got)
	}
	var none *Node
	if none.Get("a").Text() != "" || none.Strings() != nil || none.JSON() != nil {
		t.Error("nil is not empty")
	}
}

func TestFrontProblems(t *testing.T) {
	d := Parse([]byte("---\nok: 1\ntitle: a: b\n\tx: 1\n  y: 2\njunk\nok: 2\nq: \"a\" b\nr: @x\n---\n"))
	lines := map[int]bool{}
	for _, p := range d.FrontProblems() {
		lines[p.Line] = true
	}
	for _, want := range []int{2, 3, 4, 5, 6, 7, 8} {
		if !lines[want] {
			t.Errorf("nothing about line %d: %v", want, d.FrontProblems())
		}
	}
	if ps := Parse([]byte("---\na: 1\nb:\n  - c: d\n---\n")).FrontProblems(); len(ps) > 0 {
		t.Errorf("problems in a good one: %v", ps)
	}
}

func TestSetFront(t *testing.T) {
	const base = "---\n# top\na: 1 # one\nb: \"two\"\nc: 'three'\nl:\n  - x # c\n  - \"y\"\n  - z\nf: [a, b]\nm:\n  k: v\n\n  # in m\n  t:\n    - p: 1 # c\n      q: 2\n    - p: 3\ntext: |\n  lines\n  more\nnull:\ndashes:\n  - - a\n    - b\ne: []\n---\nbody\n"
	for _, c := range []struct {
		name    string
		value   any
		path    string
		old, is string // is replaces old in base
	}{
		{"plain", "5", "a", "a: 1 #", "a: 5 #"},
		{"bool", true, "a", "a: 1 #", "a: true #"},
		{"number", 1.5, "a", "a: 1 #", "a: 1.5 #"},
		{"needs quotes", "x: y", "a", "a: 1 #", "a: \"x: y\" #"},
		{"keeps double", "2", "b", "\"two\"", "\"2\""},
		{"keeps single", "it's", "c", "'three'", "'it''s'"},
		{"single cannot", "a\tb", "c", "'three'", "\"a\\tb\""},
		{"block item", []string{"x", "new: 1", "z"}, "l", "  - \"y\"\n", "  - \"new: 1\"\n"},
		{"block append", []string{"x", "y", "z", "w"}, "l", "  - z\n", "  - z\n  - w\n"},
		{"block shrink", []any{"z"}, "l", "  - x # c\n  - \"y\"\n", ""},
		{"block to empty", []string{}, "l", "l:\n  - x # c\n  - \"y\"\n  - z\n", "l: []\n"},
		{"block to scalar", "s", "l", "l:\n  - x # c\n  - \"y\"\n  - z\n", "l: s\n"},
		{"flow", []string{"a", "b, c", "d", "e"}, "f", "[a, b]", "[a, \"b, c\", d, e]"},
		{"empty to short", []string{"1", "2"}, "e", "e: []", "e: [1, 2]"},
		{"empty to long", []string{"1", "2", "3", "4"}, "e", "e: []", "e:\n  - 1\n  - 2\n  - 3\n  - 4"},
		{"null", "v", "null", "null:", "null: v"},
		{"to null", nil, "a", "a: 1 #", "a: #"},
		{"nested", "w", "m.k", "k: v", "k: w"},
		{"in a list", "9", "m.t.0.p", "p: 1 # c", "p: 9 # c"},
		{"new key", "n", "new", "e: []\n", "e: []\nnew: n\n"},
		{"new nested", "n", "m.new", "    - p: 3\n", "    - p: 3\n  new: n\n"},
		{"new in item", "n", "m.t.1.q", "    - p: 3\n", "    - p: 3\n      q: n\n"},
		{"new deep", 3, "x.y.z", "e: []\n", "e: []\nx:\n  y:\n    z: 3\n"},
		{"under null", "v", "null.k", "null:\n", "null:\n  k: v\n"},
		{"text to text", "one\ntwo\n", "text", "  lines\n  more\n", "  one\n  two\n"},
		{"text to line", "one", "text", "text: |\n  lines\n  more\n", "text: one\n"},
		{"line to text", "one\n\ntwo", "a", "a: 1 # one\n", "a: |- # one\n  one\n\n  two\n"},
		{"map", jsonc.Object{}.With("k", "v").With("j", []any{jsonc.Object{}.With("a", "1").With("b", []any{"2"})}), "m", "\n  # in m\n  t:\n    - p: 1 # c\n      q: 2\n    - p: 3\n", "\n  # in m\n  j:\n    - a: 1\n      b: [2]\n"},
		{"list of maps", []any{jsonc.Object{}.With("p", "1").With("q", "2"), jsonc.Object{}.With("p", "4").With("r", "5")}, "m.t", "    - p: 3\n", "    - p: 4\n      r: 5\n"},
		{"item after a dash", []string{"c"}, "dashes.0", "  - - a\n    - b\n", "  - - c\n"},
		{"same", []string{"x", "y", "z"}, "l", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Parse([]byte(base))
			if err := d.SetFront(c.value, strings.Split(c.path, ".")...); err != nil {
				t.Fatal(err)
			}
			if want := strings.Replace(base, c.old, c.is, 1); d.String() != want {
				t.Errorf("got\n%s\nwant\n%s", d, want)
			}
		})
	}
}

func TestSetFrontFlow(t *testing.T) {
	d := Parse([]byte("---\na: {b: 1, c: [x]} # k\nd: {}\n---\n"))
	for _, err := range []error{d.SetFront("2", "a", "b"), d.SetFront([]string{"y", "z"}, "a", "c"), d.SetFront("n", "a", "e"), d.SetFront("v", "d", "k")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := d.Span(1, 3); got != "a: {b: 2, c: [y, z], e: n} # k\nd: {k: v}" {
		t.Errorf("got %s", got)
	}
	if !d.UnsetFront("a", "b") || !d.UnsetFront("a", "e") || !d.UnsetFront("d", "k") || d.UnsetFront("d", "k") {
		t.Error("a key was not removed")
	}
	if got := d.Span(1, 3); got != "a: {c: [y, z]} # k\nd: {}" {
		t.Errorf("got %s", got)
	}
}

func TestSetFrontCreates(t *testing.T) {
	for before, want := range map[string]string{
		"":                    "---\nk: v\n---\n",
		"# T\r\n":             "---\r\nk: v\r\n---\r\n\r\n# T\r\n",
		"---\n---\n":          "---\nk: v\n---\n",
		"\xef\xbb\xbf# T":     "\xef\xbb\xbf---\nk: v\n---\n\n# T",
		"---\nnever closed\n": "---\nk: v\n---\n\n---\nnever closed\n",
	} {
		d := Parse([]byte(before))
		if err := d.SetFront("v", "k"); err != nil {
			t.Fatal(err)
		}
		if got := string(d.Bytes()); got != want {
			t.Errorf("%q became %q", before, got)
		}
	}
}

func TestUnsetFront(t *testing.T) {
	const base = "---\na: 1 # one\nl:\n  - x\nm:\n  t:\n    - p: 1 # c\n      q: 2\n    - r: 3\n---\n"
	for path, want := range map[string]string{
		"a":       strings.Replace(base, "a: 1 # one\n", "", 1),
		"l":       strings.Replace(base, "l:\n  - x\n", "", 1),
		"m.t":     "---\na: 1 # one\nl:\n  - x\nm:\n---\n",
		"m.t.0.p": strings.Replace(base, "- p: 1 # c\n      q: 2", "- q: 2", 1),
		"m.t.1.r": strings.Replace(base, "- r: 3", "- {}", 1),
		"z":       base,
		"a.b":     base,
	} {
		d := Parse([]byte(base))
		if ok := d.UnsetFront(strings.Split(path, ".")...); ok != (want != base) {
			t.Errorf("%s: %v", path, ok)
		}
		if d.String() != want {
			t.Errorf("%s: got\n%s", path, d)
		}
	}
}

func TestSetFrontRefuses(t *testing.T) {
	d := Parse([]byte("---\na: text\nl: [x]\n---\n"))
	before := d.String()
	for _, path := range [][]string{{"a", "b"}, {"l", "k"}, {}} {
		if err := d.SetFront("v", path...); err == nil {
			t.Errorf("%v was set", path)
		}
	}
	if err := d.SetFront(make(chan int), "a"); err == nil || d.String() != before {
		t.Errorf("%v, and\n%s", err, d)
	}
}
