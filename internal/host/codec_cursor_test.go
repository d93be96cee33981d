package host

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
)

func cursorEvent(t *testing.T, name string, output any) Event {
	t.Helper()
	e := object{}
	data, err := os.ReadFile("testdata/cursor/" + name + ".json")
	if err != nil || json.Unmarshal(data, &e) != nil {
		t.Fatal(err)
	}
	if output != nil {
		text, err := json.Marshal(output)
		if err != nil {
			t.Fatal(err)
		}
		e["tool_output"] = string(text)
	}
	if data, err = json.Marshal(e); err != nil {
		t.Fatal(err)
	}
	ev, err := decodeCursor(data)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

func TestReplaceCursor(t *testing.T) {
	text := object{"type": "text", "text": "a", "annotations": object{"priority": 1.0}}
	ev := cursorEvent(t, "mcp", object{"content": []any{text, text}, "_meta": object{"x": 1.0}})
	if ev.Kind != CallEnded || ev.Cwd != "/home/dev/proj" || !reflect.DeepEqual(ev.Output.Texts, []string{"a", "a"}) {
		t.Fatalf("%+v", ev)
	}
	answer, err := ev.Output.Encode([]string{"one", "two"})
	var got any
	if err != nil || json.Unmarshal(answer, &got) != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	block := func(s string) object {
		return object{"type": "text", "text": s, "annotations": object{"priority": 1.0}}
	}
	want := object{"updated_mcp_tool_output": object{"content": []any{block("one"), block("two")}, "_meta": object{"x": 1.0}}}
	if !reflect.DeepEqual(got, any(want)) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Of other tools Cursor takes no answer, and what failed stays.
func TestLeftAloneByCursor(t *testing.T) {
	if ev := cursorEvent(t, "shell", nil); ev.Output != nil {
		t.Errorf("a command: %+v", ev.Output)
	}
	text := object{"type": "text", "text": "a"}
	for what, output := range map[string]any{
		"an error": object{"content": []any{text}, "isError": true}, "an image": object{"content": []any{object{"type": "image"}}},
		"structured": object{"content": []any{text}, "structuredContent": object{}}, "a string": "a", "no content": object{},
	} {
		if ev := cursorEvent(t, "mcp", output); ev.Output != nil {
			t.Errorf("%s: %+v", what, ev.Output)
		}
	}
}
