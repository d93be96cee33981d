package dashboard

import (
	"html/template"
	"strings"
	"sync"
)

// Rows are most of a page's bytes, and a template takes ten times as long for
// them; so they are written here, with html/template's own escapes.

// escapes are those of html/template in texts and quoted attributes.
var escapes = strings.NewReplacer("\x00", "�", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;") // built at its first use

// toEscape are the characters that have one.
const toEscape = "\x00\"&'+<>"

// link begins a link whose address html/template makes harmless.
var link = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Parse(`<a href="{{.Link}}"{{if .Away}} rel="noreferrer noopener"{{end}}>`))
})

// rows are those of a table, each on a line.
func rows(all [][]cell) (template.HTML, error) {
	var b strings.Builder
	for _, cells := range all {
		if err := row(&b, cells); err != nil {
			return "", err
		}
		b.WriteByte('\n')
	}
	return template.HTML(b.String()), nil
}

// row is a row of a table, its first cell as the head of it.
func row(b *strings.Builder, cells []cell) error {
	b.WriteString("<tr>")
	for i := range cells {
		c := &cells[i]
		element := "td"
		if i == 0 {
			element = "th"
			b.WriteString(`<th scope="row"`)
		} else {
			b.WriteString("<td")
		}
		switch {
		case c.Number:
			b.WriteString(` class="n"`)
		case c.Word:
			b.WriteString(` class="w"`)
		}
		if c.Sort != "" {
			put(b, ` data-sort="`, c.Sort, `"`)
		}
		if i > 0 {
			put(b, ` data-label="`, c.Label, `"`)
		}
		b.WriteByte('>')
		if err := c.put(b); err != nil {
			return err
		}
		b.WriteString("</" + element + ">")
	}
	b.WriteString("</tr>")
	return nil
}

// put writes a text between two pieces of markup.
func put(b *strings.Builder, before, text, after string) {
	b.WriteString(before)
	if strings.ContainsAny(text, toEscape) {
		_, _ = escapes.WriteString(b, text)
	} else {
		b.WriteString(text)
	}
	b.WriteString(after)
}

// put writes what is in the cell.
func (c *cell) put(b *strings.Builder) error {
	if c.Range != nil {
		b.WriteString(`<span class="ranged"><span>`)
	}
	switch {
	case c.Link == "":
	case plainLink(c.Link) && !c.Away:
		put(b, `<a href="`, c.Link, `">`)
	default: // of another site, or with letters that a URL has to hide
		if err := link().Execute(b, c); err != nil {
			return err
		}
	}
	switch {
	case c.Mark != "":
		put(b, `<span class="status `, c.Mark, `">`)
		put(b, "", c.Text, "</span>")
	case c.Parts != nil:
		for i, part := range c.Parts {
			if i > 0 {
				b.WriteString("<wbr>")
			}
			put(b, "", part, "")
		}
	default:
		put(b, "", c.Text, "")
	}
	if c.Link != "" {
		b.WriteString("</a>")
	}
	if r := c.Range; r != nil {
		b.WriteString(`</span><span class="range"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" y="3.5" width="100" height="1"/>`)
		put(b, `<rect class="span" x="`, r.X, `" y="2" width="`)
		put(b, "", r.Width, `" height="4"/>`)
		put(b, `<rect class="dot" x="`, r.Dot, `" y="0" width="1.5" height="8"/></svg>`)
		put(b, `<span class="small soft">`, r.Text, "</span></span></span>")
	}
	return nil
}

// plainLink says whether a link of this site has nothing that has to be encoded.
func plainLink(s string) bool {
	if !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '%' && (i+2 >= len(s) || !hexDigit(s[i+1]) || !hexDigit(s[i+2])):
			return false
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("/?&=%._~-+#:", c) >= 0:
		default:
			return false
		}
	}
	return true
}

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
