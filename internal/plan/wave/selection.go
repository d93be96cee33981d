package wave

import "slices"

// Selection chooses which plans of a phase to run now.
type Selection struct {
	Wave *int // this wave only; nil for all
	Gaps bool // only plans that close gaps
}

// Selected is what a Selection gives: unfinished plans alone.
type Selected struct {
	Waves []Wave
	// Left are unfinished plans that were not chosen: while there are any, the
	// phase is not complete when the chosen ones are.
	Left []string
	// Waiting are chosen plans whose wave comes after an unfinished one that
	// was not chosen.
	Waiting []string
}

// Select returns the unfinished plans that sel names.
func (s *Schedule) Select(sel Selection) Selected {
	var out Selected
	for _, w := range s.Waves {
		chosen := Wave{Number: w.Number}
		blocked := len(out.Left) > 0
		for _, p := range w.Plans {
			switch {
			case p.Done:
			case sel.Wave != nil && *sel.Wave != w.Number, sel.Gaps && !p.Gap:
				out.Left = append(out.Left, p.ID)
			default:
				chosen.Plans = append(chosen.Plans, p)
				if blocked {
					out.Waiting = append(out.Waiting, p.ID)
				}
			}
		}
		if len(chosen.Plans) > 0 {
			out.Waves = append(out.Waves, chosen)
		}
	}
	return out
}

// Has reports whether the phase has a wave of that number.
func (s *Schedule) Has(number int) bool {
	return slices.ContainsFunc(s.Waves, func(w Wave) bool { return w.Number == number })
}
