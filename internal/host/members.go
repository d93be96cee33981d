package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// members is a JSON object cut into its members, in order, without decoding
// their values: an output of many kilobytes is scanned once and copied as it
// stands, instead of being decoded and encoded again at every level.
type members []member

type member struct {
	key   string          // as it stands, with its quotes
	value json.RawMessage // as it stands
}

var errObject = errors.New("not a JSON object")

// cut finds the members of an object. It trusts values to be well-formed and
// finds only their ends; decoding one checks it.
func cut(data []byte) (members, error) {
	i := skipSpace(data, 0)
	if i == len(data) || data[i] != '{' {
		return nil, errObject
	}
	var m members
	for i = skipSpace(data, i+1); i < len(data); i = skipSpace(data, i) {
		if data[i] == '}' && len(m) == 0 {
			return m, atEnd(data, i+1)
		}
		key := i
		end := skipValue(data, i)
		i = skipSpace(data, end)
		if data[key] != '"' || i >= len(data) || data[i] != ':' {
			return nil, errObject
		}
		start := skipSpace(data, i+1)
		i = skipValue(data, start)
		if i == start {
			return nil, errObject
		}
		m = append(m, member{string(data[key:end]), data[start:i]})
		if i = skipSpace(data, i); i == len(data) {
			break
		}
		switch data[i] {
		case ',':
			i++
		case '}':
			return m, atEnd(data, i+1)
		default:
			return nil, errObject
		}
	}
	return nil, errObject
}

func atEnd(data []byte, i int) error {
	if skipSpace(data, i) != len(data) {
		return errObject
	}
	return nil
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the end of the value at b[i], or i if there is none.
func skipValue(b []byte, i int) int {
	depth := 0
	for start := i; i < len(b); {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i == len(b)+1 {
				return start
			}
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			if depth == 0 {
				continue // a number or a literal goes on to what ends it
			}
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// skipString returns the end of the string at b[i]; one without an end gives
// len(b)+1.
func skipString(b []byte, i int) int {
	for i++; ; i++ {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return len(b) + 1
		}
		i += j
		slashes := 0
		for b[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

// get returns the value of a key, the last one as decoding would, or nil.
func (m members) get(key string) json.RawMessage {
	for i := len(m) - 1; i >= 0; i-- {
		if k := m[i].key; len(k) == len(key)+2 && k[1:len(k)-1] == key {
			return m[i].value
		}
	}
	return nil
}

// has reports whether a key has a value that says something.
func (m members) has(key string) bool {
	raw := m.get(key)
	return raw != nil && string(raw) != "null"
}

// read decodes the value of a key into v; a missing one leaves v alone.
func (m members) read(key string, v any) error {
	raw := m.get(key)
	if raw == nil {
		return nil
	}
	switch v := v.(type) {
	case *string:
		if text, ok := unquote(raw); ok {
			*v = text
			return nil
		}
	case **string:
		if text, ok := unquote(raw); ok {
			*v = &text
			return nil
		}
	}
	return json.Unmarshal(raw, v)
}

// unquote decodes a JSON string in one pass over the plain parts of it. What
// is rare or wrong (a surrogate, bytes that are no UTF-8, control characters)
// it leaves to the library: ok is false.
func unquote(raw []byte) (text string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' || !utf8.Valid(raw) {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	var out strings.Builder // a copy would be of the whole output
	out.Grow(len(raw))
	for {
		i := bytes.IndexByte(raw, '\\')
		plain := raw
		if i >= 0 {
			plain = raw[:i]
		}
		for _, c := range plain {
			if c < ' ' || c == '"' {
				return "", false
			}
		}
		out.Write(plain)
		if i < 0 {
			return out.String(), true
		}
		if raw = raw[i+1:]; len(raw) == 0 {
			return "", false
		}
		size := 1
		switch c := raw[0]; c {
		case '"', '\\', '/':
			out.WriteByte(c)
		case 'n':
			out.WriteByte('\n')
		case 't':
			out.WriteByte('\t')
		case 'r':
			out.WriteByte('\r')
		case 'b':
			out.WriteByte('\b')
		case 'f':
			out.WriteByte('\f')
		case 'u':
			size = 5
			if len(raw) < size {
				return "", false
			}
			n, err := strconv.ParseUint(string(raw[1:size]), 16, 16)
			if err != nil || utf16.IsSurrogate(rune(n)) {
				return "", false
			}
			out.WriteRune(rune(n))
		default:
			return "", false
		}
		raw = raw[size:]
	}
}

// replace returns the object with other values for some keys, and without
// those whose value is nil; everything else stays as it stood.
func (m members) replace(values map[string]any) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, mem := range m {
		v, ours := values[mem.key[1:len(mem.key)-1]]
		if ours && v == nil {
			continue
		}
		raw := mem.value
		if ours {
			var err error
			if raw, err = json.Marshal(v); err != nil {
				return nil, err
			}
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(mem.key)
		b.WriteByte(':')
		b.Write(raw)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
