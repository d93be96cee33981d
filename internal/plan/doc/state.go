package doc

import (
	"fmt"
	"strconv"
	"strings"
)

// State is a view of STATE.md. Two dialects of it live together, often in one
// file: fields of their own (`**Current Phase:** 02`), and the lines of the
// section Current Position (`Phase: 2 of 5 (API)`). What is written is written
// to whichever the file has, and to both when it has both.
type State struct{ *Text }

// Values returns the fields of that name: the first of the body, and the one
// in Current Position if that is another.
func (s State) Values(name string) []Field {
	var out []Field
	first, ok := s.Field(s.Body(), s.Len(), name)
	if ok {
		out = append(out, first)
	}
	if f, ok := s.PositionField(name); ok && f.Line != first.Line {
		out = append(out, f)
	}
	return out
}

// Value returns the text of the first field that has one of the names and a
// value, in the order of the names.
func (s State) Value(names ...string) string {
	for _, name := range names {
		for _, f := range s.Values(name) {
			if f.Value != "" {
				return f.Value
			}
		}
	}
	return ""
}

// Set writes every field of that name and reports whether there is one. The
// value becomes one line.
func (s State) Set(name, value string) bool {
	fields := s.Values(name)
	for _, f := range fields {
		s.SetField(f, OneLine(value))
	}
	return len(fields) > 0
}

// Position returns the section Current Position.
func (s State) Position() (Section, bool) { return s.Section("Current Position") }

// SetPosition writes a field of Current Position alone.
func (s State) SetPosition(name, value string) bool {
	f, ok := s.PositionField(name)
	if ok {
		s.SetField(f, OneLine(value))
	}
	return ok
}

// PositionField returns a field of Current Position. In a file without that
// section the lines `Phase: 2 of 5 (API)` and `Plan: 1 of 3` may stand
// anywhere; others of these names are prose.
func (s State) PositionField(name string) (Field, bool) {
	if sec, ok := s.Position(); ok {
		return s.Field(sec.Start, sec.End, name)
	}
	if name != "Phase" && name != "Plan" {
		return Field{}, false
	}
	f, ok := s.Field(s.Body(), s.Len(), name)
	at := cutPosition(f.Value)
	if !ok || at.number == "" || at.total == "" && !strings.Contains(f.Value, " — ") {
		return Field{}, false
	}
	return f, true
}

// Phase returns the number and the name of the current phase as the body has
// them, each "" when it says none.
func (s State) Phase() (number, name string) {
	number, name = s.Value("Current Phase"), s.Value("Current Phase Name")
	f, _ := s.PositionField("Phase")
	at := cutPosition(f.Value)
	if Unset(number) {
		number = at.number
	}
	if Unset(name) {
		name = at.name
	}
	return number, name
}

// PhaseID returns the id of the current phase.
func (s State) PhaseID() (PhaseID, bool) {
	number, _ := s.Phase()
	number, _, _ = strings.Cut(number, " ")
	id, ok := ParsePhaseID(number)
	return id, ok && strings.ContainsAny(number, "0123456789")
}

// TotalPhases returns how many phases the body says there are.
func (s State) TotalPhases() (int, bool) {
	if n, err := strconv.Atoi(s.Value("Total Phases")); err == nil {
		return n, true
	}
	f, _ := s.PositionField("Phase")
	n, err := strconv.Atoi(cutPosition(f.Value).total)
	return n, err == nil
}

// Plan returns the current plan and how many the phase has, as the body has
// them; a number that it does not say is -1.
func (s State) Plan() (plan, total int) {
	total = number(s.Value("Total Plans in Phase"))
	plan = -1
	position, _ := s.PositionField("Plan")
	for _, value := range []string{s.Value("Current Plan"), position.Value} {
		a, b, _ := strings.Cut(value, " of ")
		if plan < 0 {
			plan = number(a)
		}
		if total < 0 {
			total = number(b)
		}
	}
	return plan, total
}

// SetPlan writes the current plan and how many the phase has, to the fields
// of both dialects; a number that is negative stays as it is, and a total
// that is too low is not repeated. What follows the numbers in `Plan: 1 of 3
// in current phase` stays too.
func (s State) SetPlan(plan, total int) (inFields, inPosition bool) {
	if plan >= 0 {
		for _, f := range s.Values("Current Plan") {
			value := strconv.Itoa(plan)
			if strings.Contains(f.Value, " of ") {
				value = planOf(f.Value, plan, total)
			}
			s.SetField(f, value)
			inFields = true
		}
	}
	if total >= 0 {
		inFields = s.Set("Total Plans in Phase", strconv.Itoa(total)) || inFields
	}
	f, ok := s.PositionField("Plan")
	if ok {
		s.SetField(f, planOf(f.Value, plan, total))
	}
	return inFields, ok
}

// planOf writes the numbers into `1 of 3 in current phase`.
func planOf(value string, plan, total int) string {
	a, b, _ := strings.Cut(value, " of ")
	rest := ""
	if digits := countDigits(b); digits > 0 {
		rest = b[digits:]
	}
	if plan < 0 {
		plan = max(number(a), 0)
	}
	if total < 0 {
		total = number(b)
	}
	numbers := strconv.Itoa(plan)
	if total >= plan {
		numbers += " of " + strconv.Itoa(total)
	}
	return numbers + rest
}

// SetActivity writes when something last happened and what it was. A line
// that holds both (`Last activity: 2026-01-02 - created`) keeps its dash;
// without a text it is the date alone.
func (s State) SetActivity(date, what string) bool {
	apart := len(s.Values("Last Activity Description")) > 0
	fields := s.Values("Last Activity")
	for _, f := range fields {
		value := date
		if dash := activityDash(f.Value); what != "" && (dash != "" || !apart || !f.Bold) {
			if dash == "" {
				dash = " — "
			}
			value += dash + OneLine(what)
		}
		s.SetField(f, value)
	}
	return len(fields) > 0
}

// Activity returns the date and the text of the last activity.
func (s State) Activity() (date, what string) {
	date, what = s.Value("Last Activity"), s.Value("Last Activity Description")
	if dash := activityDash(date); dash != "" && what == "" {
		_, what, _ = strings.Cut(date, dash)
	}
	return date, what
}

func activityDash(s string) string {
	best, at := "", len(s)
	for _, dash := range []string{" — ", " – ", " -- ", " - "} {
		if i := strings.Index(s, dash); i >= 0 && i < at {
			best, at = dash, i
		}
	}
	return best
}

// PausedAt returns where or when work was paused, "" when it is not: what the
// body says, else the frontmatter.
func (s State) PausedAt() string {
	at := s.Front().Get("paused_at").Text()
	if fields := s.Values("Paused At"); len(fields) > 0 {
		at = fields[0].Value
	}
	if Unset(at) {
		return ""
	}
	return at
}

// Bar draws a percentage as STATE.md has it: [██░░░░░░░░] 20%.
func Bar(percent int) string { return fmt.Sprintf("[%s] %d%%", Meter(percent, 10), percent) }

// Meter draws a percentage, so many characters wide.
func Meter(percent, width int) string {
	full := min(max((percent*width+50)/100, 0), width)
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

// Percent reads the number before the first % in s, with or without a bar.
func Percent(s string) (int, bool) {
	head, _, ok := strings.Cut(s, "%")
	head = strings.TrimRight(head, " ")
	digits := head[len(strings.TrimRight(head, "0123456789.")):]
	digits, _, _ = strings.Cut(digits, ".")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil
}

// Unset reports whether a field's value says that there is none.
func Unset(value string) bool {
	switch strings.ToLower(strings.Trim(value, " ._()[]")) {
	case "", "-", "—", "–", "none", "n/a", "null", "not started", "none yet", "tbd":
		return true
	}
	return strings.HasPrefix(strings.ToLower(value), "not started")
}

// position is what `Phase: 2 of 5 (API) — EXECUTING` says.
type position struct{ number, total, name string }

func cutPosition(value string) (p position) {
	first, rest, _ := strings.Cut(value, " ")
	if id, ok := ParsePhaseID(first); !ok || id.Number < 0 && !strings.ContainsAny(first, "0123456789") {
		return p
	}
	p.number = first
	if of, ok := strings.CutPrefix(rest, "of "); ok {
		p.total = of[:countDigits(of)]
	}
	if _, after, ok := strings.Cut(rest, "("); ok {
		if i := strings.LastIndexByte(after, ')'); i >= 0 {
			p.name = after[:i]
		}
	}
	return p
}

// number reads the digits s begins with; -1 when there are none.
func number(s string) int {
	n, err := strconv.Atoi(s[:countDigits(s)])
	if err != nil {
		return -1
	}
	return n
}

// OneLine returns text as it can stand in one line: every run of line breaks,
// with the blanks around it, becomes a space.
func OneLine(text string) string {
	breaks := "\n\r\v\f\x00\u0085\u2028\u2029"
	if !strings.ContainsAny(text, breaks) {
		return strings.TrimSpace(text)
	}
	var parts []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(breaks, r) }) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}
