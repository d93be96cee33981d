package rule

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is the JSON Schema of a rule file, for editors and for Check.
//
//go:embed schema.json
var Schema []byte

// Check validates every rule file above the built-in ones against the schema
// and compiles every rule. It is strict where reading is not: an unknown field
// is a mistake here.
func (l *Library) Check() []Warning {
	bad := append([]Warning(nil), l.Warnings...)
	var schema jsonschema.Schema
	if err := json.Unmarshal(Schema, &schema); err != nil {
		return append(bad, Warning{"schema.json", err})
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		return append(bad, Warning{"schema.json", err})
	}
	for _, id := range l.IDs() {
		if t := l.user[id]; t != nil {
			for _, name := range strings.Split(t.source, ", ") {
				if err := checkFile(resolved, name); err != nil {
					bad = append(bad, Warning{name, err})
				}
			}
		}
		r, err := l.Rule(id)
		if err == nil {
			_, err = r.Program()
		}
		if err != nil {
			bad = append(bad, Warning{id, err})
		}
	}
	return bad
}

func checkFile(schema *jsonschema.Resolved, name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return fmt.Errorf("line %d: %w", lineOf(data, err), err)
	}
	return schema.Validate(v)
}
