package compact

import (
	"sort"
	"strconv"

	"cairn/internal/compact/record"
)

// A group is rows under one header.
type group struct {
	key  string
	n    int // where it stands: the line of its first row
	rows []string
	size int
}

const (
	groupRows = 10  // rows printed of a group when the rule does not say
	maxGroups = 400 // groups of one output; the rest share the last
)

func (s *store) addGroup(r record.Record) {
	g := s.grouped[r.Group]
	if g == nil {
		if len(s.groupSeq) >= maxGroups {
			r.Group = "others"
			g = s.grouped[r.Group]
		}
		if g == nil {
			g = &group{key: r.Group, n: r.Lines[0].N}
			s.grouped[r.Group] = g
			s.groupSeq = append(s.groupSeq, g)
		}
	}
	g.size++
	row := r.Row
	if row == "" {
		row = r.Lines[0].Text
	}
	if len(g.rows) < s.groupLimit() {
		g.rows = append(g.rows, row)
	}
	s.fold(r.Lines)
}

func (s *store) groupLimit() int {
	if g := s.rule.Primitives.Group; g != nil && g.Limit != 0 {
		return max(g.Limit, 0) // negative: only the count
	}
	return groupRows
}

// groupItems renders the groups as lines of the result.
func (s *store) groupItems() []*item {
	groups := s.groupSeq
	n := 0
	spec := s.rule.Primitives.Group
	if len(groups) > 0 && spec != nil && spec.Sort == "count" {
		n = groups[0].n
		sort.SliceStable(groups, func(i, j int) bool { return groups[i].size > groups[j].size })
		for _, g := range groups {
			g.n = n // all stand where the first one stood, in this order
		}
	}
	var out []*item
	for i, g := range groups {
		if i == 0 && spec != nil && spec.Header != "" {
			out = append(out, &item{n: g.n, text: spec.Header})
		}
		if g.size == 1 && len(g.rows) == 1 && g.rows[0] != "" {
			out = append(out, &item{n: g.n, text: join(g.key, g.rows[0])})
			continue
		}
		out = append(out, &item{n: g.n, text: g.key + " ×" + strconv.Itoa(g.size)})
		for _, row := range g.rows {
			out = append(out, &item{n: g.n, text: "  " + row})
		}
		if more := g.size - len(g.rows); more > 0 && len(g.rows) > 0 {
			out = append(out, &item{n: g.n, text: "  [… " + strconv.Itoa(more) + " more …]"})
		}
	}
	return out
}

func join(key, row string) string {
	if row == key {
		return key
	}
	return key + ": " + row
}
