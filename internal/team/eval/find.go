package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Ref names a run: an id or the beginning of one, a label, @branch, a commit,
// a suite, latest, previous or merge-base. label~2 and @main~1 count back from the
// newest.
type Ref struct {
	name string
	back int
}

// The refs that are relative to where one is or what one compares with.
const (
	Latest    = "latest"
	Previous  = "previous"
	MergeBase = "merge-base"
)

// ParseRef reads a ref.
func ParseRef(text string) Ref {
	name, n, ok := strings.Cut(text, "~")
	if !ok {
		return Ref{name: text}
	}
	back, err := strconv.Atoi(n)
	if err != nil || strconv.Itoa(back) != n || back < 0 {
		return Ref{name: text} // a label may have a ~
	}
	return Ref{name, back}
}

func (r Ref) String() string {
	if r.back == 0 {
		return r.name
	}
	return r.name + "~" + strconv.Itoa(r.back)
}

// relative reports whether the ref means another run tomorrow.
func (r Ref) relative() bool {
	return r.name == "" || r.name == Latest || r.name == Previous || r.name == MergeBase || strings.HasPrefix(r.name, "@")
}

// A Filter leaves out runs; an empty member leaves out none.
type Filter struct{ Repo, Suite, Label, Branch, Kind string }

// Keeps reports whether the filter keeps an entry.
func (f Filter) Keeps(e Entry) bool {
	return (f.Repo == "" || e.Repo == f.Repo) && (f.Suite == "" || slices.Contains(e.suites(), f.Suite)) &&
		(f.Label == "" || e.Label == f.Label) && (f.Branch == "" || e.Branch == f.Branch) && (f.Kind == "" || e.Kind == f.Kind)
}

// Of returns the entries that the filter keeps.
func (f Filter) Of(entries []Entry) []Entry {
	if f == (Filter{}) {
		return entries
	}
	return only(entries, func(e *Entry) bool { return f.Keeps(*e) })
}

// only returns the entries that are something.
func only(entries []Entry, is func(*Entry) bool) (kept []Entry) {
	for i := range entries {
		if is(&entries[i]) {
			kept = append(kept, entries[i])
		}
	}
	return kept
}

const (
	leastID  = 4 // digits that name a run
	leastSHA = 7 // and a commit
)

// named returns the entries that are called by the ref's name, and whether
// that is (the beginning of) an id. The first way in which any is called so
// counts: a label wins over an id, an id over a commit.
func (r Ref) named(entries []Entry) (found []Entry, byID bool) {
	for i, is := range [...]func(*Entry) bool{
		func(e *Entry) bool { return r.name == Latest || r.name == "" },
		func(e *Entry) bool { return r.name != "@" && r.name[0] == '@' && e.Branch == r.name[1:] },
		func(e *Entry) bool { return e.Label == r.name },
		r.isID,
		func(e *Entry) bool { return len(r.name) >= leastSHA && sameCommit(e.SHA, r.name) },
		func(e *Entry) bool { return e.Branch == r.name },
		func(e *Entry) bool { return slices.Contains(e.suites(), r.name) },
	} {
		if found = only(entries, is); len(found) > 0 {
			return found, i == 3
		}
	}
	return nil, false
}

// isID reports whether the name is an entry's id or the beginning of it.
func (r Ref) isID(e *Entry) bool { return len(r.name) >= leastID && strings.HasPrefix(e.ID, r.name) }

func (r Ref) withID(entries []Entry) []Entry { return only(entries, r.isID) }

// sameCommit compares commits of which one may be shortened.
func sameCommit(a, b string) bool {
	return len(a) >= leastSHA && len(b) >= leastSHA && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// Since returns the entries, newest first, that are not older than a time.
func Since(entries []Entry, since time.Time) []Entry {
	if i := slices.IndexFunc(entries, func(e Entry) bool { return e.Time.Before(since) }); i >= 0 {
		return entries[:i]
	}
	return entries
}

// FindCases returns the case that is called name, or else the only one whose name
// has it in it, whatever the case of the letters. A case that ran with several
// variants is all of them, in the order of the run.
func FindCases(tallies []*Tally, name string) ([]*Tally, error) {
	var exact, equal, like []*Tally
	for _, t := range tallies {
		switch first := t.Results[0]; {
		case t.Title == name || first.CaseID == name:
			exact = append(exact, t)
		case first.Name == name:
			equal = append(equal, t)
		case strings.Contains(strings.ToLower(t.Title), strings.ToLower(name)):
			like = append(like, t)
		}
	}
	found := exact
	switch {
	case len(exact) > 0 && exact[0].Title == exact[0].Results[0].Name: // without a variant, beside those with one
		found = append(exact, equal...)
	case len(exact) == 0 && len(equal) > 0:
		found = equal
	case len(exact) == 0:
		found = like
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no case of the run is called %q", name)
	}
	if !slices.ContainsFunc(found, func(t *Tally) bool { return !variants(found[0], t) }) {
		return found, nil
	}
	var titles []string
	for _, t := range found[:min(len(found), 8)] {
		titles = append(titles, strings.TrimPrefix(t.Suite+" › "+t.Title, "› "))
	}
	return nil, fmt.Errorf("%d cases of the run are called like %q: %s", len(found), name, strings.Join(titles, ", "))
}

// variants reports whether two cases are one but for the variant.
func variants(a, b *Tally) bool {
	return a == b || a.Suite == b.Suite && a.Results[0].Name == b.Results[0].Name && a.Results[0].Variant != b.Results[0].Variant
}
