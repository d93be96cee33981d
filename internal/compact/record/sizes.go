package record

import (
	"path"
	"strconv"
	"strings"
)

// sizes is the parser for figures of files: du, wc. Where they are not sorted by
// the figure those of one directory stand together. Of sorted ones those with the
// same figure do, "8.0K lib/{a.go,b.go}", and of a long list all but the first.
//
// Format: "4.0K\tdir/name" of du(1), "  12 dir/name" of wc(1) with one figure.
type sizes struct {
	padded
	held   []Line
	values []float64
	many   bool // there are more than are held
}

const (
	sizesHeld = 500
	fewSizes  = 12   // that stay as they are
	topSizes  = 20   // the first of a long sorted list
	longSizes = 6000 // bytes of one
)

func (p *sizes) Line(l Line, emit Emit) {
	n, _, ok := sizeOf(l.Text)
	if !ok || l.Keep {
		p.Close(emit)
		p.padded.Line(l, emit)
		return
	}
	p.held, p.values = append(p.held, l), append(p.values, n)
	if len(p.held) >= sizesHeld {
		p.many = true
		p.Close(emit)
	}
}

func (p *sizes) Close(emit Emit) {
	held, values := take(&p.held), take(&p.values)
	if len(held) > fewSizes && sorted(values) {
		p.sorted(held, emit)
		return
	}
	in := map[string]int{} // how many a directory has
	if len(held) > fewSizes {
		for _, l := range held {
			_, name, _ := sizeOf(l.Text)
			in[path.Dir(name)]++
		}
	}
	for _, l := range held {
		_, name, _ := sizeOf(l.Text)
		size := strings.TrimSuffix(strings.TrimSpace(l.Text), name)
		dir, base := path.Split(name)
		if in[path.Dir(name)] < 2 || base == "" || base == "." || dir == "" {
			p.padded.Line(l, emit)
			continue
		}
		emit(Record{List: ListName, Group: dir, Row: strings.TrimSpace(size) + " " + base, Lines: []Line{l}})
	}
}

// sorted gives rows that are sorted by their figures, the largest first in the end.
func (p *sizes) sorted(held []Line, emit Emit) {
	bytes := 0
	for _, l := range held {
		bytes += len(l.Text) + 1
	}
	if bytes < longSizes || p.many { // which are the largest of many is not known yet
		p.same(held, emit)
		return
	}
	first, _, _ := sizeOf(held[0].Text)
	last, _, _ := sizeOf(held[len(held)-1].Text)
	top, rest := held[:topSizes], held[topSizes:]
	if first < last {
		rest, top = held[:len(held)-topSizes], held[len(held)-topSizes:]
	}
	depth := foldDepth(rest)
	emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: rest[0].N, Text: "[… all but the " + strconv.Itoa(len(top)) + " largest by directory, in their order …]"}}})
	p.same(top, emit)
	for _, l := range rest {
		_, name, _ := sizeOf(l.Text)
		dir := dirTo(name, depth)
		if base := name[len(dir):]; dir == "" || base == "" {
			p.padded.Line(l, emit)
		} else {
			emit(Record{List: ListName, Group: dir, Row: figureOf(l) + " " + base, Lines: []Line{l}})
		}
	}
}

// same gives rows of which those with one figure in one directory are one.
func (p *sizes) same(held []Line, emit Emit) {
	for len(held) > 0 {
		n := 1
		for n < len(held) && figureOf(held[n]) == figureOf(held[0]) {
			n++
		}
		in := map[string][]Line{}
		for _, l := range held[:n] {
			_, name, _ := sizeOf(l.Text)
			in[path.Dir(name)] = append(in[path.Dir(name)], l)
		}
		for _, l := range held[:n] {
			_, name, _ := sizeOf(l.Text)
			switch of := in[path.Dir(name)]; {
			case len(of) == 1 || strings.ContainsAny(name, " {},") || path.Dir(name) == ".":
				p.padded.Line(l, emit)
			case of[0].N == l.N:
				names := make([]string, len(of))
				for i, o := range of {
					_, name, _ := sizeOf(o.Text)
					names[i] = path.Base(name)
				}
				emit(Record{List: ListRow, Row: figureOf(l) + " " + name[:len(name)-len(path.Base(name))] + "{" + strings.Join(names, ",") + "}", Lines: of})
			}
		}
		held = held[n:]
	}
}

// figureOf is the figure that a row begins with, as it is written.
func figureOf(l Line) string { return strings.Fields(l.Text)[0] }

// foldDepth is at how many parts of their paths rows are put together with the
// fewest bytes.
func foldDepth(rows []Line) (depth int) {
	best := unlimited
	for d := 1; d <= foldMost; d++ {
		seen, bytes := map[string]bool{}, 0
		for _, l := range rows {
			_, name, _ := sizeOf(l.Text)
			dir := dirTo(name, d)
			bytes -= len(dir)
			if !seen[dir] {
				bytes += len(dir) + len("/ ×10: ")
			}
			seen[dir] = true
		}
		if bytes < best {
			best, depth = bytes, d
		}
	}
	return depth
}

const foldMost = 8 // parts of a path

// dirTo is the directory of a path, but of no more than so many parts.
func dirTo(name string, parts int) string {
	end := 0
	for i := 0; i < len(name)-1 && parts > 0; i++ {
		if name[i] == '/' {
			end = i + 1
			parts--
		}
	}
	return name[:end]
}

// sizeOf parts a line into a figure and the path it is of.
func sizeOf(s string) (n float64, name string, ok bool) {
	s = strings.TrimSpace(s)
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return 0, "", false
	}
	name = strings.TrimLeft(s[i:], " \t")
	figure := s[:i]
	unit := strings.IndexByte("KMGT", figure[len(figure)-1])
	if unit >= 0 {
		figure = figure[:len(figure)-1]
	}
	n, err := strconv.ParseFloat(figure, 64)
	for range unit + 1 {
		n *= 1024
	}
	return n, name, err == nil && name != "total" && !isDigit(name[0])
}

// sorted reports whether values rise or fall all the way.
func sorted(values []float64) bool {
	up, down := true, true
	for i := 1; i < len(values); i++ {
		up = up && values[i] >= values[i-1]
		down = down && values[i] <= values[i-1]
	}
	return up || down
}
