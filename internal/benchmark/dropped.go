package benchmark

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/redact"
	"cairn/internal/text"
)

// dropped counts the lines that are left out, by their shape: what repeats
// in a line, without its numbers, times and paths.
type dropped struct {
	lines  int
	shapes map[string]*Dropped
}

// Dropped is a shape of lines that are left out.
type Dropped struct {
	Line  string `json:"line"` // the first of them, secrets taken out
	Count int    `json:"count"`
}

const (
	maxShapes = 5000 // that are told apart
	topShapes = 5    // that are reported
	maxShown  = 120  // characters of a line
)

func (d *dropped) add(before, after string) {
	if before == after {
		return
	}
	kept := map[string]int{}
	for line := range strings.Lines(after) {
		kept[strings.TrimSpace(line)]++
	}
	if d.shapes == nil {
		d.shapes = map[string]*Dropped{}
	}
	var secrets redact.Redactor
	for line := range strings.Lines(before) {
		said := strings.TrimSpace(lines.Clean(strings.TrimSuffix(line, "\n")))
		shown := secrets.Line(said) // of every line: a key spans several
		if kept[said] > 0 {
			kept[said]--
			continue
		}
		d.lines++
		key := lines.Template(said)
		if s := d.shapes[key]; s != nil {
			s.Count++
		} else if len(d.shapes) < maxShapes && said != "" {
			d.shapes[key] = &Dropped{Line: text.Shorten(shown, maxShown), Count: 1}
		}
	}
}

// top returns the shapes with the most lines.
func (d *dropped) top() []Dropped {
	all := make([]Dropped, 0, len(d.shapes))
	for _, s := range d.shapes {
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Dropped) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Line, b.Line))
	})
	return all[:min(len(all), topShapes)]
}
