package record

import (
	"cmp"
	"path"
	"strings"
)

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
	for _, l := range p.held {
		dir, base := path.Split(l.Text)
		switch {
		case len(p.held) <= pathsFew:
			emit.line(Keep, l)
		case strings.TrimSpace(l.Text) == "":
			emit.line(Folded, l)
		case base == "":
			emit(Record{Group: l.Text, Row: l.Text, Lines: []Line{l}})
		default:
			emit(Record{Group: cmp.Or(dir, "./"), Row: base, Lines: []Line{l}})
		}
	}
	p.held = nil
}
