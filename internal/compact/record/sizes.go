package record

import (
	"path"
	"strconv"
	"strings"
)

// sizes is the parser for figures of files: du, wc. Where they are not sorted by
// the figure those of one directory stand together.
//
// Format: "4.0K\tdir/name" of du(1), "  12 dir/name" of wc(1) with one figure.
type sizes struct {
	padded
	held   []Line
	values []float64
}

const (
	sizesHeld = 500
	fewSizes  = 12 // that stay as they are
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
		p.Close(emit)
	}
}

func (p *sizes) Close(emit Emit) {
	in := map[string]int{} // how many a directory has
	if len(p.held) > fewSizes && !sorted(p.values) {
		for _, l := range p.held {
			_, name, _ := sizeOf(l.Text)
			in[path.Dir(name)]++
		}
	}
	for _, l := range take(&p.held) {
		_, name, _ := sizeOf(l.Text)
		size := strings.TrimSuffix(strings.TrimSpace(l.Text), name)
		dir, base := path.Split(name)
		if in[path.Dir(name)] < 2 || base == "" || base == "." || dir == "" {
			p.padded.Line(l, emit)
			continue
		}
		emit(Record{List: ListName, Group: dir, Row: strings.TrimSpace(size) + " " + base, Lines: []Line{l}})
	}
	p.values = p.values[:0]
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
