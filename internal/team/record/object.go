package record

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// An object of a file, in the order of the file.
type object struct {
	line    int
	members []member
}

type member struct {
	name  string
	value jsontext.Value
	line  int // where the value begins
}

// find returns the member of the first of the names that is there, or nil.
func (o *object) find(names ...string) *member {
	for _, name := range names {
		if i := slices.IndexFunc(o.members, func(m member) bool { return m.name == name }); i >= 0 {
			return &o.members[i]
		}
	}
	return nil
}

// text is a member's string, "" where it is none.
func (o *object) text(name string) string {
	m := o.find(name)
	if m == nil || m.value.Kind() != '"' {
		return ""
	}
	return unquote(m.value)
}

// lines counts the lines of a text, ever further on.
type lines struct {
	data   []byte
	offset int64
	line   int
}

func (l *lines) at(offset int64) int {
	l.line += bytes.Count(l.data[l.offset:offset], []byte("\n"))
	l.offset = offset
	return l.line
}

// objects reads what a file holds: an object, a list of objects, or one after
// the other as in JSON lines.
func objects(data []byte) ([]object, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	at := &lines{data: data, line: 1}
	var out []object
	for {
		switch kind := dec.PeekKind(); {
		case kind == '[' && dec.StackDepth() == 0, kind == ']':
			if _, err := dec.ReadToken(); err != nil {
				return nil, result.Explain(data, err)
			}
		case kind == '{':
			o, err := readObject(dec, at)
			if err != nil {
				return nil, result.Explain(data, err)
			}
			out = append(out, o)
		default:
			value, err := dec.ReadValue()
			switch {
			case errors.Is(err, io.EOF) && len(out) > 0:
				return out, nil
			case errors.Is(err, io.EOF):
				return nil, result.Problem{Line: 1, What: "empty; it must be a JSON object"}
			case err != nil:
				return nil, result.Explain(data, err)
			}
			return nil, result.Problem{Line: at.at(dec.InputOffset() - int64(len(value))), What: "must be an object, not " + result.KindName(kind)}
		}
	}
}

func readObject(dec *jsontext.Decoder, at *lines) (object, error) {
	if _, err := dec.ReadToken(); err != nil {
		return object{}, err
	}
	o := object{line: at.at(dec.InputOffset())}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return o, err
		}
		m := member{name: name.String()}
		value, err := dec.ReadValue()
		if err != nil {
			return o, err
		}
		m.value = value.Clone()
		m.line = at.at(dec.InputOffset() - int64(len(value)))
		o.members = append(o.members, m)
	}
	_, err := dec.ReadToken()
	return o, err
}
