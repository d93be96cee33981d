package jsonc

import (
	"encoding/json"
	"testing"
)

func TestParseValue(t *testing.T) {
	for in, want := range map[string]string{
		`{"b": 1.50, "a": [true, null, {"z":"<", "y":[]}]}`: `{"b":1.50,"a":[true,null,{"z":"\u003c","y":[]}]}`,
		`"x"`: `"x"`,
		`{}`:  `{}`,
	} {
		v, err := ParseValue([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(v); string(got) != want {
			t.Errorf("%s became %s", in, got)
		}
	}
	for _, bad := range []string{"", "{", "[1,", `{"a"}`, "1 2", "abc", `{"a":1`} {
		if v, err := ParseValue([]byte(bad)); err == nil {
			t.Errorf("%q is %v", bad, v)
		}
	}
}
