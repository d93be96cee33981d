package cli

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
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
		title, figures, text := head, strings.HasPrefix(head, ">"), strings.HasPrefix(head, "<")
		if figures || text {
			title = head[1:]
		}
		width, filled := term.Width(title), head == ""
		for _, cells := range g.cells {
			width, filled = max(width, term.Width(cells[i])), filled || cells[i] != ""
		}
		if !filled {
			continue
		}
		if text {
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
				cell = strings.Repeat(" ", width-term.Width(cell)) + cell
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

// percentText is 94 %, and never 0 or 100 for what is not.
func percentText(share float64) string {
	switch p := math.Round(share * 100); {
	case p == 100 && share < 1:
		return ">99 %"
	case p == 0 && share > 0:
		return "<1 %"
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

// rateText is 94 % (73–99), the rate and its interval.
func rateText(r eval.Rate) string {
	if r.Cases == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%.0f–%.0f)", percentText(r.Mean), r.Lo*100, r.Hi*100)
}

// usdText is an amount as it is read best; "" is nothing.
func usdText(usd float64) string {
	switch {
	case usd == 0:
		return ""
	case usd < 0.00001:
		return "<$0.00001"
	case usd < 0.00095:
		return fmt.Sprintf("$%.5f", usd)
	case usd < 0.0995:
		return fmt.Sprintf("$%.3f", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// secondsText is 14m53s or 1.2s; "" is nothing.
func secondsText(seconds float64) string {
	if seconds <= 0 || seconds > 1e8 {
		return ""
	}
	return term.Duration(time.Duration(seconds * float64(time.Second)))
}

// whenText is the minute of this year, or the day of another.
func whenText(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	if t = t.Local(); t.Year() == now.Local().Year() {
		return t.Format("01-02 15:04")
	}
	return t.Format(time.DateOnly)
}

// resultTitle is one attempt at a case.
func resultTitle(run *result.Run, r *result.Result) string {
	title := r.Title()
	if r.Suite != "" && r.Suite != run.Suite {
		title = r.Suite + " › " + title
	}
	if r.Try() > 1 {
		title += fmt.Sprintf(" #%d", r.Try())
	}
	return term.Line(title)
}

// printNote tells what of a selection a person should know.
func printNote(env *Env, sel eval.Selection) {
	if sel.Note != "" {
		fmt.Fprintf(env.Stderr, "cairn: %s\n", term.Line(sel.Note))
	}
}
