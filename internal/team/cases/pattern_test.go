package cases

import (
	"strings"
	"testing"
)

func TestParsePattern(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		found         bool
	}{
		{"plain", "it is plain", true}, {"plain", "Plain", false}, {"/a.c/", "abc", true}, {"/A.C/i", "abc", true}, {"/a.c/", "a\nc", false}, {"/a.c/s", "a\nc", true},
		{"/^b$/m", "a\nb", true}, {"/^b$/", "a\nb", false}, {"/usr/lib", "in /usr/lib", true}, {"/", "a/b", true}, {"//", "a//b", true}, {"a/b/i", "a/b/i", true}, {`/\/x\//`, "/x/", true},
		{`/(?<year>\d{4})/`, "in 2024", true}, {"/[(?=]/", "=", true},
	} {
		p, err := ParsePattern(tt.pattern)
		if err != nil || p.In(tt.text) != tt.found {
			t.Errorf("%s in %q: %v, %v", tt.pattern, tt.text, !tt.found, err)
		}
	}
	for pattern, want := range map[string]string{
		"":          "an empty pattern is found everywhere",
		"/x/gi":     `the flag "g" of /x/gi is not known; i, m and s are`,
		"/a(?!b)/":  "at character 3 stands negative lookahead (?!…), which Go's expressions (RE2) do not have",
		"/(?<=a)b/": "at character 2 stands lookbehind (?<=…)",
		`/(a)\1/`:   `at character 5 stands a reference \1`,
		`/é\u0041/`: `at character 3 stands \u…; write \x{…}`,
		"/(a/":      "missing closing ): (a",
		"/a**/":     "invalid nested repetition operator: ** at character 3",
		"/a{1001}/": "invalid repeat count",
		"/[z-a]/":   "invalid character class range: z-a at character 3",
	} {
		if _, err := ParsePattern(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", pattern, err, want)
		}
	}
}

func FuzzParsePattern(f *testing.F) {
	for _, s := range []string{"a", "/a/i", `/(?=\1)/`, "/[/", "//", "/é\\/", `/\`} {
		f.Add(s, "text")
	}
	f.Fuzz(func(t *testing.T, s, text string) {
		p, err := ParsePattern(s)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("no sentence: %q", err)
			}
			return
		}
		if p.In(text) != (p.Count(text) > 0) {
			t.Errorf("%q in %q: %v, but %d times", s, text, p.In(text), p.Count(text))
		}
	})
}

func TestParsePath(t *testing.T) {
	v := map[string]any{"a": []any{map[string]any{"b.c": "deep"}, nil}, "n": nil, "x-y": 1.0}
	for path, want := range map[string]any{`a[0]["b.c"]`: "deep", `a[-2]["b.c"]`: "deep", "a[1]": nil, "a[2]": nil, "a[-3]": nil, "n": nil, "x-y": 1.0, "a.b": nil, "[0]": nil, `["x-y"]`: 1.0} {
		p, err := ParsePath(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if got, ok := p.In(v); ok != (want != nil) || got != want {
			t.Errorf("%s is %v, %v", path, got, ok)
		}
	}
	for _, path := range []string{"", "a..b", ".a", "a[", "a[x]", "a[0", `a["b]`, "a]b", "a[0]b", "a.", "a[99999999999]"} {
		if p, err := ParsePath(path); err == nil {
			t.Errorf("%q is %q", path, p)
		}
	}
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"a.b[0].c", `a["b.c"][-1]`, ".", "a[", `["\x00"]`, "é.b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePath(s)
		if err != nil {
			return
		}
		p.In(map[string]any{"a": []any{1.0, map[string]any{}}})
		again, err := ParsePath(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%q is written as %q: %v", s, p, err)
		}
	})
}
