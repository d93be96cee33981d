package record

import (
	"strings"
	"unicode/utf8"
)

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
