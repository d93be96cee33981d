package main

import (
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"cairn/internal/must"
)

// A row is a line of the screen: texts, each in one style.
type row []span

type span struct{ text, style string }

// rows reads a terminal's output: colors are kept, other commands are not. What
// is wider than the terminal goes on in the next row, as there.
func rows(out string, columns int) (screen []row) {
	var style string
	for _, line := range strings.Split(out, "\n") {
		if at := strings.LastIndexByte(line, '\r'); at >= 0 {
			line = line[at+1:] // a progress bar that was written over
		}
		var r row
		for line != "" {
			before, after, found := strings.Cut(line, "\x1b[")
			if before != "" {
				r = append(r, span{expand(before), style})
			}
			if !found {
				break
			}
			end := strings.IndexFunc(after, func(c rune) bool { return c >= '@' && c <= '~' })
			if end < 0 {
				break
			}
			if after[end] == 'm' {
				style = styleOf(style, after[:end])
			}
			line = after[end+1:]
		}
		screen = append(screen, wrap(r, columns)...)
	}
	return screen
}

func wrap(r row, columns int) (screen []row) {
	var line row
	left := columns
	for _, p := range r {
		text := []rune(p.text)
		for len(text) > left {
			screen = append(screen, append(line, span{string(text[:left]), p.style}))
			text, line, left = text[left:], nil, columns
		}
		line, left = append(line, span{string(text), p.style}), left-len(text)
	}
	return append(screen, line)
}

// expand puts spaces for tabs, as a terminal does at the line's beginning.
func expand(text string) string { return strings.ReplaceAll(text, "\t", "    ") }

// styleOf is the style after a color command.
func styleOf(style, codes string) string {
	for _, code := range strings.Split(codes, ";") {
		switch code {
		case "", "0", "39", "22":
			style = ""
		case "1":
			style = "bold"
		case "2", "90":
			style = "dim"
		case "31", "91":
			style = "bad"
		case "32", "92":
			style = "good"
		case "33", "93":
			style = "warn"
		}
	}
	return style
}

// Of the picture, in pixels.
const (
	charWidth  = 7.8
	lineHeight = 19
	margin     = 20
	bar        = 34 // with the window's buttons
)

// style has the colors of both themes; contrast is 4.5:1 or more.
const style = `
svg{--back:#fff;--edge:#d0d7de;--text:#1f2328;--dim:#59636e;--good:#1a7f37;--bad:#c4242b;--warn:#9a6700;--bar:#f6f8fa}
@media(prefers-color-scheme:dark){svg{--back:#0d1117;--edge:#3d444d;--text:#e6edf3;--dim:#9198a1;--good:#3fb950;--bad:#ff7b72;--warn:#d29922;--bar:#151b23}}
text{font:13px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
.dim{fill:var(--dim)}.good{fill:var(--good)}.bad{fill:var(--bad)}.warn{fill:var(--warn)}.bold,.cmd{font-weight:600}
`

func draw(w io.Writer, screen []row, columns int) {
	var s strings.Builder
	width := int(float64(columns)*charWidth) + 2*margin
	height := bar + margin + len(screen)*lineHeight + margin/2
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="A terminal in which cairn is used">`, width, height, width, height)
	fmt.Fprintf(&s, "\n<style>%s</style>\n", style)
	fmt.Fprintf(&s, `<rect x=".5" y=".5" width="%d" height="%d" rx="10" fill="var(--back)" stroke="var(--edge)"/>`, width-1, height-1)
	fmt.Fprintf(&s, `<path d="M.5 %d V10.5 a10 10 0 0 1 10-10 H%d a10 10 0 0 1 10 10 V%d z" fill="var(--bar)" stroke="var(--edge)"/>`, bar, width-11, bar)
	for i, color := range [...]string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&s, `<circle cx="%d" cy="%d" r="6" fill="%s"/>`, 20+20*i, bar/2, color)
	}
	s.WriteString("\n")
	for i, r := range screen {
		if len(r) == 0 {
			continue
		}
		fmt.Fprintf(&s, `<text x="%d" y="%d" xml:space="preserve">`, margin, bar+margin+i*lineHeight+4)
		at := 0
		for _, p := range r {
			// Each piece has its own place: fonts of other widths keep the columns.
			fmt.Fprintf(&s, `<tspan x="%.1f"`, margin+float64(at)*charWidth)
			if p.style != "" {
				fmt.Fprintf(&s, ` class="%s"`, p.style)
			}
			fmt.Fprintf(&s, ">%s</tspan>", html.EscapeString(p.text))
			at += utf8.RuneCountInString(p.text)
		}
		s.WriteString("</text>\n")
	}
	s.WriteString("</svg>\n")
	_, err := io.WriteString(w, s.String())
	must.OK(err)
}
