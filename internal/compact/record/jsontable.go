package record

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/text"
)

// row is an entry in a table.
func (n *jsonNode) row(table []string) string {
	var cells []string
	for _, path := range table {
		cell := n
		for _, key := range strings.Split(path, "\x00") {
			if key == mapKey {
				cell = &jsonNode{text: n.key}
			} else if key == nameTag && cell != nil {
				cell = cell.tag(`"Name"`)
			} else if key == onlyEntry && cell != nil {
				if cell.kind == '[' && len(cell.kids) > 0 {
					cell = cell.kids[0]
				}
			} else if key != "" && cell != nil {
				cell = cell.get(key)
			}
		}
		s := ""
		if cell != nil {
			s = width(strings.TrimSuffix(strings.TrimPrefix(cell.text, `"`), `"`))
		}
		cells = append(cells, s)
	}
	return strings.TrimRight(strings.Join(cells, " · "), " ·")
}

// pathText is a column's path as it is shown.
func pathText(path string) string {
	return strings.NewReplacer("\x00"+nameTag, ".Name", "\x00"+onlyEntry, "", "\x00", ".").Replace(path)
}

// tag is the value of a key in a list of {"Key": …, "Value": …}, or nil.
func (n *jsonNode) tag(key string) *jsonNode {
	for _, kid := range n.kids {
		if k := kid.get("Key"); k != nil && k.text == key {
			return kid.get("Value")
		}
	}
	return nil
}

// parts of a column's path that are no keys
const (
	mapKey    = "key"
	onlyEntry = "\x01"     // of a list that has one in nearly all rows
	nameTag   = "\x01Name" // of a list of {"Key": …, "Value": …}
)

// summary says what the values of each column are: one in all rows, or the
// most common with how often they come.
func (c *jsonColumn) summary() string {
	var said []string
	c.scalars("", 0, func(path string, col *jsonColumn) {
		if s := col.says(); s != "" && len(said) <= jsonSums {
			if path != "" {
				s = pathText(path) + " " + s
			}
			said = append(said, s)
		}
	})
	if len(said) > jsonSums {
		said[jsonSums] = "…"
	}
	return strings.Join(said, " · ")
}

// scalars calls f for each column of scalars.
func (c *jsonColumn) scalars(path string, depth int, f func(string, *jsonColumn)) {
	if c.kinds['"']+c.kinds['0']+c.kinds['.']+c.kinds['t']+c.kinds['n'] > 0 {
		f(path, c)
	}
	if c.each != nil && c.each.of["Key"] != nil && c.each.of["Value"] != nil {
		f(path+"\x00"+nameTag, c.each.of["Value"])
	}
	if c.each != nil && c.as == 0 && depth > 0 && c.values.of["[1"]*10 >= c.n*9 {
		c.each.scalars(path+"\x00"+onlyEntry, depth, f)
	}
	if depth == 3 || c.as == 'm' {
		return
	}
	for _, key := range c.order {
		if c.of[key].n*2 < c.kinds['{'] {
			continue // few rows have it
		}
		p := key
		if path != "" {
			p = path + "\x00" + key
		}
		c.of[key].scalars(p, depth+1, f)
	}
}

// says is the distribution of a column's values.
func (c *jsonColumn) says() string {
	if c.n < rowsFew {
		return ""
	}
	if len(c.values.of) <= fewValues || c.values.settled(.9) {
		type count struct {
			value string
			n     int
		}
		var counts []count
		for value, n := range c.values.of {
			counts = append(counts, count{value, n})
		}
		slices.SortFunc(counts, func(a, b count) int {
			return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.value, b.value))
		})
		var said []string
		for i, v := range counts {
			if i == 5 {
				said = append(said, "and "+text.Thousands(len(counts)-i)+" more")
				break
			}
			s := strings.ToValidUTF8(v.value[:min(len(v.value), 60)], "")
			switch {
			case len(v.value) > 60:
				s += "…"
			case strings.HasPrefix(s, "["):
				s = "a list of " + s[1:]
			case s == "{":
				s = "{…}"
			}
			if v.n > 1 {
				s += " ×" + text.Thousands(v.n)
			}
			said = append(said, s)
		}
		return strings.Join(said, ", ")
	}
	if c.kinds['0']+c.kinds['.'] == c.n {
		return number(c.nums.least) + " to " + number(c.nums.most)
	}
	if len(c.values.of) < columnValues {
		return fmt.Sprintf("%d different", len(c.values.of))
	}
	return "many different"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// table returns the columns, as paths, by which rows can be told apart.
func (c *jsonColumn) table(n *jsonNode) (paths []string) {
	if n.kind == '{' {
		paths = append(paths, mapKey)
	}
	var best, unique, rest []string
	c.scalars("", 0, func(path string, col *jsonColumn) {
		last := strings.TrimPrefix(path[strings.LastIndexByte(path, 0)+1:], onlyEntry)
		switch {
		case path == "" && n.kind == '[' && c.as != 0:
		case len(col.values.of) < 2 || col.n < 2 || col.values.top() > .9 || col.lens.n > 0 && col.lens.sum > 60*float64(col.lens.n):
		case identifies(last):
			best = append(best, path)
		case len(col.values.of)*10 >= min(col.n, columnValues)*9:
			unique = append(unique, path)
		default:
			rest = append(rest, path)
		}
	})
	for _, path := range slices.Concat(best, unique, rest) {
		if len(paths) < jsonColumns {
			paths = append(paths, path)
		}
	}
	return paths
}
