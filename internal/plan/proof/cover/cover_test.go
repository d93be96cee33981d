package cover

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestGo(t *testing.T) {
	got := Go("mode: set\nx/a.go:3.16,5.2 1 1\nx/a.go:6.10,8.3 2 0\nx/a.go:6.10,8.3 2 2\nx/b.go:1.1,1.9 1 0\nnothing\n")
	want := Files{"x/a.go": {3: 1, 4: 1, 6: 2, 7: 2, 8: 2}, "x/b.go": {1: 0}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestLCOV(t *testing.T) {
	got := LCOV("TN:\nSF:src/a.js\nFN:1,add\nDA:1,1\nDA:2,0,abc\nDA:x,1\nend_of_record\nSF:b.js\nDA:1,3\nend_of_record\n")
	if !reflect.DeepEqual(got, Files{"src/a.js": {1: 1, 2: 0}, "b.js": {1: 3}}) {
		t.Errorf("%v", got)
	}
}

// What the tools wrote, for the same function: its error and its neighbor are not run.
func TestTools(t *testing.T) {
	for file, want := range map[string]struct {
		source    string
		hit, miss []int
	}{
		"coverage-py.lcov": {"app/div.py", []int{1, 2, 4, 7}, []int{3, 8}},
		"vitest-v8.lcov":   {"src/div.ts", []int{1, 2, 5, 6, 8}, []int{3, 4, 9, 10}},
		"jest.lcov":        {"src/div.js", []int{2, 5, 11}, []int{3, 9}},
		"c8.lcov":          {"src/div.js", []int{1, 2, 5, 6, 7, 11}, []int{3, 4, 8, 9, 10}},
	} {
		b, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		lines := LCOV(string(b))[want.source]
		if len(lines) != len(want.hit)+len(want.miss) {
			t.Errorf("%s: %v", file, lines)
		}
		for _, n := range want.hit {
			if lines[n] == 0 {
				t.Errorf("%s: line %d is not run", file, n)
			}
		}
		for _, n := range want.miss {
			if count, ok := lines[n]; !ok || count != 0 {
				t.Errorf("%s: line %d is run", file, n)
			}
		}
	}
}

// The innermost range counts, also behind letters that V8 counts otherwise than we do.
func TestV8(t *testing.T) {
	source := "// 𝄞é\nfunction f(a) {\n  if (a) {\n    return 1;\n  }\n  return 2;\n}\nf(0);\n"
	units := func(s string) int { // UTF-16 before it
		n := 0
		for _, r := range source[:strings.Index(source, s)] {
			n++
			if r > 0xffff {
				n++
			}
		}
		return n
	}
	data, err := json.Marshal(map[string]any{"result": []any{
		map[string]any{"url": "node:internal", "functions": []any{}},
		map[string]any{"url": "file:///x/a.js", "functions": []any{
			map[string]any{"ranges": []any{map[string]int{"startOffset": 0, "endOffset": 500, "count": 1}}},
			map[string]any{"ranges": []any{
				map[string]int{"startOffset": units("function"), "endOffset": units("f(0)") - 1, "count": 1},
				map[string]int{"startOffset": units("{\n    return 1"), "endOffset": units("\n  return 2"), "count": 0},
			}},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := V8(data, func(name string) (string, bool) { return source, name == "/x/a.js" })
	if err != nil || fmt.Sprint(got) != "map[/x/a.js:map[1:1 2:1 3:1 4:0 6:1 8:1]]" {
		t.Errorf("%v, %v", got, err)
	}
}
