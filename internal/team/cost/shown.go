package cost

import "cairn/internal/text"

// Shown is what a page shows of the sums: figures as a person reads them. Package
// evalpage draws it.
type Shown struct {
	Title, Tier, Dated string
	Tiles              []Tile
	Rows               []ShownRow // nil where the run lists no costs
	Total              ShownRow
	Notes              []string
}

// A Tile is a figure that stands by itself.
type Tile struct{ Figure, What string }

// A ShownRow is the costs of a model.
type ShownRow struct {
	Model   string
	Figures []ShownFigure
	Price   string
	USD     float64
	Known   bool
	Share   float64 // of the cost of the run; below 0 where there is none to say
}

// A ShownFigure is a number of a row, with its column.
type ShownFigure struct {
	Column string
	N      int64
	Text   string
}

// Shown returns what a page shows.
func (s Summary) Shown() Shown {
	v := Shown{Title: "Eval cost", Tier: s.Tier, Dated: "no list price was used", Tiles: []Tile{
		{s.price(s.Total), "this run"}, {s.AtFull.text(), "the same tokens at the full tier"},
		{s.AtFast.text(), "the same tokens at the fast tier"}, {text.Thousands(s.Total.Calls), "calls"},
	}}
	if s.Label != "" {
		v.Title += " of " + s.Label
	}
	if s.PricesAsOf != "" {
		v.Dated = "estimates from list prices as of " + s.PricesAsOf
	}
	for _, r := range s.Rows {
		row := s.shown(r)
		if r.Known && r.Model != s.Total.Model && s.Total.USD > 0 {
			row.Share = r.USD / s.Total.USD
		}
		v.Rows = append(v.Rows, row)
	}
	v.Total = s.shown(s.Total)
	s.PricesAsOf = "" // the head says it
	v.Notes = s.footnotes()
	return v
}

func (s Summary) shown(r Row) ShownRow {
	row := ShownRow{Model: r.Model, Price: s.price(r), USD: r.USD, Known: r.Known, Share: -1}
	for _, f := range []ShownFigure{
		{Column: "Calls", N: r.Calls}, {Column: "Input", N: r.InputTokens},
		{Column: "Cached", N: add(r.CacheReadTokens, r.CacheWriteTokens)}, {Column: "Output", N: r.OutputTokens},
	} {
		f.Text = text.Thousands(f.N)
		row.Figures = append(row.Figures, f)
	}
	return row
}
