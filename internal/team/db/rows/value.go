package rows

import (
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/operator"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// A kind is what an expression is: a column's type, or text and JSON of what is
// inside of a JSON column.
type kind struct {
	table.Type
	scale, precision int // of Numeric
}

func kindOf(c *table.Column) kind { return kind{c.Type, c.Scale, c.Precision} }

// A value in the forms that the two databases are given it.
type value struct {
	null bool
	text string // PostgreSQL's text form
	lite any    // SQLite's
	// exact is a Numeric's own text, with every digit that was given.
	exact string
}

// names are PostgreSQL's for types, by table.Type.
var names = [...]string{
	table.UUID: "uuid", table.Text: "text", table.Bool: "boolean", table.SmallInt: "smallint", table.Int: "integer",
	table.BigInt: "bigint", table.Real: "real", table.Numeric: "numeric", table.Timestamp: "timestamp with time zone",
	table.Date: "date", table.JSON: "jsonb", table.TextArray: "text[]",
}

func (k kind) String() string { return names[k.Type] }

// literal reads a text as PostgreSQL's input functions do.
func (k kind) literal(s string) (value, error) {
	if strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
		return value{}, fail(400, "22021", `invalid byte sequence for encoding "UTF8"`)
	}
	trimmed := strings.Trim(s, " \t\n\r\v\f")
	switch k.Type {
	case table.UUID:
		id, ok := readUUID(s)
		if !ok {
			return value{}, k.invalid(s)
		}
		return value{text: id.String(), lite: id[:]}, nil
	case table.Bool:
		b, ok := readBool(trimmed)
		if !ok {
			return value{}, k.invalid(s)
		}
		if b {
			return value{text: "true", lite: int64(1)}, nil
		}
		return value{text: "false", lite: int64(0)}, nil
	case table.SmallInt, table.Int, table.BigInt:
		return k.integer(s, trimmed)
	case table.Real:
		return k.real(s, trimmed)
	case table.Numeric:
		return k.numeric(s, trimmed)
	case table.Timestamp:
		return k.timestamp(s, trimmed)
	case table.Date:
		return k.date(s, trimmed)
	case table.JSON:
		return k.json(s)
	case table.TextArray:
		return k.array(s)
	}
	return value{text: s, lite: s}, nil
}

func (k kind) json(s string) (value, error) {
	c, err := operator.Canonical(s)
	switch {
	case err == operator.ErrNUL:
		return value{}, detailed(fail(400, "22P05", "unsupported Unicode escape sequence"), `\u0000 cannot be converted to text.`)
	case err != nil:
		return value{}, detailed(fail(400, "22P02", "invalid input syntax for type json"), "The text is not valid JSON.")
	}
	return value{text: c, lite: c}, nil
}

func (k kind) invalid(s string) *postgrest.Error {
	return fail(400, "22P02", "invalid input syntax for type "+k.String()+`: "`+s+`"`)
}

func (k kind) beyond(s string) *postgrest.Error {
	return fail(400, "22003", `value "`+s+`" is out of range for type `+k.String())
}

func fail(status int, code, message string) *postgrest.Error {
	return &postgrest.Error{Status: status, Code: code, Message: message}
}

func detailed(e *postgrest.Error, details string) *postgrest.Error {
	e.Details = &details
	return e
}

// readUUID takes what PostgreSQL takes: 32 hexadecimal digits, a - after any
// four of them, braces around.
func readUUID(s string) (id uuid.UUID, ok bool) {
	if rest, found := strings.CutPrefix(s, "{"); found {
		if s, found = strings.CutSuffix(rest, "}"); !found {
			return id, false
		}
	}
	var hex strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '-' && hex.Len() > 0 && hex.Len() < 32 && hex.Len()%4 == 0 && s[i-1] != '-' {
			continue
		}
		hex.WriteByte(s[i])
	}
	if hex.Len() != 32 {
		return id, false
	}
	id, err := uuid.Parse(hex.String())
	return id, err == nil
}

// readBool takes true, yes, on, 1 and their opposites, and their beginnings.
func readBool(s string) (value, ok bool) {
	s = strings.ToLower(s)
	switch {
	case s == "":
		return false, false
	case strings.HasPrefix("true", s), strings.HasPrefix("yes", s), s == "on", s == "1":
		return true, true
	case strings.HasPrefix("false", s), strings.HasPrefix("no", s), s == "of", s == "off", s == "0":
		return false, true
	}
	return false, false
}

// for_ is the form that a database is given.
func (v value) as(d db.Dialect) any {
	switch {
	case v.null:
		return nil
	case d == db.SQLite:
		return v.lite
	}
	return v.text
}
