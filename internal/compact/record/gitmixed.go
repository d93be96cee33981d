package record

import "strings"

// gitMixed reads what several commands of git wrote one after the other,
// "git status && git diff && git log -3", each by its own parser. It begins
// with that of the rule.
type gitMixed struct {
	Parser
	parts int // one part in so many is shown; 0: all
}

func (p *gitMixed) Line(l Line, emit Emit) {
	if next := p.opens(l.Text); next != nil {
		p.Parser.Close(emit)
		p.Parser = next
		p.Scale(p.parts)
	}
	p.Parser.Line(l, emit)
}

// opens returns the parser for the output of another command that begins with
// a line, or nil.
func (p *gitMixed) opens(s string) Parser {
	if _, ok := p.Parser.(*gitstatus); ok && oneline(s) {
		return &gitlog{}
	}
	if !hasPrefix(s, "On branch ", "HEAD detached ", "commit ", "diff --git ") {
		return nil
	}
	switch now := p.Parser.(type) {
	case *diff:
		if now.hunk != nil && (now.old > 0 || now.new > 0) {
			return nil // a line of a file, shown without its sign
		}
	case *gitlog:
		if s[0] == 'c' || s[0] == 'd' {
			return nil // of this log
		}
	}
	switch {
	case s[0] == 'O', s[0] == 'H':
		if _, ok := p.Parser.(*gitstatus); !ok {
			return &gitstatus{}
		}
	case isCommit(s):
		if hexLen(strings.TrimPrefix(s, "commit ")) >= 40 {
			return &gitlog{}
		}
	case s[0] == 'd':
		if _, ok := p.Parser.(*diff); !ok {
			return &diff{alone: true}
		}
	}
	return nil
}

// Scale has one part in so many shown.
func (p *gitMixed) Scale(parts int) {
	p.parts = parts
	if s, ok := p.Parser.(Scaled); ok && parts > 0 {
		s.Scale(parts)
	}
}

// Room says how many bytes a list may take.
func (p *gitMixed) Room(n int) {
	if r, ok := p.Parser.(Roomy); ok {
		r.Room(n)
	}
}
