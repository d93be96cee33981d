package result

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"cairn/test/cairntest"
)

// anything is a value of each kind, and figures that no member may have.
var anything = []any{nil, true, "x", "", -1.0, 0.5, 3.0, 1e300, []any{}, []any{nil}, []any{1.0}, []any{"x"}, []any{[]any{}}, map[string]any{}, map[string]any{"x": nil}, map[string]any{"x": 1.0}, map[string]any{"x": "y"}, map[string]any{"x": []any{}}}

// Every member of the schema, with every value that it could be given: what the
// schema refuses is refused by Decode in one sentence that names the member.
func TestWrongTypes(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(Schema()), &doc); err != nil {
		t.Fatal(err)
	}
	schema := resolved(t)
	tried, refused := 0, 0
	for _, place := range places(doc) {
		for _, value := range anything {
			run := place.with(value)
			data, err := json.Marshal(run)
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(data, &v); err != nil {
				t.Fatal(err)
			}
			tried++
			wrong := schema.Validate(v)
			_, _, err = Decode(data)
			switch {
			case wrong == nil && err != nil && !mayBeRefused(err.Error()):
				t.Errorf("%s: %v", data, err)
			case wrong != nil && err == nil:
				t.Errorf("%s is taken: %v", data, wrong)
			case err != nil:
				refused++
				if said := err.Error(); !strings.Contains(said, place.name) || len(said) > 300 || strings.ContainsFunc(said, unicode.IsControl) {
					t.Errorf("%s: %q does not name %s in one sentence", data, said, place.name)
				}
			}
		}
	}
	if tried < 1000 || refused < tried/2 {
		t.Errorf("tried %d, refused %d", tried, refused)
	}
}

// mayBeRefused tells what only Decode can see: see TestSchemaAgrees.
func mayBeRefused(said string) bool {
	return slices.ContainsFunc([]string{"timestamp: ", "is outside", "no name in all_results", "add up", "but all_results holds", "of all_results passed", "scale: ", "but status says"}, func(s string) bool { return strings.Contains(said, s) })
}

// A place is a member of the format and a run that has nothing else in it.
type place struct {
	name string
	with func(value any) any
}

func places(doc map[string]any) (out []place) {
	add := func(of any, wrap func(member string, value any) any) {
		for name := range of.(map[string]any)["properties"].(map[string]any) {
			out = append(out, place{name, func(value any) any { return wrap(name, value) }})
		}
	}
	defs := doc["$defs"].(map[string]any)
	run := func(name string, value any) any {
		return with(map[string]any{"schema_version": 1, "all_results": []any{}}, name, value)
	}
	result := func(name string, value any) any {
		r := map[string]any{"name": "a", "passed": true}
		if name == "status" {
			delete(r, "passed")
		}
		return run("all_results", []any{with(r, name, value)})
	}
	failure := func(name string, value any) any {
		return run("all_results", []any{map[string]any{"name": "a", "passed": false, "failures": []any{map[string]any{name: value}}}})
	}
	add(doc, run)
	add(defs["result"], result)
	add(defs["failure"], failure)
	add(defs["detail"], func(name string, value any) any { return failure("details", []any{map[string]any{name: value}}) })
	add(defs["cost"], func(name string, value any) any {
		return run("costs", []any{with(map[string]any{"model": "m"}, name, value)})
	})
	add(defs["counts"], func(name string, value any) any {
		return run("by_category", map[string]any{"c": map[string]any{name: value}})
	})
	slices.SortFunc(out, func(a, b place) int { return strings.Compare(a.name, b.name) })
	return out
}

func with(m map[string]any, name string, value any) map[string]any {
	m[name] = value
	return m
}

// A file of many small results is refused before they fill the memory.
func TestTooManyResults(t *testing.T) {
	cairntest.Long(t)
	rows := make([]string, MaxResults+1)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"name":"%d","passed":true}`, i)
	}
	all := func(rows []string) []byte {
		return []byte(`{"schema_version":1,"all_results":[` + strings.Join(rows, ",") + `]}`)
	}
	if _, _, err := Decode(all(rows)); err == nil || !strings.Contains(err.Error(), "all_results: more than 500000 results") {
		t.Errorf("one too many: %v", err)
	}
	if run, _, err := Decode(all(rows[:1000])); err != nil || len(run.Results) != 1000 {
		t.Error(err)
	}
	if err := (&Run{Results: make([]Result, MaxResults+1)}).Check(); err == nil || !strings.Contains(err.Error(), "at most 500000") {
		t.Errorf("of another tool: %v", err)
	}
}
