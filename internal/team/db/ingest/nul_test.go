package ingest

import "testing"

// The character 0 is found wherever a text is cut, and an escaped backslash before u0000 is none.
func TestNulFinder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`"a\u0000b"`: true, `"\\\u0000"`: true, `"\n\u0000"`: true, `"\u0001\u0000"`: true,
		`"\\u0000"`: false, `"\\\\u0000"`: false, `"\u0001"`: false, `"u0000"`: false, `"\u00e0000"`: false, `""`: false, `"\u000a0"`: false,
	} {
		for i := range text {
			for j := i; j <= len(text); j++ {
				n := &nulFinder{}
				for _, part := range []string{text[:i], text[i:j], text[j:]} {
					if _, err := n.Write([]byte(part)); err != nil {
						t.Fatal(err)
					}
				}
				if n.found != want {
					t.Fatalf("%s cut at %d and %d: %v", text, i, j, n.found)
				}
			}
		}
	}
}
