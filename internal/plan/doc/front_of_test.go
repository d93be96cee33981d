package doc

import (
	"encoding/json"
	"testing"
)

func TestFrontOf(t *testing.T) {
	for text, want := range map[string]string{
		"---\na: 1\nb:\n  - x: y\n  # why\n- z\nab: 2\nc: {d: 3}\n---\nbody\n---\na: 9\n": `{"a":"1","c":{"d":"3"}}`,
		"\xef\xbb\xbf---\r\nb: 1\r\na: |\r\n  two\r\n\r\n  lines\r\n---\r\n":              `{"a":"two\n\nlines\n"}`,
		"---\n\"a\": 1\na : 2\n---": `{"a":"2"}`,
		"---\nb: 1\n---\n":          `{}`,
		"---\na: 1\nno end":         "null",
		"text\n---\na: 1\n---\n":    "null",
		"":                          "null",
		"---\n{a: 1, b: 2}\n---\n":  `{"a":"1","b":"2"}`,
	} {
		front := FrontOf([]byte(text), "a", "c")
		got, err := json.Marshal(front.JSON())
		if err != nil || string(got) != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
		whole := Parse([]byte(text)).Front()
		if (front == nil) != (whole == nil) || front.Get("a").Text() != whole.Get("a").Text() {
			t.Errorf("%q: %q, and whole %q", text, front.Get("a").Text(), whole.Get("a").Text())
		}
		all, _ := json.Marshal(FrontOf([]byte(text)).JSON())
		if b, _ := json.Marshal(whole.JSON()); string(all) != string(b) {
			t.Errorf("%q: without keys %s, whole %s", text, all, b)
		}
	}
}
