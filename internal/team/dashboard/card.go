package dashboard

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"cairn/internal/answer"
)

// A place is a view of a team with a filter, from which links lead on.
type place struct {
	team   Team
	view   string
	args   map[string]string // what the view's address names besides a filter
	filter Filter
}

// here is the address of the view itself, or with a name below it: PANEL.csv.
func (at place) here(below string) string {
	link := at.view
	if below != "" {
		link = cmp.Or(at.view, First) + "/" + below
	}
	query := url.Values{}
	for name, value := range at.args {
		query.Set(name, value)
	}
	return at.to(link + "?" + query.Encode())
}

// to is the address of another page of the team, with the same filter. One
// that begins with http is of another site, and stays as it is.
func (at place) to(link string) string {
	if strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://") {
		return link
	}
	path, own, _ := strings.Cut(link, "?")
	path, anchor, _ := strings.Cut(path, "#")
	query := at.filter.query()
	if values, err := url.ParseQuery(own); err == nil {
		maps.Copy(query, values)
	}
	u := url.URL{Path: "/t/" + at.team.Slug + "/" + path, RawQuery: query.Encode(), Fragment: anchor}
	return u.String()
}

// A card is a panel as a page shows it.
type card struct {
	ID, Title, Note, Command, Failed string
	Steps                            []step // in place of the table
	Figures                          []figureShown
	Chart                            *answer.Chart
	Table                            *table
	Closed                           bool // the table stands behind a button, as the chart shows the same
	Wide                             bool
	Rows, CSV, JSON                  string
}

// mostRows is how many rows of a table a page has: no browser waits for more.
const mostRows = 300

// closedFrom is how many rows hide the table of a chart at first.
const closedFrom = 7

func (at place) card(p *answer.Panel) card {
	c := card{ID: p.ID, Title: p.Title, Note: p.Note, Command: p.Command, Failed: p.Failed}
	c.CSV, c.JSON = at.here(p.ID+".csv"), at.here(p.ID+".json")
	if p.Rows != "" {
		c.Rows = at.to(p.Rows)
	}
	if p.Failed != "" {
		c.Rows, c.CSV, c.JSON = "", "", ""
		return c
	}
	c.Figures = at.figures(p.Figures)
	if p.Chart != nil && len(p.Chart.Series) > 0 && len(p.Chart.X) > 0 {
		c.Chart = fold(p.Chart)
	}
	switch {
	case p.ID == stepsID:
		c.Steps, c.Rows, c.CSV, c.JSON, c.Command = steps(p.Table.Rows), "", "", "", ""
	case len(p.Table.Rows) > 0:
		shown := p.Table
		if n := len(shown.Rows) - mostRows; n > 0 { // CSV, JSON and the command line have them all
			shown.Rows, shown.More = shown.Rows[:mostRows], shown.More+n
		}
		c.Table = at.table(&shown, p.Title)
		c.Closed = c.Chart != nil && len(p.Table.Rows) >= closedFrom
	}
	c.Wide = len(p.Table.Columns) > 5 && !c.Closed || c.Chart != nil && len(c.Chart.X) > 30
	if c.Table != nil && !c.Wide && len(p.Table.Columns) >= manyInHalf {
		c.Table.Many = true
	}
	return c
}

// A group is a wide card, or cards in two columns.
type group struct {
	Wide        *card
	Left, Right []card
	Even        bool // both columns are about as high
}

// layOut puts cards into columns, each below the shorter one, so that no card
// is stretched to the height of another. One that would stand alone is wide.
func layOut(cards []card) (out []group) {
	for i := 0; i < len(cards); {
		if cards[i].Wide {
			out, i = append(out, group{Wide: &cards[i]}), i+1
			continue
		}
		var g group
		left, right := 0, 0 // their heights
		for ; i < len(cards) && !cards[i].Wide; i++ {
			if h := cards[i].height(); left <= right {
				g.Left, left = append(g.Left, cards[i]), left+h
			} else {
				g.Right, right = append(g.Right, cards[i]), right+h
			}
		}
		if g.Right == nil {
			g = group{Wide: &cards[i-1]}
			g.Wide.Wide = true
		}
		g.Even = max(left, right)-min(left, right) <= uneven
		out = append(out, g)
	}
	return out
}

// uneven is by how much columns differ that are not stretched to one height, in pixels.
const uneven = 100

// height is about how high a card is in a wide window, in pixels.
func (c *card) height() int {
	h := 100 + len(c.Note)/70*18 + 60*len(c.Steps)
	if len(c.Figures) > 0 {
		h += 80
	}
	if c.Chart != nil {
		h += 300
	}
	switch {
	case c.Closed:
		h += 30
	case c.Table != nil:
		h += 40 + 34*min(len(c.Table.Rows), longFrom)
	}
	return h
}

// mostSeries is how many colors there are that people tell apart.
const mostSeries = 8

// fold sums what is least of many stacked series, or last by name, so that the rest has colors.
// Lines cannot be summed: the page's script draws those beyond the eighth in gray.
func fold(c *answer.Chart) *answer.Chart {
	out := *c
	out.Series = slices.Clone(c.Series)
	slices.SortStableFunc(out.Series, func(a, b answer.Series) int {
		if c.ByName {
			return byName(a.Name, b.Name)
		}
		switch x, y := weight(c.Kind, a), weight(c.Kind, b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if c.Kind == answer.LineChart || len(out.Series) <= mostSeries {
		return &out
	}
	rest := out.Series[mostSeries-1:]
	others := answer.Series{Name: answer.Show(len(rest), answer.Count) + " others", Values: make([]*float64, len(c.X))}
	for _, s := range rest {
		for i, v := range s.Values {
			switch {
			case v == nil:
			case others.Values[i] == nil:
				others.Values[i] = answer.To(*v)
			default:
				*others.Values[i] += *v
			}
		}
	}
	out.Series, out.Folded = append(out.Series[:mostSeries-1], others), len(rest)
	return &out
}

// weight says which series come first: those with the most, and of lines those
// with the most points.
func weight(k answer.Kind, s answer.Series) (sum float64) {
	for _, v := range s.Values {
		switch {
		case v == nil:
		case k == answer.LineChart:
			sum++
		default:
			sum += *v
		}
	}
	return sum
}
