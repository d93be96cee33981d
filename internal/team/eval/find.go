package eval

import (
	"fmt"
	"strings"
)

// A Ref names a run: an id or the beginning of one, a label, @branch, a commit,
// latest, or previous. label~2 and @main~1 count back from the newest.
type Ref struct {
	name string
	back int
}

// ParseRef reads a ref.
func ParseRef(text string) Ref {
	name, n, ok := strings.Cut(text, "~")
	back := 0
	if ok {
		if _, err := fmt.Sscanf(n, "%d", &back); err != nil || fmt.Sprint(back) != n {
			return Ref{name: text}
		}
	}
	return Ref{name, back}
}

// A Filter leaves out runs; an empty member leaves out none.
type Filter struct{ Repo, Suite, Label, Branch, Kind string }

// Keeps reports whether the filter keeps an entry.
func (f Filter) Keeps(e Entry) bool {
	return (f.Repo == "" || e.Repo == f.Repo) && (f.Suite == "" || e.Suite == f.Suite) && (f.Label == "" || e.Label == f.Label) &&
		(f.Branch == "" || e.Branch == f.Branch) && (f.Kind == "" || e.Kind == f.Kind)
}

// Find returns the entry that a ref names among entries, newest first.
func (r Ref) Find(entries []Entry) (Entry, error) {
	var found []Entry
	for _, match := range []func(Entry) bool{
		func(e Entry) bool { return r.name == "latest" || r.name == "" },
		func(e Entry) bool { return strings.HasPrefix(r.name, "@") && e.Branch == r.name[1:] },
		func(e Entry) bool { return e.Label == r.name },
		func(e Entry) bool { return len(r.name) >= 4 && strings.HasPrefix(e.ID, r.name) },
		func(e Entry) bool { return len(r.name) >= 7 && strings.HasPrefix(e.SHA, r.name) },
		func(e Entry) bool { return e.Branch == r.name },
	} {
		for _, e := range entries {
			if match(e) {
				found = append(found, e)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	switch {
	case len(found) == 0:
		return Entry{}, fmt.Errorf("no run is called %q", r.name)
	case r.back >= len(found):
		return Entry{}, fmt.Errorf("%q has %d runs, not %d", r.name, len(found), r.back+1)
	case strings.HasPrefix(found[0].ID, r.name) && r.name != "" && found[0].Label != r.name && differ(found):
		return Entry{}, fmt.Errorf("%q is the beginning of %d ids", r.name, len(found))
	}
	return found[r.back], nil
}

func differ(entries []Entry) bool {
	for _, e := range entries[1:] {
		if e.ID != entries[0].ID {
			return true
		}
	}
	return false
}
