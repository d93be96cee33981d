package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// A Selection is what a ref names: one run, or several of one commit that were
// joined. Entries has one for each, the newest first, and is never empty.
type Selection struct {
	Run     *result.Run // as loaded by Store.Open
	Entries []Entry
	Note    string // what a person should know of how it was found, "" for nothing
}

// Entry is that of the newest run.
func (s *Selection) Entry() Entry { return s.Entries[0] }

// A Wish is what decides where a ref names several runs.
type Wish struct {
	Repo   string // of the checkout, "" outside of one: no ref but an id names a run of another repository
	Branch string // that is checked out, "" if not known
	Other  *Entry // what is compared with: another run is wanted, of the same repository, suite and kind

	// Head is the commit that is checked out, "" before the first one. It is
	// asked for latest only, and nil outside of a checkout.
	Head func() (string, error)
	// Ancestry is asked for merge-base only.
	Ancestry func() (Ancestry, error)
}

// repo is the repository whose runs a ref may name, "" for any.
func (w Wish) repo() string {
	if w.Other != nil {
		return cmp.Or(w.Other.Repo, w.Repo)
	}
	return w.Repo
}

// Select finds the run that a ref names among entries, which are in the order
// of Store.List. It loads nothing.
//
// Only an id names a run of another repository than Other's or the checkout's.
// latest, previous, @branch and merge-base never give a run of another suite or
// kind than Other's either; a label or a commit does, with a note.
func Select(ref string, entries []Entry, w Wish) (Selection, error) {
	r, own := ParseRef(ref), (Filter{Repo: w.repo()}).Of(entries)
	switch {
	case r.name == Previous:
		return r.previous(own, w)
	case r.name == MergeBase:
		return r.mergeBase(own, w)
	case r.shown() == Latest && w.Other == nil:
		return r.latest(own, len(entries) > len(own), w)
	}
	if r.relative() && w.Other != nil {
		own = without(own, w.Other)
	}
	found, byID := r.named(own)
	if len(found) == 0 {
		found = r.withID(entries)
		byID = len(found) > 0
	}
	switch {
	case len(entries) == 0:
		return Selection{}, fmt.Errorf("no run is stored that %q could name", ref)
	case len(found) == 0 && len(own) == 0:
		return Selection{}, fmt.Errorf("no run is stored that %q could name%s", ref, in(w.repo()))
	case len(found) == 0:
		return Selection{}, fmt.Errorf("no run is called %q%s", r.name, in(w.repo()))
	case byID && len(found) > 1:
		return Selection{}, fmt.Errorf("%q is the beginning of %d ids", r.name, len(found))
	case byID:
		return r.pick(found, "")
	}
	found, note, err := w.narrow(r, found)
	if err != nil {
		return Selection{}, err
	}
	return r.pick(found, note)
}

// in is where a run was looked for.
func in(repo string) string {
	if repo == "" {
		return ""
	}
	return " in " + repo
}

// pick counts back.
func (r Ref) pick(found []Entry, note string) (Selection, error) {
	if r.back >= len(found) {
		return Selection{}, fmt.Errorf("%q names %s, so there is no %s", r.name, text.Count(len(found), "run"), r)
	}
	return Selection{Entries: found[r.back : r.back+1], Note: note}, nil
}

// narrow keeps what is of the wanted suite and kind. Where that is none, a
// relative ref is an error if there is something to compare with.
func (w Wish) narrow(r Ref, found []Entry) (kept []Entry, note string, err error) {
	o := w.Other
	if o == nil {
		return found, "", nil
	}
	type step struct {
		want string
		is   func(*Entry) bool
	}
	steps := []step{{"suite " + o.suiteName(), o.sharesSuite}}
	if o.Kind != "" {
		steps = append(steps, step{"kind " + o.Kind, func(e *Entry) bool { return e.Kind == o.Kind }})
	}
	for _, s := range steps {
		kept := only(found, s.is)
		switch {
		case len(kept) > 0:
			found = kept
		case r.relative():
			return nil, "", fmt.Errorf("%s has no other run of %s", r.shown(), s.want)
		default:
			note = fmt.Sprintf("%s has no run of %s; this one is of %s", r.shown(), s.want, found[min(r.back, len(found)-1)].where())
		}
	}
	return found, note, nil
}

func (r Ref) shown() string { return cmp.Or(r.name, Latest) }

// previous finds the newest run before Other, or before the latest one, that
// is of the same series: repository, suite, label and branch.
func (r Ref) previous(entries []Entry, w Wish) (Selection, error) {
	if w.Other == nil {
		sel, err := Select(Latest, entries, w)
		if err != nil {
			return Selection{}, err
		}
		w.Other = &sel.Entries[0]
	}
	o := w.Other
	found := only(older(entries, o), o.sameSeries)
	if len(found) == 0 {
		return Selection{}, fmt.Errorf("no run of %s is older than %s", o.seriesText(), cmp.Or(o.ID, "this file"))
	}
	return r.pick(found, "")
}

// older returns the entries that come after o in the order of Store.List. Of a
// file that is not stored these are all that are not newer: what has its time
// was there before it.
func older(entries []Entry, o *Entry) []Entry {
	if i := slices.IndexFunc(entries, func(e Entry) bool { return o.ID != "" && e.ID == o.ID }); i >= 0 {
		return entries[i+1:]
	}
	return only(without(entries, o), func(e *Entry) bool {
		return e.Time.Before(o.Time.Time) || o.ID == "" && e.Time.Equal(o.Time.Time)
	})
}

// Earlier finds the newest run before a baseline, of its repository and branch, that
// has a suite. Of a file no history is known.
func Earlier(entries []Entry, baseline Entry, suite string) (Entry, bool) {
	if baseline.ID == "" {
		return Entry{}, false
	}
	found := only(older(entries, &baseline), func(e *Entry) bool {
		return e.Repo == baseline.Repo && e.Branch == baseline.Branch && slices.Contains(e.suites(), suite)
	})
	if len(found) == 0 {
		return Entry{}, false
	}
	return found[0], true
}

// sameSeries reports whether two runs are points of one line in time.
func (e *Entry) sameSeries(o *Entry) bool {
	return e.Repo == o.Repo && e.Label == o.Label && e.Branch == o.Branch && e.Kind == o.Kind && e.sharesSuite(o)
}

func (e *Entry) seriesText() string {
	text := "suite " + e.suiteName()
	for _, p := range [...][2]string{{"label", e.Label}, {"branch", e.Branch}, {"repository", e.Repo}} {
		if p[1] != "" {
			text += ", " + p[0] + " " + p[1]
		}
	}
	return text
}

func (e *Entry) suiteName() string { return cmp.Or(e.SuiteText(), "(none)") }

// where is the repository and the suite.
func (e *Entry) where() string {
	return strings.TrimSpace(strings.TrimPrefix(e.Repo+", suite "+e.suiteName(), ", "))
}

// without leaves out a run; of a file, which has no id, what was stored of it.
func without(entries []Entry, o *Entry) []Entry {
	return only(entries, func(e *Entry) bool {
		if o.ID != "" {
			return e.ID != o.ID
		}
		return !e.storedOf(o)
	})
}

// storedOf reports whether e is what a push of the file o stored. The label may
// be another, since push can set one, and of a file that is older than HEAD no
// commit is known.
func (e *Entry) storedOf(o *Entry) bool {
	return e.Time.Equal(o.Time.Time) && e.Repo == o.Repo && (o.SHA == "" || e.SHA == o.SHA) && e.Counts == o.Counts &&
		e.CostUSD == o.CostUSD && slices.Equal(e.suites(), o.suites())
}

// An Ancestry is where a branch began, as git tells it.
type Ancestry struct {
	Branch  string   // the default branch: main, or origin/main
	Commits []string // the merge base, its first parent, and so on, as full SHAs
}

// MostAncestors is how far behind the merge base a run is looked for.
const MostAncestors = 500

// mergeBase finds the newest run at the merge base or, where that has none, at
// the nearest first-parent ancestor. Runs of the very code that is compared are
// left out, so on the default branch itself it is the commit before. Runs with
// uncommitted changes count where there are no others.
func (r Ref) mergeBase(entries []Entry, w Wish) (Selection, error) {
	if w.Ancestry == nil {
		return Selection{}, fmt.Errorf("%s is known in a git repository only", MergeBase)
	}
	line, err := w.Ancestry()
	if err != nil {
		return Selection{}, err
	}
	if len(line.Commits) == 0 {
		return Selection{}, fmt.Errorf("git knows no commit that %s and this branch share", line.Branch)
	}
	found, err := w.baseline(entries)
	if err != nil {
		return Selection{}, err
	}
	stored := map[string][]Entry{} // by the beginning of their commit
	for _, e := range found {
		stored[short(e.SHA)] = append(stored[short(e.SHA)], e)
	}
	base := line.Commits[0]
	for _, dirty := range [...]bool{false, true} {
		for distance, sha := range line.Commits[:min(len(line.Commits), MostAncestors+1)] {
			at := only(stored[short(sha)], func(e *Entry) bool { return e.Dirty == dirty && sameCommit(e.SHA, sha) })
			if len(at) == 0 {
				continue
			}
			note := ""
			switch {
			case distance > 0 && w.Other != nil && sameCommit(base, w.Other.SHA):
				note = fmt.Sprintf("%s is on %s; %s before it: %s", short(base), line.Branch, text.Count(distance, "commit"), short(sha))
			case distance > 0:
				note = fmt.Sprintf("no run at the merge base %s with %s; %s before it: %s", short(base), line.Branch, text.Count(distance, "commit"), short(sha))
			}
			if dirty {
				note = joinNotes(note, short(sha)+" has only runs with uncommitted changes")
			}
			return r.pick(at, note)
		}
	}
	return Selection{}, fmt.Errorf("no run at the merge base %s with %s, nor at %s before it", short(base), line.Branch, text.Count(min(len(line.Commits)-1, MostAncestors), "commit"))
}

// baseline is what Other may be compared with.
func (w Wish) baseline(entries []Entry) ([]Entry, error) {
	if o := w.Other; o != nil {
		entries = only(without(entries, o), func(e *Entry) bool {
			return !(sameCommit(e.SHA, o.SHA) && e.Dirty == o.Dirty && !o.Dirty)
		})
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("no run is stored that %s could name%s", MergeBase, in(w.repo()))
	}
	found, _, err := w.narrow(Ref{name: MergeBase}, entries)
	return found, err
}

func short(sha string) string { return sha[:min(len(sha), leastSHA)] }

func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
