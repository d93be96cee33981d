package cost

import (
	"bytes"
	_ "embed" // the page's style
	"fmt"
	"io"
	"strconv"

	"cairn/internal/team/page"
	"cairn/internal/text"
)

//go:embed page.css
var pageCSS []byte

// HTML writes the sums as a page that needs nothing else.
func (s Summary) HTML(w io.Writer) error {
	var b bytes.Buffer
	plain := page.Text
	fmt.Fprintf(&b, "<header class=\"top\"><h1>%s</h1>", plain(s.pageTitle()))
	if s.Tier != "" {
		fmt.Fprintf(&b, "<span class=\"pill\">%s tier</span>", plain(s.Tier))
	}
	fmt.Fprintf(&b, "<p class=\"sub\">%s</p></header>\n", plain(s.dated()))
	b.WriteString("<div class=\"tiles\">\n")
	tile := func(figure, what string) {
		fmt.Fprintf(&b, "<div class=\"tile\"><b>%s</b><span>%s</span></div>\n", plain(figure), plain(what))
	}
	tile(s.price(s.Total), "this run")
	tile(s.AtFull.text(), "the same tokens at the full tier")
	tile(s.AtFast.text(), "the same tokens at the fast tier")
	tile(text.Thousands(s.Total.Calls), "calls")
	b.WriteString("</div>\n")
	if len(s.Rows) == 0 {
		b.WriteString("<p class=\"empty\">The run lists no costs.</p>\n")
	} else {
		s.table(&b)
	}
	s.PricesAsOf = "" // the head says it
	for _, note := range s.footnotes() {
		fmt.Fprintf(&b, "<p class=\"small soft\">%s</p>\n", plain(note))
	}
	return page.File(w, page.Page{
		Title: s.pageTitle(), CSS: pageCSS, Body: b.Bytes(),
		JS: []byte(`const costs = document.querySelector("#costs"); if (costs) sortable(costs);`),
	})
}

func (s Summary) pageTitle() string {
	if s.Label == "" {
		return "Eval cost"
	}
	return "Eval cost of " + s.Label
}

func (s Summary) dated() string {
	if s.PricesAsOf == "" {
		return "no list price was used"
	}
	return "estimates from list prices as of " + s.PricesAsOf
}

// table is a row for each model, which a click on a head sorts, and the total.
func (s Summary) table(b *bytes.Buffer) {
	b.WriteString("<table class=\"stack\" id=\"costs\">\n<thead><tr>")
	for i, head := range [...]string{"Model", "Calls", "Input", "Cached", "Output", "Est. cost", "Share"} {
		class, first := " class=\"n\"", " data-first=\"descending\""
		if i == 0 {
			class, first = "", ""
		}
		fmt.Fprintf(b, "<th scope=\"col\"%s data-key=\"%d\"%s><button type=\"button\">%s</button></th>", class, i, first, head)
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, r := range s.Rows {
		s.htmlRow(b, r)
	}
	b.WriteString("</tbody>\n<tfoot>\n")
	s.htmlRow(b, s.Total)
	b.WriteString("</tfoot>\n</table>\n")
}

func (s Summary) htmlRow(b *bytes.Buffer, r Row) {
	total := r.Model == s.Total.Model
	fmt.Fprintf(b, "<tr><td>%s</td>", page.Text(r.Model))
	figure := func(label string, n int64) {
		fmt.Fprintf(b, "<td class=\"n\" data-label=\"%s\" data-sort=\"%d\">%s</td>", label, n, text.Thousands(n))
	}
	figure("Calls", r.Calls)
	figure("Input", r.InputTokens)
	figure("Cached", add(r.CacheReadTokens, r.CacheWriteTokens))
	figure("Output", r.OutputTokens)
	by := strconv.FormatFloat(r.USD, 'f', -1, 64)
	if !r.Known {
		by = "-1"
	}
	fmt.Fprintf(b, "<td class=\"n\" data-label=\"Est. cost\" data-sort=\"%s\">%s</td>", by, page.Text(s.price(r)))
	share := ""
	if r.Known && !total && s.Total.USD > 0 {
		part := r.USD / s.Total.USD
		share = fmt.Sprintf("<meter value=\"%.4f\" aria-label=\"%[2]s of the cost\"></meter> <span>%[2]s</span>", part, text.Percent(part, 1))
	}
	fmt.Fprintf(b, "<td class=\"n share\" data-sort=\"%s\">%s</td></tr>\n", by, share)
}
