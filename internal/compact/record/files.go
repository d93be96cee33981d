package record

import (
	"cmp"
	"path"
	"strings"
	"unicode/utf8"

	"cairn/internal/compact/lines"
)

// ls is the parser for ls -l, ls -la and ls -R. Of an entry in a long listing
// the link count, owner, group and time go, and the mode where it is the usual
// one; of a directory with many entries the first are shown.
//
// Format: "-rw-r--r-- 1 owner group 4096 Nov 20 20:08 name", POSIX ls -l; a
// directory's "name:" stands above its entries with -R.
type ls struct {
	dirs int // directories named so far
	rows int // entries of this one
}

const (
	lsRows  = 60 // entries shown of a directory
	lsDeep  = 10 // of each beyond the first lsDirs
	lsDirs  = 4
	lsNamed = 40  // directories whose entries are shown at all
	lsNames = 120 // directories named
)

func (p *ls) Line(l Line, emit Emit) {
	s := l.Text
	class := Keep
	switch name := lsEntry(s); {
	case strings.TrimSpace(s) == "", isTotal(s), name == ".", name == "..":
		class = Folded
	case toolSays(s):
	case name == "" && strings.HasSuffix(s, ":"):
		p.dirs, p.rows = p.dirs+1, 0
		class = Keep.unless(p.dirs > lsNames, Good)
	default:
		p.rows++
		class = Keep.unless(p.rows > lsRows || p.dirs > lsDirs && p.rows > lsDeep || p.dirs > lsNamed, Good)
		l.Text = lsShort(s, name)
	}
	emit.line(class, l)
}

func (p *ls) Close(Emit) {}

// lsEntry returns the name in a line of a long listing, or "".
func lsEntry(s string) string {
	if len(s) < 12 || !strings.ContainsRune("-dlbcps", rune(s[0])) || strings.Trim(s[1:10], "rwxsStT-") != "" {
		return ""
	}
	f := strings.Fields(s)
	if len(f) < 8 {
		return ""
	}
	// mode links owner group size month day time name, or with an ISO date
	// one word less
	n := 8
	if strings.Count(f[5], "-") == 2 {
		n = 7
		if len(f) > 8 && strings.HasPrefix(f[7], "+") {
			n = 8 // full-iso has a zone
		}
	}
	if f[0][0] == 'b' || f[0][0] == 'c' {
		n++ // major, minor in place of the size
	}
	if len(f) <= n {
		return ""
	}
	at := 0
	for range n {
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " "))
		at += strings.IndexByte(s[at:], ' ')
	}
	return strings.TrimPrefix(s[at:], " ")
}

// lsShort leaves the size and the name of a plain file, the type and the name
// of another, and a mode that is out of the ordinary.
func lsShort(s, name string) string {
	if name == "" {
		return s
	}
	mode, _, _ := strings.Cut(s, " ")
	size := strings.Fields(s)[4]
	switch bits := strings.TrimRight(mode, ".@"); {
	case oneOf(bits, "drwxr-xr-x", "drwxrwxr-x", "lrwxrwxrwx", "lrwxr-xr-x"):
		return mode[:1] + " " + name
	case mode[0] != '-':
		return mode + " " + name
	case bits == "-rw-r--r--", bits == "-rw-rw-r--":
		return size + " " + name
	}
	return mode + " " + size + " " + name
}

func isTotal(s string) bool {
	rest, ok := strings.CutPrefix(s, "total ")
	return ok && rest != "" && !strings.Contains(rest, " ")
}

// tree is the parser for tree(1): of many entries of one directory the first
// are shown, and the count at the end. Of the drawing one space a level stays.
//
// Format: "│   ├── name", four columns a level, in UTF-8 or ASCII ("|   |-- name").
type tree struct {
	rows  []int // entries so far, by level
	skip  int   // the level whose entries are left out, and all below; 0: none
	shown int
}

const (
	treeTop   = 40  // entries shown of the directory that was asked for
	treeRows  = 12  // and of each in it
	treeShown = 200 // of all
)

func (p *tree) Line(l Line, emit Emit) {
	level, name := treeEntry(l.Text)
	class := Keep
	switch {
	case strings.TrimSpace(l.Text) == "":
		class = Folded
	case level > 0:
		for len(p.rows) <= level {
			p.rows = append(p.rows, 0)
		}
		clear(p.rows[level+1:])
		if p.skip > 0 && level < p.skip {
			p.skip = 0
		}
		p.rows[level]++
		if p.skip == 0 && (p.rows[level] > treeTop || level > 1 && p.rows[level] > treeRows) {
			p.skip = level
		}
		p.shown++
		class = Keep.unless(p.skip > 0 || p.shown > treeShown, Good)
		l.Text = strings.Repeat(" ", level-1) + name
	}
	emit.line(class, l)
}

func (p *tree) Close(Emit) {}

// treeEntry returns how deep an entry is and its name; 0 for the root and the
// summary.
func treeEntry(s string) (level int, name string) {
	for _, arm := range [...]string{"── ", "|-- ", "`-- ", "\\-- "} {
		if i := strings.Index(s, arm); i >= 0 {
			return utf8.RuneCountInString(s[:i])/4 + 1, s[i+len(arm):]
		}
	}
	return 0, s
}

// paths is the parser for lists of files: find, git ls-files, rg --files, fd,
// grep -l. A short list stays as it is, a longer one is grouped by directory
// with every name, and one of more than pathsMany by extension, with a few
// full paths each.
type paths struct {
	held []Line
	ext  bool
	seen tally // by extension
	said complaints
}

const (
	pathsFew  = 25
	pathsMany = 400
	pathsEach = 3 // paths shown of an extension
)

func (p *paths) Line(l Line, emit Emit) {
	switch {
	case toolSays(l.Text):
		emit(p.said.record(l))
	case p.ext:
		p.byExtension(l, emit)
	default:
		if p.held = append(p.held, l); len(p.held) > pathsMany {
			p.ext = true
			replay(p, &p.held, emit)
		}
	}
}

func (p *paths) byExtension(l Line, emit Emit) {
	name := strings.TrimRight(l.Text, "/")
	ext := path.Ext(name)
	switch {
	case strings.TrimSpace(name) == "":
		emit.line(Folded, l)
		return
	case ext == "" || ext == path.Base(name) || len(ext) > 12 || strings.Contains(ext, " "):
		ext = "[… no extension …]"
	default:
		ext = "*" + ext
	}
	emit(Record{Group: ext, Row: l.Text, Tally: p.seen.next(ext) > pathsEach, Lines: []Line{l}})
}

func (p *paths) Close(emit Emit) {
	held := take(&p.held)
	for _, l := range held {
		dir, base := path.Split(l.Text)
		switch {
		case len(held) <= pathsFew:
			emit.line(Keep, l)
		case strings.TrimSpace(l.Text) == "":
			emit.line(Folded, l)
		case base == "":
			emit(Record{Group: l.Text, Row: l.Text, Lines: []Line{l}})
		default:
			emit(Record{Group: cmp.Or(dir, "./"), Row: base, Lines: []Line{l}})
		}
	}
}

// padded is the parser for lists in columns of which the window decides: of
// the padding one space stays.
type padded struct {
	said complaints
}

func (p *padded) Line(l Line, emit Emit) {
	if toolSays(l.Text) {
		emit(p.said.record(l))
		return
	}
	if strings.Contains(l.Text, "  ") {
		l.Text = strings.Join(strings.Fields(l.Text), " ")
	}
	emit.line(Body, l)
}

func (*padded) Close(Emit) {}

// complaints are what a tool says itself in the middle of a listing: "find:
// ‘/root’: Permission denied". The first stay as they are; of more of the same
// kind the first stays and the others' paths are listed.
type complaints int

const complaintsShown = 20

func (c *complaints) record(l Line) Record {
	r := Record{Class: Keep, Lines: []Line{l}}
	if *c++; *c > complaintsShown {
		r.Key, r.Site = lines.Template(l.Text), complainsOf(l.Text)
	}
	return r
}

// complainsOf returns the path that a complaint is about, or "".
func complainsOf(s string) string {
	_, s, _ = strings.Cut(s, ": ")
	for _, quotes := range [...]string{"‘’", "''", `""`} {
		q := []rune(quotes)
		if i := strings.IndexRune(s, q[0]); i >= 0 {
			rest := s[i+len(string(q[0])):]
			if j := strings.IndexRune(rest, q[1]); j > 0 {
				return rest[:j]
			}
		}
	}
	if i := strings.Index(s, ": "); i > 0 {
		return s[:i]
	}
	return ""
}
