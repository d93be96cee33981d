package rows

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// A kind is a column's type.
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
}

// as is the form that a database is given.
func (v value) as(d db.Dialect) any {
	switch {
	case v.null:
		return nil
	case d == db.SQLite:
		return v.lite
	}
	return v.text
}

// names are PostgreSQL's for types, by table.Type.
var names = [...]string{
	table.UUID: "uuid", table.Text: "text", table.Bool: "boolean", table.SmallInt: "smallint", table.Int: "integer",
	table.BigInt: "bigint", table.Real: "real", table.Numeric: "numeric", table.Timestamp: "timestamp with time zone",
	table.Date: "date", table.JSON: "jsonb", table.TextArray: "text[]",
}

func (k kind) String() string { return names[k.Type] }

// literal reads a text as a value of the kind, for both databases alike: each of
// them would take a few more spellings, but not the same.
func (k kind) literal(s string) (value, error) {
	if strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
		return value{}, fail(400, "22021", `invalid byte sequence for encoding "UTF8"`)
	}
	switch k.Type {
	case table.Text:
		return value{text: s, lite: s}, nil
	case table.UUID:
		if id, err := uuid.Parse(s); err == nil && len(s) == 36 {
			return uuidValue(id), nil
		}
	case table.Bool:
		if b, err := strconv.ParseBool(s); err == nil {
			return value{text: strconv.FormatBool(b), lite: map[bool]int64{true: 1}[b]}, nil
		}
	case table.SmallInt, table.Int, table.BigInt:
		n, err := strconv.ParseInt(s, 10, map[table.Type]int{table.SmallInt: 16, table.Int: 32, table.BigInt: 64}[k.Type])
		if errors.Is(err, strconv.ErrRange) {
			return value{}, fail(400, "22003", `value "`+s+`" is out of range for type `+k.String())
		}
		if err == nil {
			return value{text: strconv.FormatInt(n, 10), lite: n}, nil
		}
	case table.Real, table.Numeric:
		if v := jsontext.Value(s); v.IsValid() && v.Kind() == '0' {
			return k.number(strings.TrimSpace(s))
		}
	case table.Timestamp, table.Date:
		return k.moment(s)
	}
	return value{}, fail(400, "22P02", "invalid input syntax for type "+k.String()+`: "`+s+`"`)
}

// number reads a decimal as JSON writes it. SQLite keeps whole numbers of a
// Numeric's last digit: what has more digits than that is compared as a float,
// which no whole number equals.
func (k kind) number(s string) (value, error) {
	bits := 64
	if k.Type == table.Real {
		bits = 32
	}
	f, err := strconv.ParseFloat(s, bits)
	mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
	lost := k.Type == table.Real && f == 0 && strings.ContainsAny(mantissa, "123456789")
	if err != nil || lost || len(s) > 100 || k.Type == table.Numeric && math.Abs(f) > 1e30 {
		return value{}, fail(400, "22003", `value "`+s+`" is out of range for type `+k.String())
	}
	switch {
	case k.Type == table.Real:
		return value{text: strconv.FormatFloat(f, 'g', -1, 32), lite: f}, nil
	case math.Abs(f) < 1e-30: // an exponent that no column has digits for
		return value{text: "0", lite: int64(0)}, nil
	}
	scaled := k.scaled(s)
	v := value{text: s}
	if scaled.IsInt() && scaled.Num().IsInt64() {
		v.lite = scaled.Num().Int64()
	} else {
		v.lite, _ = scaled.Float64()
	}
	return v, nil
}

// scaled is a decimal in units of a Numeric's last digit.
func (k kind) scaled(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r.Mul(r, new(big.Rat).SetInt(tenTo(k.scale)))
}

func tenTo(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// rounded is a decimal as its column keeps it: halves away from zero.
func (k kind) rounded(v value) (value, error) {
	r, half := k.scaled(v.text), big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	r.Add(r, half)
	n := new(big.Int).Quo(r.Num(), r.Denom()) // towards zero
	if new(big.Int).Abs(n).Cmp(tenTo(k.precision)) >= 0 {
		return value{}, fail(400, "22003", "numeric field overflow")
	}
	return value{text: scaled(n.Int64(), k.scale), lite: n.Int64()}, nil
}

// layouts are ways of writing a moment, with a space for the T too; Go reads a
// fraction where there is one. Without a zone it is UTC.
var layouts = [...]string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05", "2006-01-02"}

// moment reads ISO 8601; of a date the day alone.
func (k kind) moment(s string) (value, error) {
	text, list := s, layouts[:]
	if len(s) > 10 && s[10] == ' ' {
		text = s[:10] + "T" + s[11:]
	}
	if k.Type == table.Date {
		list = layouts[len(layouts)-1:]
	}
	beyond := false
	for _, layout := range list {
		at, err := time.Parse(layout, text)
		if at = at.UTC().Round(time.Microsecond); err == nil && at.Year() >= 1 && at.Year() <= 9999 {
			if k.Type == table.Date {
				return value{text: s, lite: s}, nil
			}
			return value{text: at.Format(time.RFC3339Nano), lite: at.UnixMicro()}, nil
		}
		beyond = beyond || err == nil || strings.HasSuffix(err.Error(), "out of range")
	}
	if beyond {
		return value{}, fail(400, "22008", `date/time field value out of range: "`+s+`"`)
	}
	return value{}, fail(400, "22007", "invalid input syntax for type "+k.String()+`: "`+s+`"`)
}

// given reads a value of a request's body as a column's type, rounded to what the
// column keeps.
func given(c *table.Column, raw jsontext.Value) (value, error) {
	k := kindOf(c)
	v, err := k.given(raw)
	if err == nil && k.Type == table.Numeric && !v.null {
		return k.rounded(v)
	}
	return v, err
}

// fits checks the length of a value. The operator's own key is free to bring back
// what was stored before there were limits.
func (r *reader) fits(t *table.Table, c *table.Column, v value) error {
	if most := c.Limit(); most > 0 && len(v.text) > most && r.as.Role != db.Service {
		return postgrest.TooLong(t.Name, c.Name, most, len(v.text))
	}
	return nil
}

func (k kind) given(raw jsontext.Value) (value, error) {
	switch {
	case raw.Kind() == 'n':
		return value{null: true}, nil
	case k.Type == table.JSON:
		return keptJSON(raw)
	case k.Type == table.TextArray:
		return k.list(raw)
	case raw.Kind() != '"':
		return k.literal(string(raw)) // a number, true, false; an object as a text
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return value{}, fail(400, "22P02", "invalid input syntax for type "+k.String())
	}
	if strings.IndexByte(s, 0) >= 0 {
		return value{}, noNUL()
	}
	return k.literal(s)
}

// keptJSON is JSON as it was sent, without the blanks.
func keptJSON(raw jsontext.Value) (value, error) {
	kept := raw.Clone()
	if kept.Compact() != nil {
		return value{}, fail(400, "22P02", "invalid input syntax for type json")
	}
	if ingest.HasNUL(kept) {
		return value{}, noNUL()
	}
	return value{text: string(kept), lite: string(kept)}, nil
}

func noNUL() *postgrest.Error {
	return detailed(fail(400, "22P05", "unsupported Unicode escape sequence"), `\u0000 cannot be converted to text.`)
}

// list reads a list of texts: JSON for SQLite, {…} for PostgreSQL.
func (k kind) list(raw jsontext.Value) (value, error) {
	var list []*string
	if err := json.Unmarshal(raw, &list); err != nil {
		return value{}, fail(400, "22P02", "expected JSON array of texts")
	}
	parts := make([]string, len(list))
	for i, e := range list {
		if e != nil && strings.IndexByte(*e, 0) >= 0 {
			return value{}, noNUL()
		}
		if parts[i] = "NULL"; e != nil {
			parts[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*e) + `"`
		}
	}
	lite, _ := json.Marshal(list)
	return value{text: "{" + strings.Join(parts, ",") + "}", lite: string(lite)}, nil
}
