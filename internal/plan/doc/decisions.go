package doc

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Decision is one of those that a CONTEXT.md holds, in a <decisions> block or,
// where there is none, in a section called Decisions:
//
//	### Routing
//	- **D-01 [deferred]:** Use the chi router
//	  for every path
//
// The heading is its category, and the id is letters, digits, _ and - after
// `D-`. People also write the id without bold, in backticks, with the word
// Decision or a note in parentheses, with a dash in place of the colon, as a
// heading of its own or in the first cell of a table.
type Decision struct {
	ID       string   // "D-01"; "" where nobody gave it one
	Category string   // the level 3 heading it stands under in its block
	Tags     []string // lower case
	Text     string   // on one line
	Line     int      // of the item
}

// Trackable reports whether plans must honor the decision: it is not one of
// the agent's own to take, and no tag opts it out.
func (d Decision) Trackable() bool {
	return !optsOut(d.Tags) && !isDiscretion(d.Category)
}

// Decisions returns the decisions that have an id, in order, and the lines that
// begin as one and are none, such as `- **D-:** no id`.
func (t *Text) Decisions() (ds []Decision, malformed []int) {
	all, malformed := t.decided()
	for _, d := range all {
		if d.ID != "" {
			ds = append(ds, d)
		}
	}
	return ds, malformed
}

// Unnumbered returns the decisions of a document in which nobody gave them ids:
// those that are the agent's to take, or put off, left out.
func (t *Text) Unnumbered() (ds []Decision) {
	all, _ := t.decided()
	if slices.ContainsFunc(all, func(d Decision) bool { return d.ID != "" }) {
		return nil // whoever numbers them numbers all; what else is listed explains
	}
	for _, d := range all {
		if d.Trackable() && !isPutOff(d.Category) && !leftOpen(d.Category) {
			ds = append(ds, d)
		}
	}
	return ds
}

// Beside returns what is listed among numbered decisions without an id of its own, and
// so counts as an explanation of them; nil where no decision has an id.
func (t *Text) Beside() (ds []Decision) {
	all, _ := t.decided()
	numbered := map[string]bool{} // categories
	for _, d := range all {
		if d.ID != "" {
			numbered[d.Category] = true
		}
	}
	for _, d := range all {
		if d.ID == "" && numbered[d.Category] && d.Trackable() {
			ds = append(ds, d)
		}
	}
	return ds
}

// decided returns all of them. One that a note below it says is superseded has
// that for a tag.
func (t *Text) decided() (ds []Decision, malformed []int) {
	ds, malformed = t.listed()
	for i, d := range ds {
		if d.ID != "" && t.DecisionNotes(d).SupersededBy != "" {
			ds[i].Tags = append(d.Tags, "superseded")
		}
	}
	return ds, malformed
}

func (t *Text) listed() (ds []Decision, malformed []int) {
	for _, name := range []string{"decisions", "Decisions", "DECISIONS"} {
		for _, b := range t.Blocks(t.Body(), t.Len(), name) {
			t.decisionsIn(b.Line, b.End, func(i int) string { return t.insideTag(i, b) }, &ds, &malformed)
		}
	}
	if ds != nil || malformed != nil {
		return ds, malformed
	}
	end := 0
	for _, s := range t.Sections() {
		if s.Start > end && s.Level <= 3 && isDecisions(s.Text) {
			end = s.End
			t.decisionsIn(s.Start, s.End, t.Line, &ds, &malformed)
		}
	}
	return ds, malformed
}

func (t *Text) decisionsIn(from, to int, line func(int) string, ds *[]Decision, malformed *[]int) {
	category := ""
	open := -1   // the decision that indented lines go on with
	below := 0   // the level of the heading that is a decision: what is below explains it
	deepest := 2 // indentation from which on items are part of the one above
	for i := from; i < to; i++ {
		if t.Code(i) {
			continue
		}
		at, line := i, line(i)
		if h, ok := heading(line); ok {
			open = -1
			if below > 0 && h.Level > below {
				continue
			}
			if below = 0; h.Level <= 3 {
				category = ""
			}
			if d, ok := decision(h.Text, true); ok {
				d.Category, d.Line, below = category, i, h.Level
				*ds = append(*ds, d)
			} else if h.Level == 3 {
				category = h.Text
			}
			continue
		}
		text := strings.TrimSpace(line)
		it, isItem := item(line)
		named := it.Text
		if !isItem {
			named = text
		}
		if _, numbered := decision(named, false); below > 0 && !(isItem && it.Indent < deepest && numbered) {
			open = -1
			continue
		}
		if strings.HasPrefix(named, "**D-") {
			for strings.Count(named, "**") == 1 && i+1 < to && goesOn(t.Line(i+1)) {
				i++
				named += " " + strings.TrimSpace(t.Line(i))
			}
		}
		switch {
		case strings.HasPrefix(text, "|"):
			open = -1
			if d, ok := decisionRow(text); ok {
				d.Category, d.Line = category, at
				*ds = append(*ds, d)
			}
		case isItem || strings.HasPrefix(text, "**") && line[0] == '*':
			d, ok := decision(named, false)
			switch {
			case ok:
			case strings.HasPrefix(named, "**D-"):
				open = -1
				*malformed = append(*malformed, at)
				continue
			case !isItem || it.Indent >= deepest || it.Text == "":
				open = -1
				continue
			default:
				d = Decision{Text: it.Text}
				d.Text, d.Tags = tagged(d.Text)
			}
			d.Category, d.Line = category, at
			*ds = append(*ds, d)
			open = len(*ds) - 1
		case text == "" || line[0] != ' ' && line[0] != '\t':
			open = -1
		case open >= 0:
			last := &(*ds)[open]
			last.Text = strings.TrimSpace(last.Text + " " + text)
		}
	}
}

// goesOn reports whether a line is more of the item above it.
func goesOn(line string) bool {
	_, another := item(line)
	return !another && strings.TrimSpace(line) != "" && (line[0] == ' ' || line[0] == '\t')
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

// A decisionHead is an id where a decision begins, what is said of it in
// brackets, and what divides it from the text: a colon, a dash, the end of bold,
// or, of a heading and a cell, nothing more.
var decisionHead = sync.OnceValue(func() *regexp.Regexp { // a hook imports this, and must not compile it
	return regexp.MustCompile("^(?:\\*\\*|__|[*_`])?(?:Decision )?`?(D-[A-Za-z0-9][A-Za-z0-9_-]*)`?((?: ?\\([^()]*\\)| ?\\[[^\\[\\]]*\\])*)(\\*\\*|__|[*_`])?( ?:| ?[—–]| - |\\.(?: |$)|$)?(\\*\\*|__|[*_`])?(.*)$")
})

// decision reads `**D-01 [tag, tag]:** text` and what people write in its place.
// An id that begins a sentence is none: of a bare one the colon or dash must
// follow, unless it stands alone, as a heading does.
func decision(s string, alone bool) (Decision, bool) {
	m := decisionHead().FindStringSubmatch(hyphens(s))
	if m == nil {
		return Decision{}, false
	}
	marked := strings.HasPrefix(s, "**") || strings.HasPrefix(s, "__") || strings.HasPrefix(s, "`")
	closed := m[3] != "" || m[5] != ""
	switch {
	case m[4] != "":
	case alone && m[6] == "":
	case marked && closed && strings.HasPrefix(m[6], " "):
	case marked && !closed && strings.Contains(m[6], m[0][:2]):
	default:
		return Decision{}, false
	}
	d := Decision{ID: m[1]}
	for note := range strings.SplitSeq(m[2], "[") {
		if list, _, ok := strings.Cut(note, "]"); ok {
			d.Tags = append(d.Tags, tags(list)...)
		}
	}
	text := strings.TrimSpace(m[6])
	if marked && !closed { // the text, or its first words, are bold with the id
		text = strings.TrimSpace(strings.Replace(text, m[0][:2], "", 1))
	}
	text = strings.TrimSpace(strings.TrimLeft(text, ":—– "))
	if strings.HasPrefix(text, "[") && !strings.Contains(text, "]") {
		return Decision{}, false // a tag without an end
	}
	text, more := tagged(text)
	d.Text, d.Tags = text, append(d.Tags, more...)
	return d, true
}

// DecisionOf returns the id of the decision that a list item is, "" of another item.
func DecisionOf(it Item) string {
	d, _ := decision(it.Text, false)
	return d.ID
}

// decisionRow reads `| D-01 | text |`.
func decisionRow(row string) (Decision, bool) {
	cells := strings.Split(strings.Trim(row, "|"), "|")
	d, ok := decision(strings.TrimSpace(cells[0]), true)
	if !ok || len(cells) < 2 {
		return d, false
	}
	var rest []string
	for _, c := range append([]string{d.Text}, cells[1:]...) {
		if c = strings.TrimSpace(c); c != "" {
			rest = append(rest, c)
		}
	}
	d.Text = strings.Join(rest, " · ")
	return d, true
}

// tagged takes a tag that opts a decision out from either end of its text.
func tagged(s string) (text string, found []string) {
	if rest, ok := strings.CutPrefix(s, "["); ok {
		if list, after, ok := strings.Cut(rest, "]"); ok && optsOut(tags(list)) {
			s, found = strings.TrimSpace(after), tags(list)
		}
	}
	if i := strings.LastIndexByte(s, '['); i >= 0 && strings.HasSuffix(s, "]") && optsOut(tags(s[i+1:len(s)-1])) {
		s, found = strings.TrimSpace(s[:i]), append(found, tags(s[i+1:len(s)-1])...)
	}
	return s, found
}

func tags(list string) (out []string) {
	for tag := range strings.SplitSeq(list, ",") {
		if tag = strings.ToLower(strings.TrimSpace(tag)); tag != "" {
			out = append(out, tag)
		}
	}
	return out
}

// optsOut reports whether a tag says that no plan has to honor the decision.
func optsOut(tags []string) bool {
	return slices.ContainsFunc(tags, func(tag string) bool {
		return tag == "informational" || tag == "folded" || tag == "deferred" || tag == "superseded"
	})
}

// hyphens writes every dash that an editor makes of the one in an id as that.
func hyphens(s string) string {
	if len(s) > 24 {
		return hyphens(s[:24]) + s[24:]
	}
	return strings.NewReplacer("D\u2010", "D-", "D\u2011", "D-", "D\u2012", "D-", "D\u2013", "D-", "D\u2212", "D-").Replace(s)
}

// isDecisions reports whether a heading is that of the decisions: what it says
// before a note ends in that word.
func isDecisions(heading string) bool {
	for _, sep := range append(headingNotes, " from ") {
		heading, _, _ = strings.Cut(heading, sep)
	}
	words := strings.Fields(strings.ToLower(strings.Trim(heading, "*_ ")))
	if len(words) == 0 || len(words) > 4 || slices.ContainsFunc(words, func(w string) bool { return w == "deferred" || w == "open" || w == "no" || w == "pending" }) {
		return false
	}
	last := words[len(words)-1]
	return last == "decisions" || last == "decision"
}

// isPutOff reports whether a heading says that what is below it is not for now.
func isPutOff(heading string) bool {
	return strings.Contains(strings.ToLower(heading), "deferred")
}

// Number gives the decisions that have no id one, counted from first in their
// order, and returns them as they are then.
func (t *Text) Number(first int) []Decision {
	loose := t.Unnumbered()
	for i := range loose {
		d := &loose[i]
		d.ID = DecisionID(first + i)
		line := t.Line(d.Line)
		it, _ := item(line)
		at := strings.Index(line, it.Text)
		t.SetLine(d.Line, line[:at]+"**"+d.ID+":** "+line[at:])
	}
	return loose
}

// isDiscretion reports whether a heading says Claude's or Agent's Discretion, with
// whatever quote an editor or a model made of the apostrophe. A note may follow:
// `Claude's Discretion (autonomous mode)`.
func isDiscretion(heading string) bool {
	for _, sep := range headingNotes {
		heading, _, _ = strings.Cut(heading, sep)
	}
	bare := strings.Map(func(r rune) rune {
		if isQuote(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, heading)
	switch strings.Join(strings.Fields(bare), " ") {
	case "claudes discretion", "claude discretion", "agents discretion", "agent discretion", "the agents discretion":
		return true
	}
	return false
}

// headingNotes are what stands between a heading and a note of it.
var headingNotes = []string{"(", ":", " — ", " – "}

// leftOpen reports whether a note of a heading leaves what is below it to the
// agent: `Canvas (Claude's discretion)`, `Rule — Claude's discretion within bounds`.
func leftOpen(heading string) bool {
	for _, sep := range headingNotes {
		_, note, _ := strings.Cut(heading, sep)
		words := strings.Fields(note)
		for i := range words {
			if i < 3 && isDiscretion(strings.TrimRight(strings.Join(words[:i+1], " "), ").,")) {
				return true
			}
		}
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
