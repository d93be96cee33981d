package plan

import (
	"slices"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/plan/doc"
)

// counted are the fields after whose change the counters are taken anew.
var counted = []string{"Progress", "Total Plans in Phase", "Total Phases"}

// SetValue writes a field that is there: of the body, else of the
// frontmatter, where it may also be called as the field is (current_phase). It
// reports whether there is one. A key of the frontmatter that follows from
// something else cannot be set.
func (s *State) SetValue(name, value string) bool {
	spaced := strings.NewReplacer("-", " ", "_", " ").Replace(name)
	if !slices.ContainsFunc(counted, func(c string) bool { return strings.EqualFold(c, spaced) }) {
		s.counts = countKept
	}
	if s.Set(name, value) || spaced != name && s.Set(spaced, value) {
		return true
	}
	old := s.Front().Get(name)
	if old == nil || old.Kind != doc.Scalar {
		return false
	}
	was, value := old.Text(), doc.OneLine(value)
	if s.SetFront(value, name) != nil {
		return false
	}
	derived := s.Derived()
	if now := derived.Text(name); now != "" && now != value || slices.Contains(derived.none, name) {
		_ = s.SetFront(was, name)
		return false
	}
	return true
}

// Patch writes several fields and returns which are there and which are not.
func (s *State) Patch(values []jsonc.Member) (updated, failed []string) {
	updated, failed = []string{}, []string{}
	mode := countKept
	for _, m := range values {
		if s.SetValue(m.Name, m.Value.(string)) {
			updated = append(updated, m.Name)
		} else {
			failed = append(failed, m.Name)
		}
		mode = min(mode, s.counts)
		s.counts = countAnew
	}
	s.counts = mode
	return updated, failed
}

// Lookup returns a field of the body, else a section, else a key of the
// frontmatter, by name.
func (s *State) Lookup(name string) (string, bool) {
	if fields := s.Values(name); len(fields) > 0 {
		return fields[0].Value, true
	}
	if sec, ok := s.Section(name); ok {
		return strings.TrimSpace(s.Span(sec.Start, sec.End)), true
	}
	if n := s.Front().Get(name); n != nil && n.Kind == doc.Scalar {
		return n.Value, true
	}
	return "", false
}

// Names returns the fields there are: those of the body, then the keys of the
// frontmatter that are not said by one.
func (s *State) Names() []string {
	var out []string
	add := func(name string) {
		if !slices.ContainsFunc(out, func(o string) bool { return strings.EqualFold(o, name) }) {
			out = append(out, name)
		}
	}
	for _, f := range s.Fields(s.Body(), s.Len()) {
		add(f.Name)
	}
	if front := s.Front(); front != nil {
		for _, e := range front.Entries {
			if spaced := strings.ReplaceAll(e.Key, "_", " "); e.Node.Kind == doc.Scalar && len(s.Values(spaced)) == 0 {
				add(e.Key)
			}
		}
	}
	return out
}
