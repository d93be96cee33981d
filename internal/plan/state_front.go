package plan

import (
	"cmp"
	"strconv"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// StateFront is the frontmatter of STATE.md: its keys with their values, in
// order, and the counters that stand under progress.
type StateFront struct {
	jsonc.Object
	Progress jsonc.Object
	none     []string // keys of which the body says that there is none
}

// derive brings the frontmatter up to date: what the body and the phases say,
// and when. Keys that it does not know, comments and order stay.
func (s *State) derive() {
	front := s.Derived()
	for _, m := range front.changes(s.Front()) {
		if err := s.SetFront(m.Value, strings.Split(m.Name, ".")...); err != nil {
			must.Fail(&InputError{Path: s.tx.Path("STATE.md"), What: err.Error()})
		}
	}
	for _, key := range front.none {
		s.UnsetFront(key)
	}
}

// Derived returns the frontmatter that STATE.md should have now. What the
// body says nothing about stays as it is.
func (s *State) Derived() StateFront {
	old := s.Front()
	f := StateFront{}
	add := func(key, value string, inBody bool) {
		switch {
		case doc.Unset(value) && inBody:
			f.none = append(f.none, key)
			return
		case doc.Unset(value):
			value = old.Get(key).Text()
		}
		if value != "" {
			f.Object = append(f.Object, jsonc.Member{Name: key, Value: value})
		}
	}
	version, name := s.tx.Milestone()
	if was := old.Get("milestone").Text(); was != "" && was != version { // one the roadmap does not have yet
		version, name = was, ""
	}
	number, phase := s.Phase()
	plan := s.Value("Current Plan")
	if n, _ := s.Plan(); plan == "" && n > 0 {
		plan = strconv.Itoa(n)
	}
	add("gsd_state_version", cmp.Or(old.Get("gsd_state_version").Text(), "1.0"), false)
	add("milestone", version, false)
	add("milestone_name", name, false)
	add("current_phase", number, s.has("Current Phase", "Phase"))
	add("current_phase_name", phase, s.has("Current Phase Name", "Phase"))
	add("current_plan", plan, s.has("Current Plan", "Plan"))
	add("status", s.status(old.Get("status").Text()), false)
	add("stopped_at", s.Value("Stopped At"), s.has("Stopped At", ""))
	add("paused_at", s.Value("Paused At"), s.has("Paused At", ""))
	add("last_updated", s.stamp(), false)
	add("last_activity", s.Value("Last Activity"), s.has("Last Activity", ""))
	f.Progress = s.progress(old.Get("progress"))
	return f
}

// has reports whether the body has a field, or Current Position one of its
// own.
func (s *State) has(field, inPosition string) bool {
	if len(s.Values(field)) > 0 {
		return true
	}
	_, ok := s.PositionField(inPosition)
	return ok
}

// status returns the status in one word; the old one when the body has none.
func (s *State) status(old string) string {
	switch {
	case s.word != "":
		return s.word
	case !doc.Unset(s.Value("Paused At")):
		return "paused"
	}
	if raw := s.Value("Status"); raw != "" {
		return statusWord(raw)
	}
	return cmp.Or(old, "unknown")
}

// statusWord returns a status written for people as the frontmatter has it:
// the first of paused, executing, planning, discussing, verifying, completed
// whose words are in it, else as it is.
func statusWord(raw string) string {
	low := strings.ToLower(raw)
	for _, row := range [][]string{
		{"paused", "paused", "stopped"},
		{"executing", "executing", "in progress"},
		{"planning", "planning", "ready to plan"},
		{"discussing", "discussing"},
		{"verifying", "verif"},
		{"completed", "complete", "done"},
		{"executing", "ready to execute"},
	} {
		for _, words := range row[1:] {
			if strings.Contains(low, words) {
				return row[0]
			}
		}
	}
	return raw
}

// changes returns the members that differ from what the frontmatter says, the
// counters by their path.
func (f StateFront) changes(old *doc.Node) jsonc.Object {
	var out jsonc.Object
	for _, m := range f.Object {
		if n := old.Get(m.Name); n == nil || n.Text() != m.Value {
			out = append(out, m)
		}
	}
	for _, m := range f.Progress {
		if n := old.Get("progress", m.Name); n == nil || n.Text() != strconv.Itoa(m.Value.(int)) {
			out = append(out, jsonc.Member{Name: "progress." + m.Name, Value: m.Value})
		}
	}
	return out
}

// Text returns the value of a key, "" when there is none.
func (f StateFront) Text(key string) string {
	for _, m := range f.Object {
		if m.Name == key {
			return m.Value.(string)
		}
	}
	return ""
}
