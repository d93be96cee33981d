package cost

import (
	"io"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
)

// Text writes the sums as a box, on a terminal not wider than that.
func (s Summary) Text(w io.Writer) error {
	_, err := io.WriteString(w, s.box(term.TerminalWidth(w)))
	return err
}

// box draws at most width columns if that can be done, 0 is any number.
func (s Summary) box(width int) string {
	g := s.grid(text.Thousands[int64])
	if width > 0 && g.outer() > width {
		g = s.grid(text.Approx[int64])
	}
	if over := g.outer() - width; width > 0 && over > 0 {
		g.widths[0] = max(8, g.widths[0]-over)
	}
	last := g.foot[0]
	if len(g.foot) > 1 {
		last += "  │  " + g.foot[1]
		if text.Width(last) > g.inner()-2 && width > 0 && text.Width(last)+4 > width {
			last = "" // one below the other
		}
	}
	foot := g.foot
	if last != "" {
		foot = []string{last}
	}
	for _, line := range append([]string{s.title()}, foot...) { // the box is as wide as its widest line
		g.widths[0] += max(0, text.Width(line)+2-g.inner())
	}
	var b strings.Builder
	line := func(line string) {
		b.WriteString("│ " + text.Pad(text.Cut(line, g.inner()-2), g.inner()-2) + " │\n")
	}
	b.WriteString("┌" + strings.Repeat("─", g.inner()) + "┐\n")
	line(" " + s.title())
	g.rule(&b, "┬")
	g.row(&b, g.head, false)
	for i, row := range g.rows[:len(g.rows)-1] {
		if i == 0 {
			g.rule(&b, "┼")
		}
		g.row(&b, row, true)
	}
	g.rule(&b, "┼")
	g.row(&b, g.rows[len(g.rows)-1], true)
	for _, said := range foot {
		line(said)
	}
	b.WriteString("└" + strings.Repeat("─", g.inner()) + "┘\n")
	for _, note := range s.footnotes() {
		if width > 0 {
			note = text.Wrap(note, width)
		}
		b.WriteString(note + "\n")
	}
	return b.String()
}

func (s Summary) title() string {
	if s.Tier == "" {
		return "EVAL COST DASHBOARD"
	}
	return "EVAL COST DASHBOARD (" + s.Tier + " tier)"
}

// grid is the cells of the box.
type grid struct {
	head   []string
	rows   [][]string // the last one is the total
	widths []int
	foot   []string
}

func (s Summary) grid(figure func(int64) string) grid {
	cached := s.Total.CacheReadTokens > 0 || s.Total.CacheWriteTokens > 0
	g := grid{head: []string{"Model", "Calls", "Input", "Output", "Est. Cost"}}
	if cached {
		g.head = []string{"Model", "Calls", "Input", "Cached", "Output", "Est. Cost"}
	}
	for _, r := range append(s.Rows[:len(s.Rows):len(s.Rows)], s.Total) {
		row := []string{term.Printable(r.Model), figure(r.Calls), figure(r.InputTokens)}
		if cached {
			row = append(row, figure(add(r.CacheReadTokens, r.CacheWriteTokens)))
		}
		g.rows = append(g.rows, append(row, figure(r.OutputTokens), s.price(r)))
	}
	for i := range g.head {
		w := text.Width(g.head[i])
		for _, row := range g.rows {
			w = max(w, text.Width(row[i]))
		}
		g.widths = append(g.widths, w)
	}
	g.widths[len(g.widths)-1] = max(g.widths[len(g.widths)-1], 10)
	g.foot = []string{"At full tier: " + s.AtFull.text(), "At fast tier: " + s.AtFast.text()}
	return g
}

// price is the last cell of a row.
func (s Summary) price(r Row) string {
	total := r.Model == s.Total.Model
	switch {
	case !r.Known && total && len(s.Rows) == 0:
		return text.Dollars(0)
	case !r.Known:
		return "unknown"
	case total && len(s.Unknown) > 0:
		return "≥ " + text.Dollars(r.USD)
	case !total && r.Counted:
		return text.Dollars(r.USD) + " *"
	}
	return text.Dollars(r.USD)
}

func (t Tiered) text() string {
	switch {
	case !t.Known && t.Partial:
		return "unknown"
	case t.Partial:
		return "≥ ~" + text.Dollars(t.USD)
	}
	return "~" + text.Dollars(t.USD)
}

// footnotes are what stands below the box.
func (s Summary) footnotes() (notes []string) {
	for _, r := range s.Rows {
		switch {
		case r.Known:
		case r.untold():
			notes = append(notes, term.Printable(r.Model)+" has calls and no tokens: it is in no sum")
		default:
			notes = append(notes, "no price is known for "+term.Printable(r.Model)+": it is in no sum")
		}
	}
	if s.Total.Counted {
		notes = append(notes, "* as the runner counted it")
	}
	if s.PricesAsOf != "" {
		notes = append(notes, "estimated from list prices as of "+s.PricesAsOf)
	}
	return append(notes, s.Notes...)
}

// inner is the width between the outer lines.
func (g *grid) inner() int {
	n := 3*len(g.widths) - 1
	for _, w := range g.widths {
		n += w
	}
	return n
}

func (g *grid) outer() int { return g.inner() + 2 }

func (g *grid) rule(b *strings.Builder, cross string) {
	b.WriteString("├")
	for i, w := range g.widths {
		if i > 0 {
			b.WriteString(cross)
		}
		b.WriteString(strings.Repeat("─", w+2))
	}
	b.WriteString("┤\n")
}

// row writes cells, figures to the right.
func (g *grid) row(b *strings.Builder, cells []string, figures bool) {
	for i, cell := range cells {
		pad := text.Pad
		if figures && i > 0 && i < len(cells)-1 {
			pad = text.PadLeft
		}
		b.WriteString("│ " + pad(text.Cut(cell, g.widths[i]), g.widths[i]) + " ")
	}
	b.WriteString("│\n")
}
