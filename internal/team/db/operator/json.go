package operator

import (
	"cmp"
	"errors"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A number keeps its digits, as jsonb does.
type number string

// An object's members, sorted as jsonb sorts them.
type member struct {
	name  string
	value any
}
type object []member

// ErrNUL says that a string has \u0000, which PostgreSQL cannot keep.
var ErrNUL = errors.New("a string of the JSON has \\u0000")

// Canonical returns JSON as PostgreSQL prints jsonb: members by length and name,
// the last one of a name, numbers without exponent, a space after : and comma.
func Canonical(text string) (string, error) {
	v, err := parse(text)
	if err != nil {
		return "", err
	}
	return string(appendJSON(nil, v)), nil
}

func parse(text string) (any, error) {
	d := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
	v, err := parseNext(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, errors.New("there is more after the JSON")
	}
	return v, nil
}

func parseNext(d *jsontext.Decoder) (any, error) {
	t, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return t.Bool(), nil
	case '"':
		return text(t)
	case '0':
		return plain(t.String()), nil
	case '[':
		list := []any{}
		for d.PeekKind() != ']' {
			v, err := parseNext(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.ReadToken()
		return list, err
	}
	return parseObject(d)
}

func parseObject(d *jsontext.Decoder) (any, error) {
	o := object{}
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name, err := text(t)
		if err != nil {
			return nil, err
		}
		v, err := parseNext(d)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, v})
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	slices.Reverse(o) // the last one of a name counts
	slices.SortStableFunc(o, func(a, b member) int { return compareNames(a.name, b.name) })
	return slices.CompactFunc(o, func(a, b member) bool { return a.name == b.name }), nil
}

func text(t jsontext.Token) (string, error) {
	s := t.String()
	if strings.IndexByte(s, 0) >= 0 {
		return "", ErrNUL
	}
	return s, nil
}

func compareNames(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// farthest is the exponent up to which a number is written out.
const farthest = 1000

// plain writes a number without its exponent: 1.50e1 is 15.0, -0 is 0.
func plain(s string) number {
	mantissa, exponent, has := strings.Cut(strings.ToLower(s), "e")
	if !has {
		if s == "-0" {
			return "0"
		}
		return number(s)
	}
	e, err := strconv.Atoi(exponent)
	if err != nil || e > farthest || e < -farthest {
		return number(s)
	}
	sign := ""
	if mantissa[0] == '-' {
		sign, mantissa = "-", mantissa[1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, point := whole+fraction, len(whole)+e
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	if point <= 0 {
		digits = strings.Repeat("0", 1-point) + digits
		point = 1
	}
	out := strings.TrimLeft(digits[:point], "0")
	if out == "" {
		out = "0"
	}
	if point < len(digits) {
		out += "." + digits[point:]
	}
	if strings.Trim(out, "0.") == "" {
		sign = ""
	}
	return number(sign + out)
}

func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case number:
		return append(b, v...)
	case string:
		b, _ = jsontext.AppendQuote(b, v)
		return b
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, m := range v.(object) {
		if i > 0 {
			b = append(b, ", "...)
		}
		b, _ = jsontext.AppendQuote(b, m.name)
		b = append(b, ": "...)
		b = appendJSON(b, m.value)
	}
	return append(b, '}')
}

// compareText orders two JSON texts as jsonb is ordered.
func compareText(a, b string) int {
	if a == b {
		return 0
	}
	x, err := parse(a)
	y, err2 := parse(b)
	if err != nil || err2 != nil {
		return strings.Compare(a, b)
	}
	switch { // an empty array at the top comes before all scalars
	case empty(x) && rank(y) < rank(x):
		return -1
	case empty(y) && rank(x) < rank(y):
		return 1
	}
	return compare(x, y)
}

func empty(v any) bool { l, ok := v.([]any); return ok && len(l) == 0 }

// rank: object > array > boolean > number > string > null.
func rank(v any) int {
	switch v.(type) {
	case object:
		return 5
	case []any:
		return 4
	case bool:
		return 3
	case number:
		return 2
	case string:
		return 1
	}
	return 0
}

// compare orders values as PostgreSQL's btree of jsonb does: larger objects and
// arrays after smaller ones, then by their parts.
func compare(a, b any) int {
	if d := cmp.Compare(rank(a), rank(b)); d != 0 {
		return d
	}
	switch a := a.(type) {
	case bool:
		if a == b.(bool) {
			return 0
		}
		if a {
			return 1
		}
		return -1
	case number:
		return compareNumbers(string(a), string(b.(number)))
	case string:
		return strings.Compare(a, b.(string))
	case []any:
		b := b.([]any)
		if d := cmp.Compare(len(a), len(b)); d != 0 {
			return d
		}
		for i := range a {
			if d := compare(a[i], b[i]); d != 0 {
				return d
			}
		}
	case object:
		b := b.(object)
		if d := cmp.Compare(len(a), len(b)); d != 0 {
			return d
		}
		for i := range a {
			if d := cmp.Or(strings.Compare(a[i].name, b[i].name), compare(a[i].value, b[i].value)); d != 0 {
				return d
			}
		}
	}
	return 0
}

func compareNumbers(a, b string) int {
	if strings.ContainsAny(a+b, "eE") { // beyond what is written out
		x, _, _ := big.ParseFloat(a, 10, 256, big.ToNearestEven)
		y, _, _ := big.ParseFloat(b, 10, 256, big.ToNearestEven)
		if x == nil || y == nil {
			return strings.Compare(a, b)
		}
		return x.Cmp(y)
	}
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	if !ok || !ok2 {
		return strings.Compare(a, b)
	}
	return x.Cmp(y)
}
