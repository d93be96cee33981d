package proto

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errTwice = errors.New("a member is there twice, or two of which there may be one")
	errMore  = errors.New("something comes behind the message")
)

// FromJSON decodes a message.
func FromJSON(data []byte, m Message) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true)) // object looks for those it knows
	if err := (&element{d, depth}).message(m); err != nil {
		return err
	}
	switch _, err := d.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return errMore
	default:
		return err
	}
}

// An element is a value in JSON, the next of a decoder. Its messages may have so many levels.
type element struct {
	*jsontext.Decoder
	depth int
}

func (e *element) message(m Message) error {
	if e.depth == 0 {
		return errDeep
	}
	if err := e.open('{'); err != nil {
		return err
	}
	members := m.members()
	inner := element{e.Decoder, e.depth - 1}
	var seen uint16 // by place in members
	oneOf := false
	for e.PeekKind() != '}' {
		token, err := e.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		i := slices.IndexFunc(members, func(k member) bool { return k.camel == name || k.name == name })
		if i < 0 {
			if err := inner.skip(); err != nil {
				return err
			}
			continue
		}
		if seen&(1<<i) != 0 {
			return errTwice
		}
		seen |= 1 << i
		if e.PeekKind() == 'n' { // the same as none
			if _, err := e.ReadToken(); err != nil {
				return err
			}
			continue
		}
		if members[i].oneOf {
			if oneOf {
				return errTwice
			}
			oneOf = true
		}
		if err := m.set(members[i].number, &inner); err != nil {
			return err
		}
	}
	_, err := e.ReadToken()
	return err
}

func (e *element) each(read func(value) error) error {
	if err := e.open('['); err != nil {
		return err
	}
	for e.PeekKind() != ']' {
		if err := read(e); err != nil {
			return err
		}
	}
	_, err := e.ReadToken()
	return err
}

func (e *element) open(kind jsontext.Kind) error {
	token, err := e.ReadToken()
	if err == nil && token.Kind() != kind {
		err = errType
	}
	return err
}

// skip reads a value that is not known, as deep as known ones may be.
func (e *element) skip() error {
	for at := e.StackDepth(); ; {
		if _, err := e.ReadToken(); err != nil {
			return err
		}
		switch deep := e.StackDepth() - at; {
		case deep > e.depth:
			return errDeep
		case deep == 0:
			return nil
		}
	}
}

func (e *element) text(into *string) error {
	token, err := e.ReadToken()
	if err != nil {
		return err
	}
	return got(into, token.String(), token.Kind() == '"')
}

// bytes are Base64 of any kind.
func (e *element) bytes(into *[]byte) error {
	var text string
	if err := e.text(&text); err != nil {
		return err
	}
	encoding := base64.StdEncoding
	if strings.ContainsAny(text, "-_") {
		encoding = base64.URLEncoding
	}
	if len(text)%4 != 0 {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	data, err := encoding.DecodeString(text)
	return got(into, data, err == nil)
}

func (e *element) boolean(into *bool) error {
	token, err := e.ReadToken()
	if err != nil {
		return err
	}
	return got(into, token.Kind() == 't', token.Kind() == 't' || token.Kind() == 'f')
}

// number is a number, or one in a string, as it is written. Any other text in a string
// is given back, too.
func (e *element) number() (digits string, isNumber bool, err error) {
	token, err := e.ReadToken()
	if err != nil {
		return "", false, err
	}
	switch digits = token.String(); token.Kind() {
	case '0':
		return digits, true, nil
	case '"':
		in := jsontext.Value(digits)
		return digits, in.IsValid() && in.Kind() == '0' && strings.TrimSpace(digits) == digits, nil
	}
	return "", false, errType
}

func (e *element) int64(into *int64) error {
	digits, ok, err := e.number()
	if err != nil || !ok {
		return errors.Join(err, errType)
	}
	n, err := strconv.ParseInt(whole(digits), 10, 64)
	return got(into, n, err == nil)
}

func (e *element) sfixed64(into *int64) error { return e.int64(into) }

func (e *element) fixed64(into *uint64) error {
	digits, ok, err := e.number()
	if err != nil || !ok {
		return errors.Join(err, errType)
	}
	n, err := strconv.ParseUint(whole(digits), 10, 64)
	return got(into, n, err == nil)
}

func (e *element) double(into *float64) error {
	digits, ok, err := e.number()
	if err != nil {
		return err
	}
	if !ok {
		switch digits {
		case "NaN":
			return got(into, math.NaN(), true)
		case "Infinity":
			return got(into, math.Inf(1), true)
		case "-Infinity":
			return got(into, math.Inf(-1), true)
		}
		return errType
	}
	n, err := strconv.ParseFloat(digits, 64)
	return got(into, n, err == nil)
}

// enum leaves a name that is not known as it was: it may be of a newer version.
func (e *element) enum(into *int32, names []string) error {
	token, err := e.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '"':
		if i := slices.Index(names, token.String()); i >= 0 {
			*into = int32(i)
		}
		return nil
	case '0':
		n, err := strconv.ParseInt(whole(token.String()), 10, 32)
		return got(into, int32(n), err == nil)
	}
	return errType
}

// whole writes a number of JSON that has no fraction without a point and an exponent:
// 1.5e3 is 1500. Others stay as they are, which no parser of whole numbers takes.
func whole(number string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	before, behind, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(before+behind, "0")
	if digits == "" {
		return "0" // also of -0
	}
	shift, err := strconv.Atoi(cmp.Or(exponent, "0"))
	switch shift -= len(behind); {
	case err != nil || shift > 20:
		return number
	case shift >= 0:
		digits += strings.Repeat("0", shift)
	default:
		zeros := len(digits) - len(strings.TrimRight(digits, "0"))
		if zeros < -shift {
			return number
		}
		digits = digits[:len(digits)+shift]
	}
	if negative {
		return "-" + digits
	}
	return digits
}
