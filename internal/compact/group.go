package compact

import (
	"cmp"
	"sort"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
)

// A group is rows under one header.
type group struct {
	key    string
	n      int // where it stands: the line of its first row
	rows   []row
	size   int
	placed bool           // its rows name a place
	shown  map[string]int // by key and by template of its text: rows printed of it
	note   string
	places places // where the rows are that are not printed
}

// A row is what is printed of one record of a group.
type row struct {
	n           int
	text, under string
	line        string // as the tool printed it
}

func (r row) String() string {
	if r.under != "" {
		return "  " + r.text
	}
	return r.text
}

const (
	groupRows  = 10  // rows printed of a group when the rule does not say
	warnRows   = 4   // of a group of warnings with places
	warnSame   = 3   // and of those that say the same but for numbers
	groupFew   = 3   // up to this many rows with a place stay where they were
	groupTotal = 12  // and all of them, when there are no more in all groups
	maxGroups  = 400 // groups of one output; the rest share the last
)

func (s *store) addGroup(r record.Record) {
	g := s.grouped[r.Group]
	if g == nil {
		if len(s.groupSeq) >= maxGroups {
			r.Group = "others"
			g = s.grouped[r.Group]
		}
		if g == nil {
			key, _, _ := strings.Cut(r.Group, "\x00")
			g = &group{key: key, n: r.Lines[0].N, placed: r.Site != "", shown: map[string]int{}}
			if r.Class != record.Failure {
				g.places.room = s.level.of(placesBytes)
			}
			s.grouped[r.Group] = g
			s.groupSeq = append(s.groupSeq, g)
		}
	}
	g.size++
	text := cmp.Or(r.Row, r.Lines[0].Text)
	limit := s.groupLimit()
	if g.placed && r.Class == record.Warn {
		limit = min(limit, warnRows)
	}
	if r.Class != record.Failure {
		limit = s.level.of(limit)
	}
	switch {
	case r.Tally, limit <= 0:
	case r.Key != "" && g.shown[r.Key] > 0:
		g.places.add(r.Site)
	case len(g.rows) < limit && (r.Class != record.Warn || !g.placed || g.shown[lines.Template(text)] < warnSame):
		g.rows = append(g.rows, row{r.Lines[0].N, text, r.Under, r.Lines[0].Text})
		g.shown[lines.Template(text)]++
		if r.Key != "" {
			g.shown[r.Key]++
			g.places.known(r.Site)
		}
	case g.placed:
		g.places.add(r.Site)
	}
	if r.Note != "" {
		g.note = r.Note
	}
	told := 0
	if strings.Contains(r.Lines[0].Text, r.Row) {
		told = 1
	}
	s.fold(r.Lines, told)
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
	spec := s.rule.Primitives.Group
	if len(groups) > 0 && spec != nil && spec.Sort == "count" {
		n := groups[0].n
		sort.SliceStable(groups, func(i, j int) bool { return groups[i].size > groups[j].size })
		for _, g := range groups {
			g.n = n // all stand where the first one stood, in this order
		}
	}
	var out []*item
	if len(groups) > 0 && spec != nil && spec.Header != "" {
		out = append(out, &item{n: groups[0].n, text: spec.Header})
	}
	var few []row
	total := 0
	for _, g := range groups {
		total += g.size
	}
	var inGroups []*item
	for _, g := range groups {
		switch {
		case g.placed && (g.size <= groupFew || total <= groupTotal) && len(g.rows) == g.size:
			few = append(few, g.rows...)
		case g.size == 1 && len(g.rows) == 1 && g.rows[0].text != "":
			inGroups = append(inGroups, &item{n: g.n, text: g.rows[0].alone(g.key)})
		default:
			inGroups = append(inGroups, g.items()...)
		}
		if g.note != "" {
			inGroups = append(inGroups, &item{n: g.n, text: g.note})
		}
	}
	sort.SliceStable(few, func(i, j int) bool { return few[i].n < few[j].n }) // where they were in the output
	out = append(out, under(few)...)
	if len(few) > 0 { // no group comes between a heading and its rows
		last := out[len(out)-1].n
		for _, it := range inGroups {
			it.n = max(it.n, last)
		}
	}
	return append(out, inGroups...)
}

// items renders a group: its header, its rows and what more there is.
func (g *group) items() []*item {
	out := []*item{{n: g.n, text: g.key + " ×" + strconv.Itoa(g.size)}}
	for _, it := range under(g.rows) {
		it.n, it.text = g.n, "  "+it.text
		out = append(out, it)
	}
	if more := g.size - len(g.rows); more > 0 && len(g.rows) > 0 {
		out = append(out, &item{n: g.n, text: "  " + g.places.again("", more)})
	}
	return out
}

// under renders rows with a heading for each run that has the same one.
func under(rows []row) (out []*item) {
	for i, r := range rows {
		if r.under != "" && (i == 0 || rows[i-1].under != r.under) {
			out = append(out, &item{n: r.n, text: r.under})
		}
		out = append(out, &item{n: r.n, text: r.String()})
	}
	return out
}

// alone prints the only row of a group: as the tool did, if that line says it all.
func (r row) alone(key string) string {
	switch {
	case r.text == key:
		return key
	case strings.Contains(r.line, key) && strings.Contains(r.line, r.text):
		return r.line
	}
	if r.text != "" && r.text[0] >= '0' && r.text[0] <= '9' && !strings.Contains(key, " ") {
		return key + ":" + r.text // a line's number below a file's name: one place
	}
	if strings.HasSuffix(key, "/") {
		return key + r.text
	}
	return key + ": " + r.text
}
