package record

import (
	"fmt"
	"path"
	"sort"
	"strings"
)

// flush emits the files held so far, cut to the room there is.
func (p *diff) flush(emit Emit) {
	p.share()
	only := p.alone && p.shown == 0 && len(p.files) == 1 && p.files[0].lines() <= diffSmall
	heads := diffHeads
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
	files := append([]*diffFile(nil), p.files...)
	for _, f := range files {
		if f.gone {
			f.need = min(f.need, diffDeleted)
		}
		if f.fresh && len(files) > 1 {
			f.need = min(f.need, diffNew)
		}
		if f.what != "" || f.minified {
			f.need = 0
		}
	}
	sort.SliceStable(files, func(i, j int) bool { return files[i].need < files[j].need })
	// What came before in a very long diff took most of the room.
	left := max(diffRoom-p.shown*diffFloor, 0)
	floor := diffFloor
	if n := p.shown + len(files); n > diffRoom/diffFloor {
		floor = diffRoom / n
	}
	for i, f := range files {
		f.room = min(f.need, max(left/(len(files)-i), floor))
		if f.room < diffLeast && f.room < f.need {
			f.room = 0
		}
		left = max(left-f.room, 0)
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
	if what != "" {
		if len(f.hunks)+f.lostHunks > 0 {
			head.Note = fmt.Sprintf("[… +%d −%d, %s …]", f.add, f.del, what)
		}
		if f.head != nil {
			emit(head)
		}
		for _, h := range f.hunks {
			h.fold(false, emit)
		}
		return
	}
	if f.room == 0 && len(f.hunks) > 0 {
		head.Note = fmt.Sprintf("[… +%d −%d …]", f.add, f.del)
	}
	if f.head != nil {
		emit(head)
	}
	left := f.room
	for _, h := range f.hunks {
		if left <= 0 {
			h.fold(f.room > 0 && *heads > 0, emit)
			*heads -= len(h.head.Text) + 1
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
	for _, l := range h.lines[i:] {
		foldLine(l.Line, emit)
	}
}

// leading counts the context lines before the first change.
func (h *diffHunk) leading() int {
	for i, l := range h.lines {
		if l.changed {
			return i
		}
	}
	return len(h.lines)
}

// fold leaves out a whole hunk, which a note counts, or all but its header.
func (h *diffHunk) fold(named bool, emit Emit) {
	class := Folded.unless(named, Keep)
	emit.line(class, h.head)
	for _, l := range h.lines {
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
	switch base {
	case "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "go.work.sum", "bun.lockb", "packages.lock.json", "Package.resolved":
		return "lock file"
	}
	if strings.HasSuffix(base, ".lock") {
		return "lock file"
	}
	for _, end := range [...]string{".min.js", ".min.css", ".map", ".pb.go", "_pb2.py", ".svg", ".snap", ".ipynb", "_gen.go", ".generated.ts", ".g.dart"} {
		if strings.HasSuffix(base, end) {
			return "generated"
		}
	}
	for _, dir := range [...]string{"node_modules/", "vendor/", "dist/", "third_party/"} {
		if strings.HasPrefix(name, dir) || strings.Contains(name, "/"+dir) {
			return "generated or foreign"
		}
	}
	return ""
}
