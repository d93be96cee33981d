package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// text is the parser for output that no other knows. It sees errors with the
// indented lines, notes and stack frames that belong to them, and warnings;
// the rest is Body.
type plainText struct {
	block []Line // an error or a warning that is not complete yet
	class Class
	trace bool // a stack trace whose message comes last
	own   int  // frames of the project kept so far
	other int  // other frames kept
	skip  int  // frames left out
	crash nodeCrash
	api   noAPI
	old   bool // in advice on what stands in for something that goes

	chores chores

	one [1]Line // the record of most lines, used again for each
}

// limits of one block
const (
	textBlock  = 40 // lines
	textFrames = 4  // frames of the project's own
)

func (p *plainText) Line(l Line, emit Emit) {
	if p.api.take(l, emit) {
		p.end(emit)
		return
	}
	if p.old = p.old && indented(l.Text); p.old {
		emit.line(Folded, l)
		return
	}
	if strings.HasPrefix(l.Text, "DEPRECATED: ") {
		p.end(emit)
		p.old = true
		emit(Record{Class: Warn, Key: l.Text, Lines: []Line{l}})
		return
	}
	if p.crash.held == nil && p.crash.fail == nil && !crashPlace(l.Text) {
		p.line(l, emit)
		return
	}
	p.end(emit)
	if !p.crash.line(l, emit, p.line) {
		p.line(l, emit)
	}
}

// line takes a line that is of no crash of node's.
func (p *plainText) line(l Line, emit Emit) {
	if p.block != nil && p.continues(l.Text) {
		p.add(l, emit)
		if p.trace && !indented(l.Text) && !lines.Blank(l.Text) {
			p.end(emit) // the exception that ends a Python traceback
		}
		return
	}
	p.end(emit)
	p.class = worth(l.Text)
	if p.class == Body && p.chores.take(l, emit) {
		return
	}
	if p.chores.end(emit); p.class == Body {
		p.one[0] = l
		emit(Record{Lines: p.one[:]})
		return
	}
	p.trace = p.class == Failure && strings.Contains(l.Text, "Traceback (most recent call last)")
	p.block = append(p.block, l)
}

// continues reports whether a line belongs to the open block.
func (p *plainText) continues(s string) bool {
	if len(p.block) >= textBlock+p.skip || lines.Blank(s) {
		return false
	}
	if p.trace {
		return true
	}
	if frame, _ := lines.Frame(s); frame {
		return true
	}
	t := strings.TrimSpace(s)
	return indented(s) && len(s) < 400 || hasPrefix(t, "Caused by:", "note:", "help:", "hint:")
}

func (p *plainText) add(l Line, emit Emit) {
	if frame, own := lines.Frame(l.Text); frame {
		drop := p.own >= textFrames
		if own {
			p.own++
		} else { // where it was thrown says more than who called the project
			drop = p.own > 0 || p.other > 0
			p.other++
		}
		if drop && !p.trace {
			p.skip++
			emit.line(Folded, l) // behind the frames that are shown
			return
		}
	}
	p.block = append(p.block, l)
}

func (p *plainText) Close(emit Emit) {
	emit.held(Failure, &p.api.first)
	p.crash.release(emit, p.line)
	p.crash.end(emit)
	p.chores.end(emit)
	p.end(emit)
}

// end ends the open block.
func (p *plainText) end(emit Emit) {
	if p.block != nil {
		key := p.block[0].Text
		if p.trace {
			key = p.block[len(p.block)-1].Text
		}
		r := Record{Class: p.class, Key: lines.Template(key), Site: site(p.block), Lines: p.block}
		if p.class == Failure && len(p.block) > 1 && !p.trace {
			r.Brief = 1 // an exception rather than a line of a log: its values matter each time
		}
		emit(r)
	}
	*p = plainText{crash: p.crash, api: p.api, chores: p.chores}
}

// site returns the place a record is about: the one in its first line, else
// that of the first frame in the project's own code, else any, else the path
// in the first line, with the line that is named in words.
func site(ls []Line) string {
	first := ""
	for i, l := range ls {
		loc := lines.Location(l.Text)
		if loc == "" {
			continue
		}
		frame, own := lines.Frame(l.Text)
		if i == 0 && !frame || own {
			return loc
		}
		first = cmp.Or(first, loc)
	}
	if first == "" && len(ls) > 0 {
		first = pathIn(ls[0].Text)
		if at := lines.Spoken(ls[0].Text); at != "" {
			return cmp.Or(first, "line") + strings.TrimPrefix(at, "line")
		}
	}
	return first
}

// pathIn returns the first word of s that is the path of a file, or "".
func pathIn(s string) string {
	for _, w := range strings.Fields(s) {
		w = strings.Trim(w, "\"'`()[],:;")
		slash := strings.LastIndexByte(w, '/')
		if slash >= 0 && strings.LastIndexByte(w, '.') > slash && !strings.Contains(w, "://") {
			return w
		}
	}
	return ""
}

func indented(s string) bool { return hasPrefix(s, " ", "\t") }

// reasons gives failures their keys. Two failures with the same text are the
// same; of those that differ only in numbers and paths the first few are kept
// apart, since a value that differs may be the point, and later ones share
// the key of the last kept.
type reasons struct {
	seen   map[string]*similar
	places map[string]string // of each key, where its first failure was
}

// similar are failures with one template.
type similar struct {
	keys set
	last string
}

const (
	similarKept = 6    // distinct texts of one template that are kept whole
	similarMax  = 1024 // templates remembered
)

// key returns the key of a failure that says text.
func (r *reasons) key(text string) string { return r.like(text, lines.Template(text)) }

// like is key for a text whose template is t.
func (r *reasons) like(text, t string) string {
	if r.seen == nil {
		r.seen = map[string]*similar{}
	}
	s := r.seen[t]
	if s == nil {
		if len(r.seen) >= similarMax {
			return text
		}
		s = &similar{}
		r.seen[t] = s
	}
	if !s.keys[text] && len(s.keys) >= similarKept {
		return s.last
	}
	if !s.keys[text] {
		s.last = text
	}
	s.keys.add(text, similarKept)
	return text
}

// where is the Site of a failure with a key: its name, and its place unless
// the failure that is kept for the key has the same one.
func (r *reasons) where(key, name, place string) string {
	first, known := r.places[key]
	switch {
	case !known && len(r.places) < similarMax:
		if r.places == nil {
			r.places = map[string]string{}
		}
		r.places[key] = place
		return name
	case place == "" || place == first:
		return name
	case name == "":
		return place
	}
	return name + " " + place[strings.LastIndexByte(place, '/')+1:]
}
