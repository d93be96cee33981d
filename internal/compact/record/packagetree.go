package record

import "strings"

// packageTree is the parser for trees of packages: npm ls, pnpm ls, yarn
// list, cargo tree. Those the project itself names stay, and those that are
// missing or do not fit; what they need is counted.
type packageTree struct{ direct int }

func (p *packageTree) Line(l Line, emit Emit) {
	s := l.Text
	class := Keep
	switch deep := hasPrefix(s, "│", "|", "  "); {
	case strings.TrimSpace(s) == "":
		class = Folded
	case hasPrefix(s, "npm ") || hasAny(s, "UNMET DEP", "UNMET PEER", " invalid", " extraneous", "missing: ", "error: "):
		class = Keep
	case deep && hasAny(s, "├", "└", "|--", "`--", "+--"), strings.Contains(s, "UNMET OPTIONAL"):
		class = Good
	case hasPrefix(s, "├", "└", "+--", "`--", "|--"):
		if p.direct++; p.direct > npmDirect {
			class = Good
		}
	}
	emit.line(class, l)
}

func (p *packageTree) Close(Emit) {}
