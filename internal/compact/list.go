package compact

import (
	"cmp"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"cairn/internal/compact/record"
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

	groupNames bool // the rows are the names of another list's groups
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
	all      string // what all names have behind the first word
	agains   int    // rows of a search that say what one in another file does
	speaks   bool   // one of its matches stands for such rows of others
	held     []entry
	every    int     // of the rows that come, one in so many is held
	tail     []entry // the last rows, once not all are held
	must     int     // rows that are shown whatever the room
	runs     int     // how many are held once they are folded; 0: they are not

	beside int // bytes of its name where that stands beside others of its directory
	places int // of each hidden match the line's number is printed, so many bytes; 0: it is not
}

// An entry is one row.
type entry struct {
	n      int
	at     int // which of its group it is
	text   string
	must   bool
	low    bool    // only said of another row: goes first
	again  bool    // a match that says what one in a file before it does: is not shown for itself
	speaks bool    // a match that stands for such ones: goes last
	more   int     // how many rows more it stands for
	also   []entry // of them, those that stand alone
}

const (
	listBytes  = 2 << 20 // of rows held
	listRows   = 4096    // rows held of one group
	listGroups = 4096    // groups held
	listTail   = 64      // last rows held of a group
	listKinds  = 512     // extensions counted
	kindsShown = 12

	listRoom  = 8000   // bytes of a list that is shown whole
	listAsked = 12_000 // and of one whose length the command limits
	rowCheap  = 24     // bytes of a row that is a name
	rowDear   = 48     // and of one that is a text: for those there is two fifths of the room
	matchDear = 64     // and of a match: of those half the room is shown
	askedRows = 2000   // such a limit is respected up to so many rows
	listRun   = 8      // rows in a row from the middle of a list
	markBytes = 16     // of "[… 1,234 lines …]"
	moreBytes = 24     // of "  [… 1,234 more: …]"
)

// listRoom is how many bytes a list may take: more where the command says how
// many rows it wants.
func (s *Stream) listRoom() int {
	room := listRoom
	if s.asked() {
		room = listAsked
	}
	if most := s.opt.ListRoom; most > 0 {
		room = min(room, most)
	}
	return room
}

// dear is what of a room is left for rows as long as these: names are cheap and
// wanted whole, of texts a selection does.
func (l *list) dear(room int) int {
	rows, bytes, most, less := 0, 0, rowDear, room*3/5
	for _, g := range l.order {
		if g.as == record.ListUnder {
			most, less = matchDear, room/2
		}
		rows += g.size
		bytes += g.head() + g.bytes + g.size
	}
	row := max(rowCheap, min(bytes/max(rows, 1), most))
	return room - less*(row-rowCheap)/(most-rowCheap)
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
	e := entry{r.Lines[0].N, g.size - 1, cmp.Or(r.Row, r.Lines[0].Text), r.Lines[0].Keep || r.Class == record.Keep, r.Class == record.Noise, false, false, 0, nil}
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

// mark makes the rows of some lines ones that are shown whatever the room, and
// returns the lines of which no row is held.
func (l *list) mark(odd []record.Line) (rest []record.Line) {
	at := map[int]string{}
	for _, o := range odd {
		at[o.N] = o.Text
	}
	for _, g := range l.order {
		for i, e := range g.held {
			whole, ok := at[e.n]
			if !ok || g.as == record.ListName && !says(g.key+" "+e.text, whole) {
				continue
			}
			if delete(at, e.n); !says(e.text, whole) && g.as != record.ListName {
				g.held[i].text = whole // it was shortened
			}
			if !e.must {
				g.held[i].must = true
				g.must++
			}
		}
	}
	for _, o := range odd {
		if _, left := at[o.N]; left {
			rest = append(rest, o)
		}
	}
	return rest
}

// says reports whether a text has every word of another.
func says(text, other string) bool {
	for _, w := range strings.Fields(other) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
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
