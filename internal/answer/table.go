package answer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cairn/internal/term"
	"cairn/internal/text"
)

// A Unit is how a value is written.
type Unit string

const (
	Words   Unit = "text" // may be cut where a terminal is narrow
	Name    Unit = "name" // text that is never cut: an id, a word of ours
	Count   Unit = "count"
	Number  Unit = "number"  // with digits after the point
	Score   Unit = "score"   // 0 to 1, as judges give it
	Percent Unit = "percent" // a share: 0 to 1
	Dollars Unit = "usd"
	Tokens  Unit = "tokens"
	Millis  Unit = "ms"
	Minutes Unit = "minutes"
	Day     Unit = "day"  // 2026-03-02
	Week    Unit = "week" // its Monday, 2026-03-02
	Moment  Unit = "time" // RFC 3339
)

// A Table has a row of cells for each of its columns.
type Table struct {
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
	// More is how many rows there are beyond those shown, 0 where nobody counted;
	// Next is the address of the page that goes on with them.
	More int    `json:"more,omitzero"`
	Next string `json:"next,omitempty"`
}

// A Column of a table. Its Key names it in exports.
type Column struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Unit  Unit   `json:"unit"`
}

// A Row of a table.
type Row []Cell

// A Cell is a string, a float64, an int, a time.Time, or nil.
type Cell struct {
	Value any      `json:"value"`
	Low   *float64 `json:"low,omitempty"` // of an interval around Value
	High  *float64 `json:"high,omitempty"`
	Link  string   `json:"link,omitempty"` // page about it, relative to the team's; or http(s) for another site
	Mark  string   `json:"mark,omitempty"` // pass, fail, error, skip, good, bad, warn: how it is colored;
	// signs: each of ✓✗~!– on its own
}

// Of makes a cell of a value.
func Of(v any) Cell { return Cell{Value: v} }

// Linked makes a cell of a value with a page about it.
func Linked(v any, link string) Cell { return Cell{Value: v, Link: link} }

// NewTable makes a table whose columns are described by their key, a colon and
// their unit (text without one), and behind = their title where that is not the key
// (a table in which none has one has no head):
// "suite", "passed:count", "cost:usd=Cost of judging".
func NewTable(columns ...string) *Table {
	t := &Table{}
	for _, c := range columns {
		c, title, named := strings.Cut(c, "=")
		key, unit, _ := strings.Cut(c, ":")
		if !named {
			title = strings.ReplaceAll(key, "_", " ")
		}
		if unit == "" {
			unit = string(Words)
		}
		t.Columns = append(t.Columns, Column{key, title, Unit(unit)})
	}
	return t
}

// Facts makes a table of names and what they are, without a head.
func Facts(pairs ...any) *Table {
	t := NewTable("name:name=", "value:name=")
	for i := 0; i < len(pairs); i += 2 {
		t.Add(pairs[i], pairs[i+1])
	}
	return t
}

// Add adds a row of values, each of which may be a Cell.
func (t *Table) Add(values ...any) {
	row := make(Row, len(values))
	for i, v := range values {
		cell, ok := v.(Cell)
		if !ok {
			cell = Of(v)
		}
		row[i] = cell
	}
	t.Rows = append(t.Rows, row)
}

// Marked makes a cell of a value that is good, bad or warn.
func Marked(v any, mark string) Cell { return Cell{Value: v, Mark: mark} }

// Some is a number for a cell, nothing where it is 0.
func Some[N int | int64 | float64](n N) any {
	if n == 0 {
		return nil
	}
	return n
}

// isFigure reports whether values stand below each other by their last digit.
func (u Unit) isFigure() bool {
	switch u {
	case Count, Number, Score, Percent, Dollars, Tokens, Millis, Minutes:
		return true
	}
	return false
}

// Print implements View: columns two spaces apart, empty ones left out, and
// words cut where the terminal is too narrow for them.
func (t *Table) Print(p *Page) error {
	rows := make([][]string, len(t.Rows)+1)
	w := term.NewColumns(p)
	w.Width = p.Width
	flex := []int{}
	for i, c := range t.Columns {
		texts, width, filled := make([]string, len(rows)), 0, false
		texts[0] = strings.ToUpper(c.Title)
		for k, row := range t.Rows {
			if texts[k+1] = row[i].text(c.Unit); c.Title == "" && texts[k+1] == nothing {
				texts[k+1] = ""
			}
			filled = filled || texts[k+1] != nothing
		}
		if !filled && c.Title != "" {
			continue
		}
		for _, cell := range texts {
			width = max(width, text.Width(cell))
		}
		if c.Unit == Words && len(rows[0]) > 0 {
			flex = append(flex, len(rows[0]))
		}
		for k, cell := range texts {
			if c.Unit.isFigure() {
				cell = text.PadLeft(cell, width)
			}
			switch {
			case k == 0:
				cell = p.Dim(cell)
			case texts[k] == nothing:
				cell = strings.Replace(cell, nothing, p.Dim(nothing), 1)
			default:
				cell = p.mark(t.Rows[k-1][i].Mark, cell)
			}
			rows[k] = append(rows[k], cell)
		}
	}
	if !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Title != "" }) {
		rows = rows[1:]
	}
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flex(flex...)
	return w.Flush()
}

// text is a cell as a terminal shows it.
func (c Cell) text(u Unit) string {
	text := term.Line(Show(c.Value, u))
	if at, ok := c.Value.(time.Time); ok && u == Moment && !at.IsZero() { // of whoever looks
		text = at.Local().Format("2006-01-02 15:04")
	}
	if c.Low != nil && c.High != nil {
		text += " [" + Show(*c.Low, u) + "–" + Show(*c.High, u) + "]"
	}
	return text
}

// Mark is a cell's value as a person reads it, colored.
func (p *Page) Mark(c Cell) string { return p.mark(c.Mark, c.text(Words)) }

func (p *Page) mark(mark, text string) string {
	switch mark {
	case "good", "pass":
		return p.Good(text)
	case "bad", "fail", "error":
		return p.Bad(text)
	case "warn", "skip":
		return p.Warn(text)
	case "dim":
		return p.Dim(text)
	case "signs":
		var b strings.Builder
		for _, sign := range text {
			b.WriteString(p.mark(signMarks[sign], string(sign)))
		}
		return b.String()
	}
	return text
}

// signMarks are the marks of the signs in a cell that is marked "signs".
var signMarks = map[rune]string{'✓': "pass", '✗': "fail", '~': "warn", '!': "warn", '–': "dim"}
