package rows

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/postgrest"
)

// array reads PostgreSQL's way of writing a list: {a,"b, c",NULL}.
func (k kind) array(s string) (value, error) {
	list, reason := readArray(s)
	if reason != "" {
		return value{}, malformed(s, reason)
	}
	return listValue(list), nil
}

func malformed(s, reason string) *postgrest.Error {
	return detailed(fail(400, "22P02", `malformed array literal: "`+s+`"`), reason)
}

// listValue is a list in both forms; a nil element is null.
func listValue(list []*string) value {
	literal, json := []byte("{"), []byte("[")
	for i, e := range list {
		if i > 0 {
			literal, json = append(literal, ','), append(json, ", "...)
		}
		if e == nil {
			literal, json = append(literal, "NULL"...), append(json, "null"...)
			continue
		}
		literal = append(literal, '"')
		literal = append(literal, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*e)...)
		literal = append(literal, '"')
		json, _ = jsontext.AppendQuote(json, *e)
	}
	return value{text: string(append(literal, '}')), lite: string(append(json, ']'))}
}

// readArray returns why it cannot be read, "" where it can.
func readArray(s string) (list []*string, reason string) {
	s = strings.Trim(s, " \t\n\r\v\f")
	if !strings.HasPrefix(s, "{") {
		return nil, `Array value must start with "{" or dimension information.`
	}
	rest := strings.TrimLeft(s[1:], " \t\n")
	if rest == "}" {
		return []*string{}, ""
	}
	for {
		e, after, reason := readElement(rest)
		if reason != "" {
			return nil, reason
		}
		list = append(list, e)
		rest = strings.TrimLeft(after, " \t\n")
		switch {
		case rest == "}":
			return list, ""
		case strings.HasPrefix(rest, ","):
			rest = strings.TrimLeft(rest[1:], " \t\n")
		case strings.HasPrefix(rest, "}"):
			return nil, "Junk after closing right brace."
		case rest == "":
			return nil, "Unexpected end of input."
		default:
			return nil, "Unexpected array element."
		}
	}
}

func readElement(s string) (element *string, rest, reason string) {
	var b strings.Builder
	if strings.HasPrefix(s, `"`) {
		for i := 1; i < len(s); i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s):
				i++
				b.WriteByte(s[i])
			case s[i] == '"':
				text := b.String()
				return &text, s[i+1:], ""
			default:
				b.WriteByte(s[i])
			}
		}
		return nil, "", "Unexpected end of input."
	}
	i := 0
	for ; i < len(s) && !strings.ContainsRune(`,}{"`, rune(s[i])); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	text := strings.TrimRight(b.String(), " \t\n")
	if i < len(s) && s[i] == '{' {
		return nil, "", "A list of lists is not kept here."
	}
	switch {
	case i == len(s):
		return nil, "", "Unexpected end of input."
	case text == "" && s[i] == '}':
		return nil, "", `Unexpected "}" character.`
	case text == "":
		return nil, "", `Unexpected "` + s[i:i+1] + `" character.`
	case strings.EqualFold(text, "null"):
		return nil, s[i:], ""
	}
	return &text, s[i:], ""
}
