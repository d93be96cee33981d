package record

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/text"
)

// A jsonView writes a document in less room: what is usual once with its
// counts, the first entries, each that is odd, the last.
type jsonView struct {
	out   []Line
	at    int               // the line of the output that the last one stands for
	told  *jsonNode         // whose columns were told last
	gap   string            // what follows a colon
	room  int               // bytes of what is usual
	row   int               // bytes of an entry
	odd   int               // bytes that may still be written of entries that nothing is like
	few   int               // and of those that only few are like
	fails int               // bytes beyond odd for entries that tell of trouble
	most  map[*jsonNode]int // bytes of an entry, where that is decided
}

// limits of a document, in bytes
const (
	jsonRoom    = 4500  // of what is usual
	jsonTable   = 900   // of rows of a table, where there are many more
	jsonOpen    = 600   // a list with less room shows only what is odd in it
	jsonNested  = 1500  // of a list in one of a few entries, at least
	jsonOdd     = 7000  // of odd entries together
	jsonFews    = 2500  // of those that are less odd together
	jsonFails   = 24000 // of those that tell of trouble, beyond jsonOdd
	jsonEntry   = 560   // of one entry
	jsonFew     = 240   // of one that is less odd
	jsonFail    = 200   // of one that tells of trouble, as many others do
	jsonShort   = 160   // a value that stays on its line as it is
	jsonString  = 160   // of a string in a row that is cut
	jsonMessage = 600   // of a string that speaks of trouble
	jsonWhole   = 2     // entries at the start that are shown
	jsonColumns = 6     // of a row of a table
	jsonSums    = 14    // columns whose values are told

	oddEnough = .09 // of an entry that nothing, or hardly anything, is like
)

func (v *jsonView) write(n *jsonNode, depth int, s string) {
	v.at = max(v.at, n.line) // a marker stands where the entry above it does
	v.out = append(v.out, Line{N: v.at, Text: strings.Repeat(" ", max(0, min(depth, 12))) + s})
}

// value writes a value over several lines; lead stands before it, end behind.
func (v *jsonView) value(n *jsonNode, col *jsonColumn, depth, room int, lead, end string) {
	switch {
	case n.listed > 0:
		v.write(n, depth, lead+v.brief(n, col, room)+end)
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
	var gone []string
	for i, kid := range n.kids {
		key, comma := v.lead(kid), ","
		if i == n.n-1 {
			comma = ""
		}
		share := max(room*kid.size/total, 60)
		if left < 0 && kid.odd == 0 && (kid.container() || kid.size > jsonString || !identifies(kid.key)) {
			gone = append(gone, kid.key)
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
	v.more(n, depth+1, n.n-shown, leftKeys(gone))
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
		v.write(n, depth, "[… it breaks off here …]")
		return
	}
	v.write(n, depth, string(n.kind+2)+end) // the bracket that closes it
}

// more says how many entries are left out.
func (v *jsonView) more(n *jsonNode, depth, count int, what string) {
	if count > 0 {
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
	if n.listed > 0 { // documents, one a line
		return
	}
	if len(n.kids) == n.n && n.size <= room && n.size/max(n.n, 1) <= jsonEntry {
		passed := n.passed()
		for i, kid := range n.kids {
			if passed < 2 || !kid.passes() {
				v.entry(n, kid, col, depth+1, v.row, comma(i, n))
			}
		}
		if passed > 1 {
			v.write(n, depth+1, "[… "+text.Thousands(passed)+" passed …]")
		}
		return
	}
	each := col.entries()
	if n.n > rowsFew && room >= jsonOpen {
		if sum := each.summary(); sum != "" {
			v.write(n, depth+1, "[… "+text.Thousands(n.n)+" entries: "+sum+" …]")
		}
	}
	chosen := v.choose(n, room)
	table := each.table(n)
	left := min(room, max(jsonTable, room-n.n*jsonTable/jsonFirst))
	if room < jsonOpen {
		left = 0 // only what is odd in it
	}
	next := 0
	for i, kid := range n.kids {
		if !slices.Contains(chosen, kid) {
			continue
		}
		v.between(n, n.kids[:i], table, next, kid.at, depth+1, &left)
		next = kid.at + 1
		share := v.row
		if n.n <= 2*rowsFew {
			share = max(room/n.n, v.row)
		} else if kid.odd < oddEnough && kid.at >= jsonWhole {
			share = jsonFew
		}
		if most := v.most[kid]; most > 0 {
			share = most
		}
		v.entry(n, kid, col, depth+1, share, comma(kid.at, n))
	}
	v.between(n, n.kids, table, next, n.n, depth+1, &left)
}

// documents writes all documents of an output.
func (v *jsonView) documents(n *jsonNode, col *jsonColumn) {
	for _, kid := range n.kids {
		n.size += kid.size
		v.at = max(v.at, kid.line)
	}
	if n.listed > 0 {
		return
	}
	v.at = 0
	if n.n == 1 {
		v.value(n.kids[0], col.column(n, n.kids[0]), 0, v.room, "", "")
		return
	}
	v.entries(n, col, -1, v.room)
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
			room = max(room, jsonNested)
		}
		v.value(n, of, depth, room, lead, end)
		return
	}
	v.write(n, depth, lead+v.brief(n, of, room)+end)
}

// passes reports whether n is a test that passed: of those their number is enough.
func (n *jsonNode) passes() bool {
	return n.kind == '{' && oneOf(strings.ToLower(n.scalar(words{"status", "outcome", "result"})), "passed", "pass")
}

func (n *jsonNode) passed() (count int) {
	for _, kid := range n.kids {
		if kid.passes() {
			count++
		}
	}
	return count
}

// hasRows reports whether there is a list or a map in n that is long.
func (n *jsonNode) hasRows() bool {
	return n.container() && (n.n > 2*rowsFew && n.size > jsonEntry && (n.kind == '[' || n.n > 2*mapScalars || mapped(n)) || slices.ContainsFunc(n.kids, (*jsonNode).hasRows))
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
		most, budget := v.row, &v.odd
		if odd[from].odd < oddEnough {
			most, budget = jsonFew, &v.few
		}
		for ; to < len(odd) && (odd[to].odd == odd[from].odd || odd[to].odd > troubleBonus); to++ {
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
		if odd[from].odd > troubleBonus { // each of them counts: shorter rather than fewer
			room := max(*budget, 0) + v.fails
			each := max(room/(to-from), jsonFail)
			fit = min(room/each, to-from)
			for i := range fit {
				v.most[odd[from+i*(to-from)/fit]] = each
			}
			v.fails = 0
		}
		for i := range fit {
			chosen = append(chosen, odd[from+i*(to-from)/fit])
		}
		*budget, from = 0, to
	}
	if n.passed() > 1 {
		chosen = slices.DeleteFunc(chosen, func(k *jsonNode) bool { return k.passes() && k.odd <= troubleBonus })
	}
	for i, kid := range n.kids {
		if room >= jsonOpen && !kid.passes() && (kid.at < jsonWhole || i == len(n.kids)-1 && n.n > jsonFirst) && !slices.Contains(chosen, kid) {
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
			if kid.passes() || kid.at >= to || kid.at != from+len(rows) || *left < len(row) {
				break
			}
			*left -= len(row) + 1
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
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
	case n.listed > 0:
		return "[… " + text.Thousands(n.listed) + " listed below …]"
	case n.kind == '"':
		return v.clip(n, room)
	case !n.container():
		return n.text
	case n.size <= room && !n.open && len(n.kids) == n.n && !n.long() && !n.lists():
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
	names := 0
	for _, kid := range n.kids {
		if n.kind == '{' && !kid.container() && kid.size <= jsonString && names < 3 && identifies(kid.key) {
			names++
			take(kid, jsonString)
		}
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

// clip is a string: of a stack in it the frames that are the project's own, of
// a long one the beginning.
func (v *jsonView) clip(n *jsonNode, room int) string {
	s := n.text
	most := min(max(room, jsonString), jsonMessage)
	if n.self > exemplar {
		most = jsonMessage
	}
	if len(s) > jsonString {
		s = v.unstacked(s)
	}
	if len(s) > most+40 {
		s = v.gist(s, most)
	}
	if len(s) <= most+40 {
		return s
	}
	end := most
	for s[end]&0xc0 == 0x80 || s[end-1] == '\\' {
		end--
	}
	return s[:end] + " [… " + text.Thousands(len(s)-end-1) + ` bytes …]"`
}

// unstacked leaves of a stack in a string the first frame and those of the
// project's own code.
func (v *jsonView) unstacked(s string) string {
	all := strings.Split(uncolored(s), `\n`)
	if len(all) < 4 {
		return s
	}
	own, other, gone := 0, 0, 0
	all, _ = split(all, func(_ int, l string) bool {
		frame, mine := lines.Frame(l)
		switch {
		case !frame:
			return true
		case mine:
			own++
			return own <= stackFrames
		}
		other++
		gone++
		return other == 1 && own == 0
	})
	if gone == 0 {
		return s
	}
	if s = strings.Join(all, `\n`); !strings.HasSuffix(s, `"`) {
		s += `"`
	}
	return s
}

// gist is of a long message the beginning, and of the lines below those that
// speak of trouble or of a place.
func (v *jsonView) gist(s string, most int) string {
	all := strings.Split(s, `\n`)
	if len(all) < 4 {
		return s
	}
	size := 0
	keep, gone := split(all, func(i int, l string) bool {
		if size+len(l) <= most/2 || i == len(all)-1 && len(l) < most/4 || size+len(l) <= most && (lines.Classify(l) >= lines.Trouble || lines.HasLocation(l)) {
			size += len(l) + 2
			return true
		}
		return false
	})
	if len(gone) == 0 {
		return s
	}
	s = strings.TrimSuffix(strings.Join(keep, `\n`), `"`)
	return s + " [… " + text.Thousands(len(gone)) + ` lines …]"`
}

// uncolored takes the colors out of a string, as JSON writes them.
func uncolored(s string) string {
	const esc = `\u001b[`
	if !strings.Contains(s, esc) {
		return s
	}
	parts := strings.Split(s, esc)
	for i, p := range parts[1:] {
		if end := strings.IndexByte(p, 'm'); end >= 0 && end < 12 {
			parts[i+1] = p[end+1:]
		}
	}
	return strings.Join(parts, "")
}

// lists reports whether there are findings in n that are written elsewhere.
func (n *jsonNode) lists() bool {
	return n.listed > 0 || slices.ContainsFunc(n.kids, (*jsonNode).lists)
}

// long reports whether there is a string in n that is cut wherever it stands.
func (n *jsonNode) long() bool {
	return n.kind == '"' && (len(n.text) > jsonMessage || len(n.text) > jsonString && strings.Count(n.text, `\n`) > 3) || slices.ContainsFunc(n.kids, (*jsonNode).long)
}
