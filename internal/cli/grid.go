package cli

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
)

// A grid is a table of which empty columns are left out. A heading that begins
// with > stands above figures, which end where it ends; one that begins with <
// above text, which may be cut where a terminal is too narrow.
type grid struct {
	head  []string
	cells [][]string
}

func (g *grid) row(cells ...string) { g.cells = append(g.cells, cells) }

func (g *grid) print(out io.Writer, paint term.Paint) error {
	rows := append([][]string{make([]string, len(g.head))}, g.cells...)
	table := make([]strings.Builder, len(rows))
	w := term.NewColumns(out)
	flex := []int{}
	columns := 0
	for i, head := range g.head {
		title, figures, s := head, strings.HasPrefix(head, ">"), strings.HasPrefix(head, "<")
		if figures || s {
			title = head[1:]
		}
		width, filled := text.Width(title), head == ""
		for _, cells := range g.cells {
			width, filled = max(width, text.Width(cells[i])), filled || cells[i] != ""
		}
		if !filled {
			continue
		}
		if s {
			flex = append(flex, columns)
		}
		columns++
		rows[0][i] = paint.Dim(title)
		for k, cells := range rows {
			cell := cells[i]
			if cell == "" && head != "" {
				cell = paint.Dim("–")
			}
			if figures {
				cell = text.PadLeft(cell, width)
			}
			if columns > 1 {
				table[k].WriteByte('\t')
			}
			table[k].WriteString(cell)
		}
	}
	for i := range table {
		fmt.Fprintln(w, table[i].String())
	}
	w.Flex(flex...)
	return w.Flush()
}

func someText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}
