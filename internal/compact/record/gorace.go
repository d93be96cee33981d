package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// A raceReport is what the race detector says: two accesses and where their
// goroutines were started, each a section with a stack.
type raceReport struct {
	head     []Line
	sections []raceSection
}

type raceSection struct {
	header Line
	frames []traceEntry
}

const (
	raceBorder   = "=================="
	raceAccess   = 2 // own frames kept of an access
	raceCreated  = 1 // and of the place that started the goroutine
	raceSections = 8
)

func (r *raceReport) open(l Line) { *r = raceReport{head: []Line{l}} }

func (s *goStack) raceLine(l Line, emit Emit) bool {
	r, t := &s.race, l.Text
	switch {
	case t == raceBorder:
		emit.line(Folded, l)
		s.close(emit)
	case lines.Blank(t):
		emit.line(Good, l)
	case goTestEnds(t) || strings.HasPrefix(t, "--- "):
		s.close(emit)
		return false
	case !indented(t) && len(r.sections) < raceSections:
		r.sections = append(r.sections, raceSection{header: l})
	case len(r.sections) == 0:
		r.head = append(r.head, l)
	default:
		last := &r.sections[len(r.sections)-1]
		last.frames = addGoFrame(last.frames, l, emit)
	}
	return true
}

func (r *raceReport) close(emit Emit) {
	rec := Record{Class: Failure, Lines: r.head}
	for i, s := range r.sections {
		most, named := raceAccess, 1
		if strings.HasSuffix(s.header.Text, "created at:") {
			most, named = raceCreated, 0
		}
		own, rest := ownFrames(s.frames, most)
		if len(own) == 0 {
			own, rest = firstFrames(s.frames, most)
		}
		rec.Lines = append(append(rec.Lines, s.header), goPlaces(own, named, false, emit)...)
		leaveGoFrames(rest, emit)
		if i < 2 && len(own) > 1 { // the same two places are the same race
			rec.Key += "race " + lines.Location(own[1].Text) + "\n"
			if i == 0 {
				rec.Site = lines.Location(own[1].Text)
			}
		}
	}
	emit(rec)
}
