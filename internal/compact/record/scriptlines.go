package record

import "strings"

// scriptLines knows what npm, yarn, pnpm and bun print around a script: the
// script's own output says whether it failed and why.
type scriptLines struct{ banner bool }

// class tells that a line is such a line.
func (p *scriptLines) class(s string) (Class, bool) {
	was := p.banner
	p.banner = false
	if len(s) < 3 {
		return Body, false
	}
	switch s[0] {
	case '>': // npm and pnpm: "> name@1.0.0 test" and "> jest"
		if was {
			return Good, true
		}
		at := strings.IndexByte(s, '@')
		p.banner = strings.HasPrefix(s, "> ") && at > 0 && strings.Contains(s[at:], " ")
		return Good, p.banner
	case '$': // yarn and bun
		return Good, strings.HasPrefix(s, "$ ")
	case 'n':
		_, rest, labelled := cutAny(s, "npm ERR! ", "npm error ")
		switch {
		case labelled && strings.HasPrefix(rest, "workspace "):
			return Keep, true // which of several failed
		case labelled:
			return Good, scriptEnd(strings.TrimLeft(rest, " "))
		}
		return Good, s == "npm ERR!" || s == "npm error" || strings.HasPrefix(s, "npm notice")
	case ' ':
		return Good, hasPrefix(strings.TrimLeft(s, " \u2009"), "ELIFECYCLE", "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL")
	default:
		return Good, hasPrefix(s, "yarn run v", "info Visit https://yarnpkg.com", "error Command failed with exit code ", "ELIFECYCLE ") ||
			strings.HasPrefix(s, `error: script "`) && strings.Contains(s, "exited with code") || strings.HasPrefix(s, "Done in ") && strings.HasSuffix(s, "s.")
	}
}

// script is the parser for a script of package.json whose tool is not known:
// what it printed is text, and the commands that npm and its like echo go.
// Their names stay from the second on: it tells which part of the script speaks.
type script struct {
	around scriptLines
	text   plainText
	names  int
}

func (p *script) Line(l Line, emit Emit) {
	class, ok := p.around.class(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "⚡ Done in "): // esbuild
		p.text.Close(emit)
		emit.line(Folded, l)
	case !ok || l.Text[0] != '>' && l.Text[0] != '$':
		p.text.Line(l, emit)
	default:
		p.text.Close(emit)
		if p.around.banner {
			if p.names++; p.names > 1 {
				class = Keep
			}
		} else if p.names > 0 {
			class = Folded // the command of the script that is named above
		}
		emit.line(class, l)
	}
}

func (p *script) Close(emit Emit) { p.text.Close(emit) }

// scriptEnd reports whether npm's error says no more than that a script ended
// with an exit code.
func scriptEnd(s string) bool {
	return hasPrefix(s,
		"code ELIFECYCLE", "errno ", "Exit status ", "Failed at the ", "This is probably not a problem with npm",
		"A complete log of this run", "Test failed.  See above", "Lifecycle script ", "Error: command failed",
		"in workspace: ", "at location: ", "path ", "workspace ", "location ", "command failed", "command sh ", "command cmd ", "/", "code 1", "code 2",
	) || s == "" || strings.HasSuffix(s, "`") && strings.Contains(s, ": `")
}
