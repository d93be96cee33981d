package eval

import (
	"cmp"
	"slices"
	"strings"
)

// A Line is one case in the runs of a series.
type Line struct {
	Key      string   `json:"-"`
	Title    string   `json:"title"`
	Category string   `json:"category,omitzero"`
	Marks    []string `json:"marks"`         // as Tally.Mark, one for each point; "" where the case was not run
	Judged   int      `json:"judged"`        // runs in which it passed or failed
	Share    float64  `json:"pass_rate"`     // mean over those
	Flips    int      `json:"flips"`         // from passed to failed or back, between runs that follow one another
	Since    int      `json:"failing_since"` // the point from which on it failed whenever it was judged; -1 where it did not fail last
}

// linesOf follows the cases through the points. What fails now comes first,
// then what failed most.
func linesOf(points []Point) []Line {
	at := map[string]int{}
	var all []Line
	for i, p := range points {
		for _, t := range p.tallies {
			k, ok := at[t.Key]
			if !ok {
				k = len(all)
				at[t.Key] = k
				all = append(all, Line{Key: t.Key, Marks: make([]string, len(points)), Since: -1})
			}
			l := &all[k]
			l.Title, l.Category, l.Marks[i] = t.Title, t.Category, t.Mark()
			if share, ok := t.Counts.Rate(); ok {
				l.Judged++
				l.Share += share
			}
		}
	}
	for i := range all {
		all[i].settle()
	}
	slices.SortStableFunc(all, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Share, b.Share), strings.Compare(a.Title, b.Title))
	})
	return all
}

func (l *Line) settle() {
	if l.Judged > 0 {
		l.Share /= float64(l.Judged)
	}
	last := ""
	for i, mark := range l.Marks {
		if mark != "✓" && mark != "✗" && mark != "~" {
			continue
		}
		if last != "" && mark != last {
			l.Flips++
		}
		switch {
		case mark != "✗":
			l.Since = -1
		case l.Since < 0:
			l.Since = i
		}
		last = mark
	}
}

// Last is how the case went when it was judged last, "" where it never was.
func (l *Line) Last() string {
	for _, mark := range slices.Backward(l.Marks) {
		if mark == "✓" || mark == "✗" || mark == "~" {
			return mark
		}
	}
	return ""
}

func (l *Line) rank() int {
	switch l.Last() {
	case "✗":
		return 0
	case "~":
		return 1
	case "✓":
		return 2
	}
	return 3
}
