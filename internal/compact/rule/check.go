package rule

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Schema is the JSON Schema of a rule file, for editors. Check enforces the
// same from the types, because a schema library costs every hook its start.
//
//go:embed schema.json
var Schema []byte

// Check looks for mistakes in every rule file above the built-in ones and
// compiles every rule. It is strict where reading is not: an unknown field is
// a mistake here.
func (l *Library) Check() []Warning {
	bad := append([]Warning(nil), l.Warnings...)
	for _, id := range l.IDs() {
		if t := l.top(id); t != nil {
			for _, f := range t.files {
				if err := checkFile(f.data); err != nil {
					bad = append(bad, Warning{f.name, err})
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

// checked is a rule file as the schema has it.
type checked struct {
	Rule
	Schema  string           `json:"$schema"`
	Extends *json.RawMessage `json:"extends"`
}

func checkFile(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var c checked
	if err := dec.Decode(&c); err != nil {
		return fmt.Errorf("line %d: %w", lineOf(data, err), err)
	}
	if c.Extends != nil {
		return fmt.Errorf("extends can only be null, which replaces the rule below")
	}
	return c.valid()
}

// valid checks what the types do not say.
func (r *Rule) valid() error {
	oneOf := func(field, value string, allowed ...string) error {
		if slices.Contains(allowed, value) {
			return nil
		}
		return fmt.Errorf("%s is %q; it can be %s", field, value, strings.Join(allowed, ", "))
	}
	if g := r.Primitives.Group; g != nil {
		if err := oneOf("primitives.group.sort", g.Sort, "", "count"); err != nil {
			return err
		}
	}
	if t := r.Primitives.Truncate; t != nil && min(t.HeadLines, t.TailLines) < 0 {
		return fmt.Errorf("primitives.truncate: a number of lines cannot be negative")
	}
	if r.Tee != nil {
		return oneOf("tee.onExit", r.Tee.OnExit, "", "nonzero", "always", "never")
	}
	return nil
}
