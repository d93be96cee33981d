package doc

import (
	"strings"
	"unicode"
)

// Decision is an item of a CONTEXT.md's <decisions> blocks:
//
//	### Routing
//	- **D-01 [deferred]:** Use the chi router
//	  for every path
//
// The heading is its category, and the id is letters, digits, _ and - after
// `D-`. The colon may stand outside of the bold as well.
type Decision struct {
	ID       string   // "D-01"
	Category string   // the level 3 heading it stands under in its block
	Tags     []string // lower case
	Text     string   // on one line
	Line     int      // of the item
}

// Trackable reports whether plans must honor the decision: it is not one of
// the agent's own to take, and no tag opts it out.
func (d Decision) Trackable() bool {
	for _, tag := range d.Tags {
		switch tag {
		case "informational", "folded", "deferred":
			return false
		}
	}
	return !isDiscretion(d.Category)
}

// Decisions returns the decisions of every <decisions> block, in order, and
// the lines that begin as one and are none, such as `- **D-01** no colon`.
func (t *Text) Decisions() (ds []Decision, malformed []int) {
	for _, b := range t.Blocks(t.Body(), t.Len(), "decisions") {
		category, open := "", false
		for i := b.Line; i < b.End; i++ {
			if t.Code(i) {
				continue
			}
			line := t.insideTag(i, b)
			if h, ok := heading(line); ok {
				if h.Level <= 3 {
					category = ""
				}
				if h.Level == 3 {
					category = h.Text
				}
				open = false
				continue
			}
			text := strings.TrimSpace(line)
			it, isItem := item(line)
			switch {
			case isItem && strings.HasPrefix(it.Text, "**D-"):
				d, ok := decision(it.Text)
				if open = ok; !ok {
					malformed = append(malformed, i)
					continue
				}
				d.Category, d.Line = category, i
				ds = append(ds, d)
			case isItem || text == "" || line[0] != ' ' && line[0] != '\t':
				open = false
			case open:
				last := &ds[len(ds)-1]
				last.Text = strings.TrimSpace(last.Text + " " + text)
			}
		}
	}
	return ds, malformed
}

// insideTag returns line i of a block without its opening and closing tags
// and what stands outside of them.
func (t *Text) insideTag(i int, b Block) string {
	line := t.Line(i)
	if i == b.End-1 {
		line, _, _ = strings.Cut(line, "</"+b.Name+">")
	}
	if at := openTag(line, b.Name); i == b.Line && at >= 0 {
		_, line, _ = strings.Cut(line[at:], ">")
	}
	return line
}

// decision reads `**D-01 [tag, tag]:** text`.
func decision(s string) (Decision, bool) {
	head, text, ok := strings.Cut(strings.TrimPrefix(s, "**"), "**")
	if !ok {
		return Decision{}, false
	}
	name, inside := strings.CutSuffix(strings.TrimSpace(head), ":")
	if !inside {
		if text, ok = strings.CutPrefix(text, ":"); !ok {
			return Decision{}, false
		}
	}
	d := Decision{Text: strings.TrimSpace(text)}
	name, tags, tagged := strings.Cut(strings.TrimSpace(name), "[")
	if tagged {
		list, after, ok := strings.Cut(tags, "]")
		if !ok || strings.TrimSpace(after) != "" {
			return Decision{}, false
		}
		for tag := range strings.SplitSeq(list, ",") {
			if tag = strings.ToLower(strings.TrimSpace(tag)); tag != "" {
				d.Tags = append(d.Tags, tag)
			}
		}
	}
	d.ID = strings.TrimSpace(name)
	return d, isDecisionID(d.ID)
}

func isDecisionID(s string) bool {
	s, ok := strings.CutPrefix(s, "D-")
	if !ok || s == "" || s[0] == '_' || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// isDiscretion reports whether a heading says Claude's or Agent's Discretion, with
// whatever quote an editor or a model made of the apostrophe.
func isDiscretion(heading string) bool {
	bare := strings.Map(func(r rune) rune {
		if isQuote(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, heading)
	switch strings.Join(strings.Fields(bare), " ") {
	case "claudes discretion", "claude discretion", "agents discretion", "agent discretion":
		return true
	}
	return false
}

func isQuote(r rune) bool {
	switch r {
	case '\'', '"', '`', '´', 'ʹ', 'ʼ', '′', '＇', '＂', '‚', '„', '‛', '‟': // the last four are Unicode's opening quotes that are punctuation only
		return true
	}
	return unicode.In(r, unicode.Pi, unicode.Pf)
}
