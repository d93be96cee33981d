package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// text is the word without its quotes. Nothing is expanded: $x, $(…), globs
// and braces stay as they stand in src.
func text(src string, w *syntax.Word) string {
	if len(w.Parts) == 1 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && strings.IndexByte(lit.Value, '\\') < 0 {
			return lit.Value
		}
	}
	var b strings.Builder
	for _, p := range w.Parts {
		writePart(&b, src, p)
	}
	return b.String()
}

func writePart(b *strings.Builder, src string, p syntax.WordPart) {
	switch p := p.(type) {
	case *syntax.Lit:
		unescape(b, p.Value, "")
	case *syntax.SglQuoted:
		if p.Dollar {
			unescape(b, p.Value, "ansi")
		} else {
			b.WriteString(p.Value)
		}
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if lit, ok := q.(*syntax.Lit); ok {
				unescape(b, lit.Value, "$`\"\\")
			} else {
				writePart(b, src, q)
			}
		}
	default:
		from, to := int(p.Pos().Offset()), int(p.End().Offset())
		if from < to && to <= len(src) {
			b.WriteString(src[from:to])
		}
	}
}

// unescape writes s without the backslashes that quote a character. Between
// double quotes only some characters can be quoted; "ansi" is for $'…'.
func unescape(b *strings.Builder, s, only string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		next := s[i+1]
		switch {
		case only == "ansi":
			if at := strings.IndexByte("nrt", next); at >= 0 {
				next = "\n\r\t"[at]
			}
		case only != "" && strings.IndexByte(only, next) < 0:
			b.WriteByte('\\')
		}
		b.WriteByte(next)
		i++
	}
}
