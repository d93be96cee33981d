package benchmark

import (
	"encoding/json"
	"strings"
	"unicode"
)

const shortestName = 4 // letters

// names are the words of a text that a model knows only from reading it:
// what looks like the name of a file or of a symbol, or like a number. A path
// counts by its parts, because a folded list has them apart.
func names(text string, each func(string)) {
	for rest := text; rest != ""; {
		i := strings.IndexFunc(rest, inName)
		if i < 0 {
			return
		}
		rest = rest[i:]
		end := strings.IndexFunc(rest, func(r rune) bool { return !inName(r) })
		if end < 0 {
			end = len(rest)
		}
		if word := strings.Trim(rest[:end], ".-"); len(word) >= shortestName && isName(word) {
			each(word)
		}
		rest = rest[end:]
	}
}

func inName(r rune) bool {
	return r == '_' || r == '.' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isName reports whether a word is more than one of a language.
func isName(word string) bool {
	for i, r := range word {
		if r == '_' || r == '.' || unicode.IsDigit(r) || r == '-' || i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// strings of a call, as the model wrote them, without the escapes of JSON.
func written(args json.RawMessage) string {
	var v any
	if json.Unmarshal(args, &v) != nil {
		return string(args)
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v)
			b.WriteByte('\n')
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		case float64:
			data, _ := json.Marshal(v)
			b.Write(data)
			b.WriteByte('\n')
		}
	}
	walk(v)
	return b.String()
}
