package record

import (
	"path"
	"strconv"
	"strings"
)

// diff is the parser for unified diffs: git diff, show and log -p, diff -u,
// combined diffs of merges. Of each file it keeps the name, what happened to
// it, and the hunks' headers and changed lines; context goes. Lock files,
// generated and binary files become their name and a count, and so do those
// that there is no room for. The file of a small diff is named by "---" and
// "+++", others by one line each, or one for those of a directory.
//
// The format is that of git-diff(1), "generating patch text with -p". Changed
// lines are held until the end, or up to diffHeld bytes, so that the room
// (diffRoom) is shared fairly among the files (diffshow.go).
type diff struct {
	scale
	files []*diffFile
	held  int  // bytes of changed lines held
	shown int  // files given out so far
	times int  // that files were given out
	room  int  // bytes of changed lines shown; 0: diffRoom
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
	encoded   int // bytes of lines of base64 and the like
	sums      int // bytes of lines that are a checksum for the most part
	end       int // its last line so far
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

	of    *diffFile
	first *diffHunk // an earlier one that makes the same change
	shown bool      // whole
}

type diffLine struct {
	Line
	changed bool
}

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
	if !p.part(l, emit) {
		return false
	}
	p.file.end = l.N
	return true
}

func (p *diff) part(l Line, emit Emit) bool {
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
		if strings.HasSuffix(s, " 160000") {
			f.what = "" // a submodule, which stands where foreign files do
		}
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
		if sum, _, more := strings.Cut(l.Text[1:], " "); encoded(sum) && !more {
			p.file.encoded += len(l.Text)
		} else if more && encoded(sum) {
			p.file.sums += len(l.Text)
		}
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
	case hasSuffix(base, ".lock", ".lockfile", ".lock.hcl", "-lock.yml", "-lock.yaml"), oneOf(base, "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "go.work.sum", "bun.lockb", "packages.lock.json", "Package.resolved"):
		return "lock file"
	case hasSuffix(base, ".min.js", ".min.css", ".map", ".pb.go", "_pb2.py", ".svg", ".snap", ".ipynb", "_gen.go", ".generated.ts", ".g.dart"):
		return "generated"
	case hasAny("/"+name, "/__snapshots__/"):
		return "generated"
	case hasAny("/"+name, "/node_modules/", "/vendor/", "/dist/", "/third_party/"):
		return "generated or foreign"
	}
	return ""
}

// encoded reports whether a line, or its first word, is of base64, hex or the like.
func encoded(s string) bool {
	const least = 32
	digits, cases := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case i > 0 && c >= 'A' && c <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z':
			cases++
		case (c|0x20 < 'a' || c|0x20 > 'z') && c != '+' && c != '/' && c != '=':
			return false
		}
	}
	return len(s) >= least && (digits+cases)*5 > len(s)
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
