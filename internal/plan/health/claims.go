package health

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
)

// disputed: of each phase, everything that says whether it is complete says the
// same.
func disputed(l *look) []Finding {
	var out []Finding
	for _, p := range l.all {
		claims := p.Disputed()
		if claims == nil {
			continue
		}
		var open, done plan.Claim
		for _, c := range claims {
			if c.Done {
				done = c
			} else {
				open = c
			}
		}
		out = append(out, Finding{
			Message: fmt.Sprintf("Phase %s: %s says that it is complete, %s that it is not", p.ID, claimant(done), claimant(open)),
			Path:    open.Path, Line: open.Line, byHand: !p.CanAgree(),
		})
	}
	return out
}

// agree makes the documents say what the files of the phase show.
func agree(l *look, f Finding) {
	for _, p := range l.Phases(plan.Current) {
		if slices.ContainsFunc(p.Disputed(), func(c plan.Claim) bool { return !c.Done && c.Path == f.Path && c.Line == f.Line }) && p.CanAgree() {
			l.Agree(p)
		}
	}
}

// deniedPhases: what the roadmap calls complete has no verification that found gaps,
// unless a person completed it all the same.
func deniedPhases(l *look) []Finding {
	var out []Finding
	life := lifecycle.New(context.Background(), l.Tx)
	for _, p := range l.phases {
		if p.File("VERIFICATION") == "" || !l.Closed(p) || life.Forced(p) {
			continue
		}
		if gaps := life.Denied(p).Gaps; gaps != "" {
			out = append(out, Finding{Message: fmt.Sprintf("Phase %s: ROADMAP.md says that it is complete, %s found gaps", p.ID, gaps), Path: path.Join(p.Dir, gaps)})
		}
	}
	return out
}

func claimant(c plan.Claim) string {
	if c.Line == 0 {
		return "the " + string(c.Source)
	}
	return fmt.Sprintf("the %s in line %d", c.Source, c.Line)
}

// unreadLines: what begins as a phase in the roadmap is read as one.
func unreadLines(l *look) []Finding {
	if l.roadmap == nil {
		return nil
	}
	var out []Finding
	for _, line := range l.roadmap.Unread() {
		out = append(out, Finding{
			Message: fmt.Sprintf("begins as a phase and is read as none: %s", strings.TrimSpace(l.roadmap.Line(line))),
			Path:    l.Path("ROADMAP.md"), Line: line + 1,
		})
	}
	return out
}

// stateCount: STATE.md counts no more complete phases than the roadmap shows.
func stateCount(l *look) []Finding {
	if l.state == nil || l.roadmap == nil || len(l.phases) == 0 {
		return nil
	}
	phases := l.LatestPhases()
	claims := 0
	line := 0
	if n, err := strconv.Atoi(l.state.Front().Get("progress").Get("completed_phases").Text()); err == nil {
		claims, line = n, 1
	}
	state := doc.State{Text: l.state}
	if f, ok := state.PositionField("Phase"); ok {
		var at, of int
		if n, _ := fmt.Sscanf(f.Value, "%d of %d", &at, &of); n == 2 && at == of && of == len(phases) && isDone(state.Value("Status")) && of > claims {
			claims, line = of, f.Line+1
		}
	}
	shown, open := 0, 0
	for _, p := range phases {
		switch p.Claimed() {
		case doc.SaysDone:
			shown++
		case doc.SaysOpen:
			open++
		}
	}
	if claims <= len(phases)-open || claims > len(phases) { // what nothing is said of may be complete
		return nil
	}
	return []Finding{{
		Message: fmt.Sprintf("STATE.md says that %d phases are complete; of the milestone's %d in ROADMAP.md %d are", claims, len(phases), shown),
		Path:    l.Path("STATE.md"), Line: line,
	}}
}
