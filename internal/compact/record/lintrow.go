package record

import "strings"

// headedFile reads the name of the file that the rows below are about:
// "== lib/a.rb ==" of rubocop, "lib/a.py:" of ruff, "FILE: lib/a.php" of phpcs,
// "  Line   lib/a.php" of phpstan.
func headedFile(s string) (string, bool) {
	if _, rest, ok := cutAny(s, "FILE: ", "  Line  "); ok {
		file := strings.TrimSpace(rest)
		return file, !strings.Contains(file, " ") && strings.Contains(file, ".")
	}
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
		if d.text = text; !ok && digitsOnly(line) && (hasPrefix(text, "  ", "| ERROR | ", "| WARNING | ")) {
			d.text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "| ERROR | "), "| "))
			d.site, d.said = p.file+":"+line, d.text
			if strings.HasPrefix(d.text, "WARNING") {
				d.label = "warning"
			}
			return d, true
		}
	}
	line, column = strings.TrimSpace(line), strings.TrimSpace(column)
	d.site, d.said = p.file+":"+line+":"+column, d.text
	return d, ok && digitsOnly(line) && digitsOnly(column)
}

// goesOn takes a line that is the rest of the message above it in a table.
func (p *lint) goesOn(l Line) bool {
	s := l.Text
	t := strings.TrimLeft(s, " ")
	if p.file == "" || !strings.HasPrefix(p.open.Site, p.file+":") || len(s)-len(t) < 8 && !strings.HasPrefix(t, "|  ") || p.held != nil || strings.Count(p.open.Site, ":") > 1 || len(p.open.Lines) != p.open.Brief {
		return false
	}
	p.open.Says += " " + strings.Trim(t, "| ")
	p.open.Lines, p.open.Brief = append(p.open.Lines, l), p.open.Brief+1
	return true
}

// issued takes a line of a message of bandit: ">> Issue: [B101:assert_used] text",
// and below it "Location: lib/a.py:3:4" among others.
func (p *lint) issued(l Line, emit Emit) bool {
	if says, ok := strings.CutPrefix(l.Text, ">> Issue: "); ok {
		emit.open(&p.open)
		code, _, _ := strings.Cut(strings.TrimPrefix(says, "["), ":")
		p.open = Record{Class: Failure, Kind: code, Brief: 1, Lines: []Line{l}}
		p.issue = true
		return true
	}
	if !p.issue {
		return false
	}
	t := strings.TrimSpace(l.Text)
	if p.issue = p.open.Lines != nil && !lintBanner(l.Text) && len(p.open.Lines) < 40; !p.issue {
		emit.open(&p.open)
		return false
	}
	if place, ok := strings.CutPrefix(t, "Location: "); ok {
		p.open.Site, p.open.Says = place, strings.TrimPrefix(p.open.Lines[0].Text, ">> Issue: ")
	}
	if severity, ok := strings.CutPrefix(t, "Severity: Low"); ok && strings.HasPrefix(severity, " ") {
		p.open.Class = Warn
	}
	p.shows(l)
	return true
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
