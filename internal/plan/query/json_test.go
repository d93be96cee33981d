package query

import (
	"bytes"
	"encoding/json"
	"testing"
)

// What marshal prints itself is what encoding/json prints.
func TestMarshal(t *testing.T) {
	v := object{
		{"text", "a<b & \"c\" \\ \n ü \u2028"}, {"n", -3}, {"yes", true}, {"none", nil}, {"<k>", 1.5},
		{"empty", object{}}, {"list", []string{"x", "y"}}, {"nil", []string(nil)}, {"no", []string{}},
		{"objects", []object{{{"a", 1}, {"b", []object{}}}, {}}},
		{"other", map[string]any{"x": []int{1, 2}, "o": object{{"in", "side"}}}},
	}
	for _, indent := range []string{"", "  "} {
		got, err := marshal(v, indent)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if indent == "" {
			err = json.Compact(&want, got)
		} else {
			err = json.Indent(&want, got, "", indent)
		}
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%v, printed\n%s\nwant\n%s", err, got, want.Bytes())
		}
	}
	if _, err := marshal(object{{"f", func() {}}}, ""); err == nil {
		t.Error("a function is no JSON")
	}
}
