package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// lint is the parser for linters that print file:line:col: message with the
// rule in it: flake8, pylint, ruff, golangci-lint, staticcheck, rubocop,
// clang-tidy and many more. Messages are grouped by rule; a source excerpt
// under one goes with it.
type lint struct {
	open *Record // the last message
	held *Line   // the line after it: its source if a line with a caret follows
}

func (p *lint) Line(l Line, emit Emit) {
	s := l.Text
	if p.held != nil {
		held := *p.held
		p.held = nil
		if marks(s) {
			p.open.Lines = append(p.open.Lines, held, l)
			return
		}
		p.flush(emit)
		p.other(held, emit)
	}
	if d, ok := parseDiagnostic(s); ok {
		p.message(l, d, emit)
		return
	}
	switch {
	case p.open == nil:
		p.other(l, emit)
	case indented(s) && len(p.open.Lines) < 20, marks(s):
		p.open.Lines = append(p.open.Lines, l)
	case len(p.open.Lines) == 1 && !lines.Blank(s) && !lintSummary(s) && !lintBanner(s):
		p.held = &l
	default:
		p.flush(emit)
		p.other(l, emit)
	}
}

// message takes a linter's message.
func (p *lint) message(l Line, d diagnostic, emit Emit) {
	class, own := labelClass(d.label)
	if !own && p.open != nil {
		p.open.Lines = append(p.open.Lines, l)
		return
	}
	p.flush(emit)
	code := lintCode(d.text)
	if d.code != "" {
		code = d.code
	}
	if d.label == "" && (styleOnly(code) || len(d.text) > 2 && d.text[1] == ':' && strings.IndexByte("CWRI", d.text[0]) >= 0) {
		class = Warn // rubocop puts the severity before the rule
	}
	p.open = &Record{Class: class, Group: code, Site: d.site, Row: strings.TrimSpace(l.Text), Brief: 1, Lines: []Line{l}}
	p.open.Alike = convention(code, d.text)
	if code == "" {
		p.open.Key = lines.Template(d.text)
	}
}

func (p *lint) flush(emit Emit) {
	if p.open != nil {
		emit(*p.open)
		p.open = nil
	}
}

func (p *lint) other(l Line, emit Emit) {
	s := l.Text
	switch {
	case lines.Blank(s), lintBanner(s):
		emit.line(Folded, l)
	case lintSummary(s):
		emit.line(Keep, l)
	default:
		emit(plain(l))
	}
}

func (p *lint) Close(emit Emit) {
	p.flush(emit)
	if p.held != nil {
		p.other(*p.held, emit)
		p.held = nil
	}
}

// lintCode returns the rule a message names: "E501 line too long", "C0114:
// Missing (missing-docstring)", "C: Style/X: text", "text [check]" or "text
// (check)". It is "" when there is none.
func lintCode(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	if len(word) == 2 && word[1] == ':' { // rubocop's severity
		word, rest, _ = strings.Cut(strings.TrimPrefix(rest, "[Correctable] "), " ")
	}
	if w := strings.TrimSuffix(word, ":"); rest != "" && (isCode(w) || w != word && strings.Contains(w, "/")) {
		return w
	}
	t := strings.TrimRight(text, " .")
	for _, pair := range [...]string{"[]", "()"} {
		if i := strings.LastIndexByte(t, pair[0]); i > 0 && strings.HasSuffix(t, pair[1:]) {
			code := t[i+1 : len(t)-1]
			if code != "" && !strings.ContainsAny(code, " '\"`") && !digitsOnly(code) {
				return code[strings.LastIndexByte(code, ' ')+1:]
			}
		}
	}
	return ""
}

// isCode reports whether w is letters and then digits: E501, SA4006, MD013/x.
func isCode(w string) bool {
	w, _, _ = strings.Cut(w, "/")
	i := 0
	for i < len(w) && w[i] >= 'A' && w[i] <= 'Z' {
		i++
	}
	return i > 0 && i < 6 && digitsOnly(w[i:]) && len(w)-i >= 2
}

// styleOnly reports whether a code of flake8 or pylint is not about a fault:
// those start with E9 and F in the one and with E and F in the other.
func styleOnly(code string) bool {
	if !isCode(code) {
		return false
	}
	return strings.IndexByte("CRWDNI", code[0]) >= 0 || code[0] == 'E' && len(code) == 4 && code[1] != '9'
}

// convention reports whether a message is one of style, which is the same
// wherever it stands: pylint's C and R, pycodestyle's E and W, pydocstyle's D,
// rubocop's C.
func convention(code, text string) bool {
	if !isCode(code) {
		return strings.HasPrefix(text, "C: ")
	}
	return styleOnly(code) && (code[0] != 'W' || len(code) == 4) // pylint's W has four digits
}

// lintBanner reports whether s is layout between messages.
func lintBanner(s string) bool {
	return strings.HasPrefix(s, "*************") || strings.Trim(s, "-=") == "" || scriptBanner(s) || hasPrefix(s, "Suppressed ", "Use -header-filter=", "Offenses:", "Inspecting ") || strings.Trim(s, ".CWEFRI") == ""
}

// lintSummary reports whether s is the count or the mark a linter ends with.
func lintSummary(s string) bool {
	return hasPrefix(s, "Your code has been rated", "All checks passed", "All good", "[*] ", "No fixes available", "* ") || summary(s) || s != "" && isDigit(s[0]) && (strings.Contains(s, " issue") || strings.Contains(s, " inspected, ") || strings.Contains(s, " fixable"))
}
