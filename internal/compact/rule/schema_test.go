package rule

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

func schema(t *testing.T) *jsonschema.Resolved {
	var s jsonschema.Schema
	if err := json.Unmarshal(Schema, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func validate(t *testing.T, s *jsonschema.Resolved, data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// The rules we ship are examples for those who write their own.
func TestRulesFollowTheSchema(t *testing.T) {
	s := schema(t)
	files, _ := filepath.Glob("rules/*/*.json")
	if len(files) == 0 {
		t.Fatal("no rules")
	}
	var sizes []int
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := checkFile(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		sizes = append(sizes, len(data))
		const hard = 1536
		if len(data) > hard {
			t.Errorf("%s: %d bytes, more than %d", name, len(data), hard)
		}
	}
	const aim = 600
	if slices.Sort(sizes); sizes[len(sizes)/2] > aim {
		t.Errorf("half of the rules have more than %d bytes", aim)
	}
}

// Check and the schema must call the same files wrong.
func TestCheckAgreesWithTheSchema(t *testing.T) {
	s := schema(t)
	for _, tt := range []struct {
		rule string
		ok   bool
	}{
		{`{"id": "my/rule"}`, true},
		{`{"id": "my/rule", "extends": null, "match": {"commands": ["x y"]}}`, true},
		{`{"id": "my/rule", "extends": "tests/jest"}`, false},
		{`{"id": "my/rule", "mtach": {}}`, false},
		{`{"id": "my/rule", "primitives": {"filter": {"drpo": []}}}`, false},
		{`{"id": "my/rule", "primitives": {"truncate": {"headLines": "ten"}}}`, false},
		{`{"id": "my/rule", "primitives": {"truncate": {"headLines": -1}}}`, false},
		{`{"id": "my/rule", "primitives": {"group": {"by": "x", "sort": "name"}}}`, false},
		{`{"id": "my/rule", "primitives": {"filter": {"drop": "x"}}}`, false},
		{`{"id": "my/rule", "tee": {"onExit": "sometimes"}}`, false},
		{`{"id": "my/rule", "parser": "diag", "finite": true, "data": false, "exact": 2000}`, true},
	} {
		if err := validate(t, s, []byte(tt.rule)); (err == nil) != tt.ok {
			t.Errorf("schema on %s: %v", tt.rule, err)
		}
		if err := checkFile([]byte(tt.rule)); (err == nil) != tt.ok {
			t.Errorf("check on %s: %v", tt.rule, err)
		}
	}
}
