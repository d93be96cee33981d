package host

import (
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"
)

// What is cut and unquoted by hand is what the library makes of it.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{"a":"x\\n\\u001b[1m\\"q\\" \\\\ é \\ud83d\\ude00","b":[1,{"c":"}"}],"d":null,"e":1.5e3,"f":true}`,
		`{}`, `{"a":1}`, `{"a":"\\ud800"}`, `{"a":"\\u12"}`, ` { "a" : "b" , "a" : "c" } `, `{"a":"b"`, `{"a" "b"}`, `[1]`, `{"a":"\xff"}`, "{\"a\":\"\n\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want map[string]json.RawMessage
		if json.Unmarshal(data, &want) != nil || want == nil || !utf8.Valid(data) {
			cut(data) // must not panic
			return
		}
		m, err := cut(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		for key, value := range want {
			quoted, _ := json.Marshal(key)
			if string(quoted) != `"`+key+`"` {
				continue // a key that needs quoting is none of ours
			}
			got := m.get(key)
			var a, b any
			if got == nil || json.Unmarshal(got, &a) != nil || json.Unmarshal(value, &b) != nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: %q is %s, want %s", data, key, got, value)
			}
			if text, ok := b.(string); ok {
				var ours string
				if err := m.read(key, &ours); err != nil || ours != text {
					t.Fatalf("%s: %q reads %q, %v; want %q", data, key, ours, err, text)
				}
			}
		}
		again, err := m.replace(nil)
		var back map[string]any
		var first map[string]any
		if json.Unmarshal(data, &first) != nil || err != nil || json.Unmarshal(again, &back) != nil || !reflect.DeepEqual(first, back) {
			t.Fatalf("%s became %s, %v", data, again, err)
		}
	})
}
