package rows

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

func (k kind) integer(s, trimmed string) (value, error) {
	bits := map[table.Type]int{table.SmallInt: 16, table.Int: 32}[k.Type]
	if bits == 0 {
		bits = 64
	}
	n, err := strconv.ParseInt(trimmed, 10, bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return value{}, k.beyond(s)
	case err != nil:
		return value{}, k.invalid(s)
	}
	return value{text: strconv.FormatInt(n, 10), lite: n}, nil
}

// real reads a float4: its value is rounded to 32 bits on both databases.
func (k kind) real(s, trimmed string) (value, error) {
	switch strings.ToLower(trimmed) {
	case "infinity", "inf", "+infinity", "+inf":
		return value{text: "Infinity", lite: math.Inf(1)}, nil
	case "-infinity", "-inf":
		return value{text: "-Infinity", lite: math.Inf(-1)}, nil
	}
	if !decimal(trimmed) {
		return value{}, k.invalid(s) // NaN too: SQLite cannot keep it
	}
	f, err := strconv.ParseFloat(trimmed, 32)
	if err != nil || f == 0 && strings.Trim(mantissa(trimmed), "+-0.") != "" {
		return value{}, fail(400, "22003", `"`+s+`" is out of range for type real`)
	}
	return value{text: strconv.FormatFloat(f, 'g', -1, 32), lite: f}, nil
}

// mostExponent is the exponent up to which decimals are read.
const mostExponent = 1000

// numeric reads a decimal. SQLite keeps whole numbers of the last digit: what
// has more digits than that is compared as a float, which no whole number equals.
func (k kind) numeric(s, trimmed string) (value, error) {
	if !decimal(trimmed) {
		return value{}, k.invalid(s)
	}
	if _, exponent, ok := strings.Cut(strings.ToLower(trimmed), "e"); ok {
		if e, err := strconv.Atoi(exponent); err != nil || e > mostExponent || e < -mostExponent {
			return value{}, fail(400, "22003", "value overflows numeric format")
		}
	}
	r, ok := new(big.Rat).SetString(trimmed)
	if !ok {
		return value{}, k.invalid(s)
	}
	scaled := new(big.Rat).Mul(r, new(big.Rat).SetInt(tenTo(k.scale)))
	v := value{text: trimmed, exact: trimmed}
	if scaled.IsInt() && scaled.Num().IsInt64() {
		v.lite = scaled.Num().Int64()
	} else {
		v.lite, _ = scaled.Float64()
	}
	return v, nil
}

func tenTo(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// stored rounds a decimal to what its column keeps, halves away from zero.
func (k kind) stored(v value) (value, error) {
	if k.Type != table.Numeric || v.null {
		return v, nil
	}
	r, _ := new(big.Rat).SetString(v.exact)
	r.Mul(r, new(big.Rat).SetInt(tenTo(k.scale)))
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	r.Add(r, half)
	n := new(big.Int).Quo(r.Num(), r.Denom()) // towards zero
	if new(big.Int).Abs(n).Cmp(tenTo(k.precision)) >= 0 {
		return value{}, overflow(k.precision, k.scale)
	}
	return value{text: scaled(n.Int64(), k.scale), lite: n.Int64(), exact: v.exact}, nil
}

func overflow(precision, scale int) *postgrest.Error {
	return detailed(fail(400, "22003", "numeric field overflow"), "A field with precision "+strconv.Itoa(precision)+", scale "+strconv.Itoa(scale)+
		" must round to an absolute value less than 10^"+strconv.Itoa(precision-scale)+".")
}

// scaled prints a whole number of the last digit: 1500000 with six is 1.500000.
func scaled(n int64, scale int) string {
	if scale == 0 {
		return strconv.FormatInt(n, 10)
	}
	sign := ""
	u := uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	digits := strconv.FormatUint(u, 10)
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale+1-len(digits)) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// decimal says whether a text is a decimal number: digits, a point, an exponent.
func decimal(s string) bool {
	digits, exponent, hasExponent := strings.Cut(strings.ToLower(s), "e")
	digits = strings.TrimPrefix(strings.TrimPrefix(digits, "-"), "+")
	if s != "" && len(strings.TrimLeft(mantissa(s), "+-")) < len(mantissa(s))-1 {
		return false // two signs
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return false
	}
	if !hasExponent {
		return true
	}
	_, err := strconv.Atoi(exponent)
	return err == nil
}

func mantissa(s string) string {
	m, _, _ := strings.Cut(strings.ToLower(s), "e")
	return m
}
