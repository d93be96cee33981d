package compact

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/record"
	"cairn/internal/text"
)

// items renders the list in room bytes. Of those rows that stand alone tell is told
// which are left out, and which others stand for.
func (l *list) items(room, end int, tell func(e entry, gone bool)) (out []*item) {
	for _, g := range l.order {
		g.foldColumns()
		g.foldWords()
	}
	full := room
	room = l.dear(full)
	shares := l.share(room, full)
	names, size := named(l.gone(shares), room/2, end)
	if spare := room/2 - size; names.size > 0 && spare > 0 {
		shares = l.some(room-size, shares)
		names, _ = named(l.gone(shares), size, end)
	}
	var places list
	for i, g := range l.order {
		shown := 0
		if k := shares[i]; k == 0 && g.as == record.ListUnder && g.size > 0 {
			places.add(g.place())
		} else if k >= 0 {
			var its []*item
			its, shown = g.items(k, tell)
			out = append(out, its...)
		} else if g.as == record.ListRow {
			g.pick(0, tell)
		}
		l.cut += g.size - shown
	}
	for _, g := range places.order {
		out = append(out, g.render(g.held, 0)...)
	}
	if l.cut += l.other; l.cut == 0 || l.names == 0 && len(l.order) <= 1 && l.other == 0 {
		return out
	}
	out = append(out, &item{n: end, text: l.rest(shares)})
	if names.size > 0 {
		out = append(out, names.items(room/2, end, nil)...)
	}
	return out
}

// gone are the groups that show nothing, to be named in another list. There
// is none in that list itself, or where not all groups are held.
func (l *list) gone(shares []int) (out []*rows) {
	if l.groupNames || l.others > 0 {
		return nil
	}
	for i, g := range l.order {
		if shares[i] < 0 && g.as != record.ListRow {
			out = append(out, g)
		}
	}
	return out
}

// deepest is how many parts of a path are told apart.
const deepest = 12

// named lists the names of groups, with how many rows each has: as deep into
// the tree of directories as there is room for all.
func named(groups []*rows, room, end int) (names *list, size int) {
	for depth := deepest; ; depth-- {
		sizes := map[string]int{}
		var order []string
		for _, g := range groups {
			name := upTo(g.key, depth)
			if sizes[name] == 0 {
				order = append(order, name)
			}
			sizes[name] += g.size
		}
		names, size = &list{groupNames: true}, 0
		for _, name := range order {
			dir, base := path.Split(strings.TrimRight(name, "/"))
			row := name[len(dir):] + " ×" + strconv.Itoa(sizes[name])
			if base == "" {
				dir, row = "", name+row
			}
			names.add(record.Record{List: record.ListName, Group: cmp.Or(dir, "./"), Row: row, Lines: []record.Line{{N: end, Text: dir + row}}})
		}
		for _, g := range names.order {
			size += g.whole()
		}
		if size <= room || depth == 1 {
			return names, min(size, room)
		}
	}
}

// upTo is as many parts of a path.
func upTo(name string, parts int) string {
	for i := range len(name) {
		if name[i] == '/' && i > 0 && name[i-1] != '.' {
			if parts--; parts == 0 {
				return name[:i+1]
			}
		}
	}
	return name
}

// rest says what the whole list has that is not shown.
func (l *list) rest(shares []int) string {
	if l.groupNames {
		return "[… " + text.Thousands(l.cut) + " of these " + text.Thousands(l.size) + " groups not named …]"
	}
	s := "[… " + text.Thousands(l.cut) + " of " + text.Thousands(l.size) + " rows not shown"
	gone := 0
	for _, k := range shares {
		if k < 0 {
			gone++
		}
	}
	switch {
	case l.others > 0:
		s += ", among them all of many groups"
	case gone > 0:
		s += ", among them all of these " + text.Thousands(gone) + " groups"
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
	n := len(g.key) + len(" ×: \n") + len(strconv.Itoa(g.size))
	if g.all != "" {
		n += len(" [… all:  …]") + len(g.all)
	}
	return n
}

// unit is how many bytes one of its rows takes, of those that are shown first.
func (g *rows) unit() int {
	n := g.bytes/max(g.entries(), 1) + 1
	if own := g.entries() - g.lows; own > 0 {
		n = (g.bytes-g.lowBytes)/own + 1
	}
	switch g.as {
	case record.ListName:
		return n + 1
	case record.ListUnder:
		if len(g.held) > 0 {
			n += len(inset(g.held[0].text)) - len(g.held[0].text)
		}
	}
	return n
}

// cost is how many bytes a group takes that shows so many rows.
func (g *rows) cost(k int) int { return g.price(g.shows(k)) }

// price is what exactly k rows take.
func (g *rows) price(k int) int {
	switch {
	case k == 0 && g.as == record.ListUnder:
		return g.beside + len(" ×12") + g.places*min(g.entries()-g.lows, placesShown)
	case k >= g.entries() && g.size == 1:
		return len(g.key) + g.bytes
	case k >= g.entries():
		return g.head() + g.entries()*g.unit()
	case g.as == record.ListRow:
		return k*g.unit() + 2*markBytes*gaps(g.size, k)
	case g.as == record.ListName:
		return g.head() + k*g.unit() + len(" …")
	}
	return g.head() + k*g.unit() + moreBytes + g.places*max(min(g.entries()-g.lows-k, placesShown), 0)
}

// placed decides whether the lines of matches that are not shown are named, and
// tells how long the name of each file is beside those of its directory.
func (l *list) placed(on bool) {
	files := map[string]int{}
	for _, g := range l.order {
		files[path.Dir(g.key)]++
	}
	for _, g := range l.order {
		dir, base := path.Split(g.key)
		g.places, g.beside = 0, len(base)+(len(dir)+len(" ×12: \n"))/files[path.Dir(g.key)]+1
		if on && g.as == record.ListUnder && len(g.held) > 0 {
			g.places = len(placeOf(g.held[len(g.held)-1].text)) + 1
		}
	}
}

// placeOf is the number of the line that a match begins with, or "".
func placeOf(s string) string {
	if i := strings.IndexByte(s, ':'); i > 0 && strings.Trim(s[:i], "0123456789,") == "" {
		return s[:i]
	}
	return ""
}

// placesShown is of how many hidden matches in one file the line is named.
const placesShown = 30

// hidden says how many rows more a group has and, of a search, in which lines.
func (g *rows) hidden(shown []entry, more int) string {
	s := "  [… " + text.Thousands(more) + " more"
	if at := g.at(shown); at != "" {
		s += ": " + at
	}
	return s + " …]"
}

// at names the lines of the matches that are not shown, if there is room.
func (g *rows) at(shown []entry) string {
	if g.places <= 1 {
		return ""
	}
	var at []string
	next := 0
	for _, e := range g.held {
		if next < len(shown) && shown[next].n == e.n {
			next++
		} else if p := placeOf(e.text); p != "" && !e.low {
			at = append(at, p)
		}
	}
	n := min(len(at), placesShown)
	for i := range n {
		at[i] = at[i*len(at)/n]
	}
	return strings.Join(at[:n], ",") // hidden and place say how many there are
}

// place is the row that stands for a file whose matches are not shown, beside
// the other files of its directory.
func (g *rows) place() record.Record {
	dir, base := path.Split(g.key)
	switch at := g.at(nil); {
	case at != "" && g.entries()-g.lows <= placesShown:
		base += ":" + at
	case at != "":
		base += " ×" + strconv.Itoa(g.size) + ":" + at + ",…"
	case g.size > 1:
		base += " ×" + strconv.Itoa(g.size)
	}
	return record.Record{List: record.ListName, Group: cmp.Or(dir, "./"), Row: base, Lines: []record.Line{{N: g.n, Text: dir + base}}}
}

// gaps is in how many places rows are missing where k of n rows that stand
// alone are shown.
func gaps(n, k int) int { return max(min((n-k)/listRun, k/2/listRun+1), 1) }

// share says how many rows each group shows; -1: nothing, not even its name.
// Of a search the room is for texts; all may be taken to name each file.
func (l *list) share(room, full int) []int {
	shares := make([]int, len(l.order))
	all := func() (n int) {
		for i, g := range l.order {
			shares[i] = g.entries()
			n += g.whole()
		}
		return n
	}
	if l.other == 0 && all() <= room {
		return shares
	}
	most := 0
	seen := map[string]match{}
	for _, g := range l.order {
		g.foldRuns()
		g.foldSame(seen)
		most = max(most, g.entries())
	}
	if all() <= room && l.other == 0 {
		return shares
	}
	total := func(k int) (n int) {
		for _, g := range l.order {
			n += g.cost(k)
		}
		return n
	}
	if l.placed(true); total(0) > full {
		l.placed(false)
	}
	room = max(room, min(total(0)+room/3, full))
	if total(0) > room && len(l.order) > 1 {
		if l.others == 0 && !l.groupNames {
			room /= 2 // the other half is for the names of the others
		}
		return l.some(room, shares)
	}
	low, high := 0, most // low fits
	for low < high {
		if k := (low + high + 1) / 2; total(k) <= room {
			low = k
		} else {
			high = k - 1
		}
	}
	left := room - total(low)
	var open []int // groups that could show one more
	for i, g := range l.order {
		if shares[i] = g.shows(low); shares[i] < g.shows(low+1) {
			open = append(open, i)
		}
	}
	// Those for which there is room are spread, and one more group changes none of them.
	slices.SortStableFunc(open, func(a, b int) int {
		x, y := l.order[a], l.order[b]
		if x.speaks != y.speaks {
			if x.speaks {
				return -1
			}
			return 1
		}
		return cmp.Compare(hash(x.key), hash(y.key))
	})
	for _, i := range open {
		if one := l.order[i].cost(low+1) - l.order[i].cost(low); one <= left {
			shares[i] = l.order[i].shows(low + 1)
			left -= one
		}
	}
	return shares
}

// shows is how many rows a group shows that may show k: of a search there is a
// shorter form, that names the places; else one at least, nothing that another file
// says too, and all where a marker for the others is no shorter.
func (g *rows) shows(k int) int {
	if g.as != record.ListUnder {
		return min(max(k, 1), g.entries())
	}
	if g.must > 0 {
		k = max(k, 1)
	}
	if k = min(k, g.entries()-g.agains); k >= g.entries() || k > 0 && g.price(k) >= g.price(g.entries()) {
		return g.entries()
	}
	return k
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
	n := g.bytes + g.entries()
	switch {
	case g.size == 1:
		return len(g.key) + n
	case g.as == record.ListUnder:
		n += 2 * g.size
	}
	return n + g.head()
}

// items renders a group that shows k rows.
func (g *rows) items(k int, tell func(entry, bool)) (out []*item, shown int) {
	rows := g.pick(k, tell)
	for _, e := range rows {
		shown += 1 + e.more
	}
	return g.render(rows, g.size-shown), shown
}

// render prints rows, of which there are more.
func (g *rows) render(shown []entry, more int) (out []*item) {
	switch {
	case g.as == record.ListRow:
		for _, e := range shown {
			out = append(out, &item{n: e.n, text: e.text})
		}
		return out
	case g.size == 0:
		return []*item{{n: g.n, text: strings.TrimRight(g.key, " ")}}
	case len(shown) == 1 && (g.size == 1 || more == 0 && g.as == record.ListUnder):
		return []*item{{n: g.n, text: g.alone(shown[0].text)}}
	}
	head := strings.TrimRight(g.key, " ") + " ×" + strconv.Itoa(g.size)
	if g.as == record.ListUnder {
		out = append(out, &item{n: g.n, text: head})
		for _, e := range shown {
			out = append(out, &item{n: g.n, text: inset(e.text)})
		}
		if more > 0 {
			out = append(out, &item{n: g.n, text: g.hidden(shown, more)})
		}
		return out
	}
	if g.all != "" {
		head += " [… all: " + g.all + " …]"
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

// spread chooses k rows: evenly of those that stand for others, then of those that
// say something of their own, of those that do not, of those only said of another.
func spread(all []entry, chosen []bool, k int) {
	for _, rank := range []func(e entry) bool{
		func(e entry) bool { return e.speaks },
		func(e entry) bool { return !e.low && !e.again && !e.speaks },
		func(e entry) bool { return !e.low && e.again },
		func(e entry) bool { return e.low },
	} {
		var own []int
		for i, e := range all {
			if rank(e) {
				own = append(own, i)
			}
		}
		n := min(k, len(own))
		for i := range n {
			chosen[own[i*len(own)/n]] = true
		}
		k -= n
	}
}

// runs chooses k rows: half of them at the two ends, the others in short runs
// from between. Of sorted rows the end with the largest has most.
func runs(chosen []bool, k, order int) {
	n := len(chosen)
	parts := gaps(n, k)
	head, tail := (k*3+9)/10, k/5
	switch {
	case order != 0:
		head, tail = k*7/10, k/10
		if order > 0 {
			head, tail = tail, head
		}
	case parts == 1:
		head = k - tail
	}
	if parts == 1 && head+tail < k {
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
func (g *rows) pick(k int, tell func(entry, bool)) []entry {
	all := g.held
	if g.every > 1 {
		all = append(all, g.tail...)
		slices.SortFunc(all, func(a, b entry) int { return a.n - b.n })
		all = slices.CompactFunc(all, func(a, b entry) bool { return a.n == b.n })
	}
	if k >= len(all) {
		for _, e := range all {
			for _, a := range e.also {
				tell(a, false)
			}
		}
		return all
	}
	chosen := make([]bool, len(all))
	if g.as == record.ListRow {
		runs(chosen, k, sortedBy(all))
	} else {
		spread(all, chosen, k)
	}
	shown := make([]entry, 0, k+g.must)
	for i, e := range all {
		gone := !chosen[i] && !e.must
		if !gone {
			shown = append(shown, e)
		} else if g.as == record.ListRow {
			tell(e, true)
		}
		for _, a := range e.also {
			tell(a, gone)
		}
	}
	return shown
}
