package compact

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/prefix"
	"cairn/internal/compact/rule"
)

// learn decides whether each line begins with a prefix that is none of the
// tool's: behind it the content is that of a tool, or lines begin there as none
// that stands alone does.
func (s *Stream) learn() *prefix.Layout {
	if s.opt.Rule != "" || s.nested == maxNested || !slices.Contains([]string{"", "Bash", "TaskOutput"}, s.env.Tool) {
		return nil
	}
	texts := make([]string, len(s.sample))
	for i, l := range s.sample {
		texts[i] = l.Text
	}
	for l := range strings.Lines(s.end()) {
		texts = append(texts, lines.Clean(strings.TrimSuffix(l, "\n")))
	}
	raw := ""
	joined := func() string {
		if raw == "" {
			raw = strings.Join(texts, "\n")
		}
		return raw
	}
	target := rule.Target{Tool: s.env.Tool, Command: s.cmd, Sample: joined}
	tier, kind := s.opt.Library.OfCommand(target)
	if s.hooked = tier == rule.BuiltIn && hooked(texts) && !s.opt.Library.Content(s.env.Tool, joined()); s.hooked {
		return &prefix.Layout{}
	}
	if tier == rule.BuiltIn {
		if of := s.opt.Library.Turns(target); len(of) > 1 {
			s.turns = &turns{of: of}
			return &prefix.Layout{}
		}
	}
	if tier != rule.BuiltIn || kind == rule.Known {
		return nil // whoever wrote the rule knows what the lines look like
	}
	e := evidence{texts: texts, raw: joined(), kind: kind}
	layouts := prefix.Learn(texts[:len(s.sample)])
	if len(layouts) == 0 {
		return cmp.Or(prefix.Document(texts[:len(s.sample)]), e.none(s.opt.Library))
	}
	e.suspects, e.journal = s.opt.Library.Suspects(s.env.Tool, raw), prefix.Journal(layouts)
	if doc, _ := e.suspects.Document(raw); doc == "files/xml" {
		return nil // its tags are no names of services
	}
	e.known, _ = e.suspects.Recognise(raw)
	var best *prefix.Layout
	most := 0
	for _, layout := range layouts {
		if n := e.worth(layout); n > most {
			best, most = layout, n
		}
	}
	return cmp.Or(best, e.none(s.opt.Library))
}

// none is the prefix of lines without one, if they are of several pieces all the
// same.
func (e *evidence) none(lib *rule.Library) *prefix.Layout {
	if e.script(lib) {
		return &prefix.Layout{}
	}
	return nil
}

// An evidence is what is known of an output of which each line begins alike.
type evidence struct {
	texts    []string
	raw      string // all of them
	kind     rule.Kind
	suspects rule.Suspects
	known    string // the rule for a tool that raw looks like as it is
	journal  bool   // it looks like a system's log
}

// worth says how sure it is that a prefix was put there by someone else than the
// one who wrote what is behind it; 0 is not at all.
func (e *evidence) worth(layout *prefix.Layout) (n int) {
	kind := e.kind
	if e.journal && layout.Timed() {
		kind = max(kind, rule.Logs)
	}
	plain := kind == rule.Any && layout.Plain()
	bare, loose, dated := stripped(layout, e.texts)
	id, hits := e.suspects.Recognise(bare)
	if strings.HasPrefix(id, "run/") && kind == rule.Logs {
		id = "" // a trace is what any program logs
	}
	switch gain := hits - e.suspects.Hits(id, e.raw); {
	case id != "" && gain < 0:
		return 0
	case id != "" && gain > 0:
		n = 10 * gain
	case layout.Leveled(), kind == rule.Logs && !(dated && e.journal), kind == rule.Misfit && layout.Named():
		return 0
	case e.known != "" && (e.known != id || !plain):
		return 0
	case id == "" && plain && !dated:
		// A listing with a date in each row is no log of one.
		if doc, hits := e.suspects.Document(bare); layout.Named() || doc == "files/xml" || !strings.HasPrefix(doc, "files/") {
			n = 4 * max(0, hits-e.suspects.Hits(doc, e.raw))
		}
	}
	if loose && !layout.Logged() { // words of a level are not all as long
		n += 3
	}
	if dated {
		n += 2
	}
	if plain && (layout.Named() || id != "" && !strings.HasPrefix(id, "run/")) {
		n++
	}
	return n
}

// stripped is the text without the prefix, each service's lines together. loose
// reports whether what is left are lines that do not stand for themselves, blank
// and indented ones, or a CI runner's marks; dated, whether most begin with a time
// all the same.
func stripped(layout *prefix.Layout, texts []string) (text string, loose, dated bool) {
	by := map[string]*strings.Builder{}
	var order []string
	n, blank, indented, marks, times := 0, 0, 0, 0, 0
	for _, t := range texts {
		l, ok := layout.Cut(t)
		if !ok {
			continue
		}
		b := by[l.Whose]
		if b == nil {
			b = &strings.Builder{}
			by[l.Whose] = b
			order = append(order, l.Whose)
		}
		b.WriteString(l.Text)
		b.WriteByte('\n')
		n++
		switch {
		case lines.Blank(l.Text):
			blank++
		case strings.HasPrefix(l.Text, "##["):
			marks++
		case l.Text[0] == ' ' || l.Text[0] == '\t':
			if c := strings.TrimLeft(l.Text, " \t")[0]; c < '0' || c > '9' { // numbers may be aligned
				indented++
			}
		case prefix.Stamped(l.Text):
			times++
		}
	}
	var all strings.Builder
	for _, whose := range order {
		all.WriteString(by[whose].String())
	}
	loose = blank*50 > n || blank > 0 && indented*20 > n || indented*5 > n*2 && indented*20 < n*19 || marks > 1
	return all.String(), loose, times*2 > n-blank-indented
}

// end is the end of an output that is held whole and longer than its sample.
func (s *Stream) end() string {
	w := s.raw.whole
	if len(w) <= sampleBytes {
		return ""
	}
	return w[max(sampleBytes, len(w)-sampleBytes/4):]
}
