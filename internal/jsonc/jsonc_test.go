package jsonc

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/tailscale/hujson"
)

func parse(t *testing.T, text string) *Doc {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d
}

type hook struct {
	Type string `json:"type"`
	N    []int  `json:"n,omitempty"`
}

func TestSet(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", `{}`, "{\n  \"k\": {\n    \"type\": \"x\"\n  }\n}"},
		{"empty with a line", "{\n}\n", "{\n  \"k\": {\n    \"type\": \"x\"\n  }\n}\n"},
		{"two spaces", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"k\": {\n    \"type\": \"x\"\n  }\n}\n"},
		{"tabs", "{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"k\": {\n\t\t\"type\": \"x\"\n\t}\n}"},
		{"no indentation", "{\n\"a\": 1\n}", "{\n\"a\": 1,\n\"k\": {\n\"type\": \"x\"\n}\n}"},
		{"windows", "\ufeff{\r\n    \"a\": 1\r\n}\r\n", "\ufeff{\r\n    \"a\": 1,\r\n    \"k\": {\r\n        \"type\": \"x\"\r\n    }\r\n}\r\n"},
		{"minified", `{"a":1}`, `{"a":1,"k":{"type":"x"}}`},
		{"one line", `{ "a": 1 }`, `{ "a": 1, "k": {"type":"x"} }`},
		{"comment behind the last", "{\n  \"a\": 1 // one\n}", "{\n  \"a\": 1, // one\n  \"k\": {\n    \"type\": \"x\"\n  }\n}"},
		{"only a comment", "{\n  // nothing\n}", "{\n  // nothing\n  \"k\": {\n    \"type\": \"x\"\n  }\n}"},
		{"trailing comma", "{\n  \"a\": 1,\n}", "{\n  \"a\": 1,\n  \"k\": {\n    \"type\": \"x\"\n  },\n}"},
		{"comment at the end of the file", "{\"a\":1} // end", "{\"a\":1,\"k\":{\"type\":\"x\"}} // end"},
	}
	for _, tt := range tests {
		d, err := parse(t, tt.in).Set(nil, "k", hook{Type: "x"})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		} else if got := string(d.Bytes()); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	if _, err := parse(t, `{"k": 1}`).Set(nil, "k", 2); err == nil {
		t.Error("a second member of the same name was set")
	}
}

func TestAppend(t *testing.T) {
	tests := []struct{ in, want string }{
		{"{\n  \"l\": []\n}", "{\n  \"l\": [\n    7\n  ]\n}"},
		{"{\n  \"l\": [1, 2]\n}", "{\n  \"l\": [1, 2, 7]\n}"},
		{"{\n  \"l\": [\n    1\n  ]\n}", "{\n  \"l\": [\n    1,\n    7\n  ]\n}"},
		{"{\n  \"l\": [\n        1\n  ]\n}", "{\n  \"l\": [\n        1,\n        7\n  ]\n}"},
		{`{"l":[1,2]}`, `{"l":[1,2,7]}`},
		{`{"l":[]}`, `{"l":[7]}`},
		{`{"l":[1] , "l":[2]}`, `{"l":[1] , "l":[2,7]}`},
	}
	for _, tt := range tests {
		d, err := parse(t, tt.in).Append(Path{"l"}, 7)
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		} else if got := string(d.Bytes()); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
	}
	if _, err := parse(t, `{"l": null}`).Append(Path{"l"}, 7); err == nil {
		t.Error("null took an element")
	}
}

func TestRemove(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"x":1}`, `{}`},
		{`{"x":1, "b":2}`, `{"b":2}`},
		{`{"a":1, "x":1, "b":2}`, `{"a":1, "b":2}`},
		{`{"a":1, "x":1}`, `{"a":1}`},
		{"{\n  \"x\": 1,\n  \"b\": 2\n}", "{\n  \"b\": 2\n}"},
		{"{\n  \"a\": 1,\n  \"x\": 1,\n}", "{\n  \"a\": 1,\n}"},
		{"{\n  \"a\": 1, // one\n  \"x\": 1\n}", "{\n  \"a\": 1 // one\n}"},
		{"{\n  \"a\": 1, // one\n  \"x\": 1, \"b\": 2\n}", "{\n  \"a\": 1, // one\n   \"b\": 2\n}"},
		{"{\"a\": 1, // one\n\"x\": 1}", "{\"a\": 1 // one\n}"},
		{`{"x": 1 /* why */, "b": 2}`, `{ /* why */"b": 2}`},
	}
	for _, tt := range tests {
		d, err := parse(t, tt.in).Remove(Path{"x"})
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
		} else if got := string(d.Bytes()); got != tt.want {
			t.Errorf("%q: got\n%q, want\n%q", tt.in, got, tt.want)
		}
	}
	if _, err := parse(t, `{}`).Remove(Path{"x"}); err == nil {
		t.Error("what is not there was removed")
	}
}

func TestExtensionsAndPlain(t *testing.T) {
	in := "\ufeff// mine\n{\n  // first\n  \"a\": 1, // one\n  /* two\n     lines */\n  \"url\": \"http://x/*\", /* in */ \"l\": [1, 2,], // , //\n}\n// end"
	d := parse(t, in)
	want := []Extension{{1, "comment"}, {3, "comment"}, {4, "comment"}, {5, "comment"}, {7, "comment"},
		{7, "trailing comma"}, {7, "trailing comma"}, {7, "comment"}, {9, "comment"}}
	if got := d.Extensions(); !reflect.DeepEqual(got, want) {
		t.Errorf("extensions: got %v, want %v", got, want)
	}
	plain := "{\n  \"a\": 1,\n  \"url\": \"http://x/*\",  \"l\": [1, 2]\n}\n"
	if got := string(d.Plain()); got != plain {
		t.Errorf("plain: got\n%q, want\n%q", got, plain)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct {
		in   string
		line int
	}{
		{"", 1}, {"[]", 1}, {"{\n  \"a\": 1\n  \"b\": 2\n}", 3}, {"{\n\n", 3}, {"{\"a\": tru}", 1}, {"{} {}", 1},
	} {
		_, err := Parse([]byte(tt.in))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != tt.line {
			t.Errorf("%q: %v, want a syntax error in line %d", tt.in, err, tt.line)
		}
	}
}

// What was added comes out again to the byte, whatever is around it.
func FuzzAddRemove(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1}`, "{\n\t\"l\": [1, 2,],\n}", "\ufeff{\r\n \"l\": [ ] // x\r\n}", "{\"l\":[// x\n1 // y\n]}// z",
		"{\"l\": [{\n} /* , */ , // ]\n]}", "{\n\"l\": [ /* } */ ], /**/}", `{"l":[[]],"l":[1]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		if got := string(d.Bytes()); got != string(text) {
			t.Fatalf("parsed %q, printed %q", text, got)
		}
		standard, err := hujson.Standardize(d.Bytes()[len(d.bom):])
		if err == nil && !sameJSON(t, standard, d.Plain()) {
			t.Fatalf("%q: plain %q", text, d.Plain())
		}
		paths := []Path{nil, {"l"}, {"l", 0}}
		for _, p := range paths {
			var added *Doc
			var at Path
			switch d.Kind(p) {
			case '{':
				if d.Kind(p.At("new")) != 0 {
					continue
				}
				at = p.At("new")
				added, err = d.Set(p, "new", hook{"x", []int{1}})
			case '[':
				at = p.At(d.Len(p))
				added, err = d.Append(p, hook{"x", []int{1}})
			default:
				continue
			}
			if err != nil {
				t.Fatalf("%q: adding at %v: %v", text, at, err)
			}
			if len(d.Extensions()) == 0 && !json.Valid(added.Bytes()[len(d.bom):]) {
				t.Fatalf("%q: no longer plain JSON: %q", text, added.Bytes())
			}
			removed, err := added.Remove(at)
			if err != nil {
				t.Fatalf("%q: removing %v from %q: %v", text, at, added.Bytes(), err)
			}
			if d.Len(p) == 0 {
				if removed, err = removed.SetInner(p, d.Inner(p)); err != nil {
					t.Fatal(err)
				}
			}
			if string(removed.Bytes()) != string(text) {
				t.Fatalf("%q: with %v %q, without it %q", text, at, added.Bytes(), removed.Bytes())
			}
			first := p.At(0)
			if names := d.Names(p); d.Kind(p) == '{' && len(names) > 0 {
				first = p.At(names[0])
			}
			if d.Len(p) > 0 {
				if _, err := d.Remove(first); err != nil {
					t.Fatalf("%q: removing %v: %v", text, first, err)
				}
			}
		}
	})
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	ea, eb := json.Unmarshal(a, &x), json.Unmarshal(b, &y)
	return (ea == nil) == (eb == nil) && reflect.DeepEqual(x, y)
}
