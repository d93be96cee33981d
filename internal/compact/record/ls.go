package record

import "strings"

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
