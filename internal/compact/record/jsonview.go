package record

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/text"
)

// A jsonView writes a document in less room: what is usual once with its
// counts, the first entries, each that is odd, the last.
type jsonView struct {
	out  []Line
	at   int       // the line of the output that the last one stands for
	told *jsonNode // whose columns were told last
	cut  bool      // something was left out
	gap  string    // what follows a colon
	odd  int       // bytes that may still be written of entries that nothing is like
	few  int       // and of those that only few are like
}

// limits of a document, in bytes
const (
	jsonRoom    = 4500 // of what is usual
	jsonOdd     = 9000 // of odd entries together
	jsonTable   = 1500 // of rows of a table, where there are many more
	jsonFews    = 2500 // of those that are less odd together
	jsonEntry   = 700  // of one
	jsonFew     = 240  // of one that is less odd
	jsonShort   = 160  // a value that stays on its line as it is
	jsonString  = 160  // of a string in a row that is cut
	jsonMessage = 600  // of a string that speaks of trouble
	jsonWhole   = 2    // entries at the start that are shown
	jsonColumns = 6    // of a row of a table
	jsonSums    = 14   // columns whose values are told

	oddEnough = .09 // of an entry that nothing, or hardly anything, is like
)

func (v *jsonView) write(n *jsonNode, depth int, s string) {
	v.at = max(v.at, n.line) // a marker stands where the entry above it does
	v.out = append(v.out, Line{N: v.at, Text: strings.Repeat(" ", max(0, min(depth, 12))) + s})
}

// value writes a value over several lines; lead stands before it, end behind.
func (v *jsonView) value(n *jsonNode, col *jsonColumn, depth, room int, lead, end string) {
	switch {
	case !n.container() || n.size <= jsonShort && !n.open && len(n.kids) == n.n:
		v.write(n, depth, lead+v.brief(n, col, max(room, jsonShort))+end)
	case room < jsonEntry/2 && !n.hasRows():
		v.write(n, depth, lead+v.brief(n, col, max(room, jsonShort))+end)
	case n.kind == '{' && col.as != 'm':
		v.record(n, col, depth, room, lead, end)
	default:
		v.rows(n, col, depth, room, lead, end)
	}
}

// record writes an object by its keys, small values several on a line.
func (v *jsonView) record(n *jsonNode, col *jsonColumn, depth, room int, lead, end string) {
	v.write(n, depth, lead+"{")
	total := max(n.size, 1)
	var line strings.Builder
	flush := func() {
		if line.Len() > 0 {
			v.write(n, depth+1, line.String())
			line.Reset()
		}
	}
	left, shown := room, 0
	for i, kid := range n.kids {
		key, comma := v.lead(kid), ","
		if i == n.n-1 {
			comma = ""
		}
		share := max(room*kid.size/total, 60)
		if left < 0 && kid.odd == 0 {
			continue
		}
		shown++
		if kid.container() && kid.size > jsonShort {
			flush()
			before := v.size()
			v.value(kid, col.column(n, kid), depth+1, share, key, comma)
			left -= v.size() - before
			continue
		}
		s := key + v.brief(kid, col.column(n, kid), max(share, jsonString)) + comma
		left -= len(s)
		if line.Len() > 0 && line.Len()+len(s) > jsonShort {
			flush()
		}
		if line.Len() > 0 {
			line.WriteString(v.gap)
		}
		line.WriteString(s)
	}
	flush()
	v.more(n, depth+1, n.n-shown, "")
	v.shut(n, depth, end)
}

// lead is what stands before the value of a key.
func (v *jsonView) lead(n *jsonNode) string { return `"` + n.key + `":` + v.gap }

func (v *jsonView) size() (sum int) {
	for _, l := range v.out {
		sum += len(l.Text) + 1
	}
	return sum
}

// shut writes the end of a container, if it came.
func (v *jsonView) shut(n *jsonNode, depth int, end string) {
	if n.open {
		v.cut = true
		v.write(n, depth, "[… it breaks off here …]")
		return
	}
	v.write(n, depth, string(n.kind+2)+end) // the bracket that closes it
}

// more says how many entries are left out.
func (v *jsonView) more(n *jsonNode, depth, count int, what string) {
	if count > 0 {
		v.cut = true
		v.write(n, depth, "[… "+text.Thousands(count)+" more"+what+" …]")
	}
}

// rows writes a list or a map: what is usual, and the entries that are chosen.
func (v *jsonView) rows(n *jsonNode, col *jsonColumn, depth, room int, lead, end string) {
	v.write(n, depth, lead+string(n.kind))
	v.entries(n, col, depth, room)
	v.shut(n, depth, end)
}

func (v *jsonView) entries(n *jsonNode, col *jsonColumn, depth, room int) {
	if len(n.kids) == n.n && n.size <= room && n.size/max(n.n, 1) <= jsonEntry {
		for i, kid := range n.kids {
			v.entry(n, kid, col, depth+1, jsonEntry, comma(i, n))
		}
		return
	}
	each := col.entries()
	if n.n > rowsFew && room >= jsonTable {
		if sum := each.summary(); sum != "" {
			v.write(n, depth+1, "[… "+text.Thousands(n.n)+" entries: "+sum+" …]")
		}
	}
	chosen := v.choose(n, room)
	table := each.table(n)
	left := min(room, max(jsonTable, room-n.n*jsonTable/jsonFirst))
	if room < jsonTable {
		left = 0 // only what is odd in it
	}
	next := 0
	for i, kid := range n.kids {
		if !slices.Contains(chosen, kid) {
			continue
		}
		v.between(n, n.kids[:i], table, next, kid.at, depth+1, &left)
		next = kid.at + 1
		share := jsonEntry
		if n.n <= 2*rowsFew {
			share = max(room/n.n, jsonEntry)
		} else if kid.odd < oddEnough && kid.at >= jsonWhole {
			share = jsonFew
		}
		v.entry(n, kid, col, depth+1, share, comma(kid.at, n))
	}
	v.between(n, n.kids, table, next, n.n, depth+1, &left)
}

// documents writes all documents of an output.
func (v *jsonView) documents(n *jsonNode, col *jsonColumn) {
	for _, kid := range n.kids {
		n.size += kid.size
	}
	if n.n == 1 {
		v.value(n.kids[0], col.column(n, n.kids[0]), 0, jsonRoom, "", "")
		return
	}
	v.entries(n, col, -1, jsonRoom)
}

func comma(i int, n *jsonNode) string {
	if i == n.n-1 || n.docs {
		return ""
	}
	return ","
}

// entry writes an entry of a list or a map.
func (v *jsonView) entry(in, n *jsonNode, col *jsonColumn, depth, room int, end string) {
	lead := ""
	if in.kind == '{' {
		lead = v.lead(n)
	}
	of := col.column(in, n)
	if n.size > room && n.hasRows() {
		if in.n <= 2*rowsFew || n.at < jsonWhole {
			room = max(room, jsonTable)
		}
		v.value(n, of, depth, room, lead, end)
		return
	}
	v.write(n, depth, lead+v.brief(n, of, room)+end)
}

// hasRows reports whether there is a list or a map in n that is long.
func (n *jsonNode) hasRows() bool {
	return n.container() && (n.n > 2*rowsFew && n.size > jsonEntry || slices.ContainsFunc(n.kids, (*jsonNode).hasRows))
}

// choose returns the entries of n that are shown for themselves: those at both
// ends and the odd ones, of too many the oddest, evenly.
func (v *jsonView) choose(n *jsonNode, room int) []*jsonNode {
	if n.n <= 2*rowsFew {
		return n.kids
	}
	var odd, chosen []*jsonNode
	for _, kid := range n.kids {
		if kid.odd > 0 {
			odd = append(odd, kid)
		}
	}
	slices.SortStableFunc(odd, func(a, b *jsonNode) int { return cmp.Compare(b.odd, a.odd) })
	for from := 0; from < len(odd); {
		to, sum := from, 0 // equally odd ones
		most, budget := jsonEntry, &v.odd
		if odd[from].odd < oddEnough {
			most, budget = jsonFew, &v.few
		}
		for ; to < len(odd) && odd[to].odd == odd[from].odd; to++ {
			if odd[to].size > most && odd[to].hasRows() {
				sum += 60 // what is odd in its rows is counted there
			} else {
				sum += min(odd[to].size, most) + 20
			}
		}
		if odd[from].odd <= exemplar && (sum > room/3 || n.n <= jsonFirst) {
			break
		}
		if sum <= *budget {
			chosen, *budget = append(chosen, odd[from:to]...), *budget-sum
			from = to
			continue
		}
		fit := max(*budget, 0) * (to - from) / sum
		for i := range fit {
			chosen = append(chosen, odd[from+i*(to-from)/fit])
		}
		*budget, from = 0, to
	}
	for i, kid := range n.kids {
		if room >= jsonTable && (kid.at < jsonWhole || i == len(n.kids)-1 && n.n > jsonFirst) && !slices.Contains(chosen, kid) {
			chosen = append(chosen, kid)
		}
	}
	return chosen
}

// gap writes what stands between two entries that are shown: rows of a table
// while there is room, and how many are left out.
func (v *jsonView) between(n *jsonNode, kids []*jsonNode, table []string, from, to, depth int, left *int) {
	if to <= from {
		return
	}
	first := slices.IndexFunc(kids, func(k *jsonNode) bool { return k.at >= from })
	var rows []string
	if len(table) > 0 && first >= 0 {
		for _, kid := range kids[first:] {
			row := kid.row(table)
			if kid.at >= to || kid.at != from+len(rows) || *left < len(row) {
				break
			}
			*left -= len(row) + 1
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		v.cut = true
		columns := pathText(strings.Join(table, " · "))
		if v.told == n {
			columns = "as above"
		}
		v.told = n
		v.write(n, depth, "[… "+text.Thousands(len(rows))+" more: "+columns+" …]")
		for _, row := range rows {
			v.write(n, depth, row)
		}
	}
	unusual := 0
	for _, kid := range kids {
		if kid.at >= from+len(rows) && kid.at < to && kid.odd > exemplar {
			unusual++
		}
	}
	what := ""
	if unusual > 0 {
		what = ", " + text.Thousands(unusual) + " of them unusual"
	}
	v.more(n, depth, to-from-len(rows), what)
}

// brief is a value on one line, in about so many bytes. What is odd in it
// stays.
func (v *jsonView) brief(n *jsonNode, col *jsonColumn, room int) string {
	switch {
	case n.kind == '"':
		return v.clip(n, room)
	case !n.container():
		return n.text
	case n.size <= room && !n.open && len(n.kids) == n.n && !n.long():
		var b strings.Builder
		v.compact(n, &b)
		return b.String()
	}
	show := map[*jsonNode]int{} // with how much room
	left := room
	take := func(kid *jsonNode, most int) {
		if _, ok := show[kid]; !ok {
			cost := min(kid.size, most)
			show[kid] = max(cost, 20)
			left -= cost + len(kid.key) + 4
		}
	}
	odd, each := 0, room
	for _, kid := range n.kids {
		if kid.odd > exemplar {
			odd++
		}
	}
	if odd > 0 {
		each = max(room/odd, 120)
	}
	for _, kid := range n.kids {
		if kid.odd > exemplar && (odd <= 20 || kid.odd >= 1 || left > 0) {
			take(kid, max(each, min(kid.size, jsonMessage)))
		}
	}
	for _, kid := range n.kids {
		if n.kind == '{' && left > 0 && (!kid.container() && identifies(kid.key) || kid.named()) {
			take(kid, jsonString)
		}
	}
	for _, kid := range n.kids {
		if cost := min(kid.size, jsonString); left > cost {
			take(kid, max(jsonString, left/4))
		}
	}
	var b strings.Builder
	b.WriteByte(n.kind)
	var gone []string
	missing, next := 0, 0
	flush := func(upTo int) {
		if missing += upTo - next; missing > 0 {
			v.cut = true
			b.WriteString("[… " + text.Thousands(missing) + " more" + leftKeys(gone) + " …]")
		}
		missing, gone = 0, nil
	}
	for _, kid := range n.kids {
		most, ok := show[kid]
		if !ok {
			gone = append(gone, kid.key)
			continue
		}
		flush(kid.at)
		next = kid.at + 1
		if n.kind == '{' {
			b.WriteString(v.lead(kid))
		}
		b.WriteString(v.brief(kid, col.column(n, kid), most))
		if kid.at < n.n-1 {
			b.WriteString("," + v.gap)
		}
	}
	flush(n.n)
	if !n.open {
		b.WriteByte(n.kind + 2)
	}
	return b.String()
}

// leftKeys lists keys that are left out.
func leftKeys(keys []string) string {
	s := ": " + strings.Join(keys, ", ")
	if strings.Trim(s, ": ,") == "" {
		return ""
	}
	if len(s) > 80 {
		s = s[:max(strings.LastIndexByte(s[:80], ','), 1)] + ", …"
	}
	return s
}

// named reports whether a container has a name or an id of its own.
func (n *jsonNode) named() bool {
	return n.kind == '{' && slices.ContainsFunc(n.kids, func(k *jsonNode) bool { return oneOf(k.key, "name", "id", "title", "login") && !k.container() })
}

// long reports whether there is a string in n that is cut wherever it stands.
func (n *jsonNode) long() bool {
	return n.kind == '"' && len(n.text) > jsonMessage || slices.ContainsFunc(n.kids, (*jsonNode).long)
}

// compact writes all of a value.
func (v *jsonView) compact(n *jsonNode, b *strings.Builder) {
	if !n.container() {
		b.WriteString(n.text)
		return
	}
	b.WriteByte(n.kind)
	for i, kid := range n.kids {
		if i > 0 {
			b.WriteString("," + v.gap)
		}
		if n.kind == '{' {
			b.WriteString(v.lead(kid))
		}
		v.compact(kid, b)
	}
	b.WriteByte(n.kind + 2)
}

// clip is a string, of a long one the beginning.
func (v *jsonView) clip(n *jsonNode, room int) string {
	s := n.text
	most := min(max(room, jsonString), jsonMessage)
	if n.self > exemplar {
		most = jsonMessage
	}
	if len(s) <= most+40 {
		return s
	}
	v.cut = true
	end := most
	for s[end]&0xc0 == 0x80 || s[end-1] == '\\' {
		end--
	}
	return s[:end] + " [… " + text.Thousands(len(s)-end-1) + ` bytes …]"`
}
