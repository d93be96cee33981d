package result

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Explain turns the error of a JSON decoder that read data into a problem with
// its path and line.
func Explain(data []byte, err error) Problems {
	p := Problem{What: "not JSON"}
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		p.What = "empty; a JSON object is wanted"
		return Problems{p}
	case errors.As(err, &syntax):
		p.Path, p.Line = Path(syntax.JSONPointer), line(data, syntax.ByteOffset)
		p.What = strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		switch {
		case strings.Contains(p.What, "unexpected EOF"):
			p.What = "the file ends in the middle of the JSON"
		case strings.Contains(p.What, "max depth"):
			p.What = "nested too deep"
		case strings.HasPrefix(p.What, "duplicate"):
			p.What = "stands there twice"
		case strings.HasPrefix(p.What, "invalid surrogate pair"):
			p.What = `half a surrogate pair (\ud800 to \udfff) in a string`
		case bytes.HasPrefix(data[min(int(syntax.ByteOffset), len(data)):], []byte("NaN")), bytes.HasPrefix(data[min(int(syntax.ByteOffset), len(data)):], []byte("Infinity")):
			p.What = "NaN and Infinity are no JSON numbers; leave the member out or write null"
		}
	case errors.As(err, &semantic):
		p.Path, p.Line = Path(semantic.JSONPointer), line(data, semantic.ByteOffset)
		p.What = KindName(semantic.JSONKind) + " cannot be taken here"
		want := ""
		if semantic.GoType != nil {
			want = wanted(semantic.GoType.Kind().String())
		}
		switch {
		case errors.Is(semantic.Err, strconv.ErrRange):
			p.What = "the number is too large"
		case errors.Is(semantic.Err, strconv.ErrSyntax) && want != "":
			p.What = want + " is wanted"
		case semantic.Err != nil:
			p.What = semantic.Err.Error()
		case want != "":
			p.What = KindName(semantic.JSONKind) + " where " + want + " is wanted"
		}
	default:
		p.What = err.Error()
	}
	return Problems{p}
}

func line(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(int64(len(data)), max(0, offset))], []byte("\n"))
}

// KindName is how a person calls a value of JSON.
func KindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "a list"
	case '{':
		return "an object"
	}
	return "a value"
}

func wanted(goKind string) string {
	switch {
	case strings.HasPrefix(goKind, "int"):
		return "a whole number"
	case strings.HasPrefix(goKind, "float"):
		return "a number"
	case goKind == "bool":
		return "true or false"
	case goKind == "slice":
		return "a list"
	case goKind == "map", goKind == "struct":
		return "an object"
	}
	return "a " + goKind
}

// Path writes a JSON pointer as people write paths: all_results[3].name.
func Path(p jsontext.Pointer) string {
	var b strings.Builder
	n := 0
	for token := range p.Tokens() {
		if n++; n > 12 {
			return b.String() + "…"
		}
		if _, err := strconv.Atoi(token); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(Shown(token))
	}
	return b.String()
}

// Shown makes a stranger's text fit for a sentence.
func Shown(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return s
}
