package plan

import (
	"strings"

	"cairn/internal/plan/doc"
)

// derive brings the frontmatter up to date: what the body and the phases say,
// and when. Keys that it does not know, comments and order stay, and so does
// what the body says nothing about.
func (s *State) derive() error {
	front, err := s.Derived()
	if err != nil {
		return err
	}
	for _, m := range front.changes(s.Front()) {
		if err := s.SetFront(m.Value, strings.Split(m.Name, ".")...); err != nil {
			return &InputError{Path: s.tx.Path("STATE.md"), What: err.Error()}
		}
	}
	for _, name := range []string{"stopped_at", "paused_at"} {
		if field := strings.ReplaceAll(name, "_", " "); front.Text(name) == "" && len(s.Values(field)) > 0 {
			s.UnsetFront(name)
		}
	}
	return nil
}

// StateFront is the frontmatter of STATE.md: what it says by its keys, in order. The
// counters stand under progress.
type StateFront struct {
	doc.Object
	Progress doc.Object
}

// Derived returns the frontmatter that STATE.md should have now.
func (s *State) Derived() (StateFront, error) {
	old := s.Front()
	f := StateFront{}
	add := func(key, value string) {
		if value == "" {
			value = old.Get(key).Text()
		}
		if value != "" {
			f.Object = append(f.Object, doc.Member{Name: key, Value: value})
		}
	}
	version, name, err := s.tx.Milestone()
	if err != nil {
		return f, err
	}
	if was := old.Get("milestone").Text(); was != "" && was != version { // one the roadmap does not have yet
		version, name = was, ""
	}
	number, phase := s.Phase()
	add("gsd_state_version", keep(old.Get("gsd_state_version").Text(), "1.0"))
	add("milestone", version)
	add("milestone_name", name)
	add("current_phase", set(number))
	add("current_phase_name", set(phase))
	add("current_plan", set(s.plan()))
	add("status", s.status(old.Get("status").Text()))
	s.addUnlessNone(&f, "stopped_at", "Stopped At")
	s.addUnlessNone(&f, "paused_at", "Paused At")
	add("last_updated", s.stamp())
	add("last_activity", set(s.Value("Last Activity")))
	f.Progress, err = s.progress(old.Get("progress"))
	return f, err
}

// addUnlessNone adds what a field says. A field that says None is an answer;
// only where there is no field the old value stays.
func (s *State) addUnlessNone(f *StateFront, key, field string) {
	value := set(s.Value(field))
	if len(s.Values(field)) == 0 {
		value = s.Front().Get(key).Text()
	}
	if value != "" {
		f.Object = append(f.Object, doc.Member{Name: key, Value: value})
	}
}

func (s *State) plan() string {
	if v := s.Value("Current Plan"); !doc.Unset(v) {
		return v
	}
	if plan, _ := s.Plan(); plan > 0 {
		return itoa(plan)
	}
	return ""
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
		return StatusWord(raw)
	}
	return keep(old, "unknown")
}

// StatusWord returns a status written for people as the frontmatter has it:
// the first of paused, executing, planning, discussing, verifying, completed
// whose words are in it, else as it is.
func StatusWord(raw string) string {
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
func (f StateFront) changes(old *doc.Node) doc.Object {
	var out doc.Object
	for _, m := range f.Object {
		if n := old.Get(m.Name); n == nil || n.Text() != m.Value {
			out = append(out, m)
		}
	}
	for _, m := range f.Progress {
		if n := old.Get("progress", m.Name); n == nil || n.Text() != itoa(m.Value.(int)) {
			out = append(out, doc.Member{Name: "progress." + m.Name, Value: m.Value})
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

// set returns a field's value, "" when it says that there is none.
func set(value string) string {
	if doc.Unset(value) {
		return ""
	}
	return value
}

func keep(old, def string) string {
	if old != "" {
		return old
	}
	return def
}
