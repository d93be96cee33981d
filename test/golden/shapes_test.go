package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// shapesFile says for each command which keys its --json has, and of which kind
// their values are: what all stories together saw.
const shapesFile = "testdata/shapes.txt"

// A shape has the kinds of the values at each path, such as "[].name": {"string"}.
type shape map[string]map[string]bool

func (s shape) add(path string, v any) {
	kind := ""
	switch v := v.(type) {
	case map[string]any:
		kind = "object"
		for key, below := range v {
			s.add(path+"."+key, below)
		}
	case []any:
		kind = "array"
		for _, below := range v {
			s.add(path+"[]", below)
		}
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case json.Number:
		kind = "number"
	case nil:
		kind = "null"
	}
	if s[path] == nil {
		s[path] = map[string]bool{}
	}
	s[path][kind] = true
}

// checkShapes checks that what each command prints with --json is JSON, and of the
// shape that is stored.
func checkShapes(t *testing.T, commands map[string]*command, stories []*story) {
	shapes := map[string]shape{}
	for _, s := range stories {
		for _, l := range s.lines {
			text, ok := l.is("$")
			if !ok || l.out == "" || strings.ContainsAny(text, "|;&>") {
				continue
			}
			for path, flags := range called(commands, text) {
				if !slices.Contains(flags, "json") {
					continue
				}
				if shapes[path] == nil {
					shapes[path] = shape{}
				}
				decoder := json.NewDecoder(strings.NewReader(l.out))
				decoder.UseNumber()
				for {
					var v any
					err := decoder.Decode(&v)
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						t.Errorf("%s.txt:%d: %s prints no JSON: %v", s.name, l.number, text, err)
						break
					}
					shapes[path].add("", v)
				}
			}
		}
	}
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(shapes)) {
		fmt.Fprintf(&b, "cairn %s\n", path)
		for _, at := range slices.Sorted(maps.Keys(shapes[path])) {
			kinds := strings.Join(slices.Sorted(maps.Keys(shapes[path][at])), " or ")
			fmt.Fprintf(&b, "  %s %s\n", max(at, "."), kinds)
		}
	}
	if *update {
		if err := os.WriteFile(shapesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	stored, err := os.ReadFile(shapesFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(stored) != b.String() {
		t.Errorf("the JSON of a command has another shape than %s says; -update writes it\n%s", shapesFile, difference(string(stored), b.String()))
	}
}
