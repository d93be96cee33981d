package compact

import (
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
)

// The guard's second look: at what a parser knows to be fine, or counts. It
// asks for more than the first, since a parser is seldom wrong.

// second takes a line that a parser knows to be fine. It is only worth more
// than that when it says itself that something broke: a tool's or a program's
// complaint at its start, an error with its place, and their own frame.
func (g *guard) second(l record.Line) {
	switch {
	case g.data:
		g.look(l)
	case len(l.Text) > guardMax:
	case len(g.fine) < guardFine && breaks(l.Text):
		if key := lines.Template(l.Text); !g.saw[key] {
			if g.saw == nil {
				g.saw = map[string]bool{}
			}
			g.saw[key] = true
			g.fine = append(g.fine, l)
		}
	default:
		g.frame(l)
	}
}

// breaks reports whether a line by itself tells of something that broke.
func breaks(s string) bool {
	colon := strings.Index(s, ": ")
	if colon <= 0 {
		return false
	}
	signal := lines.Classify(s)
	if signal < lines.Trouble {
		return false
	}
	switch name := s[:colon]; {
	case strings.EqualFold(name, "caused by"):
		return true
	case strings.EqualFold(name, "error"), strings.EqualFold(name, "warning"): // says no more than what was counted
	case complains(s), (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) && !strings.Contains(name, " "):
		return true
	}
	return signal == lines.Failure && lines.HasLocation(s)
}

// frame takes a line that is left out because its record is told in brief or
// is fine: it may be the frame of trouble that is shown.
func (g *guard) frame(l record.Line) {
	if len(g.frames) < guardFrames && len(l.Text) <= guardMax && ownFrame(l.Text) {
		g.frames = append(g.frames, l)
	}
}

// framesOf returns the frames that stand right below the trouble that is shown.
func (g *guard) framesOf(kept []*item, back []record.Line) (out []record.Line) {
	if len(g.frames) == 0 {
		return nil
	}
	below := map[int]bool{}
	for _, it := range kept {
		below[it.n+1] = lines.Classify(it.text) >= lines.Trouble
	}
	for _, l := range back {
		below[l.N+1] = true
	}
	for _, l := range g.frames {
		if below[l.N] && len(out) < guardFine {
			out = append(out, l)
		}
	}
	return out
}

// unsaid returns the lines of fine that no kept line says, with other numbers
// perhaps.
func (g *guard) unsaid(kept []*item) (out []record.Line) {
	if len(g.fine) == 0 {
		return nil
	}
	said := make(map[string]bool, len(kept))
	for _, it := range kept {
		said[lines.Template(strings.TrimSpace(it.text))] = true
	}
	for _, l := range g.fine {
		if t := lines.Template(strings.TrimSpace(l.Text)); !said[t] {
			said[t] = true
			out = append(out, l)
		}
	}
	return out
}
