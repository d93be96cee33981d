package jsonc

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValueKeepsOrder(t *testing.T) {
	d := parse(t, `{"z": 1, /* why */ "a": [true, null, {"y": "<b>", "b": 2.5}], "z": 3}`)
	v, ok := d.Value(nil)
	if !ok {
		t.Fatal("no value")
	}
	b, err := json.Marshal(v.(Object))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"z":3,"a":[true,null,{"y":"\u003cb\u003e","b":2.5}]}`; string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	if _, ok := d.Value(Path{"a", 7}); ok {
		t.Error("a value where there is none")
	}
}

func TestRename(t *testing.T) {
	d := parse(t, `{"a" : 1, "\u0062" /* "b" */: {"c": 2}}`)
	d, err := d.Rename(Path{"b"}, "z\"")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(d.Bytes()), `{"a" : 1, "z\"" /* "b" */: {"c": 2}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := d.Rename(Path{"a"}, "z\""); err == nil {
		t.Error("two members have one name")
	}
}

func TestDepth(t *testing.T) {
	deep := func(n int) []byte { return []byte(`{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}") }
	if _, err := Parse(deep(maxDepth - 1)); err != nil {
		t.Error(err)
	}
	if _, err := Parse(deep(maxDepth)); err == nil {
		t.Error("no limit")
	}
	brackets := strings.Repeat("[", 2*maxDepth)
	text := `{"` + brackets + `\"[": 1, // ` + brackets + "\n/*" + brackets + `*/ "b": "\\"}`
	if _, err := Parse([]byte(text)); err != nil {
		t.Errorf("brackets in strings and comments: %v", err)
	}
}
