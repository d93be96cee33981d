package term

import (
	"io"
	"slices"
	"strings"

	"cairn/internal/text"
)

// Columns aligns lines whose cells end with tabs, two spaces apart. On a
// terminal that is too narrow the widest columns end with …, but not the
// first, which names the row; what is not a terminal gets every cell whole.
// Nothing is written before Flush.
type Columns struct {
	w     io.Writer
	Width int   // of the terminal, 0 for as wide as it gets
	flex  []int // the only columns that may be cut, nil for all but the first
	keep  []int
	lines strings.Builder
}

// NewColumns returns a writer of a table to w.
func NewColumns(w io.Writer) *Columns { return &Columns{w: w, Width: TerminalWidth(w)} }

// Flex names the only columns that may be cut, from 0: of the others half a
// figure would be a wrong one. Where that is not enough, the last columns are
// left out, but for those of Keep.
func (c *Columns) Flex(columns ...int) { c.flex = columns }

// Keep names columns that are not left out while others can be.
func (c *Columns) Keep(columns ...int) { c.keep = columns }

func (c *Columns) Write(p []byte) (int, error) { return c.lines.Write(p) }

// Flush writes the table.
func (c *Columns) Flush() error {
	var rows [][]string
	var widths []int
	for line := range strings.Lines(c.lines.String()) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], text.Width(cell))
		}
		rows = append(rows, row)
	}
	c.lines.Reset()
	if c.flex == nil {
		c.narrow(widths)
	} else {
		c.bend(widths)
	}
	var out strings.Builder
	for _, row := range rows {
		at, begin := 0, 0 // columns: how far the line is, where the cell begins
		for i, cell := range row[:min(len(row), len(widths))] {
			if widths[i] == gone {
				continue
			}
			if cell = text.Cut(cell, widths[i]); cell != "" {
				out.WriteString(strings.Repeat(" ", begin-at) + cell)
				at = begin + text.Width(cell)
			}
			begin += widths[i] + 2
		}
		out.WriteByte('\n')
	}
	_, err := io.WriteString(c.w, out.String())
	return err
}

const (
	least = 8  // of a column that is cut
	gone  = -2 // a column that is left out, and the gap before it
)

// narrow takes from the widest columns what the terminal has no room for.
func (c *Columns) narrow(widths []int) {
	over := 2*(len(widths)-1) - c.Width
	for _, w := range widths {
		over += w
	}
	for ; c.Width > 0 && over > 0 && len(widths) > 1; over-- {
		widest := 1 + slices.Index(widths[1:], slices.Max(widths[1:]))
		if widths[widest] <= least {
			return
		}
		widths[widest]--
	}
}

// bend is narrow for tables that say what may be cut.
func (c *Columns) bend(widths []int) {
	const fewest = 2
	for c.Width > 0 {
		over := 2*(len(widths)-1) - c.Width
		widest := -1
		for i, w := range widths {
			over += w
			if slices.Contains(c.flex, i) && w > least && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		switch {
		case over <= 0:
			return
		case c.room(widths) && widest >= 0:
			widths[widest]--
		case c.leaveOut(widths, fewest):
		case widest >= 0:
			widths[widest]--
		default:
			return
		}
	}
}

// leaveOut takes out the last column that may be, and reports whether one was.
func (c *Columns) leaveOut(widths []int, fewest int) bool {
	for i := len(widths) - 1; i >= fewest; i-- {
		if widths[i] != gone && !slices.Contains(c.keep, i) {
			widths[i] = gone
			return true
		}
	}
	return false
}

// room reports whether the columns fit when all that may be cut are as narrow
// as they get.
func (c *Columns) room(widths []int) bool {
	sum := 2 * (len(widths) - 1)
	for i, w := range widths {
		if slices.Contains(c.flex, i) {
			w = min(w, least)
		}
		sum += w
	}
	return sum <= c.Width
}
