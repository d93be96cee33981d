package soak

import (
	"cairn/internal/text"
	"fmt"
	"strings"
	"time"
)

// Markdown is a table of reports of the same size, a column or two for each.
func Markdown(reports []Report) string {
	var b strings.Builder
	line := func(first string, cell func(Report) string) {
		b.WriteString("| " + first + " |")
		for _, r := range reports {
			b.WriteString(" " + cell(r) + " |")
		}
		b.WriteByte('\n')
	}
	line("", func(r Report) string { return r.Database })
	line("---", func(Report) string { return "---" })
	line("result rows", func(r Report) string { return text.Thousands(r.Rows) })
	line("runs", func(r Report) string { return text.Thousands(r.Runs) })
	line("payloads", func(r Report) string { return text.Thousands(r.Payloads) })
	line("load", func(r Report) string {
		return fmt.Sprintf("%.0f s, %s rows/s", r.Load.Seconds(), text.Thousands(int(float64(r.Rows)/r.Load.Seconds())))
	})
	line("on disk", func(r Report) string { return fmt.Sprintf("%.0f MB", float64(r.Bytes)/1e6) })
	line("a run of 100 cases pushed, p50 / p99", func(r Report) string { return shown(r.Push.P50) + " / " + shown(r.Push.P99) })
	line("a month dropped", func(r Report) string { return fmt.Sprintf("%s (%s rows)", shown(r.Drop), text.Thousands(r.Dropped)) })
	times := func(title string, of func(Report) []Figure) {
		b.WriteString("\n")
		line(title, func(r Report) string { return r.Database })
		line("---", func(Report) string { return "---:" })
		for i, f := range of(reports[0]) {
			line(f.Name, func(r Report) string { return shown(of(r)[i].P50) + " / " + shown(of(r)[i].P99) })
		}
	}
	times("p50 / p99 of", func(r Report) []Figure { return r.Figures })
	times("p50 / p99 of the page", func(r Report) []Figure { return r.Pages })
	return b.String()
}

func shown(d time.Duration) string {
	ms := float64(d.Microseconds()) / 1000
	if ms < 10 {
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}
