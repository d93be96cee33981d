package eval

import (
	"fmt"

	"cairn/internal/text"
)

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
	var stored byCommit
	stored.add(found)
	base := line.Commits[0]
	for _, dirty := range [...]bool{false, true} {
		for distance, sha := range line.Commits[:min(len(line.Commits), MostAncestors+1)] {
			at := stored.at(sha, dirty)
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
		entries = without(entries, o.ID)
		var kept []Entry
		for _, e := range entries {
			if !(sameCommit(e.SHA, o.SHA) && e.Dirty == o.Dirty && !o.Dirty) {
				kept = append(kept, e)
			}
		}
		entries = kept
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("no run is stored that %s could name", MergeBase)
	}
	found, _, err := w.narrow(Ref{name: MergeBase}, entries)
	return found, err
}

// byCommit finds entries by the beginning of their commit.
type byCommit map[string][]Entry

func (b *byCommit) add(entries []Entry) {
	*b = byCommit{}
	for _, e := range entries {
		if len(e.SHA) >= leastSHA {
			(*b)[e.SHA[:leastSHA]] = append((*b)[e.SHA[:leastSHA]], e)
		}
	}
}

func (b byCommit) at(sha string, dirty bool) (found []Entry) {
	for _, e := range b[short(sha)] {
		if e.Dirty == dirty && sameCommit(e.SHA, sha) {
			found = append(found, e)
		}
	}
	return found
}

func short(sha string) string { return sha[:min(len(sha), leastSHA)] }

func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}
