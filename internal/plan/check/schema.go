package check

import (
	"fmt"
	"strings"

	"cairn/internal/plan/doc"
)

// Schemas of frontmatter that can be validated.
const (
	SchemaPlan         = "plan"
	SchemaSummary      = "summary"
	SchemaVerification = "verification"
)

// SchemaNames lists them for messages.
const SchemaNames = SchemaPlan + ", " + SchemaSummary + ", " + SchemaVerification

// Required compares a frontmatter, which may be nil, with the keys that a
// document of the schema must have. An unknown schema is an error.
func Required(front *doc.Node, schema string) (missing, present []string, err error) {
	var keys string
	switch schema {
	case SchemaPlan:
		keys = "phase plan type wave depends_on files_modified autonomous must_haves"
	case SchemaSummary:
		keys = "phase plan subsystem tags duration completed"
	case SchemaVerification:
		keys = "phase verified status score"
	default:
		return nil, nil, fmt.Errorf("there is no schema %q, only %s", schema, SchemaNames)
	}
	for key := range strings.FieldsSeq(keys) {
		if front.Get(key) == nil && front.Get(strings.ReplaceAll(key, "_", "-")) == nil {
			missing = append(missing, key)
		} else {
			present = append(present, key)
		}
	}
	return missing, present, nil
}
