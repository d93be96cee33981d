package compact

import (
	"slices"
	"strings"

	"cairn/internal/compact/record"
)

const (
	leastTable = 4 // lines of a table, with its header, whose columns are looked at
	leastCells = 3
	cellGap    = "  " // between cells
)

// foldColumns leaves out the columns of a table that say the same in every row,
// or the row's first cell behind the same text; its header says so instead.
func (g *rows) foldColumns() {
	if g.as != record.ListRow || g.every > 1 || len(g.held) < leastTable {
		return
	}
	cells := make([][]string, len(g.held))
	for i, e := range g.held {
		cells[i] = strings.Split(e.text, cellGap)
		if len(cells[i]) < leastCells || len(cells[i]) != len(cells[0]) || slices.Contains(cells[i], "") {
			return
		}
	}
	head := cells[0]
	if strings.ContainsAny(g.held[0].text, "0123456789:=") {
		return // no header
	}
	var said []string
	gone := make([]bool, len(head))
	for j := 1; j < len(head); j++ {
		same, before, ok := cells[1][j], "", false
		if before, ok = strings.CutSuffix(same, cells[1][0]); before == "" {
			ok = false
		}
		constant := true
		for _, row := range cells[1:] {
			constant = constant && row[j] == same
			ok = ok && row[j] == before+row[0]
		}
		switch {
		case constant:
			said = append(said, head[j]+"="+same)
		case ok:
			said = append(said, head[j]+"="+before+"<"+head[0]+">")
		}
		gone[j] = constant || ok
	}
	if said == nil {
		return
	}
	g.bytes = 0
	for i := range g.held {
		kept := cells[i][:0]
		for j, c := range cells[i] {
			if !gone[j] {
				kept = append(kept, c)
			}
		}
		if g.held[i].text = strings.Join(kept, cellGap); i == 0 {
			g.held[i].text += cellGap + "[every row: " + strings.Join(said, ", ") + "]"
		}
		g.bytes += len(g.held[i].text)
	}
}
