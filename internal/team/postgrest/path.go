package postgrest

import (
	"net/http"
	"strings"

	"cairn/internal/team/table"
)

// readPath reads what follows a column's name: -> and ->> into JSON.
func readPath(s *scanner, t *table.Table, name string) (Path, *Error) {
	p := Path{Column: t.Column(name)}
	if p.Column == nil {
		return Path{}, missing(t, name)
	}
	for s.skip("->") {
		if p.Text {
			return Path{}, fault(http.StatusBadRequest, "42883", "operator does not exist: text -> unknown")
		}
		p.Text = s.skip(">")
		key, err := pathKey(s)
		if err != nil {
			return Path{}, err
		}
		if p.Keys = append(p.Keys, key); len(p.Keys) > MaxKeys {
			return Path{}, tooMuch("a JSON path has more than %d steps", MaxKeys)
		}
	}
	if len(p.Keys) > 0 && p.Column.Type != table.JSON && p.Column.Type != table.TextArray {
		return Path{}, fault(http.StatusBadRequest, "42804", "column %s.%s has no JSON to look into", t.Name, name)
	}
	return p, nil
}

// missing is the error for a column that cannot be asked for: there is none, or nobody sees it.
func missing(t *table.Table, name string) *Error {
	for _, c := range t.Columns {
		if c.Name == name {
			return fault(http.StatusForbidden, "42501", "permission denied for table %s", t.Name)
		}
	}
	return noColumn(t.Name, name, columnNames(t))
}

// pathKey reads one step: a name, quoted or not, or an index.
func pathKey(s *scanner) (string, *Error) {
	if s.next(`"`) {
		return s.quoted()
	}
	start := s.at
	s.skip("-") // of an index from the end
	digits := s.at
	for !s.done() && !s.next("->") && !strings.ContainsRune(`(:.,>)`, rune(s.text[s.at])) {
		s.at++
	}
	key := s.text[start:s.at]
	if strings.Trim(key, "- ") == "" || key[0] == '-' && !isIndex(key) {
		s.at = digits
		return "", s.unexpected(`"-", digit or any non reserved character different from: .,>()`)
	}
	return key, nil
}

// isIndex says whether a step into JSON counts elements.
func isIndex(key string) bool {
	digits := strings.TrimPrefix(key, "-")
	return digits != "" && len(digits) < 10 && strings.Trim(digits, "0123456789") == ""
}

func columnNames(t *table.Table) []string {
	var names []string
	for _, c := range t.Columns {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return names
}
