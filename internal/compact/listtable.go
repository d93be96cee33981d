package compact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/record"
)

const (
	leastTable = 4 // lines of a table, with its header, whose columns are looked at
	leastCells = 3
	barCells   = 2     // of a table with bars
	sameCells  = 160   // bytes of the first cells of rows that say the same otherwise
	leastSaved = 30    // bytes that are worth a marker
	cellGap    = "  "  // between cells
	cellBar    = " | " // or this
)

// foldColumns leaves out the columns of a table that say the same in every row,
// or the row's first cell behind the same text; its header says so instead. Rows,
// one after the other, that are the same but for their first cells are one.
func (g *rows) foldColumns() {
	if g.as != record.ListRow || g.every > 1 || len(g.held) < leastTable {
		return
	}
	gap, least := cellGap, leastCells
	if strings.Contains(g.held[0].text, cellBar) {
		gap, least = cellBar, barCells
	}
	cells := make([][]string, len(g.held))
	for i, e := range g.held {
		if cells[i] = cellsOf(e.text, gap, len(cells[0])); len(cells[i]) < least || len(cells[i]) != len(cells[0]) || cells[i][0] == "" {
			return
		}
	}
	head := cells[0]
	if strings.ContainsAny(g.held[0].text, "0123456789:=") || slices.Contains(head, "") {
		return // no header
	}
	var said []string
	gone := make([]bool, len(head))
	for j := len(head) - 1; j >= 0; j-- {
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
		case j == 0 && len(said) == len(head)-1: // rows that are all the same
			constant = false
		case constant:
			said = append(said, head[j]+"="+cmp.Or(same, "''"))
		case ok:
			said = append(said, head[j]+"="+before+"<"+head[0]+">")
		}
		gone[j] = constant || ok
	}
	slices.Reverse(said)
	g.narrow(cells, gone, said, gap)
}

// narrow writes the rows of a table without the columns that its header tells of.
func (g *rows) narrow(cells [][]string, gone []bool, said []string, gap string) {
	var out []entry
	size, above := 0, ""
	for i, row := range cells {
		kept := row[:0]
		for j, c := range row {
			if !gone[j] {
				kept = append(kept, c)
			}
		}
		e := g.held[i]
		rest := strings.Join(kept[1:], gap)
		if n := len(out) - 1; n > 0 && rest != "" && rest == above && !e.must && !out[n].must && len(out[n].text)-len(rest) < sameCells {
			first := strings.TrimSuffix(out[n].text, strings.TrimRight(gap+rest, " |"))
			out[n].text = first + ", " + strings.TrimRight(kept[0]+gap+rest, " |")
			out[n].more++
			out[n].also = append(out[n].also, e)
			size += len(", ") + len(kept[0])
			continue
		}
		e.text = strings.TrimRight(strings.Join(kept, gap), " |")
		if above = rest; i == 0 {
			above = ""
			if said != nil {
				e.text += cellGap + "[… all rows: " + strings.Join(said, ", ") + " …]"
			}
		}
		size += len(e.text)
		out = append(out, e)
	}
	if size < g.bytes {
		g.held, g.runs, g.bytes = out, len(out), size
	}
}

// foldWords takes from names the words behind the first that all of them have, to
// be said once: "shop ×9 [… all: 1/1 Running …]: web-1 3d, web-2 4d". Of those that were
// cut after these words the mark stays.
func (g *rows) foldWords() {
	if g.as != record.ListName || g.every > 1 || len(g.held) < leastTable || g.all != "" {
		return
	}
	common := strings.Fields(g.held[0].text)
	for _, e := range g.held {
		words := strings.Fields(e.text)
		n := 1
		for n < min(len(words), len(common)) && words[n] == common[n] {
			n++
		}
		common = common[:min(n, len(common))]
	}
	all := strings.Join(common[min(1, len(common)):], " ")
	if len(common) < leastCells || len(all)*(len(g.held)-1) < leastSaved {
		return
	}
	g.all, g.bytes = all, 0
	for i, e := range g.held {
		name, rest, _ := strings.Cut(e.text, " ")
		g.held[i].text = strings.TrimRight(name+" "+strings.TrimPrefix(strings.TrimPrefix(rest, all), " "), " ")
		g.bytes += len(g.held[i].text)
		if g.held[i].low {
			g.lowBytes -= len(e.text) - len(g.held[i].text)
		}
	}
}

// cellsOf parts a row into its cells. Between bars they may be empty, and those at
// the end left out: n are expected.
func cellsOf(s, gap string, n int) []string {
	if gap == cellGap {
		if cells := strings.Split(s, gap); !slices.Contains(cells, "") {
			return cells
		}
		return nil
	}
	if t, ok := strings.CutSuffix(s, " |"); ok { // mysql's box
		s = strings.TrimPrefix(t, "| ")
	}
	cells := strings.Split(s, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	for len(cells) < n {
		cells = append(cells, "")
	}
	return cells
}

// sortedBy tells which way the figures go that rows begin with: 1 up, -1 down, 0
// neither.
func sortedBy(all []entry) int {
	last, step, up, down, even, n := 0.0, 0.0, true, true, true, 0
	for _, e := range all {
		v, ok := figure(e.text)
		if !ok {
			continue
		}
		if n++; n > 1 {
			even = even && (n == 2 || v-last == step)
			up, down, step = up && v >= last, down && v <= last, v-last
		}
		last = v
	}
	switch {
	case n < len(all)*9/10 || n < leastTable || up == down || even: // numbers of rows are no figures
		return 0
	case up:
		return 1
	}
	return -1
}

// figure reads the number that a row begins with: "12", "4.0K".
func figure(s string) (float64, bool) {
	s = strings.TrimLeft(s, " ")
	end := strings.IndexAny(s, " \t")
	if end <= 0 || s[0] < '0' || s[0] > '9' || strings.HasPrefix(s[end:], " |") {
		return 0, false
	}
	s = s[:end]
	unit := strings.IndexByte("KMGT", s[end-1])
	if unit >= 0 {
		s = s[:end-1]
	}
	v, err := strconv.ParseFloat(s, 64)
	for range unit + 1 {
		v *= 1024
	}
	return v, err == nil
}
