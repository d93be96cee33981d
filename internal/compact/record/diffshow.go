package record

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// What a diff shows of its files.

const (
	diffSmall   = 40      // lines of a small diff
	diffRoom    = 6 << 10 // bytes of changed lines shown of all files
	diffLog     = 4 << 10 // of several commits, each of which can be shown
	diffPart    = 1500    // less than this of a file that is longer is not worth showing
	diffFiles   = 500     // files named; of more there is only a count
	diffAgain   = 60      // bytes of a change that is not shown twice
	diffSums    = 800     // of checksums that can be shown
	diffDeleted = 200     // of a deleted file
	diffHeld    = 192 << 10
	diffOne     = 48 << 10 // of one file; more than can be shown
	diffLong    = 1000     // a line longer than this is of a minified file
	diffWidth   = 480      // of a line where not all is shown, scaled
	diffLeading = 3        // context lines before a change that need no marker: the hunk's header counts them
	diffBetween = 6        // and between two changes that need no count
	diffPlaces  = 8        // hunks named by their line
)

// Close emits the files held so far, cut to the room there is.
func (p *diff) Close(emit Emit) {
	p.share()
	only := p.alone && p.times == 0 && len(p.files) == 1 && p.files[0].lines() <= diffSmall
	for i := 0; i < len(p.files); {
		f, n := p.files[i], 1
		if _, _, ok := f.sides(); ok && f.room == 0 && !f.repeated() {
			for i+n < len(p.files) && f.beside(p.files[i+n-1], p.files[i+n]) {
				n++
			}
			p.brief(p.files[i:i+n], emit)
		} else {
			f.name(only, emit)
			f.emit(emit)
		}
		i += n
		p.shown += n
	}
	p.times++
	p.files, p.held, p.file, p.hunk = nil, 0, nil, nil
}

// lines counts the lines of the hunks that are held.
func (f *diffFile) lines() int {
	n := 0
	for _, h := range f.hunks {
		n += len(h.lines)
	}
	return n
}

// share divides the room among the files: small ones get what they need, the
// rest is for the large ones, as long as there is a part worth showing for
// each.
func (p *diff) share() {
	p.repeats()
	files := slices.Clone(p.files)
	for _, f := range files {
		switch {
		case f.encoded*2 > f.need && f.what == "":
			f.what = "encoded"
		case f.sums > diffSums && f.sums*2 > f.need && f.what == "":
			f.what = "checksums"
		case f.minified && f.what == "":
			f.what = "long lines"
		}
		if f.what != "" || f.gone && f.need > p.of(diffDeleted) {
			f.need = 0
		}
	}
	room := p.of(cmp.Or(p.room, diffRoom)) >> p.times // what came before in a very long diff took most of it
	p.narrow(room)
	sort.SliceStable(files, func(i, j int) bool { return files[i].need < files[j].need })
	for i, f := range files {
		switch part := room / (len(files) - i); {
		case f.need <= part, part < p.of(diffPart) && f.need <= room:
			f.room = f.need
		case part >= p.of(diffPart) && (!f.fresh || len(files) == 1): // a new file can be read where it is
			f.room = part
		}
		room -= f.room
	}
}

// repeats finds the hunks that make the same change as one before. They need no
// room.
func (p *diff) repeats() {
	made := map[string]*diffHunk{}
	for _, f := range p.files {
		for _, h := range f.hunks {
			h.of = f
			if h.bytes < diffAgain {
				continue
			}
			var change strings.Builder
			for _, l := range h.lines {
				if l.changed {
					change.WriteString(l.Text + "\n")
				}
			}
			if h.first = made[change.String()]; h.first == nil {
				made[change.String()] = h
			} else {
				f.need -= h.bytes + len(h.head.Text) + 1
			}
		}
	}
}

// repeated reports whether all that changed in f is shown of others.
func (f *diffFile) repeated() bool {
	return len(f.hunks) > 0 && f.lostHunks == 0 && f.what == "" && !slices.ContainsFunc(f.hunks, func(h *diffHunk) bool { return h.first == nil || !h.first.shown })
}

// again says where hunks of f make the change of others that are shown.
func (f *diffFile) again(repeats []*diffHunk) (s string) {
	for len(repeats) > 0 {
		first := repeats[0].first
		same, rest := split(repeats, func(_ int, h *diffHunk) bool { return h.first == first })
		s += ", the change"
		if first.of != f {
			s += " of " + first.of.path
		}
		s += places([]*diffHunk{first}) + " again" + places(same)
		repeats = rest
	}
	return strings.TrimPrefix(s, ", ")
}

// narrow cuts long lines where less than usual is shown and not all has room.
func (p *diff) narrow(room int) {
	need := 0
	for _, f := range p.files {
		need += f.need
	}
	if !p.less() || need <= room {
		return
	}
	for _, f := range p.files {
		for _, h := range f.hunks {
			for i := range h.lines {
				if l := &h.lines[i]; l.changed && f.need > 0 && h.first == nil {
					cut := Narrow(l.Text, p.of(diffWidth))
					f.need += len(cut) - len(l.Text)
					h.bytes += len(cut) - len(l.Text)
					l.Text = cut
				}
			}
		}
	}
}

// sides are the two names of a file in "diff --git a/x b/x", which may have
// other letters in front or none.
func (f *diffFile) sides() (before, after string, ok bool) {
	names, ok := strings.CutPrefix(f.head[0].Text, "diff --git ")
	if half := len(names) / 2; len(names)%2 == 1 && names[half] == ' ' && !strings.HasPrefix(names, `"`) {
		before, after = names[:half], names[half+1:]
		if before == after || half > 2 && before[1] == '/' && before[1:] == after[1:] {
			return before, after, ok
		}
	}
	before, after, ok = strings.Cut(names, " b/")
	return before, "b/" + after, ok && strings.HasPrefix(before, "a/") && !strings.Contains(after, " b/")
}

// beside reports whether next, which stands right behind last, may be named in
// one line with f.
func (f *diffFile) beside(last, next *diffFile) bool {
	before, after, _ := f.sides()
	b, a, ok := next.sides()
	return ok && next.room == 0 && !next.repeated() && next.head[0].N == last.end+1 && path.Dir(b) == path.Dir(before) && path.Dir(a) == path.Dir(after)
}

// brief names files of which nothing is shown, on one line. What is the same of
// all of them stands there once.
func (p *diff) brief(files []*diffFile, emit Emit) {
	class := Folded.unless(p.shown > diffFiles, Good)
	var names, tails, why []string
	for _, f := range files {
		f.fold(class, emit)
		before, after, _ := f.sides()
		name := path.Base(before)
		if path.Base(after) != name {
			name += " => " + path.Base(after)
		}
		names, tails = append(names, name), append(tails, f.state()+f.count())
		if f.what != "" && len(f.hunks)+f.lostHunks > 0 && !slices.Contains(why, f.what) {
			why = append(why, f.what)
		}
	}
	if class == Good {
		return
	}
	s := files[0].head[0].Text
	if len(files) == 1 {
		s += tails[0]
	} else {
		before, after, _ := files[0].sides()
		s = fmt.Sprintf("diff --git %s/ %s/ ×%d", path.Dir(before), path.Dir(after), len(files))
		if one := slices.Compact(slices.Clone(tails)); len(one) == 1 {
			s += one[0]
			clear(tails)
		}
		for i, tail := range tails {
			names[i] += tail
		}
		s += ": " + strings.Join(names, ", ")
	}
	if why != nil {
		s += " [… " + strings.Join(why, ", ") + " …]"
	}
	emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: files[0].head[0].N, Text: s}}})
}

// state says what became of a file but that it changed.
func (f *diffFile) state() (s string) {
	for _, l := range f.head[1:] {
		switch about, rest, _ := strings.Cut(l.Text, " mode "); {
		case strings.HasPrefix(l.Text, "Binary files "), strings.HasPrefix(l.Text, "GIT binary patch"):
			s += " (Binary files differ)"
		case hasPrefix(l.Text, "copy from ", "rename from "):
			s += " (" + l.Text[:strings.IndexByte(l.Text, ' ')] + " from a to b)"
		case about == "new file", about == "deleted file":
			s += " (" + strings.TrimSuffix(about, " file")
			if rest != "100644" {
				s += " " + rest
			}
			s += ")"
		case about == "old":
			s += " (" + l.Text + ","
		case about == "new":
			s += " " + l.Text + ")"
		}
	}
	return s
}

// count is how many lines of a file changed, and where.
func (f *diffFile) count() (s string) {
	if f.add > 0 {
		s += " +" + strconv.Itoa(f.add)
	}
	if f.del > 0 {
		s += " −" + strconv.Itoa(f.del)
	}
	if f.what == "" && !f.fresh && !f.gone {
		s += places(f.hunks)
	}
	return s
}

// places are the lines at which hunks begin: " @12,90".
func places(hunks []*diffHunk) (s string) {
	for i, h := range hunks {
		if i == diffPlaces {
			s += ",…"
			break
		}
		_, at, _ := strings.Cut(h.head.Text, "+")
		end := len(at) - len(strings.TrimLeft(at, "0123456789"))
		s += "," + at[:end]
	}
	if s != "" {
		s = " @" + s[1:]
	}
	return s
}

// fold leaves out a whole file.
func (f *diffFile) fold(named Class, emit Emit) {
	emit.each(named, f.head)
	emit.each(Folded, f.names)
	for _, h := range f.hunks {
		h.fold(emit)
	}
}

// name leaves one of the two forms in which git names a file: a small diff of
// one file keeps that of any other diff, a larger one that of a single line.
func (f *diffFile) name(only bool, emit Emit) {
	if only && len(f.names) == 2 {
		emit(Record{Class: Folded, Lines: f.head[:1:1]})
		f.head = append(f.head[1:len(f.head):len(f.head)], f.names...)
	} else if f.names != nil {
		emit(Record{Class: Folded, Lines: f.names})
	}
	f.names = nil
}

// emit gives the records of a file: its head, and of its hunks what fits. A
// note says where else it changed.
func (f *diffFile) emit(emit Emit) {
	head := Record{Class: Keep, Lines: f.head}
	if _, _, ok := f.sides(); ok && len(f.head) > 1 {
		emit.each(Folded, f.head)
		head = Record{Class: Keep, Instead: true, Lines: []Line{{N: f.head[0].N, Text: f.head[0].Text + f.state()}}}
	}
	if f.room == 0 && len(f.hunks)+f.lostHunks > 0 && !f.repeated() {
		head.Note = fmt.Sprintf("[… +%d −%d", f.add, f.del)
		if f.what != "" {
			head.Note += ", " + f.what
		}
		head.Note += " …]"
	}
	emit.open(&head)
	left := f.room // 0 where the content is not shown
	var repeats []*diffHunk
	for i, h := range f.hunks {
		if h.first != nil && h.first.shown {
			repeats = append(repeats, h)
			h.fold(emit)
			continue
		}
		if left <= 0 {
			h.fold(emit)
			continue
		}
		show, lost := h.fits(left)
		h.shown = lost == 0
		note := ""
		if left -= len(h.head.Text) + 1 + h.bytes; left <= 0 {
			note = f.cut(f.hunks[i+1:], lost)
		}
		h.emit(show, note, emit)
	}
	if n := len(repeats); n > 0 {
		emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: repeats[n-1].head.N, Text: "[… " + f.again(repeats) + " …]"}}})
	}
}

// cut says what is missing of a file whose room ends before the later hunks.
func (f *diffFile) cut(later []*diffHunk, lost int) string {
	lost += f.lost
	later, _ = split(later, func(_ int, h *diffHunk) bool { return h.first == nil || !h.first.shown })
	for _, h := range later {
		lost += h.changed()
	}
	if lost == 0 {
		return ""
	}
	return fmt.Sprintf("[… %d more changed lines%s; the file: +%d −%d …]", lost, places(later), f.add, f.del)
}

func (h *diffHunk) changed() int {
	n := 0
	for _, l := range h.lines {
		if l.changed {
			n++
		}
	}
	return n
}

// fits returns how many lines of h there is room for, and how many changed
// ones are not among them.
func (h *diffHunk) fits(room int) (show, lost int) {
	const least = 3 // changed lines
	room -= len(h.head.Text) + 1
	shown := 0
	for i, l := range h.lines {
		if !l.changed {
			continue
		}
		room -= len(l.Text) + 1
		if room < 0 && shown >= least {
			lost++
			continue
		}
		shown++
		show = i + 1
	}
	return show, lost
}

// emit gives the header and the changed lines among the first show.
func (h *diffHunk) emit(show int, note string, emit Emit) {
	kept := []Line{h.head}
	for i := 0; i < show; {
		if h.lines[i].changed {
			kept = append(kept, h.lines[i].Line)
			i++
			continue
		}
		from := i
		for i < show && !h.lines[i].changed {
			i++
		}
		between := h.lines[from:i]
		switch n := len(between); {
		case from > 0 && n == 1 && len(between[0].Text) <= len("[…]")+1:
			kept = append(kept, between[0].Line)
			continue
		case from == 0 && n > diffLeading, from > 0 && n > diffBetween:
			emit(Record{Class: Keep, Lines: kept})
			kept = nil
			for _, l := range between {
				emit.line(Good, l.Line)
			}
			continue
		case from > 0:
			emit(Record{Class: Keep, Lines: kept, Note: "[…]"})
			kept = nil
		}
		foldLines(between, emit)
	}
	if kept != nil {
		emit(Record{Class: Keep, Lines: kept, Note: note})
	}
	foldLines(h.lines[show:], emit)
}

// fold leaves out a hunk.
func (h *diffHunk) fold(emit Emit) {
	emit.line(Folded, h.head)
	foldLines(h.lines, emit)
}

func foldLines(ls []diffLine, emit Emit) {
	for _, l := range ls {
		foldLine(l.Line, emit)
	}
}

func foldLine(l Line, emit Emit) {
	emit.line(Folded.unless(fatal(l.Text), Keep), l)
}
