package compact

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
)

// Limits of what is kept of one output, so that memory stays bounded whatever
// the tool prints.
const (
	maxKept     = 4 << 20 // bytes of kept text
	maxWarnings = 5       // warnings kept; the rest are counted
	fullRecords = 30      // distinct failures kept whole; of later ones the first lines
	shortRecord = 4       // lines of such a later one
	maxFailures = 200     // distinct failures; of later ones the guard keeps the places
	maxLines    = 3000    // kept lines of an output that is not content
	maxContent  = 10_000  // and of one that is
	maxRecord   = 60      // lines of one failure
	recordHead  = 40      // of a longer one, this many at its start and the rest at its end
	manyRecords = 100     // distinct failures kept for themselves if they have a kind
	fullBriefs  = 12      // as fullRecords, of records that can be kept in brief
	maxBriefs   = 20      // warnings kept in brief: those that can be are never kept whole
	sameBriefs  = 2       // occurrences kept in brief after the first
	otherValues = 12      // the same of failures that are equal but for their values
	maxKeys     = 4096    // distinct keys, templates and short lines remembered
	shortLine   = len("[… 1 line …]")
)

// An item is one line of the result.
type item struct {
	n      int
	text   string
	times  int     // how many equal lines it stands for; 0 and 1 are one
	alike  bool    // not all of them have this very text
	sites  *places // where the others were found
	format string  // what stands for them instead, with {count}
	note   string  // a marker on a line of its own after it
}

// A store holds what is kept of an output, and only that.
type store struct {
	rule   *rule.Program
	level  Level
	groups bool // whether the rule's groups run at this level

	kept   []*item
	bytes  *int // of their text, and of that of the pieces beside this one
	head   []*item
	tail   []*item        // a ring once it is full
	next   int            // where in tail the next line goes
	short  map[int]string // dropped lines that are no longer than a marker for them
	silent bitmap         // lines whose omission needs no marker: blank, folded, grouped
	quiet  bitmap         // and those that are known to be fine: the header counts them

	last      *item       // the last Body line, which a run of equal ones is folded into
	end       record.Line // the last line of all
	endFolded bool        // that is counted with an earlier one and says when it ended
	lastKey   []byte
	key       []byte // of the present line; kept to be used again
	templates map[string]*item

	seen     map[string]*repeat
	order    []*repeat
	grouped  map[string]*group
	groupSeq []*group
	counts   map[string]int
	spare    []record.Line // odd rows that another record may have
	failures int           // Failure records seen
	distinct int           // and of them, those that no equal one came before
	warned   int           // warnings kept
	warnings int           // warnings dropped

	list  list
	found findings
	guard guard
}

// A repeat is a record that came more than once.
type repeat struct {
	last   *item  // the end of its first occurrence
	text   string // what it says, without the place
	brief  int    // of the others, how many were kept in brief
	times  int    // and how many were not kept
	alike  bool   // of these, some differ in a value
	single bool   // it is one line
	sites  places
}

func newStore(prog *rule.Program, level Level) *store {
	g := prog.Primitives.Group
	return &store{
		rule: prog, level: level, bytes: new(int),
		groups: g != nil && (level == Aggressive || level == Normal && g.Lossless),
		seen:   map[string]*repeat{}, grouped: map[string]*group{}, counts: map[string]int{},
		templates: map[string]*item{}, short: map[int]string{},
		guard: guard{data: prog.Data},
	}
}

// take decides what becomes of a record.
func (s *store) take(r record.Record) {
	if r.Spare {
		s.spare = append(s.spare, r.Lines...)
		return
	}
	s.ends(r.Lines, false)
	if r.Count != "" {
		s.counts[r.Count]++
	}
	if r.Class == record.Failure {
		s.failures++
	}
	if r.Rest {
		s.list.cut += len(r.Lines)
	}
	if r.List != record.NoList && s.level >= Normal {
		s.addRow(r)
		return
	}
	if r.Says != "" && s.level >= Normal {
		s.addFinding(r)
		return
	}
	if r.Group != "" && s.level >= Normal {
		s.addGroup(r)
		return
	}
	switch r.Class {
	case record.Good:
		for i, l := range r.Lines {
			s.drop(l, false)
			if i > 0 || r.Count == "" { // what a passed test is called is no complaint
				s.guard.second(l)
			}
		}
	case record.Noise:
		for _, l := range r.Lines {
			s.drop(l, true)
		}
	case record.Folded:
		told := 0
		if r.Count != "" {
			told = 1 // what a passed test is called is no complaint
		}
		s.fold(r.Lines, told)
	case record.Body:
		for _, l := range r.Lines {
			s.body(l)
		}
	default:
		s.keepRecord(r)
	}
}

// addRow takes a row of a list. What is printed of it stands elsewhere, unless
// it stands alone.
func (s *store) addRow(r record.Record) {
	for _, e := range s.list.add(r) {
		s.dropEntry(e)
	}
	if r.List != record.ListRow {
		s.silent.set(r.Lines[0].N)
	}
	s.fold(r.Lines[1:], 0)
}

// tellEntry takes a row that is not shown for itself: it is gone, or another stands
// for it.
func (s *store) tellEntry(e entry, gone bool) {
	if gone {
		s.dropEntry(e)
	} else {
		s.silent.set(e.n)
	}
}

func (s *store) dropEntry(e entry) { s.drop(record.Line{N: e.n, Text: e.text}, true) }

// keepRecord keeps a record whole or in brief, or counts it if equal ones were
// kept.
func (s *store) keepRecord(r record.Record) {
	if first := s.seen[r.Key]; first != nil && r.Key != "" {
		s.repeatRecord(first, r)
		return
	}
	if r.Kind == "" && s.full(r.Class) {
		for _, l := range r.Lines {
			s.drop(l, true)
		}
		return
	}
	brief := false
	switch {
	case r.Class == record.Failure:
		if s.distinct++; r.Kind != "" && s.distinct > manyRecords && s.level >= Normal {
			r.Group, r.Key = r.Kind, ""
			s.addGroup(r)
			return
		}
		brief = r.Brief > 0 && len(r.Lines) > r.Brief+1 && s.level >= Normal && s.distinct > fullBriefs
	case r.Class == record.Warn:
		limit := s.level.of(maxWarnings)
		if r.Brief > 0 {
			brief, limit = s.level >= Normal, s.level.of(maxBriefs)
		}
		if len(r.Lines) == 0 || s.level >= Normal && s.warned >= limit {
			s.warnings++
			s.fold(r.Lines, 0)
			return
		}
		s.warned++
	}
	last := s.keepLines(r, brief)
	if last != nil && r.Note != "" {
		last.note = r.Note
	}
	if r.Key != "" && last != nil && len(s.seen) < maxKeys {
		rep := &repeat{last: last, text: saying(r), single: len(r.Lines) == 1 && r.Note == ""}
		if lines.Location(r.Site) == r.Site {
			rep.sites.known(r.Site) // it is there
		}
		s.seen[r.Key] = rep
		s.order = append(s.order, rep)
	}
}

// ends notes the last line so far, and whether it was counted with another.
func (s *store) ends(ls []record.Line, folded bool) {
	if n := len(ls) - 1; n >= 0 && ls[n].N >= s.end.N && !lines.Blank(ls[n].Text) {
		s.end, s.endFolded = ls[n], folded
	}
}

// full reports whether so much is kept that one more record tells nobody
// anything.
func (s *store) full(c record.Class) bool {
	if s.level < Normal {
		return false
	}
	limit := maxLines
	if s.rule.Data {
		limit = maxContent
	}
	return len(s.kept) >= limit || c == record.Failure && s.distinct >= maxFailures
}

// repeatRecord takes a record whose equal was kept.
func (s *store) repeatRecord(first *repeat, r record.Record) {
	limit := sameBriefs
	if r.Class == record.Failure {
		limit = s.level.of(limit) // what it says stands there, and the others' places follow
	}
	other := len(r.Lines) > 0 && saying(r) != first.text
	if other && r.Class == record.Failure {
		limit = s.level.of(otherValues)
	}
	if r.Brief > 0 && first.brief < limit {
		first.brief++
		s.keepLines(r, len(r.Lines) > r.Brief+1)
		return
	}
	first.times++
	first.alike = first.alike || other || r.Alike
	s.ends(r.Lines, r.Class == record.Keep)
	if r.Site != "" {
		first.sites.add(r.Site)
	}
	s.fold(r.Lines, 0)
}

// saying is what the first lines of a record say, wherever that is.
func saying(r record.Record) string {
	var b strings.Builder
	for _, l := range r.Lines[:max(1, min(r.Brief, len(r.Lines)))] {
		text := l.Text
		for _, s := range strings.Fields(r.Site) { // a name and its place
			text = strings.Replace(text, s, "", 1)
		}
		b.WriteString(strings.TrimSpace(text))
	}
	return b.String()
}

// keepLines keeps the lines of a record that have room and returns the last.
// In brief a failure still names its first frame in the project's own code;
// of a warning its message and its place stand for the rest.
func (s *store) keepLines(r record.Record, brief bool) (last *item) {
	placed := r.Class != record.Failure
	for i, l := range r.Lines {
		switch {
		case l.Keep, !brief && s.fits(i, r), brief && i < r.Brief:
			last = s.keep(l)
		case brief && !placed && ownFrame(l.Text):
			placed = true
			last = s.keep(l)
		case brief && r.Class == record.Warn:
			s.fold(r.Lines[i:i+1], 0)
		case brief && last != nil:
			s.drop(l, false)
			s.guard.frame(l)
		default:
			s.drop(l, true)
		}
	}
	return last
}

func ownFrame(s string) bool {
	_, own := lines.Frame(s)
	return own
}

// fits reports whether line i of a record has room.
func (s *store) fits(i int, r record.Record) bool {
	if *s.bytes > maxKept {
		return false
	}
	if r.Class != record.Failure || s.level < Normal {
		return true
	}
	if s.distinct > fullRecords {
		return i < shortRecord
	}
	n := len(r.Lines)
	return n <= maxRecord || i < recordHead || i >= n-(maxRecord-recordHead)
}

func (s *store) keep(l record.Line) *item {
	it := &item{n: l.N, text: l.Text}
	s.kept = append(s.kept, it)
	*s.bytes += len(l.Text)
	return it
}

// fold drops lines that a count stands for. Beyond the first told of them the
// guard looks: a parser may have taken what is no part of its record.
func (s *store) fold(ls []record.Line, told int) {
	for i, l := range ls {
		if l.Keep {
			s.keep(l)
			continue
		}
		s.silent.set(l.N)
		if i >= told {
			s.guard.second(l)
		}
	}
}

// drop leaves a line out; look tells the guard to look at it.
func (s *store) drop(l record.Line, look bool) {
	if lines.Blank(l.Text) {
		s.silent.set(l.N)
		return
	}
	if l.Keep {
		s.keep(l)
		return
	}
	if look {
		if len(l.Text) <= shortLine && len(s.short) < maxKeys {
			s.short[l.N] = l.Text
		}
		s.guard.look(l)
		return
	}
	s.quiet.set(l.N)
}

// body takes an ordinary line: runs are folded, then the window decides.
func (s *store) body(l record.Line) {
	if l.Keep {
		s.keep(l)
		return
	}
	if s.repeats(l) {
		s.silent.set(l.N)
		s.ends([]record.Line{l}, s.last.text != l.Text)
		return
	}
	it := &item{n: l.N, text: l.Text}
	s.remember(l, it)
	head, tail := s.window()
	switch {
	case s.level < Normal || len(s.head) < head:
		if *s.bytes += len(l.Text); *s.bytes <= maxKept {
			s.head = append(s.head, it)
			return
		}
		s.dropItem(it)
	case tail == 0:
		s.dropItem(it)
	case len(s.tail) < tail:
		s.tail = append(s.tail, it)
	default:
		s.dropItem(s.tail[s.next])
		s.tail[s.next] = it
		s.next = (s.next + 1) % tail
	}
}

func (s *store) dropItem(it *item) { s.drop(record.Line{N: it.n, Text: it.text}, true) }

// defaultWindow is for rules that do not say.
var defaultWindow = rule.Truncate{HeadLines: 20, TailLines: 20, OnFailure: &rule.Window{HeadLines: 20, TailLines: 30}}

func (s *store) truncate() rule.Truncate {
	t := defaultWindow
	if own := s.rule.Primitives.Truncate; own != nil {
		t = *own
	}
	if t.OnFailure == nil {
		t.OnFailure = &rule.Window{HeadLines: t.HeadLines, TailLines: t.TailLines}
	}
	t.HeadLines, t.TailLines = s.level.of(t.HeadLines), s.level.of(t.TailLines) // not of a failure: what explains it may be there
	return t
}

// window is the wider of both windows: which of them applies is known when
// the tool has ended.
func (s *store) window() (head, tail int) {
	t := s.truncate()
	return max(t.HeadLines, t.OnFailure.HeadLines), max(t.TailLines, t.OnFailure.TailLines)
}

// close narrows the window to the one that applies and gives all kept items
// in no order.
func (s *store) close(failed bool) (out []*item) {
	if d := s.rule.Primitives.Dedupe; s.endFolded && d != nil && d.Across {
		s.keep(s.end) // a log says when it ended
	}
	all := append([]*item(nil), s.kept...)
	defer func() { out = s.withSpare(out) }()
	body := append(append(s.head[:len(s.head):len(s.head)], s.tail[s.next:]...), s.tail[:s.next]...)
	if s.level < Normal {
		return append(all, body...)
	}
	t := s.truncate()
	head, tail := t.HeadLines, t.TailLines
	if failed {
		head, tail = t.OnFailure.HeadLines, t.OnFailure.TailLines
	}
	for i, it := range body {
		if i < head || i >= len(body)-tail {
			all = append(all, it)
		} else {
			s.dropItem(it)
		}
	}
	return all
}

// withSpare adds the spare lines that are not shown otherwise.
func (s *store) withSpare(all []*item) []*item {
	if len(s.spare) == 0 {
		return all
	}
	shown := make(map[int]bool, len(all))
	for _, it := range all {
		shown[it.n] = true
	}
	for _, g := range s.groupSeq {
		for _, r := range g.rows {
			shown[r.n] = true
		}
	}
	for _, l := range s.list.mark(s.spare) {
		if !shown[l.N] {
			all = append(all, &item{n: l.N, text: l.Text})
		}
	}
	return all
}
