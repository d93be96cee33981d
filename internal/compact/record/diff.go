package record

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// diff is the parser for unified diffs: git diff, show and log -p, diff -u,
// combined diffs of merges. Of each file it keeps the name, what happened to
// it, and the hunks' headers and changed lines; context goes. Lock files,
// generated and binary files become their name and a count. The file
// of a small diff is named by "---" and "+++", others by one line each.
//
// The format is that of git-diff(1), "generating patch text with -p". Changed
// lines are held until the end, or up to diffHeld bytes, so that the room
// (diffRoom) is shared fairly among the files.
type diff struct {
	scale
	files []*diffFile
	held  int  // bytes of changed lines held
	shown int  // files given out so far
	alone bool // nothing but diffs is expected

	file *diffFile
	hunk *diffHunk
	old  int // lines the open hunk still has of the old file
	new  int // and of the new one
	ways int // signs in front of a line: 1, more in a combined diff

	usage bool // after a call it did not understand git lists all its options
	words bool // a diff of words: lines have no sign, changes stand inside of them
}

type diffFile struct {
	head      []Line // the lines that are kept, before the first hunk
	git       bool   // it began with "diff --git": --- and +++ say nothing new
	names     []Line // which are these
	path      string
	what      string // why the content is not shown: "lock file", "binary"
	hunks     []*diffHunk
	add, del  int
	need      int  // bytes of its hunks
	gone      bool // the file is deleted
	fresh     bool // or new: all of it can be read where it is
	minified  bool
	room      int
	inPayload bool // of a GIT binary patch
	held      int  // bytes of its hunks held
	lost      int  // changed lines that were not held
	lostHunks int
}

type diffHunk struct {
	head  Line
	lines []diffLine
	bytes int
}

type diffLine struct {
	Line
	changed bool
}

const (
	diffSmall   = 40      // lines of a small diff
	diffRoom    = 7 << 10 // bytes of changed lines shown of all files
	diffHeads   = 1500    // bytes of headers of hunks that are left out
	diffFloor   = 400     // of one file at least, while they are not many
	diffLeast   = 100     // less than this is not worth showing
	diffFiles   = 1000    // files named; of more there is only a count
	diffDeleted = 200     // of a deleted file
	diffNew     = 2500    // of a new file, unless it is the only one
	diffHeld    = 192 << 10
	diffOne     = 48 << 10 // of one file; more than can be shown
	diffLong    = 1000     // a line longer than this is of a minified file
	diffWidth   = 480      // of a line where not all is shown, scaled
	diffLeading = 3        // context lines before a change that need no marker: the hunk's header counts them
)

func (p *diff) Line(l Line, emit Emit) {
	if !p.take(l, emit) {
		p.outside(l, emit)
	}
}

// outside takes a line that is no part of a diff.
func (p *diff) outside(l Line, emit Emit) {
	class := Body
	switch {
	case statLine(strings.TrimSpace(l.Text)):
		emit(changed(l))
		return
	case fatal(l.Text), statSummary(strings.TrimSpace(l.Text)):
		class = Keep
	case strings.HasPrefix(l.Text, "usage: git "):
		class, p.usage = Keep, true
	case p.usage && (l.Text == "" || strings.HasPrefix(l.Text, "    ") || strings.HasSuffix(l.Text, " options")):
		class = Good
	}
	emit.line(class, l)
}

// fatal reports whether git's last words stand anywhere in s. They may: git
// writes its output in blocks and its errors at once, in the middle of a
// line. A quoted "fatal: " is a program's text.
func fatal(s string) bool {
	i := strings.Index(s, "fatal: ")
	return i == 0 || i > 0 && !strings.ContainsRune("\"'`(", rune(s[i-1])) || strings.HasPrefix(s, "error: ")
}

// take takes a line if it belongs to a diff.
func (p *diff) take(l Line, emit Emit) bool {
	s := l.Text
	switch {
	case hasPrefix(s, "diff --git ", "diff --cc ", "diff --combined "):
		p.open(l, emit)
		p.file.git = true
	case p.file == nil && !strings.HasPrefix(s, "--- "):
		return false
	case p.hunk != nil && (p.old > 0 || p.new > 0 || p.ways > 1) && !strings.HasPrefix(s, "@@"):
		return p.content(l, emit)
	case p.file != nil && strings.HasPrefix(s, "@@"):
		return p.header(l, emit)
	case p.hunk != nil && strings.HasPrefix(s, `\ `):
		p.add(diffLine{l, true}, emit)
	case strings.HasPrefix(s, "--- ") && (p.file == nil || p.hunk != nil || !p.file.git && len(p.file.head) > 1):
		p.open(l, emit)
	case p.hunk == nil:
		return p.about(l, emit)
	default:
		p.file, p.hunk = nil, nil
		return false
	}
	return true
}

// open begins a file.
func (p *diff) open(l Line, emit Emit) {
	if p.held > diffHeld {
		p.Close(emit)
	}
	p.file = &diffFile{head: []Line{l}, path: diffPath(l.Text)}
	p.file.what = generated(p.file.path)
	p.hunk = nil
	p.files = append(p.files, p.file)
}

// about takes a line between a file's name and its first hunk.
func (p *diff) about(l Line, emit Emit) bool {
	f, s := p.file, l.Text
	switch {
	case f.inPayload:
		emit.line(Folded, l)
		return true
	case hasPrefix(s, "--- ", "+++ "):
		if f.git {
			f.names = append(f.names, l)
			return true
		}
		if strings.HasPrefix(s, "+++ ") {
			f.path = diffPath(s)
			f.what = generated(f.path)
		}
	case hasPrefix(s, "index ", "similarity index "):
		emit.line(Folded, l)
		return true
	case strings.HasPrefix(s, "GIT binary patch"):
		f.inPayload, f.what = true, "binary"
	case strings.HasPrefix(s, "deleted file mode "):
		f.gone = true
	case strings.HasPrefix(s, "new file mode "):
		f.fresh = true
	case hasPrefix(s, "old mode ", "new mode ", "rename ", "copy ", "Binary files ", "dissimilarity ", "mode "):
	default:
		p.file = nil
		return false
	}
	f.head = append(f.head, l)
	return true
}

// header takes "@@ -54,7 +54,8 @@ func f()" or the "@@@" of a combined diff.
func (p *diff) header(l Line, emit Emit) bool {
	s := l.Text
	at := 0
	for at < len(s) && s[at] == '@' {
		at++
	}
	fields := strings.Fields(s[at:])
	if len(fields) < 3 || fields[0][0] != '-' {
		return false
	}
	if p.ways = at - 1; p.ways > 1 {
		p.scale = 0 // a merge, perhaps with conflicts: whoever resolves it needs both sides
	}
	p.old, p.new = hunkLines(fields[0]), hunkLines(fields[1])
	p.hunk = &diffHunk{head: l}
	if p.file.what != "" || p.file.held > diffOne {
		p.file.lostHunks++
		foldLine(l, emit)
		return true
	}
	p.file.hunks = append(p.file.hunks, p.hunk)
	p.count(len(s))
	return true
}

// hunkLines reads the 7 of "-54,7"; it is 1 when it is not there.
func hunkLines(s string) int {
	if i := strings.IndexByte(s, ','); i > 0 {
		n, _ := strconv.Atoi(s[i+1:])
		return n
	}
	return 1
}

// content takes a line of a hunk.
func (p *diff) content(l Line, emit Emit) bool {
	s := l.Text
	sign := byte(' ')
	if p.ways > 1 && len(s) > 0 && !strings.ContainsRune(" +-\\", rune(s[0])) {
		p.file, p.hunk = nil, nil
		return false
	}
	for i := 0; i < min(p.ways, len(s)); i++ {
		if s[i] != ' ' {
			sign = s[i]
		}
	}
	if p.ways == 1 && sign != '+' && sign != '-' {
		p.words = p.words || hasPrefix(s, "{+", "[-")
		if hash, ok := strings.CutPrefix(s, "commit "); ok && p.words && hexLen(hash) >= 7 { // the end is not sure by counting
			p.file, p.hunk = nil, nil
			return false
		}
		if marked := wordsChanged(s); marked || p.words {
			p.wordLine(l, marked, emit)
			return true
		}
	}
	switch sign {
	case '+':
		p.file.add++
		p.new--
	case '-':
		p.file.del++
		p.old--
	case ' ':
		p.old--
		p.new--
	}
	if fatal(s) && sign != '+' && sign != '-' {
		sign = '!'
	}
	p.add(diffLine{l, sign != ' '}, emit)
	return true
}

func (p *diff) add(l diffLine, emit Emit) {
	h := p.hunk
	if p.file.what != "" || p.file.held > diffOne {
		if l.changed {
			p.file.lost++
		}
		foldLine(l.Line, emit)
		return
	}
	h.lines = append(h.lines, l)
	if l.changed {
		p.file.minified = p.file.minified || len(l.Text) > diffLong
		h.bytes += len(l.Text) + 1
		p.count(len(l.Text))
	} else {
		p.hold(16 + len(l.Text)/4)
	}
}

// count adds a line to what the file needs.
func (p *diff) count(n int) {
	p.file.need += n + 1
	p.hold(n + 1)
}

func (p *diff) hold(n int) {
	p.file.held += n
	p.held += n
}

// Close emits the files held so far, cut to the room there is.
func (p *diff) Close(emit Emit) {
	p.share()
	only := p.alone && p.shown == 0 && len(p.files) == 1 && p.files[0].lines() <= diffSmall
	heads := p.of(diffHeads)
	for _, f := range p.files {
		f.name(only, emit)
		if p.shown++; p.shown > diffFiles {
			emit(Record{Class: Good, Lines: f.head})
			f.room, f.head = 0, nil
		}
		f.emit(&heads, emit)
	}
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

// share divides the room among the files: small ones get what they need, the
// rest is for the large ones.
func (p *diff) share() {
	room := p.of(diffRoom)
	p.narrow(room)
	files := append([]*diffFile(nil), p.files...)
	for _, f := range files {
		if f.gone {
			f.need = min(f.need, p.of(diffDeleted))
		}
		if f.fresh && len(files) > 1 {
			f.need = min(f.need, p.of(diffNew))
		}
		if f.what != "" || f.minified {
			f.need = 0
		}
	}
	sort.SliceStable(files, func(i, j int) bool { return files[i].need < files[j].need })
	// What came before in a very long diff took most of the room.
	floor := p.of(diffFloor)
	left := max(room-p.shown*floor, 0)
	if n := p.shown + len(files); n > room/floor {
		floor = room / n
	}
	for i, f := range files {
		f.room = min(f.need, max(left/(len(files)-i), floor))
		if f.room < diffLeast && f.room < f.need {
			f.room = 0
		}
		left = max(left-f.room, 0)
	}
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
				if l := &h.lines[i]; l.changed {
					cut := Narrow(l.Text, p.of(diffWidth))
					f.need += len(cut) - len(l.Text)
					h.bytes += len(cut) - len(l.Text)
					l.Text = cut
				}
			}
		}
	}
}

// emit gives the records of a file: its head, and of its hunks what fits. The
// headers of later ones say where else it changed; heads are the bytes there
// are for those.
func (f *diffFile) emit(heads *int, emit Emit) {
	what := f.what
	if what == "" && f.minified {
		what = "long lines"
	}
	head := Record{Class: Keep, Lines: f.head}
	switch {
	case what != "" && len(f.hunks)+f.lostHunks > 0:
		head.Note = fmt.Sprintf("[… +%d −%d, %s …]", f.add, f.del, what)
	case what == "" && f.room == 0 && len(f.hunks) > 0:
		head.Note = fmt.Sprintf("[… +%d −%d …]", f.add, f.del)
	}
	emit.open(&head)
	left := f.room // 0 where the content is not shown
	for _, h := range f.hunks {
		if left <= 0 {
			named := f.room > 0 && *heads > 0
			if h.fold(named, emit); what == "" {
				*heads -= len(h.head.Text) + 1
			}
			continue
		}
		show, lost := h.fits(left)
		note := ""
		if left -= len(h.head.Text) + 1 + h.bytes; left <= 0 {
			note = f.cut(h, lost)
		}
		h.emit(show, note, emit)
	}
}

// cut says what is missing of a file whose room ends in h.
func (f *diffFile) cut(last *diffHunk, lost int) string {
	hunks := f.lostHunks
	lost += f.lost
	for i := len(f.hunks) - 1; i >= 0 && f.hunks[i] != last; i-- {
		lost += f.hunks[i].changed()
		hunks++
	}
	if lost == 0 {
		return ""
	}
	s := fmt.Sprintf("[… %d more changed lines", lost)
	if hunks > 0 {
		s += fmt.Sprintf(", %d more hunks", hunks)
	}
	return s + fmt.Sprintf("; the file: +%d −%d …]", f.add, f.del)
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
	class := Folded.unless(h.leading() > diffLeading, Good)
	i := 0
	for ; i < show; i++ {
		l := h.lines[i]
		if l.changed {
			kept = append(kept, l.Line)
			class = Good
			continue
		}
		emit.line(class, l.Line)
	}
	emit(Record{Class: Keep, Lines: kept, Note: note})
	foldLines(h.lines[i:], emit)
}

// leading counts the context lines before the first change.
func (h *diffHunk) leading() int {
	if i := slices.IndexFunc(h.lines, func(l diffLine) bool { return l.changed }); i >= 0 {
		return i
	}
	return len(h.lines)
}

// fold leaves out a whole hunk, which a note counts, or all but its header.
func (h *diffHunk) fold(named bool, emit Emit) {
	emit.line(Folded.unless(named, Keep), h.head)
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

// diffPath returns the new name in "diff --git a/x b/y" or "+++ b/y	date".
func diffPath(s string) string {
	if i := strings.LastIndex(s, " b/"); i >= 0 {
		return strings.TrimSuffix(s[i+3:], `"`)
	}
	if i := strings.IndexByte(s, ' '); i >= 0 {
		s = s[i+1:]
	}
	s, _, _ = strings.Cut(s, "\t")
	return s[strings.LastIndexByte(s, ' ')+1:]
}

// generated says why nobody reads the content of a file, or "".
func generated(name string) string {
	base := path.Base(name)
	switch {
	case strings.HasSuffix(base, ".lock"), oneOf(base, "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "go.work.sum", "bun.lockb", "packages.lock.json", "Package.resolved"):
		return "lock file"
	case hasSuffix(base, ".min.js", ".min.css", ".map", ".pb.go", "_pb2.py", ".svg", ".snap", ".ipynb", "_gen.go", ".generated.ts", ".g.dart"):
		return "generated"
	case hasAny("/"+name, "/node_modules/", "/vendor/", "/dist/", "/third_party/"):
		return "generated or foreign"
	}
	return ""
}

// wordsChanged reports whether a line of a hunk shows changed words, as git
// diff --word-diff does: "def [-session-]{+_get_session+}(self)".
func wordsChanged(s string) bool { return between(s, "{+", "+}") || between(s, "[-", "-]") }

func between(s, open, end string) bool {
	i := strings.Index(s, open)
	return i >= 0 && strings.Contains(s[i+len(open):], end)
}

// wordLine takes a line of a diff of words. One that is new or gone as a whole
// has no counterpart in the other file.
func (p *diff) wordLine(l Line, changed bool, emit Emit) {
	t := strings.TrimSpace(l.Text)
	added := strings.HasPrefix(t, "{+") && strings.Index(t, "+}") == len(t)-2
	removed := strings.HasPrefix(t, "[-") && strings.Index(t, "-]") == len(t)-2
	if !added {
		p.old--
	}
	if !removed {
		p.new--
	}
	if changed && !removed {
		p.file.add++
	}
	if changed && !added {
		p.file.del++
	}
	p.add(diffLine{l, changed || fatal(l.Text)}, emit)
}
