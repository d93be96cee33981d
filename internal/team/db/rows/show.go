package rows

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/table"
)

// show appends what SQLite keeps of a kind as JSON, as PostgREST prints it.
func (k kind) show(b []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case int64:
		switch k.Type {
		case table.Bool:
			return strconv.AppendBool(b, v != 0), nil
		case table.Timestamp:
			return jsontext.AppendQuote(b, showMoment(v))
		case table.Numeric:
			return append(b, scaled(v, k.scale)...), nil
		}
		return strconv.AppendInt(b, v, 10), nil
	case float64:
		if math.IsInf(v, 0) {
			return jsontext.AppendQuote(b, strings.TrimPrefix(strconv.FormatFloat(v, 'f', -1, 32), "+")+"inity")
		}
		if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e6) {
			return strconv.AppendFloat(b, v, 'e', -1, 32), nil
		}
		return strconv.AppendFloat(b, v, 'f', -1, 32), nil
	case string:
		if k.Type == table.JSON || k.Type == table.TextArray {
			return append(b, v...), nil
		}
		return jsontext.AppendQuote(b, v)
	case []byte:
		if id, err := uuid.FromBytes(v); err == nil && k.Type == table.UUID {
			return jsontext.AppendQuote(b, id.String())
		}
		if len(v) == 0 { // see guarded
			return nil, ErrTooLarge
		}
	}
	return nil, fmt.Errorf("a column of type %s has a %T", k, v)
}

// showMoment prints microseconds since 1970 as PostgREST does.
func showMoment(micros int64) string {
	return time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05.999999-07:00")
}

// scaled prints a whole number of the last digit: 1500000 with six is 1.500000.
func scaled(n int64, scale int) string {
	if scale == 0 {
		return strconv.FormatInt(n, 10)
	}
	sign, u := "", uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	digits := strconv.FormatUint(u, 10)
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// Show prints what SQLite keeps in a column as JSON, as an answer has it.
func Show(c *table.Column, v any) (jsontext.Value, error) { return kindOf(c).show(nil, v) }
