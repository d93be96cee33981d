package record

import (
	"strings"
	"unicode/utf8"

	"cairn/internal/compact/lines"
)

// ls is the parser for ls -l, ls -la and ls -R. Of an entry in a long listing
// the link count, owner, group and time go, and the mode where it is the usual
// one; with -R the entries of a directory stand together.
//
// Format: "-rw-r--r-- 1 owner group 4096 Nov 20 20:08 name", POSIX ls -l; a
// directory's "name:" stands above its entries with -R.
//
// A link whose target stands a few rows below it is told on one line with it, and
// a target that begins with the link's own name without that: "l a.so -> ….1 ->
// ….1.2 (4096)".
type ls struct {
	dir  string
	held []lsRow
}

type lsRow struct {
	line     Line
	name, to string // where a link leads
}

const (
	lsHeld = 500
	lsNear = 8 // rows from a link to its target
)

func (p *ls) Line(l Line, emit Emit) {
	s := l.Text
	switch name := lsEntry(s); {
	case strings.TrimSpace(s) == "", isTotal(s), name == ".", name == "..":
		emit.line(Folded, l)
	case toolSays(s):
		emit.line(Keep, l)
	case name == "" && strings.HasSuffix(s, ":"):
		p.dir = strings.TrimRight(s[:len(s)-1], "/") + "/"
		emit(Record{List: ListName, Group: p.dir, Tally: true, Lines: []Line{l}})
	case p.dir == "":
		l.Text = lsShort(s, name)
		r := lsRow{line: l, name: name}
		if s[0] == 'l' {
			r.name, r.to, _ = strings.Cut(name, " -> ")
		}
		if p.held = append(p.held, r); len(p.held) >= lsHeld {
			p.Close(emit)
		}
	default:
		emit(Record{List: ListName, Group: p.dir, Row: lsBeside(s, name), Lines: []Line{l}})
	}
}

func (p *ls) Close(emit Emit) {
	rows := take(&p.held)
	at := make(map[string]int, len(rows))
	for i, r := range rows {
		at[r.name] = i
	}
	next := make([]int, len(rows)) // the row of a link's target
	told := make([]bool, len(rows))
	for i, r := range rows {
		if j := at[r.to]; r.to != "" && j > i && j-i <= lsNear && !told[j] && !r.line.Keep && !rows[j].line.Keep {
			next[i], told[j] = j, true
		}
	}
	for i, r := range rows {
		if told[i] {
			continue
		}
		out := Record{List: ListRow, Row: strings.TrimSuffix(r.line.Text, r.to) + r.beside(r.to), Lines: []Line{r.line}}
		for j := next[i]; j > 0; j = next[j] {
			out.Lines = append(out.Lines, rows[j].line)
			about := strings.TrimSpace(strings.TrimSuffix(rows[j].line.Text, rows[j].name))
			if rows[j].to != "" {
				out.Row += " -> " + r.beside(rows[j].to)
			} else {
				out.Row += " (" + about + ")"
			}
		}
		emit(out)
	}
}

// beside is where a link leads, beside its own name.
func (r lsRow) beside(to string) string {
	if rest, ok := strings.CutPrefix(to, r.name); ok && rest != "" && len(r.name) > len("…") && !strings.HasPrefix(rest, "/") {
		return "…" + rest
	}
	return to
}

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

// lsBeside is an entry beside others: its name first, then what lsShort has
// before it. A directory ends in a slash.
func lsBeside(s, name string) string {
	if name == "" {
		return s
	}
	about := strings.TrimSuffix(strings.TrimSuffix(lsShort(s, name), name), " ")
	switch about {
	case "d":
		return name + "/"
	case "l":
		return name
	}
	return name + " " + about
}

func isTotal(s string) bool {
	rest, ok := strings.CutPrefix(s, "total ")
	return ok && rest != "" && !strings.Contains(rest, " ")
}

// tree is the parser for tree(1): the names of each directory stand together.
//
// Format: "│   ├── name", four columns a level, in UTF-8 or ASCII ("|   |-- name").
type tree struct {
	path []string // the root, and the directory of each level below it
}

func (p *tree) Line(l Line, emit Emit) {
	level, name := treeEntry(l.Text)
	switch {
	case strings.TrimSpace(l.Text) == "":
		emit.line(Folded, l)
	case level == 0:
		p.path = append(p.path[:0], strings.TrimRight(l.Text, "/"))
		emit.line(Keep, l)
	default:
		for len(p.path) < level {
			p.path = append(p.path, "…")
		}
		p.path = append(p.path[:level], treeName(name))
		emit(Record{List: ListName, Group: strings.Join(p.path[:level], "/") + "/", Row: name, Lines: []Line{l}})
	}
}

func (p *tree) Close(Emit) {}

// treeName is the name of an entry without what -h, -p, -F and a link add.
func treeName(s string) string {
	if _, rest, ok := strings.Cut(s, "]  "); ok && s[0] == '[' {
		s = rest
	}
	s, _, _ = strings.Cut(s, " -> ")
	return strings.TrimRight(s, "/*=|")
}

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
// grep -l. They are grouped by directory.
type paths struct {
	said complaints
}

func (p *paths) Line(l Line, emit Emit) {
	switch {
	case toolSays(l.Text):
		emit(p.said.record(l))
	case strings.TrimSpace(l.Text) == "":
		emit.line(Folded, l)
	default:
		emit(named(l, "", l.Text, ""))
	}
}

func (p *paths) Close(Emit) {}

// padded is the parser for lists in columns: of the padding one space stays, two
// in a wide table.
type padded struct {
	said complaints
}

const paddedWide = 4 // columns

func (p *padded) Line(l Line, emit Emit) {
	if toolSays(l.Text) {
		emit(p.said.record(l))
		return
	}
	if t := strings.TrimSpace(l.Text); strings.Contains(l.Text, "  ") {
		if l.Text = strings.Join(strings.Fields(t), " "); len(columnStarts(t)) >= paddedWide {
			l.Text = squeezed(t, false) // a name may have a space
		}
	}
	switch t := strings.TrimSpace(l.Text); {
	case lines.Blank(t):
		emit.line(Body, l)
	case strings.Trim(t, "- ") == "" && strings.Count(t, "- -") >= paddedWide-1: // below the header of a wide table
		emit.line(Folded, l)
	case !strings.ContainsAny(t, " \t:@=") && strings.Contains(t, "/"): // packages, branches and files by their directory
		emit(named(l, "", t, ""))
	default:
		emit.row(l)
	}
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
