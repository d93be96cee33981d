package config

import (
	"bytes"
	"strings"
)

// A place is where a line of TOML says something: a key's value, which may go
// on over several lines, or the header of a table.
type place struct {
	key         string // dotted and complete: the table's name in front
	table       string // the table that the line stands in, or that it opens
	header      bool
	first, last int // lines, from 1
}

// scan finds the keys and tables of a TOML text by its lines. It is for
// finding places in a text that the parser knows; of a broken one it makes
// the best.
func scan(data []byte) (places []place) {
	lines := bytes.Split(data, []byte("\n"))
	table := ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(string(lines[i]))
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
			table = cleanKey(name)
			places = append(places, place{key: table, table: table, header: true, first: i + 1, last: i + 1})
		default:
			left, right, ok := strings.Cut(line, "=")
			if !ok {
				continue
			}
			key := cleanKey(left)
			if table != "" {
				key = table + "." + key
			}
			first := i
			var v valueScan
			for v.line(right); v.open() && i+1 < len(lines); {
				i++
				v.line(string(lines[i]))
			}
			if v.open() { // broken: let the next line be read for itself
				i = first
			}
			places = append(places, place{key: key, table: table, first: first + 1, last: i + 1})
		}
	}
	return places
}

// cleanKey turns `tee . "max_bytes"` into tee.max_bytes. Keys with a dot in
// quotes are not ours.
func cleanKey(s string) string {
	return strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(s)
}

// lineOf returns the line of key, or of the inline table that holds it.
func lineOf(places []place, key string) int {
	for {
		for _, p := range places {
			if p.key == key {
				return p.first
			}
		}
		dot := strings.LastIndexByte(key, '.')
		if dot < 0 {
			return 0
		}
		key = key[:dot]
	}
}

func keyAt(places []place, line int) string {
	for _, p := range places {
		if p.first <= line && line <= p.last {
			return p.key
		}
	}
	return ""
}

// valueScan follows a value over its lines: brackets, strings and comments.
type valueScan struct {
	depth   int
	quote   string // the delimiter of the multi-line string we are in
	comment int    // where the comment of the last line began, -1 for none
}

func (v *valueScan) open() bool { return v.depth > 0 || v.quote != "" }

func (v *valueScan) line(s string) {
	v.comment = -1
	for i := 0; i < len(s); i++ {
		if v.quote != "" {
			end := strings.Index(s[i:], v.quote)
			if end < 0 {
				return
			}
			i += end + len(v.quote) - 1
			v.quote = ""
			continue
		}
		switch c := s[i]; c {
		case '#':
			v.comment = i
			return
		case '[', '{':
			v.depth++
		case ']', '}':
			v.depth--
		case '"', '\'':
			triple := strings.Repeat(string(c), 3)
			if strings.HasPrefix(s[i:], triple) {
				v.quote = triple
				i += 2
				continue
			}
			for i++; i < len(s) && s[i] != c; i++ {
				if c == '"' && s[i] == '\\' {
					i++
				}
			}
		}
	}
}
