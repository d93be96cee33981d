package compact

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
	"cairn/internal/compact/shell"
)

// hooks tell apart what pre-commit's hooks printed: each that failed is a piece, cut by
// the rule of its tool, below its heading. All else is what pre-commit says itself.
type hooks struct {
	own  *piece // what it says itself, and the hooks that passed
	told bool   // the lines below a heading that tell how the hook ended were read
}

// hookTold are the lines below the heading of a hook that failed.
var hookTold = [...]string{"- hook id: ", "- exit code: ", "- files were modified by this hook", "- duration: "}

// hookHeading reports whether s is the heading of a hook, "mypy....Failed", and whether
// that failed.
func hookHeading(s string) (heading, failed bool) {
	if !strings.HasSuffix(s, "ed") { // as all three end
		return false, false
	}
	name, status := s, ""
	for _, end := range [...]string{"Passed", "Failed", "Skipped"} {
		if n, ok := strings.CutSuffix(s, end); ok {
			name, status = n, end
		}
	}
	if i := strings.LastIndexByte(name, '('); i > 0 && strings.HasSuffix(name, ")") {
		name = name[:i] // "(no files to check)Skipped"
	}
	return status != "" && name[0] != ' ' && strings.HasSuffix(name, "..."), status == "Failed"
}

// hooked reports whether these lines are what pre-commit prints of a hook that failed,
// and not a document that quotes it.
func hooked(texts []string) bool {
	for i := range texts[:max(len(texts)-1, 0)] {
		if strings.HasPrefix(texts[i], "#") {
			return false
		}
		if heading, failed := hookHeading(texts[i]); heading && failed && strings.HasPrefix(texts[i+1], hookTold[0]) {
			return true
		}
	}
	return false
}

// newHooks begins with the piece of what pre-commit says itself.
func (p *pieces) newHooks() {
	p.hooks = &hooks{own: p.begin("", "pre-commit")}
	p.by[""], p.last = p.hooks.own, p.hooks.own
}

// hook takes the lines around what a hook printed.
func (p *pieces) hook(l record.Line) bool {
	heading, failed := false, false
	if l.Text != "" {
		heading, failed = hookHeading(l.Text)
	}
	at := p.last
	switch {
	case heading && failed && len(p.order) < p.most:
		at = p.begin("", "")
		at.title, p.hooks.told = l.Text, false
		p.by[""], p.last = at, at
		return true
	case heading:
		p.by[""], p.last = p.hooks.own, p.hooks.own
		return false
	case at == p.hooks.own || p.hooks.told:
		return false
	}
	for i, start := range hookTold {
		if rest, ok := strings.CutPrefix(l.Text, start); ok {
			if i == 0 {
				at.hook(p.of.opt.Library, rest)
			}
			if i < len(hookTold)-1 { // nobody needs to know how long it took
				at.title += "\n" + l.Text
			}
			return true
		}
	}
	p.hooks.told = true
	return lines.Blank(l.Text)
}

// hook makes the tool that a hook is named after the command of its piece.
func (at *piece) hook(lib *rule.Library, id string) {
	if cmd := shell.Parse(id); at.stream.filter == nil {
		if known, runner := lib.Knows(cmd); known && !runner {
			at.stream.cmd = cmd
		}
	}
}
