package dashboard

import (
	"math"
	"slices"
	"strconv"

	"cairn/internal/answer"
)

// A figureShown is a large number with how it changed.
type figureShown struct {
	Title, Value, Link string
	// Change is "+12 %" against Before; Way is up, down or same. Nobody tested
	// whether it is more than noise, so nothing says that it is better or worse.
	Change, Before, Way string
}

// inRow is how many of n figures stand beside each other in a wide window, so
// that the last row has few empty places.
func inRow(n int) int {
	switch {
	case n <= 6:
		return n
	case n <= 8:
		return 4
	case n <= 10:
		return 5
	}
	return 6
}

// known are the figures that say something: neither one without a value, nor 0
// where there was none before.
func known(list []answer.Figure) []answer.Figure {
	return slices.DeleteFunc(slices.Clone(list), func(f answer.Figure) bool {
		return f.Value == nil || *f.Value == 0 && f.Before != nil && *f.Before == 0
	})
}

func (at place) figures(list []answer.Figure) (out []figureShown) {
	for _, f := range list {
		s := figureShown{Title: f.Title, Value: answer.Show(f.Value, f.Unit)}
		if f.Link != "" {
			s.Link = at.to(f.Link)
		}
		if f.Value != nil && f.Before != nil {
			s.change(f)
		}
		out = append(out, s)
	}
	return out
}

// change compares a figure with the period before: shares by points, all else
// in percent of what was.
func (s *figureShown) change(f answer.Figure) {
	by := *f.Value - *f.Before
	s.Before, s.Way = answer.Show(f.Before, f.Unit), "up"
	switch {
	case math.Abs(by) < 1e-9 || s.Before == s.Value:
		s.Way, s.Change = "same", "no change"
		return
	case by < 0:
		s.Way = "down"
	}
	switch {
	case f.Unit == answer.Percent:
		s.Change = signed(by*100, 1) + " points"
	case *f.Before == 0:
		s.Change = "from none"
	default:
		percent, digits := by/math.Abs(*f.Before)*100, 0
		if math.Abs(percent) < 1 { // never −0 %
			digits = 1
		}
		s.Change = signed(percent, digits) + " %"
	}
}

// signed writes +3.2 or −3.2.
func signed(v float64, digits int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	if v < 0 {
		return "−" + text
	}
	return "+" + text
}
