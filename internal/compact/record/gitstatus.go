package record

import (
	"cmp"
	"path"
	"strings"
)

// gitstatus is the parser for git status, long and short. The hints on what
// to type next go; of many files those of one directory with the same state
// are put together.
//
// Format: git-status(1); "XY path" of -s and --porcelain=v1, and the sections
// of the long form, whose rows begin with a tab.
type gitstatus struct {
	section string
	rows    []Record // held, to know whether they are many
	many    bool
}

const statusFew = 12 // rows that stay as they are

func (p *gitstatus) Line(l Line, emit Emit) {
	s := l.Text
	switch {
	case strings.HasPrefix(s, "\t"):
		at := 1
		if i := strings.Index(s, ":   "); i > 0 {
			at = len(s) - len(strings.TrimLeft(s[i+1:], " "))
		}
		p.row(l, s[1:at], s[at:], emit)
	case shortStatus(s):
		p.row(l, s[:3], s[3:], emit)
	case hasPrefix(s, `  (use "git `, `  (commit or discard`), strings.TrimSpace(s) == "":
		emit.line(Folded, l)
	case fatal(s):
		emit.line(Failure, l)
	default:
		if strings.HasSuffix(s, ":") {
			p.section = s
		}
		emit.line(Keep, l)
	}
}

// shortStatus reports whether s is "XY path".
func shortStatus(s string) bool {
	const states = " MTADRCU?!"
	return len(s) > 3 && s[2] == ' ' && s[3] != ' ' && strings.IndexByte(states, s[0]) >= 0 && strings.IndexByte(states, s[1]) >= 0 && s[:2] != "  "
}

func (p *gitstatus) row(l Line, state, name string, emit Emit) {
	r := Record{Class: Keep, Lines: []Line{l}}
	dir, base := path.Split(strings.TrimSuffix(name, "/"))
	if strings.HasSuffix(name, "/") {
		base += "/"
	}
	if !strings.Contains(name, " -> ") {
		r.Group, r.Row = state+cmp.Or(dir, "./")+"\x00"+p.section, base
	}
	if p.rows = append(p.rows, r); p.many || len(p.rows) > statusFew {
		p.many = true
		p.flush(emit)
	}
}

func (p *gitstatus) flush(emit Emit) {
	for _, r := range p.rows {
		if !p.many {
			r.Group = ""
		}
		emit(r)
	}
	p.rows = nil
}

func (p *gitstatus) Close(emit Emit) { p.flush(emit) }
