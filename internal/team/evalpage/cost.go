package evalpage

import (
	"bytes"
	_ "embed" // cost.css
	"fmt"
	"io"
	"strconv"

	"cairn/internal/team/cost"
	"cairn/internal/team/page"
	"cairn/internal/text"
)

//go:embed cost.css
var costCSS []byte

// Cost writes the sums of a run as a page that needs nothing else.
func Cost(w io.Writer, sum cost.Summary) error {
	var b bytes.Buffer
	s, plain := sum.Shown(), page.Text
	fmt.Fprintf(&b, "<header class=\"top\"><h1>%s</h1>", plain(s.Title))
	if s.Tier != "" {
		fmt.Fprintf(&b, "<span class=\"pill\">%s tier</span>", plain(s.Tier))
	}
	fmt.Fprintf(&b, "<p class=\"sub\">%s</p></header>\n", plain(s.Dated))
	b.WriteString("<div class=\"tiles\">\n")
	for _, t := range s.Tiles {
		fmt.Fprintf(&b, "<div class=\"tile\"><b>%s</b><span>%s</span></div>\n", plain(t.Figure), plain(t.What))
	}
	b.WriteString("</div>\n")
	if len(s.Rows) == 0 {
		b.WriteString("<p class=\"empty\">The run lists no costs.</p>\n")
	} else {
		costTable(&b, s)
	}
	for _, note := range s.Notes {
		fmt.Fprintf(&b, "<p class=\"small soft\">%s</p>\n", plain(note))
	}
	return page.File(w, page.Page{
		Title: s.Title, CSS: costCSS, Body: b.Bytes(),
		JS: []byte(`const costs = document.querySelector("#costs"); if (costs) sortable(costs);`),
	})
}

// costTable is a row for each model, which a click on a head sorts, and the total.
func costTable(b *bytes.Buffer, s cost.Shown) {
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
		costRow(b, r)
	}
	b.WriteString("</tbody>\n<tfoot>\n")
	costRow(b, s.Total)
	b.WriteString("</tfoot>\n</table>\n")
}

func costRow(b *bytes.Buffer, r cost.ShownRow) {
	fmt.Fprintf(b, "<tr><td>%s</td>", page.Text(r.Model))
	for _, f := range r.Figures {
		fmt.Fprintf(b, "<td class=\"n\" data-label=\"%s\" data-sort=\"%d\">%s</td>", f.Column, f.N, f.Text)
	}
	by := strconv.FormatFloat(r.USD, 'f', -1, 64)
	if !r.Known {
		by = "-1"
	}
	fmt.Fprintf(b, "<td class=\"n\" data-label=\"Est. cost\" data-sort=\"%s\">%s</td>", by, page.Text(r.Price))
	share := ""
	if r.Share >= 0 {
		share = fmt.Sprintf("<meter value=\"%.4f\" aria-label=\"%[2]s of the cost\"></meter> <span>%[2]s</span>", r.Share, text.Percent(r.Share, 1))
	}
	fmt.Fprintf(b, "<td class=\"n share\" data-sort=\"%s\">%s</td></tr>\n", by, share)
}
