package compact

import (
	"cmp"
	"hash/fnv"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/record"
	"cairn/internal/text"
)

// A list holds the rows of a listing until all of it is known. Folding comes
// first and loses nothing: a directory is printed once, with its names on one
// line. Only what is still longer than the room there is gets cut, and evenly:
// every group shows as many rows as every other, spread over the whole of it,
// and says how many it has. One row more never changes more than a few others.
//
// Memory is bounded: of a very long list every second row is forgotten, again
// and again, and of very many groups every second group.
type list struct {
	groups map[string]*rows
	order  []*rows
	most   int // rows held of one group
	held   int // bytes of all rows held
	mask   uint32
	size   int            // rows of all groups
	other  int            // of them, those of groups that are not held
	others int            // groups that are not held, at least
	names  int            // rows that are names
	kinds  map[string]int // how many names have which extension
	cut    int            // rows that were left out
}

// rows are the rows of one group.
type rows struct {
	key      string
	as       record.List
	n        int    // where the group stands: the line of its first row
	line     string // its first row, as the tool printed it
	size     int
	bytes    int // of all its rows
	lows     int // rows that go first, and their bytes
	lowBytes int
	held     []entry
	every    int     // of the rows that come, one in so many is held
	tail     []entry // the last rows, once not all are held
	must     int     // rows that are shown whatever the room
}

// An entry is one row.
type entry struct {
	n    int
	at   int // which of its group it is
	text string
	must bool
	low  bool // only said of another row: goes first
}

const (
	listBytes  = 2 << 20 // of rows held
	listRows   = 4096    // rows held of one group
	listGroups = 4096    // groups held
	listTail   = 64      // last rows held of a group
	listKinds  = 512     // extensions counted
	kindsShown = 12

	listRoom  = 8000   // bytes of a list that is shown whole
	listMore  = 10_000 // and of one whose output is long
	listAsked = 30_000 // and of one whose length the command limits: what hosts take
	askedRows = 2000   // such a limit is respected up to so many rows
	listRun   = 8      // rows in a row from the middle of a list
	markBytes = 16     // of "[… 1,234 more …]"
)

// listRoom is how many bytes a list may take: as many as the command asked for
// by a limit of its own, else more for a long output than for a short one.
func (s *Stream) listRoom() int {
	if s.asked() {
		return listAsked
	}
	return min(listRoom+s.raw.total/16, listMore)
}

// asked reports whether the command says itself how much it wants to see.
func (s *Stream) asked() bool {
	n := s.cmd.Limit()
	return n > 0 && n <= askedRows
}

func (l *list) add(r record.Record) (gone []entry) {
	if l.groups == nil {
		l.groups, l.kinds, l.most = map[string]*rows{}, map[string]int{}, listRows
	}
	g := l.groups[r.Group]
	if g == nil {
		if g = l.open(r); g == nil {
			l.size++
			l.other++
			l.kind(r)
			return nil
		}
	}
	if r.Tally { // the heading of a group, which may have no rows
		return nil
	}
	l.size++
	g.size++
	l.kind(r)
	e := entry{r.Lines[0].N, g.size - 1, cmp.Or(r.Row, r.Lines[0].Text), r.Lines[0].Keep || r.Class == record.Keep, r.Class == record.Noise}
	g.bytes += len(e.text)
	if e.low {
		g.lows++
		g.lowBytes += len(e.text)
	}
	switch {
	case e.must:
		g.must++
	case !g.holds(e):
		return g.last(e)
	}
	g.held = append(g.held, e)
	l.held += len(e.text) + 32
	if len(g.held)-g.must > l.most {
		gone = l.thin(g)
	}
	for l.held > listBytes && l.most > 1 {
		l.most /= 2
		for _, g := range l.order {
			if len(g.held)-g.must > l.most {
				gone = append(gone, l.thin(g)...)
			}
		}
	}
	return gone
}

// open begins a group; it is nil if there are so many that this one is only
// counted. Which are held depends on their names alone, so that a group is
// held from its first row on or not at all.
func (l *list) open(r record.Record) *rows {
	if hash(r.Group)&l.mask != 0 {
		l.others++ // or one of them again
		return nil
	}
	key, _, _ := strings.Cut(r.Group, "\x00")
	g := &rows{key: key, as: r.List, n: r.Lines[0].N, line: r.Lines[0].Text, every: 1}
	l.groups[r.Group] = g
	l.order = append(l.order, g)
	for len(l.order) > listGroups {
		l.mask = l.mask<<1 | 1
		kept := l.order[:0]
		for name, g := range l.groups {
			if hash(name)&l.mask != 0 {
				l.other += g.size
				l.others++
				for _, e := range g.held {
					l.held -= len(e.text) + 32
				}
				delete(l.groups, name)
				g.key = "\x00"
			}
		}
		for _, g := range l.order {
			if g.key != "\x00" {
				kept = append(kept, g)
			}
		}
		clear(l.order[len(kept):])
		l.order = kept
	}
	return l.groups[r.Group]
}

func hash(s string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return h.Sum32()
}

// holds reports whether a row is one of those that are held: of names one in
// so many, of rows that stand alone the first and one run in so many.
func (g *rows) holds(e entry) bool {
	if g.as == record.ListRow {
		return e.at < listRows/4 || e.at/listRun%g.every == 0
	}
	return e.at%g.every == 0
}

// thin forgets every second row of a group, and returns those that stand
// alone in the output.
func (l *list) thin(g *rows) (gone []entry) {
	if g.as == record.ListRow && g.every == 1 {
		g.tail = slices.Clone(g.held[len(g.held)-min(listTail, len(g.held)):])
	}
	g.every *= 2
	kept := g.held[:0]
	for _, e := range g.held {
		if e.must || g.holds(e) {
			kept = append(kept, e)
			continue
		}
		l.held -= len(e.text) + 32
		if g.as == record.ListRow && !slices.ContainsFunc(g.tail, func(t entry) bool { return t.n == e.n }) {
			gone = append(gone, e)
		}
	}
	clear(g.held[len(kept):])
	g.held = kept
	return gone
}

// last takes a row that is not held, unless it is one of the last of all.
func (g *rows) last(e entry) (gone []entry) {
	if g.as != record.ListRow {
		return nil
	}
	if g.tail = append(g.tail, e); len(g.tail) > 2*listTail {
		gone = slices.Clone(g.tail[:listTail])
		g.tail = append(g.tail[:0], g.tail[listTail:]...)
	}
	return gone
}

// kind counts a name by its extension.
func (l *list) kind(r record.Record) {
	if r.List != record.ListName {
		return
	}
	l.names++
	name := strings.TrimRight(cmp.Or(r.Row, r.Lines[0].Text), "/")
	ext := path.Ext(name)
	if ext == "" || ext == path.Base(name) || len(ext) > 12 || strings.ContainsAny(ext, " \t,") {
		return
	}
	if l.kinds[ext] > 0 || len(l.kinds) < listKinds {
		l.kinds[ext]++
	}
}

// items renders the list in room bytes. What is left out of those that stand
// alone goes to drop.
func (l *list) items(room, end int, drop func(entry)) (out []*item) {
	shares := l.share(room)
	for i, g := range l.order {
		if k := shares[i]; k >= 0 {
			out = append(out, g.items(k, drop)...)
			l.cut += g.size - min(k, g.size)
		} else {
			l.cut += g.size
			if g.as == record.ListRow {
				g.pick(0, drop)
			}
		}
	}
	if l.cut += l.other; l.cut > 0 && (l.names > 0 || len(l.order) > 1 || l.other > 0) {
		out = append(out, &item{n: end, text: l.rest(shares)})
	}
	return out
}

// rest says what the whole list has that is not shown.
func (l *list) rest(shares []int) string {
	s := "[… " + text.Thousands(l.cut) + " of " + text.Thousands(l.size) + " rows not shown"
	gone := 0
	for _, k := range shares {
		if k < 0 {
			gone++
		}
	}
	switch {
	case l.others > 0:
		s += ", of many groups not one"
	case gone > 0:
		s += ", of " + text.Thousands(gone) + " groups not one"
	}
	type kind struct {
		ext string
		n   int
	}
	var kinds []kind
	for ext, n := range l.kinds {
		if n > 1 {
			kinds = append(kinds, kind{ext, n})
		}
	}
	slices.SortFunc(kinds, func(a, b kind) int { return cmp.Or(b.n-a.n, strings.Compare(a.ext, b.ext)) })
	for i, k := range kinds[:min(len(kinds), kindsShown)] {
		sep := ", "
		if i == 0 {
			sep = "; in all "
		}
		s += sep + "*" + k.ext + " ×" + strconv.Itoa(k.n)
	}
	return s + " …]"
}

// head is how many bytes a group takes besides its rows.
func (g *rows) head() int {
	if g.as == record.ListRow {
		return 0
	}
	return len(g.key) + len(" ×: \n") + len(strconv.Itoa(g.size))
}

// unit is how many bytes one of its rows takes, of those that are shown first.
func (g *rows) unit() int {
	n := g.bytes/max(g.size, 1) + 1
	if own := g.size - g.lows; own > 0 {
		n = (g.bytes-g.lowBytes)/own + 1
	}
	switch g.as {
	case record.ListName:
		return n + 1
	case record.ListUnder:
		return n + len("  ")
	}
	return n
}

// cost is how many bytes a group takes that shows so many rows.
func (g *rows) cost(k int) int {
	switch {
	case k >= g.size && g.size == 1:
		return len(g.key) + g.bytes
	case k >= g.size:
		return g.head() + g.size*g.unit()
	case g.as == record.ListRow:
		return k*g.unit() + 2*markBytes*gaps(g.size, k)
	case g.as == record.ListName:
		return g.head() + k*g.unit() + len(" …")
	}
	return g.head() + k*g.unit() + markBytes
}

// gaps is in how many places rows are missing where k of n rows that stand
// alone are shown.
func gaps(n, k int) int { return max(min((n-k)/listRun, k/2/listRun+1), 1) }

// share says how many rows each group shows; -1: nothing, not even its name.
func (l *list) share(room int) []int {
	shares := make([]int, len(l.order))
	all := 0
	most := 0
	for i, g := range l.order {
		shares[i] = g.size
		all += g.whole()
		most = max(most, g.size)
	}
	if all <= room && l.other == 0 {
		return shares
	}
	total := func(k int) (n int) {
		for _, g := range l.order {
			n += g.cost(min(k, g.size))
		}
		return n
	}
	if total(1) > room && len(l.order) > 1 {
		return l.some(room, shares)
	}
	low, high := 1, most // low fits
	for low < high {
		if k := (low + high + 1) / 2; total(k) <= room {
			low = k
		} else {
			high = k - 1
		}
	}
	left := room - total(low)
	for i, g := range l.order {
		if shares[i] = min(low, g.size); g.size > low {
			if more := g.cost(low+1) - g.cost(low); more <= left {
				shares[i]++
				left -= more
			}
		}
	}
	return shares
}

// some shares the room among as many groups as can show a row, spread evenly.
func (l *list) some(room int, shares []int) []int {
	total := 0
	for i, g := range l.order {
		total += g.cost(min(1, g.size))
		shares[i] = -1
	}
	n := max(room*len(l.order)/max(total, 1), 1)
	for i := range n {
		j := i * len(l.order) / n
		shares[j] = min(1, l.order[j].size)
	}
	return shares
}

// whole is how many bytes a group takes that shows all.
func (g *rows) whole() int {
	if g.every > 1 {
		return 1 << 30
	}
	n := g.bytes + g.size
	switch {
	case g.size == 1:
		return len(g.key) + n
	case g.as == record.ListUnder:
		n += 2 * g.size
	}
	return n + g.head()
}

// items renders a group that shows k rows.
func (g *rows) items(k int, drop func(entry)) (out []*item) {
	shown := g.pick(k, drop)
	more := g.size - len(shown)
	switch {
	case g.as == record.ListRow:
		for _, e := range shown {
			out = append(out, &item{n: e.n, text: e.text})
		}
		return out
	case g.size == 0:
		return []*item{{n: g.n, text: strings.TrimRight(g.key, " ")}}
	case g.size == 1 && len(shown) == 1:
		return []*item{{n: g.n, text: g.alone(shown[0].text)}}
	}
	head := g.key + " ×" + strconv.Itoa(g.size)
	if g.as == record.ListUnder {
		out = append(out, &item{n: g.n, text: head})
		for _, e := range shown {
			out = append(out, &item{n: g.n, text: inset(e.text)})
		}
		if more > 0 {
			out = append(out, &item{n: g.n, text: "  [… " + text.Thousands(more) + " more …]"})
		}
		return out
	}
	return []*item{{n: g.n, text: head + ": " + joinNames(shown, more > 0)}}
}

// alone prints the only row of a group: as the tool did, if that line says it
// all.
func (g *rows) alone(row string) string {
	switch {
	case strings.Contains(g.line, row) && (strings.Contains(g.line, g.key) || strings.HasSuffix(g.key, "./")):
		return g.line
	case g.as == record.ListUnder && inset(row) == row:
		return g.key + ":" + row // a line's number below a file's name: one place
	case g.as == record.ListUnder:
		return g.key + ": " + row
	}
	return g.key + row
}

// inset is a row below a heading: set in, unless a number tells it from one.
func inset(s string) string {
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		return s
	}
	return "  " + s
}

// joinNames puts names on one line: with commas where one of them has a space,
// and an ellipsis where there are more.
func joinNames(shown []entry, more bool) string {
	sep := " "
	if slices.ContainsFunc(shown, func(e entry) bool { return strings.Contains(e.text, " ") }) {
		sep = ", "
	}
	var b strings.Builder
	for i, e := range shown {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(e.text)
	}
	if more {
		b.WriteString(" …")
	}
	return b.String()
}

// spread chooses k rows: evenly of those that are more than said of another,
// and then the first of those.
func spread(all []entry, chosen []bool, k int) {
	var own []int
	for i, e := range all {
		if !e.low {
			own = append(own, i)
		}
	}
	n := min(k, len(own))
	for i := range n {
		chosen[own[i*len(own)/n]] = true
	}
	for i, e := range all {
		if e.low && n < k {
			chosen[i] = true
			n++
		}
	}
}

// runs chooses k rows: half of them at the two ends, the others in short runs
// from between.
func runs(chosen []bool, k int) {
	n := len(chosen)
	parts := gaps(n, k)
	head, tail := (k*3+9)/10, k/5
	if parts == 1 {
		head = k - tail
	}
	middle, missing := k-head-tail, n-k
	at := 0
	show := func(n int) {
		for range n {
			chosen[at] = true
			at++
		}
	}
	show(head)
	for i := range parts {
		at += missing*(i+1)/parts - missing*i/parts
		if parts > 1 && i < parts-1 {
			show(middle*(i+1)/(parts-1) - middle*i/(parts-1))
		}
	}
	show(tail)
}

// pick chooses k of a group's rows: names evenly; of rows that stand alone the
// first, the last, and short runs from between.
func (g *rows) pick(k int, drop func(entry)) []entry {
	all := g.held
	if g.every > 1 {
		all = append(all, g.tail...)
		slices.SortFunc(all, func(a, b entry) int { return a.n - b.n })
		all = slices.CompactFunc(all, func(a, b entry) bool { return a.n == b.n })
	}
	if k >= len(all) {
		return all
	}
	chosen := make([]bool, len(all))
	if g.as == record.ListRow {
		runs(chosen, k)
	} else {
		spread(all, chosen, k)
	}
	shown := make([]entry, 0, k+g.must)
	for i, e := range all {
		if chosen[i] || e.must {
			shown = append(shown, e)
		} else if g.as == record.ListRow {
			drop(e)
		}
	}
	return shown
}
