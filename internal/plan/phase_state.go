package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"cairn/internal/plan/doc"
)

// What a change of the phases does to STATE.md. Both ways of writing it are
// edited, where they stand: `**Current Phase:** 02` and `Phase: 2 of 4 (API)`.
// A field that is not there is not added, and without STATE.md nothing is
// done.

// stateText returns STATE.md, nil without an error when there is none.
func (tx *Tx) stateText() (*doc.Text, error) {
	t, err := tx.Read(tx.Path("STATE.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return t, err
}

// positionField returns a field of the section Current Position, where a
// plain `Phase:` or `Plan:` means the current one.
func positionField(t *doc.Text, name string) (doc.Field, bool) {
	s, ok := t.Section("Current Position")
	if !ok {
		return doc.Field{}, false
	}
	return t.Field(s.Start, s.End, name)
}

// setState writes a body field if it is there and reports whether it was.
func setState(t *doc.Text, name, value string) bool {
	f, ok := t.Field(t.Body(), t.Len(), name)
	if ok {
		t.SetField(f, value)
	}
	return ok
}

// setFront writes a key of STATE.md's frontmatter if it is there.
func setFront(t *doc.Text, value any, path ...string) error {
	if t.Front().Get(path...) == nil {
		return nil
	}
	return t.SetFront(value, path...)
}

// changeTotals adds to the number of phases, wherever STATE.md has it.
func (tx *Tx) changeTotals(by int) error {
	t, err := tx.stateText()
	if t == nil || err != nil {
		return err
	}
	if f, ok := t.Field(t.Body(), t.Len(), "Total Phases"); ok {
		if n, err := strconv.Atoi(f.Value); err == nil {
			t.SetField(f, strconv.Itoa(max(n+by, 0)))
		}
	}
	if f, ok := positionField(t, "Phase"); ok {
		if at, n, digits, ok := ofTotal(f.Value); ok {
			t.SetField(f, f.Value[:at]+strconv.Itoa(max(n+by, 0))+f.Value[at+digits:])
		}
	}
	if n := t.Front().Get("progress", "total_phases"); n != nil {
		return t.SetFront(max(n.Int(0)+by, 0), "progress", "total_phases")
	}
	return nil
}

// ofTotal finds the total in `2 of 4 (API)`.
func ofTotal(s string) (at, total, digits int, ok bool) {
	i := strings.Index(s, " of ")
	if i < 0 {
		return 0, 0, 0, false
	}
	at = i + len(" of ")
	digits = len(s[at:]) - len(strings.TrimLeft(s[at:], "0123456789"))
	total, err := strconv.Atoi(s[at : at+digits])
	return at, total, digits, err == nil
}

// currentPhase returns the phase that STATE.md says is being worked on.
func (tx *Tx) currentPhase() (doc.PhaseID, bool) {
	t, err := tx.stateText()
	if t == nil || err != nil {
		return doc.PhaseID{}, false
	}
	if f, ok := t.Field(t.Body(), t.Len(), "Current Phase"); ok {
		first, _, _ := strings.Cut(f.Value, " ")
		return doc.ParsePhaseID(first)
	}
	if f, ok := positionField(t, "Phase"); ok {
		first, _, _ := strings.Cut(f.Value, " ")
		return doc.ParsePhaseID(first)
	}
	return doc.ParsePhaseID(t.Front().Get("current_phase").Text())
}

// setCurrentPhase writes another phase's id and, if it is not "", name where
// STATE.md has those of the current one.
func setCurrentPhase(t *doc.Text, id doc.PhaseID, name string) error {
	if f, ok := t.Field(t.Body(), t.Len(), "Current Phase"); ok {
		first, rest, _ := strings.Cut(f.Value, " ")
		value := id.Like(first, true)
		switch {
		case strings.HasPrefix(rest, "("): // 2 (API)
			value += " (" + name + ")"
		case rest != "":
			value += " " + rest
		}
		t.SetField(f, value)
	}
	if name != "" {
		setState(t, "Current Phase Name", name)
	}
	if f, ok := positionField(t, "Phase"); ok {
		first, rest, _ := strings.Cut(f.Value, " ")
		if name != "" {
			if before, _, ok := strings.Cut(rest, "("); ok {
				rest = strings.TrimRight(before, " ") + " (" + name + ")"
			}
		}
		t.SetField(f, strings.TrimRight(id.Like(first, false)+" "+rest, " "))
	}
	front := t.Front()
	if n := front.Get("current_phase"); n != nil {
		if err := t.SetFront(id.Like(n.Text(), true), "current_phase"); err != nil {
			return err
		}
	}
	if name != "" {
		return setFront(t, name, "current_phase_name")
	}
	return nil
}

// stateTotals counts the milestone's phases and plans and writes what STATE.md
// has of them: the bar in its body, and progress in its frontmatter.
func (tx *Tx) stateTotals(t *doc.Text) error {
	phases, err := tx.Phases(Current)
	if err != nil {
		return err
	}
	donePhases, plans, done := 0, 0, 0
	for _, p := range phases {
		plans += len(p.Plans)
		done += p.Executed()
		if p.Status() == StatusComplete {
			donePhases++
		}
	}
	percent := Percent(donePhases, len(phases))
	if plans > 0 {
		percent = min(percent, Percent(done, plans))
	}
	if f, ok := t.Field(t.Body(), t.Len(), "Progress"); ok {
		t.SetField(f, withPercent(f.Value, percent))
	}
	setState(t, "Completed Phases", strconv.Itoa(donePhases))
	for key, n := range map[string]int{"completed_phases": donePhases, "total_plans": plans, "completed_plans": done, "percent": percent} {
		if err := setFront(t, n, "progress", key); err != nil {
			return err
		}
	}
	return nil
}

// withPercent writes a percentage in the form that the value has: with the bar
// as wide as it was, or as a number alone.
func withPercent(value string, percent int) string {
	number := strconv.Itoa(percent) + "%"
	open, end := strings.Index(value, "["), strings.Index(value, "]")
	if open < 0 || end < open {
		return number
	}
	width := len([]rune(value[open+1 : end]))
	full := percent * width / 100
	return value[:open+1] + strings.Repeat("█", full) + strings.Repeat("░", width-full) + "] " + number
}

// noteForced records in STATE.md's decisions why a phase was completed with
// work left open.
func noteForced(t *doc.Text, phase, what, reason string) {
	if reason == "" {
		reason = "no reason given"
	}
	text := fmt.Sprintf("completed by force with %s", what)
	s, ok := t.Section("Decisions", "Decisions Made")
	if !ok {
		t.Insert(t.Len(), "", "## Decisions", "")
		s, _ = t.Section("Decisions")
	}
	for _, tb := range t.Tables(s.Start, s.End) {
		if tb.Column("Phase") == 0 && len(tb.Head) >= 3 {
			t.AppendRow(tb, phase, text, reason)
			return
		}
	}
	t.AppendTo(s, fmt.Sprintf("- [Phase %s]: %s — %s", phase, text, reason))
}
