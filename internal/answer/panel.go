package answer

import (
	"slices"
	"time"
)

// A Panel is one thing that a page shows. The same values are drawn, listed,
// exported and printed.
type Panel struct {
	ID      string   `json:"id"` // in addresses and on the command line: ships-by-week
	Title   string   `json:"title"`
	Note    string   `json:"note,omitempty"`   // what is counted, in a sentence
	Figures []Figure `json:"figures,omitzero"` // large numbers above the chart
	Chart   *Chart   `json:"chart,omitempty"`
	Table   Table    `json:"table"`
	Rows    string   `json:"rows,omitempty"`    // page of the rows behind it, relative to the team's: rows/ships
	Command string   `json:"command,omitempty"` // that prints the same
	Empty   Empty    `json:"empty,omitzero"`    // what to say where there is nothing
	Failed  string   `json:"failed,omitempty"`  // why it could not be made; the other panels are there
}

// Nothing says whether there is nothing to show.
func (p *Panel) Nothing() bool { return len(p.Table.Rows) == 0 && len(p.Figures) == 0 }

// An Empty is what fills a panel: a sentence and the command that brings rows.
type Empty struct {
	Text    string `json:"text"`
	Command string `json:"command,omitempty"`
}

// A Figure is one number with its change against the period before.
type Figure struct {
	Key    string   `json:"key"`
	Title  string   `json:"title"`
	Unit   Unit     `json:"unit"`
	Value  *float64 `json:"value"`            // nil where there is none
	Before *float64 `json:"before,omitempty"` // the same of the period before
	// Better says which way is good: 1 up, -1 down, 0 neither. The change is not
	// tested: it may be noise.
	Better int    `json:"better,omitempty"`
	Link   string `json:"link,omitempty"`
}

// A Kind is how a chart is drawn.
type Kind string

const (
	LineChart Kind = "lines" // with bands where series have bounds
	Bars      Kind = "bars"
	Stack     Kind = "stack" // bars on top of each other
)

// A Chart is values over days or weeks.
type Chart struct {
	Kind   Kind     `json:"kind"`
	Unit   Unit     `json:"unit"` // of the values
	X      []string `json:"x"`    // days, ascending, without gaps: 2026-03-02
	Step   Unit     `json:"step"` // Day or Week
	Series []Series `json:"series"`
	// Folded is how many series the last one is the sum of.
	Folded int `json:"folded,omitzero"`
	// ByName: the series are people whom nobody ranks.
	ByName bool `json:"-"`
	// From and To bound the axis of values where that is known: 0 and 1 for shares.
	From *float64 `json:"from,omitempty"`
	To   *float64 `json:"to,omitempty"`
	// Marks are moments at which something happened.
	Marks []ChartMark `json:"marks,omitzero"`
}

// A ChartMark is something that happened to a series in one of the X.
type ChartMark struct {
	X      string `json:"x"`
	Series string `json:"series"`
	Text   string `json:"text"`
	Good   bool   `json:"good"`
}

// A Series has a value, or nil, for each X.
type Series struct {
	Name   string     `json:"name"`
	Values []*float64 `json:"values"`
	Low    []*float64 `json:"low,omitzero"` // of an interval
	High   []*float64 `json:"high,omitzero"`
}

// To returns a pointer to a number, for values that may be missing.
func To(v float64) *float64 { return &v }

// Weeks lists the Mondays from the one of from until to, which is not in it.
func Weeks(from, to time.Time) []string {
	from = from.UTC().Truncate(24 * time.Hour)
	from = from.AddDate(0, 0, -(int(from.Weekday())+6)%7)
	var out []string
	for at := from; at.Before(to); at = at.AddDate(0, 0, 7) {
		out = append(out, at.Format(time.DateOnly))
	}
	return out
}

// Add adds a value to a series, which is made when it is new, at an X. What
// has no value in a chart of bars is 0; in one of lines it is missing.
func (c *Chart) Add(series, x string, v float64) {
	at := slices.Index(c.X, x)
	if at < 0 {
		return
	}
	s, made := c.series(series)
	for k := range s.Values {
		if made && c.Kind != LineChart {
			s.Values[k] = To(0)
		}
	}
	if old := s.Values[at]; old != nil {
		v += *old
	}
	s.Values[at] = &v
}

// series finds a series by its name, or makes it.
func (c *Chart) series(name string) (s *Series, made bool) {
	i := slices.IndexFunc(c.Series, func(s Series) bool { return s.Name == name })
	if made = i < 0; made {
		i = len(c.Series)
		c.Series = append(c.Series, Series{Name: name, Values: make([]*float64, len(c.X))})
	}
	return &c.Series[i], made
}

// Point sets a value of a line, with its interval or without.
func (c *Chart) Point(series, x string, v float64, low, high *float64) {
	at := slices.Index(c.X, x)
	if at < 0 {
		return
	}
	s, _ := c.series(series)
	s.Values[at] = &v
	if low == nil || high == nil {
		return
	}
	if s.Low == nil {
		s.Low, s.High = make([]*float64, len(c.X)), make([]*float64, len(c.X))
	}
	s.Low[at], s.High[at] = low, high
}
