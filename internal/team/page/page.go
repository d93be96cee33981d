// Package page is the frame of every HTML page of the team part: one look in
// light and dark, and a policy under which nothing can run or load that the
// program did not write itself.
//
// Every package of the team part that writes a page may import it. What a
// page shows belongs to that package; this one knows no results.
package page

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // base.css, base.js
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
)

//go:embed base.css
var baseCSS []byte

//go:embed base.js
var baseJS []byte

// A Page is one document. Text of strangers goes into Data, where the page's
// script finds it, and nowhere else; Title is the exception, it is escaped.
type Page struct {
	Title string
	CSS   []byte // after base.css, in the same element; style attributes do not work
	JS    []byte // after base.js, in the same element; on* attributes do not work
	Body  []byte // markup of ours, inside <main id="page">
	Above []byte // markup of ours, before <main>: a header, a navigation
	Data  any    // nil is none; pageData() of base.js reads it
	Live  bool   // the script may talk to the server that the page came from
	// Styles and Scripts are addresses on the server that the page came from, read
	// before CSS and JS; base.css and base.js must be among them.
	Styles, Scripts []string
	// Forms are the policy's sources that forms may be sent to and then be sent on
	// to, "'self' https://a.example"; "" is none.
	Forms string
}

// Text makes a text fit to stand in Body between tags or in a quoted attribute.
// Control characters, which HTML does not allow, are left out.
func Text(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s))
}

// File writes the page as one file that needs nothing else.
func File(w io.Writer, p Page) error {
	doc, _, err := p.Document()
	if err == nil {
		_, err = w.Write(doc)
	}
	return err
}

// Serve answers with the page, its policy in the headers too.
func Serve(w http.ResponseWriter, p Page) error {
	doc, policy, err := p.Document()
	if err != nil {
		http.Error(w, "the page could not be made", http.StatusInternalServerError)
		return err
	}
	Headers(w.Header())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	_, err = w.Write(doc)
	return err
}

// Base returns what pages with Styles and Scripts have to serve as two of them.
func Base() (css, js []byte) { return baseCSS, baseJS }

// Headers sets what every answer of a server of ours says, page or not: that
// no other site may read, embed or be told of it, and no cache keep it.
func Headers(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// icon is a bar chart in the green of a pass.
const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 14V9h3v5zM6.5 14V2h3v12zM11 14V6h3v8z' fill='%232f8a61'/%3E%3C/svg%3E"

// Document makes the page, and the policy of contents that its answer's header says.
func (p Page) Document() (doc []byte, policy string, err error) {
	css, js, self := baseCSS, baseJS, ""
	if p.Styles != nil || p.Scripts != nil {
		css, js, self = nil, nil, "'self'"
	}
	style, allowStyle, err := element("style", self, css, p.CSS)
	if err != nil {
		return nil, "", err
	}
	script, allowScript, err := element("script", self, js, p.JS)
	if err != nil {
		return nil, "", err
	}
	policy = "default-src 'none'; style-src " + allowStyle + "; script-src " + allowScript + "; img-src data:; base-uri 'none'; form-action " + cmp.Or(p.Forms, "'none'")
	if p.Live {
		policy += "; connect-src 'self'"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<link rel="icon" href="%s">
%s%s</head>
<body>
%s<main id="page">
%s
</main>
`, policy, Text(p.Title), icon, p.links(), style, p.Above, p.Body)
	if p.Data != nil {
		data, err := json.Marshal(p.Data, json.Deterministic(true))
		if err != nil {
			return nil, "", err
		}
		// in JSON, < stands only in strings; without it no text can end the element
		fmt.Fprintf(&b, "<script type=\"application/json\" id=\"data\">%s</script>\n", bytes.ReplaceAll(data, []byte("<"), []byte(`\u003c`)))
	}
	fmt.Fprintf(&b, "%s</body>\n</html>\n", script)
	return b.Bytes(), policy, nil
}

// links are the elements of what is read from the server.
func (p Page) links() string {
	var b strings.Builder
	for _, of := range p.Styles {
		fmt.Fprintf(&b, "<link rel=\"stylesheet\" href=\"%s\">\n", Text(of))
	}
	for _, of := range p.Scripts {
		fmt.Fprintf(&b, "<script defer src=\"%s\"></script>\n", Text(of))
	}
	return b.String()
}

// element is a style or script element of parts as a browser will read it, and
// the policy's sources for it: what the page's server has, and the text's hash.
// Without a text there is neither element nor hash.
func element(tag, self string, parts ...[]byte) (markup []byte, allow string, err error) {
	text := bytes.ReplaceAll(bytes.Join(parts, []byte("\n")), []byte("\r\n"), []byte("\n"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, cmp.Or(self, "'none'"), nil
	}
	lower := strings.ToLower(string(text))
	if strings.Contains(lower, "</"+tag) || strings.Contains(lower, "<!--") {
		return nil, "", fmt.Errorf("a page's %s may hold neither </%s nor <!--", tag, tag)
	}
	return fmt.Appendf(nil, "<%s>%s</%[1]s>\n", tag, text), strings.TrimSpace(self + " " + hash(text)), nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
