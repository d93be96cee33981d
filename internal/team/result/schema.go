package result

import _ "embed"

//go:embed schema.json
var schema string

// Schema is the format as JSON Schema 2020-12, for editors and for runners that
// check what they write. Decode is stricter: the schema's description says in
// what.
func Schema() string { return schema }
