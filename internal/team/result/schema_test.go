package result

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func resolved(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(Schema()), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Whatever the schema refuses, Decode refuses, and what Decode takes the schema
// takes; what only Decode can see stands in the third list.
func TestSchemaAgrees(t *testing.T) {
	schema := resolved(t)
	one := func(s string) string { return `{"schema_version":1,"all_results":[` + s + `]}` }
	run := func(s string) string { return `{"schema_version":1,"all_results":[],` + s + `}` }
	res := func(s string) string { return one(`{"name":"a","passed":true,` + s + `}`) }
	check := func(in string, schemaTakes, decodeTakes bool) {
		t.Helper()
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		if err := schema.Validate(v); (err == nil) != schemaTakes {
			t.Errorf("the schema: %.200s: %v", in, err)
		}
		if _, _, err := Decode([]byte(in)); (err == nil) != decodeTakes {
			t.Errorf("Decode: %.200s: %v", in, err)
		}
	}
	full, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{
		string(full), one(""), one(`{"name":"a","passed":true}`), one(`{"name":"a","status":"pass"}`), one(`{"name":"a","status":"PASSED","passed":null}`),
		one(`{"name":"a","status":"todo"},{"name":"b","status":"disabled"},{"name":"c","status":"errored"},{"name":"d","status":"Ok"}`),
		run(`"scope":"quick","judge_tier":"fast","tier":"anything","kind":"anything"`), run(`"scope":null,"label":null,"costs":null,"by_category":null,"git_dirty":null,"total":null`), run(`"scope":""`),
		run(`"costs":[{"model":"m"},{"model":"n","calls":1,"input_tokens":2,"cost_usd":0.5}]`), run(`"unknown":{"a":[1]}`), run(`"timestamp":"2026-03-15"`),
		run(`"by_category":{"c":{"passed":1,"total":2}}`), run(`"by_category":{"c":null}`), run(`"duration_seconds":1.5,"wall_clock_ms":0,"total_cost_usd":1e9`),
		res(`"score":1,"judge_scores":{"a":0.5,"b":null},"scale":""`), res(`"score":4,"scale":"1-5"`), res(`"output":{},"comparison":[1]`), res(`"output":null,"comparison":null`), res(`"output":[1]`), res(`"output":"x"`), res(`"output":4.5`), res(`"output":false`),
		one(`{"name":"a","passed":false,"failures":["x",{"message":"m","expected":[1],"actual":null,"details":[{"criterion":"c","score":0.1,"threshold":1}],"scores":{"a":1,"b":null}},{}]}`),
		res(`"failures":null,"tags":["a"],"attempt":0,"duration_ms":null,"unknown":1`), res(`"tags":null,"attempt":3`),
	} {
		check(in, true, true)
	}
	for _, in := range []string{
		`[]`, `1`, `"x"`, `{}`, `{"schema_version":1}`, `{"all_results":[]}`, `{"schema_version":2,"all_results":[]}`, `{"schema_version":"1","all_results":[]}`, `{"schema_version":null,"all_results":[]}`,
		`{"schema_version":1,"all_results":{}}`, `{"schema_version":1,"all_results":null}`, one(`1`), one(`"a"`), one(`{}`), one(`{"passed":true}`), one(`{"name":"a"}`), one(`{"name":1,"passed":true}`),
		one(`{"name":"","passed":true}`), one(`{"name":"  ","passed":true}`), one(`{"name":null,"passed":true}`), one(`{"name":"a","passed":"yes"}`), one(`{"name":"a","passed":1}`), one(`{"name":"a","passed":null}`),
		one(`{"name":"a","status":""}`), one(`{"name":"a","status":"fine"}`), one(`{"name":"a","status":1}`),
		run(`"scope":"all"`), run(`"judge_tier":"quick"`), run(`"label":1`), run(`"timestamp":1`), run(`"git_dirty":"yes"`), run(`"duration_seconds":-1`), run(`"duration_seconds":"1"`), run(`"wall_clock_ms":-0.1`), run(`"total_cost_usd":1e30`),
		run(`"total":-1`), run(`"total":1.5`), run(`"passed":"1"`), run(`"by_category":[]`), run(`"by_category":{"c":1}`), run(`"by_category":{"c":{"passed":-1}}`),
		run(`"costs":{}`), run(`"costs":[{}]`), run(`"costs":[{"model":""}]`), run(`"costs":[{"model":"m","calls":-1}]`), run(`"costs":[{"model":"m","output_tokens":1.5}]`), run(`"costs":[{"model":"m","cost_usd":-1}]`),
		run(`"failures":{}`), run(`"failures":[1]`),
		res(`"attempt":-1`), res(`"attempt":1.5`), res(`"attempt":"1"`), res(`"duration_ms":-1`), res(`"duration_ms":"1"`), res(`"cost_usd":-1`), res(`"model":1`), res(`"score":"1"`), res(`"judge_scores":[1]`), res(`"judge_scores":{"a":"1"}`),
		res(`"scale":1`), res(`"scale":"5"`), res(`"failures":"x"`), res(`"failures":[1]`), res(`"failures":[{"message":1}]`), res(`"failures":[{"details":[1]}]`), res(`"failures":[{"scores":1}]`), res(`"tags":"a"`), res(`"tags":[1]`), res(`"error":1`),
	} {
		check(in, false, false)
	}
	for _, in := range []string{
		run(`"timestamp":"yesterday"`), run(`"total":3,"passed":1`), run(`"by_category":{"c":{"passed":2,"total":1}}`), run(`"costs":[{"model":"m"},{"model":"m"}]`), run(`"failures":[{"test_name":"nobody"}]`),
		one(`{"name":"a","passed":true},{"name":"a","passed":true}`), one(`{"name":"a","passed":true,"status":"fail"}`), res(`"score":2`), res(`"judge_scores":{"a":-1}`), res(`"scale":"5-1"`), res(`"scale":"a-b"`), res(`"score":9,"scale":"1-5"`),
	} {
		check(in, true, false)
	}
}

// Every member is in the schema with what it means, and no other is.
func TestSchemaMembers(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(Schema()), &doc); err != nil {
		t.Fatal(err)
	}
	defs := doc["$defs"].(map[string]any)
	for _, c := range []struct {
		of     reflect.Type
		schema any
		older  string // read, not written
	}{
		{reflect.TypeFor[Run](), doc, "failures"}, {reflect.TypeFor[Result](), defs["result"], ""}, {reflect.TypeFor[Failure](), defs["failure"], ""},
		{reflect.TypeFor[Detail](), defs["detail"], ""}, {reflect.TypeFor[Cost](), defs["cost"], ""}, {reflect.TypeFor[Counts](), defs["counts"], ""},
	} {
		members := c.schema.(map[string]any)["properties"].(map[string]any)
		want := map[string]bool{}
		names(c.of, want)
		if c.older != "" {
			want[c.older] = true
		}
		for name := range want {
			m, _ := members[name].(map[string]any)
			if text, _ := m["description"].(string); len(text) < 5 || !strings.HasSuffix(text, ".") {
				t.Errorf("%s.%s: no description", c.of.Name(), name)
			}
		}
		for name := range members {
			if !want[name] {
				t.Errorf("%s has no %s", c.of.Name(), name)
			}
		}
	}
}

func names(t reflect.Type, to map[string]bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			names(f.Type, to)
		case name != "":
			to[name] = true
		}
	}
}
