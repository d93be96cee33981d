package compact

import (
	"strings"

	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
)

const (
	bannerLines = 5  // that a runner prints before it names the command
	bannerAfter = 2  // and after it named the script
	fewLines    = 40 // of all commands together are read as one output
)

// announces reports whether a line is a command that has a rule, behind what a
// shell or a runner of scripts puts there.
func announces(lib *rule.Library, s string) (command string, ok bool) {
	if command, ok = strings.CutPrefix(s, "##[group]Run "); ok {
		return command, true
	}
	sigil, command, ok := strings.Cut(s, " ")
	if !ok || sigil == "" || len(sigil) > 4 || strings.Trim(sigil, "$+>%#❯") != "" || command == "" || command[0] == ' ' {
		return "", false
	}
	if sigil == ">" && packageScript(command) {
		return "npm run " + command[strings.IndexByte(command, ' ')+1:], true
	}
	known, runner := lib.Knows(shell.Parse(command))
	word, _, _ := strings.Cut(command, " ")
	switch {
	case !known, runner && sigil == ">": // "> nx run web:test" is what nx says of each task
		return "", false
	case word[0] >= 'A' && word[0] <= 'Z' && !strings.Contains(word, "="): // "> Task :compile" is what Gradle says
		return "", false
	}
	return command, true
}

// packageScript reports whether s is a package with its version, and a script of it.
func packageScript(s string) bool {
	pkg, script, ok := strings.Cut(s, " ")
	at := strings.LastIndexByte(pkg, '@')
	return ok && at > 0 && at+1 < len(pkg) && pkg[at+1] >= '0' && pkg[at+1] <= '9' && script != "" && script[0] != ' '
}

// script reports whether an output without a prefix is that of several commands,
// each of which is announced.
func (e *evidence) script(lib *rule.Library) bool {
	if e.kind != rule.Any || len(e.texts) <= fewLines {
		return false
	}
	n, last, tried := 0, -bannerAfter-1, 0
	for i, s := range e.texts {
		if s == "" || strings.IndexByte("$+>%#", s[0]) < 0 {
			continue
		}
		if tried++; tried > fewLines {
			break // a quotation, or a diff
		}
		if _, ok := announces(lib, s); ok {
			if s[0] != '>' || i-last > bannerAfter { // a package's script, then its command
				n++
			}
			last = i
		}
	}
	return n > 1 && !lib.Content("", e.raw)
}

// banner reports whether a piece is as yet no more than what a runner prints before
// it names the command s.
func (at *piece) banner(s string) bool {
	n := at.stream.n
	if at.sigil == "" {
		return n < bannerLines
	}
	return at.sigil == ">" && s[0] == '>' && n-at.named <= bannerAfter
}

// announced reports whether a line is the one by which a runner says what it
// runs next. Within content, a diff for example, no line is.
func (p *pieces) announced(at *piece, s string) (command string, ok bool) {
	lib := p.of.opt.Library
	if command, ok = announces(lib, s); !ok || s[0] == '#' && s[1] == '#' {
		return command, ok
	}
	return command, at.sigil == s[:1] || !at.content(lib)
}

// content reports whether a piece is a document, by its first lines.
func (at *piece) content(lib *rule.Library) bool {
	s := at.stream
	if s.rule != nil {
		return s.rule.Data
	}
	return lib.Content(s.env.Tool, s.sampleText())
}
