package guard

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// A Status is what is known of a session for the line below its prompt.
type Status struct {
	Session string
	Model   string
	Dir     string
	Left    *float64 // percent of the context window; nil: not known yet
	Size    int      // of the window in tokens; 0: not known
	Reserve Reserve  // of the window

	Task    func() string // what the agent says that it is doing, or ""; may be nil
	Command func() string // of the agent's own that was called last, or ""; may be nil
}

// A Reserve is what the agent keeps free of its window: when only that is left, it
// compacts. Env is the variable by which it is told how many tokens, Percent what
// it is without that.
type Reserve struct {
	Env     string
	Percent float64
}

// Line is the line below the prompt, and leaves the bridge.
func (g *Guard) Line(s Status) string {
	l := g.look(s.Dir)
	gauge := ""
	if s.Left != nil {
		left := min(max(*s.Left, 0), 100)
		_ = g.writeBridge(s.Session, left, s.Size) // without it, the agent is only not warned
		gauge = meter(g.usable(left, s.Size, s.Reserve))
	}
	if g.Saved != nil {
		if n := g.Saved(s.Session); n > 0 {
			gauge = strings.TrimSpace(gauge + " " + dim("saved "+text.Approx(n)))
		}
	}
	middle := ""
	if s.Task != nil {
		middle = bold(plain(s.Task(), 60))
	}
	if middle == "" {
		middle = dim(plain(l.position(), 90))
	}
	parts := []string{dim(plain(s.Model, 40)), middle, dim(plain(filepath.Base(l.dir), 40))}
	if s.Command != nil && l.on("statusline.show_last_command") {
		parts = append(parts, dim(plain(s.Command(), 40)))
	}
	if g.Spent != nil {
		parts = append(parts, spent(g.Spent()))
	}
	if front, _ := l.value("statusline.context_position").(string); front == "front" {
		parts = append([]string{gauge}, parts...)
	} else {
		parts = append(parts, gauge)
	}
	var shown []string
	for _, p := range parts {
		if p != "" {
			shown = append(shown, p)
		}
	}
	line := strings.Join(shown, " │ ")
	if g.Newer != nil {
		if v := g.Newer(); v != "" {
			line = yellow("⬆ cairn update ("+plain(v, 20)+")") + " │ " + line
		}
	}
	return line
}

// spent is what agents cost, in a color where a budget is nearly or fully spent.
func spent(line string, level int) string {
	switch line = plain(line, 80); {
	case line == "" || level == 0:
		return dim(line)
	case level < 100:
		return yellow(line)
	}
	return paint("31", line)
}

// usable is how much of what can be used before the agent compacts is left, in
// percent, when that much of the whole window is. What the user sees and what the
// agent is told are both of it.
func (g *Guard) usable(left float64, size int, r Reserve) float64 {
	reserve := r.Percent
	if n, err := strconv.Atoi(g.getenv(r.Env)); err == nil && n > 0 && size > 0 {
		reserve = min(100*float64(n)/float64(size), 100)
	}
	if reserve >= 100 {
		return 0
	}
	return max(0, (left-reserve)/(100-reserve)*100)
}

// meter draws what is left: ten cells and the percentage, in a colour that changes
// where the agent is told.
func meter(left float64) string {
	n := int(math.Round(left))
	text := fmt.Sprintf("%s %d%%", doc.Meter(n, 10), n)
	switch {
	case left > 50:
		return paint("32", text)
	case left > warnAt:
		return yellow(text)
	case left > criticalAt:
		return paint("38;5;208", text)
	}
	return paint("5;31", "💀 "+text)
}

// position is where the plan stands, in a few words, as its files have it, unless
// STATE.md says itself what is to be shown. Without a roadmap it is all that says
// something.
func (l *look) position() string {
	if !l.plan() {
		return ""
	}
	state, ok := l.state()
	if ok {
		front := state.Front()
		if !doc.Unset(front.Get("active_phase").Text()) || !doc.Unset(front.Get("next_action").Text()) {
			return said(state)
		}
	}
	if s := brief.FindPosition(l.tx); s.Phases > 0 {
		return inWork(s, ok && state.PausedAt() != "")
	}
	if !ok {
		return ""
	}
	return said(state)
}

// inWork is the phase in work as the plan's files have it.
func inWork(s *brief.Standing, paused bool) string {
	parts := []string{strings.TrimSpace(strings.TrimSpace(s.Milestone.Version+" "+s.Milestone.Name) + " " + doc.Bar(s.Percent))}
	if paused {
		parts = append(parts, "paused")
	}
	if s.Phase == nil {
		parts = append(parts, "milestone complete")
	} else {
		parts = append(parts, string(s.State), fmt.Sprintf("phase %s %s (%d/%d)", s.Phase.ID, s.Phase.Name, s.At, s.Phases))
	}
	return strings.Join(parts, " · ")
}

// said is where STATE.md says that the plan stands.
func said(s doc.State) string {
	front := s.Front()
	get := func(path ...string) string { return front.Get(path...).Text() }
	count := func(path ...string) (n int, ok bool) {
		n, err := strconv.Atoi(get(path...))
		return n, err == nil
	}
	var parts []string
	percent, hasPercent := count("progress", "percent")
	if !hasPercent {
		percent, hasPercent = doc.Percent(s.Value("Progress"))
	}
	milestone := strings.TrimSpace(get("milestone") + " " + get("milestone_name"))
	if milestone != "" && hasPercent {
		milestone += " "
	}
	if hasPercent {
		milestone += doc.Bar(percent)
	}
	if milestone != "" {
		parts = append(parts, milestone)
	}
	status := get("status")
	if status == "" {
		status = s.Value("Status")
	}
	done, hasDone := count("progress", "completed_phases")
	total, hasTotal := count("progress", "total_phases")
	number, name := s.Phase()
	phases := front.Get("next_phases").Names()
	switch active, next := get("active_phase"), get("next_action"); {
	case !doc.Unset(active):
		parts = append(parts, "Phase "+active, status)
	case !doc.Unset(next) && len(phases) > 0:
		parts = append(parts, "next "+next+" "+strings.Join(phases, "/"))
	case hasPercent && percent >= 100 || hasDone && hasTotal && total > 0 && done >= total:
		parts = append(parts, "milestone complete")
	default:
		if n, ok := s.TotalPhases(); ok && !hasTotal {
			total, hasTotal = n, true
		}
		parts = append(parts, status, phaseOf(number, name, total, hasTotal))
	}
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, " · ")
}

// phaseOf is the phase that is being worked on: its name, or else its number,
// and how many there are.
func phaseOf(number, name string, total int, hasTotal bool) string {
	if doc.Unset(number) {
		return ""
	}
	of := number
	if hasTotal {
		of += "/" + strconv.Itoa(total)
	}
	if doc.Unset(name) {
		return "ph " + of
	}
	return name + " (" + of + ")"
}

// plain is a text of somebody's as it can stand in the line: nothing that a
// terminal would obey, and not more than that many characters.
func plain(s string, most int) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError || unicode.Is(unicode.Cf, r): // also what turns the writing around
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, s))
	return text.Shorten(s, most)
}

func paint(code, text string) string { return "\x1b[" + code + "m" + text + "\x1b[0m" }

func yellow(text string) string { return paint("33", text) }

func dim(text string) string { return painted("2", text) }

func bold(text string) string { return painted("1", text) }

// painted leaves nothing for nothing.
func painted(code, text string) string {
	if text == "" {
		return ""
	}
	return paint(code, text)
}
