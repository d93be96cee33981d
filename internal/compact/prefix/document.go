package prefix

import "strings"

const (
	documentLines = minLines - 1 // an output of a few lines, from which nothing can be learnt
	documentBytes = 400          // a document that is worth telling from what stands in front of it
)

// Document is the prefix of an output of a few lines one of which is a JSON
// document; nil where there is none. All lines must begin as that one does.
func Document(ls []string) *Layout {
	var rows []string
	for _, l := range ls {
		if strings.TrimSpace(l) != "" {
			rows = append(rows, l)
		}
	}
	if len(rows) == 0 || len(rows) > documentLines {
		return nil
	}
	for _, row := range rows {
		l := documented(row)
		if l == nil {
			continue
		}
		for _, other := range rows {
			if _, ok := l.Cut(other); !ok {
				return nil
			}
		}
		return l
	}
	return nil
}

// documented reads fields until a document begins.
func documented(s string) *Layout {
	if len(s) < documentBytes || opens(s) {
		return nil
	}
	var fields []field
	for len(fields) < maxDepth {
		if len(fields) > 0 && opens(s) {
			return &Layout{fields: fields, share: 1}
		}
		at := -1
		var f field
		for _, k := range [...]kind{stamp, bracket, piped, tabbed, colon, word} {
			if k == word && len(fields) == 0 {
				break
			}
			if value, end, ok := scan(k, s); ok {
				f, at = field{kind: k, role: whose, values: map[string]bool{value: true}, pad: 1}, end
				if k == stamp {
					f.role, f.values = when, nil
				}
				break
			}
		}
		if at < 0 {
			return nil
		}
		fields = append(fields, f)
		s = f.unpad("", s[at:])
	}
	return nil
}

// opens reports whether s begins as a document of JSON does.
func opens(s string) bool {
	s = strings.TrimLeft(s, " ")
	return strings.HasPrefix(s, `{"`) || strings.HasPrefix(s, `[{"`) || strings.HasPrefix(s, `["`)
}
