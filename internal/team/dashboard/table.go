package dashboard

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"cairn/internal/answer"
)

// A table is a panel's table as a page shows it.
type table struct {
	Caption string
	Columns []column
	Rows    [][]cell
	Long    bool // only the first rows are shown at first
	Stacked bool // too many columns for a telephone: each row is a card there
	Many    bool // so many columns that they stand closer
	Brief   bool // of which only the first are shown there
	More    int
	Next    string
}

// A column has its key, its title and whether it holds numbers: then a first
// click sorts the largest first.
type column struct {
	Key, Title string
	Number     bool
	Interval   bool // its cells have one
}

// A cell has a text, what it is sorted by if that is not the text, how it is
// marked, where it leads, and its interval.
type cell struct {
	Text, Sort, Mark, Link string
	Away                   bool // Link is of another site
	Number                 bool
	Word                   bool     // short enough not to be broken
	Parts                  []string // of a long text, between which it is broken first
	Label                  string   // the title of the column, where rows are cards
	Range                  *interval
}

// An interval is written and drawn: X, Width and Dot are 0 to 100.
type interval struct {
	Text          string
	X, Width, Dot string
}

// wordLength is how many characters of a text stay on one line.
const wordLength = 24

// longFrom is how many rows are too many to show at once, briefFrom on a
// telephone, and wideFrom how many columns that has no place for. From manyFrom
// on columns stand closer in a window, and from manyInHalf on in half of one.
const (
	longFrom  = 12
	briefFrom = 6
	wideFrom  = 4
	manyFrom  = 8

	manyInHalf = 5
)

func (at place) table(t *answer.Table, title string) *table {
	out := &table{Caption: title, Long: len(t.Rows) > longFrom, Stacked: len(t.Columns) >= wideFrom || len(t.Columns) == wideFrom-1 && hasSentences(t), Many: len(t.Columns) >= manyFrom, More: t.More}
	out.Brief = out.Stacked && len(t.Rows) > briefFrom
	if t.Next != "" {
		out.Next = at.to(t.Next)
	}
	most := make([]float64, len(t.Columns)) // upper ends of the scales that intervals are drawn on
	for i, c := range t.Columns {
		out.Columns = append(out.Columns, column{Key: c.Key, Title: c.Title, Number: numeric(c.Unit)})
		out.Columns[i].Interval = slices.ContainsFunc(t.Rows, func(row answer.Row) bool { return row[i].Low != nil })
		if most[i] = 1; c.Unit != answer.Percent {
			most[i] = highest(t.Rows, i)
		}
	}
	out.Rows = make([][]cell, len(t.Rows))
	for i, row := range t.Rows {
		out.Rows[i] = make([]cell, len(row))
		for k, c := range row {
			out.Rows[i][k] = at.cell(c, t.Columns[k], most[k])
		}
	}
	return out
}

// hasSentences reports whether a column of a table is of texts that fill a telephone.
func hasSentences(t *answer.Table) bool {
	return slices.ContainsFunc(t.Rows, func(row answer.Row) bool {
		for i, c := range row {
			if t.Columns[i].Unit == answer.Words && utf8.RuneCountInString(answer.Show(c.Value, answer.Words)) > wordLength*2 {
				return true
			}
		}
		return false
	})
}

func (at place) cell(c answer.Cell, of answer.Column, most float64) cell {
	out := cell{Text: answer.Show(c.Value, of.Unit), Number: numeric(of.Unit), Mark: mark(c.Mark), Label: of.Title}
	if c.Link != "" {
		out.Link = at.to(c.Link)
		out.Away = !strings.HasPrefix(out.Link, "/")
	}
	out.Word = !out.Number && (of.Unit != answer.Words || utf8.RuneCountInString(out.Text) <= wordLength)
	if !out.Number && !out.Word && !strings.Contains(out.Text, " ") {
		out.Parts = strings.FieldsFunc(marked(out.Text), func(r rune) bool { return r == 0 })
	}
	v, ok := value(c.Value)
	switch {
	case ok:
		out.Sort = strconv.FormatFloat(v, 'g', 9, 64)
	case out.Number: // nothing is less than everything
		out.Sort = "-1e99"
	}
	if out.Sort == out.Text {
		out.Sort = ""
	}
	if c.Low != nil && c.High != nil && ok && most > 0 {
		share := func(x float64) float64 { return math.Max(0, math.Min(100, x/most*100)) }
		low, high := share(*c.Low), share(*c.High)
		out.Range = &interval{Text: between(*c.Low, *c.High, of.Unit), X: digits(low), Width: digits(math.Max(1, high-low)), Dot: digits(share(v))}
	}
	return out
}

// marked has a NUL behind each character at which an address or a path may be
// broken; no text of ours has one.
func marked(s string) string {
	var b strings.Builder
	for _, r := range s {
		if b.WriteRune(r); strings.ContainsRune("./@_-:", r) {
			b.WriteByte(0)
		}
	}
	return b.String()
}

// between writes an interval: 91.0–96.5 %, 1.2–3.4.
func between(low, high float64, u answer.Unit) string {
	from, to := answer.Show(low, u), answer.Show(high, u)
	if u == answer.Percent {
		from = strings.TrimSuffix(from, " %")
	}
	return from + "–" + to
}

func digits(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// numeric says whether values of a unit stand on the right and are compared
// as numbers. Days are written so that their texts are in order.
func numeric(u answer.Unit) bool {
	switch u {
	case answer.Words, answer.Day, answer.Week, answer.Moment:
		return false
	}
	return true
}

func highest(rows []answer.Row, column int) (most float64) {
	for _, row := range rows {
		if row[column].High != nil {
			most = math.Max(most, *row[column].High)
		}
	}
	return most
}

// value is a cell's number.
func value(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case *float64:
		if v != nil {
			return *v, true
		}
	case time.Time, string:
	}
	return 0, false
}

// mark is the class of base.css for how a cell is colored, each with a glyph.
func mark(m string) string {
	switch m {
	case "good":
		return "pass"
	case "bad":
		return "fail"
	case "warn":
		return "error"
	}
	return m
}
