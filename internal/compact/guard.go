package compact

import (
	"sort"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/text"
)

// The guard looks once at every line that is left out, and brings back what
// may explain a failure. It knows no tool: where a rule or a parser is wrong,
// it is the second opinion.
type guard struct {
	data bool // the output is content: only a tool's own complaint counts

	lines    []record.Line // distinct candidates, in the order they were dropped
	seen     map[string]bool
	more     int // candidates beyond guardLines
	places   []string
	placed   map[string]bool
	warnings []record.Line
	warned   int
	fine     []record.Line   // labelled as errors, though a parser knows better
	saw      map[string]bool // what they say
	frames   []record.Line   // of the project's own code, left out
	failures int             // dropped lines that are labelled as errors
	after    bool            // the last line looked at was trouble: its first own frame counts too
}

const (
	guardLines    = 40  // distinct lines brought back at most
	guardPlaces   = 200 // distinct file:line named beyond that
	guardFrames   = 200
	guardFine     = 8 // of those that a parser knows to be fine
	guardWarnings = 5
	guardMax      = 2 << 10 // bytes of a line worth looking at
)

// look takes a line that is about to be left out.
func (g *guard) look(l record.Line) {
	if len(l.Text) > guardMax {
		l.Text = lines.Clip(l.Text)
	}
	if g.data {
		if complains(l.Text) {
			g.candidate(l)
			g.failures++
		}
		return
	}
	signal := lines.Classify(l.Text)
	if signal < lines.Trouble {
		if frame, own := lines.Frame(l.Text); frame {
			if own && g.after {
				g.after = false
				g.candidate(l)
			} else {
				g.frame(l)
			}
			return
		}
	}
	switch signal {
	case lines.Warning:
		g.warned++
		if len(g.warnings) < guardWarnings {
			g.warnings = append(g.warnings, l)
		}
	case lines.Failure:
		g.failures++
		fallthrough
	case lines.Trouble:
		g.candidate(l)
		g.after = true
		return
	}
	if !lines.Blank(l.Text) && !strings.HasPrefix(l.Text, " ") {
		g.after = false
	}
}

func (g *guard) candidate(l record.Line) {
	key := lines.Template(l.Text)
	if loc := lines.Location(l.Text); loc != "" {
		key += loc // the same message elsewhere is another fault
	}
	if g.seen[key] {
		return
	}
	if len(g.lines) < guardLines {
		if g.seen == nil {
			g.seen, g.placed = map[string]bool{}, map[string]bool{}
		}
		g.seen[key] = true
		g.lines = append(g.lines, l)
		return
	}
	g.more++
	if loc := lines.Location(l.Text); loc != "" && !g.placed[loc] && len(g.places) < guardPlaces {
		g.placed[loc] = true
		g.places = append(g.places, loc)
	}
}

// restore returns the lines to bring back, those already kept left out, and a
// note on what there is besides.
func (g *guard) restore(failed bool, kept []*item) (back []record.Line, note string) {
	have := make(map[string]bool, len(kept))
	for _, it := range kept {
		have[strings.TrimSpace(it.text)] = true
	}
	add := func(ls []record.Line) {
		for _, l := range ls {
			if t := strings.TrimSpace(l.Text); !have[t] {
				have[t] = true
				back = append(back, l)
			}
		}
	}
	if failed {
		add(g.lines)
		add(g.unsaid(kept))
		add(g.framesOf(kept, back))
		if g.more > 0 {
			note = "[… " + text.Thousands(g.more) + " more lines with errors"
			if len(g.places) > 0 {
				note += ": " + strings.Join(g.places, ", ")
			}
			note += " …]"
		}
	} else {
		add(g.warnings)
		if more := g.warned - len(g.warnings); more > 0 {
			note = "[… " + text.Thousands(more) + " more warnings …]"
		}
	}
	sort.SliceStable(back, func(i, j int) bool { return back[i].N < back[j].N })
	return back, note
}

// complains reports whether a line of a listing is the tool's own message:
// "grep: x: No such file or directory", "fatal: not a git repository".
func complains(s string) bool {
	i := strings.Index(s, ": ")
	if i <= 0 || i > 40 || strings.ContainsAny(s[:i], " \t") && !strings.HasPrefix(s, "npm ") {
		return false
	}
	for j := 0; j < i; j++ {
		if c := s[j]; c != '-' && c != '_' && c != '/' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	l := strings.ToLower(s)
	switch l[:i] {
	case "fatal", "error":
		return true
	}
	for _, w := range [...]string{"no such file", "permission denied", "not a directory", "is a directory", "cannot", "not found", "fatal", "denied", "failed", "input/output error", "killed", "out of memory", "segmentation fault"} {
		if strings.Contains(l[i:], w) {
			return true
		}
	}
	return false
}
