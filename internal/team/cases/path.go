package cases

import (
	"fmt"
	"strconv"
	"strings"
)

// A Path leads to a value inside an output: a.b[0].c, with names of other
// characters as a["b.c"]; [-1] is the last of a list, "." is the whole.
type Path []step

type step struct {
	name  string
	index int
	named bool
}

// ParsePath reads a path.
func ParsePath(s string) (Path, error) {
	if s == "." {
		return Path{}, nil
	}
	bad := func(i int, what string) (Path, error) {
		return nil, fmt.Errorf("the path %q has %s at character %d; write it like a.b[0].c", shown(s), what, 1+len([]rune(s[:i])))
	}
	if s == "" || len(s) > 1000 {
		return bad(0, "no name")
	}
	p := Path{}
	for i := 0; i < len(s); {
		switch {
		case s[i] == '[' && strings.HasPrefix(s[i+1:], `"`):
			quoted, err := strconv.QuotedPrefix(s[i+1:])
			if err != nil || !strings.HasPrefix(s[i+1+len(quoted):], "]") {
				return bad(i, `no end of ["…"]`)
			}
			name, _ := strconv.Unquote(quoted)
			p = append(p, step{name: name, named: true})
			i += len(quoted) + 2
		case s[i] == '[':
			digits, _, ok := strings.Cut(s[i+1:], "]")
			n, err := strconv.ParseInt(digits, 10, 32)
			if !ok || err != nil {
				return bad(i, "no number in brackets")
			}
			p = append(p, step{index: int(n)})
			i += len(digits) + 2
		default:
			if i > 0 {
				if s[i] != '.' {
					return bad(i, "no dot")
				}
				i++
			}
			end := i + strings.IndexAny(s[i:]+".", ".[]")
			if end == i || end < len(s) && s[end] == ']' {
				return bad(min(end, len(s)), "no name")
			}
			p = append(p, step{name: s[i:end], named: true})
			i = end
		}
	}
	return p, nil
}

// In returns the value that the path leads to in v, which is as JSON is
// decoded into an any; null is not there.
func (p Path) In(v any) (any, bool) {
	for _, s := range p {
		if s.named {
			object, _ := v.(map[string]any)
			var there bool
			if v, there = object[s.name]; !there {
				return nil, false
			}
			continue
		}
		list, ok := v.([]any)
		i := s.index
		if i < 0 {
			i += len(list)
		}
		if !ok || i < 0 || i >= len(list) {
			return nil, false
		}
		v = list[i]
	}
	return v, v != nil
}

// String writes the path as ParsePath reads it.
func (p Path) String() string {
	if len(p) == 0 {
		return "."
	}
	var b strings.Builder
	for i, s := range p {
		switch {
		case !s.named:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case strings.ContainsAny(s.name, `.[]"`) || s.name == "":
			b.WriteString("[" + strconv.Quote(s.name) + "]")
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		}
	}
	return b.String()
}
