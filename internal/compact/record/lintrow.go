package record

import "strings"

// headedFile reads the name of the file that the rows below are about:
// "== lib/a.rb ==" of rubocop, "lib/a.py:" of ruff.
func headedFile(s string) (string, bool) {
	file, underlined := strings.CutPrefix(s, "== ")
	if underlined {
		file, underlined = strings.CutSuffix(file, " ==")
	} else if file, underlined = strings.CutSuffix(s, ":"); indented(s) {
		return "", false
	}
	dot := strings.LastIndexByte(file, '.')
	return file, underlined && dot >= 0 && len(file)-dot < 10 && !strings.ContainsAny(file, " :'\"()")
}

// row reads a linter's message, in any of the forms that say it on one line.
func (p *lint) row(s string) (d diagnostic, ok bool) {
	if d, ok = p.below(s); ok {
		return d, true
	}
	if d, ok = annotation(s); ok {
		return d, true
	}
	if d, ok = bulleted(s); ok {
		return d, true
	}
	return parseDiagnostic(s)
}

// below reads a row below the name of its file: "C: 10:  7: text", "  3:1 F401
// text".
func (p *lint) below(s string) (d diagnostic, ok bool) {
	if p.file == "" || len(s) < 8 {
		return d, false
	}
	var line, column string
	if s[1] == ':' && strings.IndexByte("CWEFRI", s[0]) >= 0 {
		var rest string
		line, rest, _ = strings.Cut(s[2:], ":")
		column, d.text, ok = strings.Cut(rest, ": ")
		d.text = s[:2] + " " + d.text
	} else if t := strings.TrimLeft(s, " "); t != s {
		place, text, _ := strings.Cut(t, " ")
		line, column, ok = strings.Cut(place, ":")
		d.text = text
	}
	line, column = strings.TrimSpace(line), strings.TrimSpace(column)
	d.site, d.said = p.file+":"+line+":"+column, d.text
	return d, ok && digitsOnly(line) && digitsOnly(column)
}

// annotation reads a command that makes GitHub show a message beside the code:
// "::error file=lib/a.py,line=3,col=8::text".
func annotation(s string) (d diagnostic, ok bool) {
	s, ok = strings.CutPrefix(s, "::")
	head, text, found := strings.Cut(s, "::")
	label, rest, _ := strings.Cut(head, " ")
	if !ok || !found || !oneOf(label, "error", "warning", "notice") {
		return d, false
	}
	if d, ok = parseDiagnostic(text); ok {
		d.label = label
		return d, true
	}
	at := map[string]string{}
	for _, p := range strings.Split(rest, ",") {
		key, value, _ := strings.Cut(p, "=")
		at[key] = value
	}
	d = diagnostic{site: at["file"] + ":" + at["line"], label: label, text: text, said: label + ": " + text}
	if at["col"] != "" {
		d.site += ":" + at["col"]
	}
	return d, at["file"] != "" && at["line"] != ""
}

// bulleted reads "  error • text • lib/a.dart:3:5 • code", in any order.
func bulleted(s string) (d diagnostic, ok bool) {
	parts := strings.Split(strings.TrimSpace(s), " • ")
	if len(parts) != 4 {
		return d, false
	}
	var text []string
	for _, part := range parts[1:3] {
		if placeEnd(part) == len(part) {
			d.site = part
		} else {
			text = append(text, part)
		}
	}
	d.label, d.text, d.code = parts[0], strings.Join(text, " "), parts[3]
	d.said = d.label + ": " + d.text + " " + d.code
	return d, d.site != ""
}
