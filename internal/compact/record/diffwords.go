package record

import "strings"

// wordsChanged reports whether a line of a hunk shows changed words, as git
// diff --word-diff does: "def [-session-]{+_get_session+}(self)".
func wordsChanged(s string) bool { return between(s, "{+", "+}") || between(s, "[-", "-]") }

func between(s, open, end string) bool {
	i := strings.Index(s, open)
	return i >= 0 && strings.Contains(s[i+len(open):], end)
}

// wordLine takes a line of a diff of words. One that is new or gone as a whole
// has no counterpart in the other file.
func (p *diff) wordLine(l Line, changed bool, emit Emit) {
	t := strings.TrimSpace(l.Text)
	added := strings.HasPrefix(t, "{+") && strings.Index(t, "+}") == len(t)-2
	removed := strings.HasPrefix(t, "[-") && strings.Index(t, "-]") == len(t)-2
	if !added {
		p.old--
	}
	if !removed {
		p.new--
	}
	if changed && !removed {
		p.file.add++
	}
	if changed && !added {
		p.file.del++
	}
	p.add(diffLine{l, changed || fatal(l.Text)}, emit)
}
