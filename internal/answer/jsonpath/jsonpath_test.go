package jsonpath

import "testing"

func TestFind(t *testing.T) {
	data := []byte(`{"phases":[{"z":1,"name":"a<b"},{"name":"c\"d"}],"n":3,"null":null,"yes":true}`)
	for path, want := range map[string]string{
		"n": "3", "phases[0].name": "a<b", "phases[-1].name": `c"d`, "null": "", "yes": "true",
		"phases[0]": `{"z":1,"name":"a<b"}`, "[x": "",
	} {
		value, ok := Find(data, path)
		if got := Text(value); !ok && path[0] != '[' || got != want {
			t.Errorf("%s is %q, %v; want %q", path, got, ok, want)
		}
	}
	for _, path := range []string{"no", "phases[2]", "phases[-3]", "phases[x]", "n.x", "phases.name"} {
		if value, ok := Find(data, path); ok {
			t.Errorf("%s is %s", path, value)
		}
	}
}
