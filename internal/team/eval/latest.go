package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/term"
)

// A NotHereError says that there is no run of what is checked out.
type NotHereError struct{ why string }

func (e *NotHereError) Error() string { return e.why }

// latest finds the newest run. In a checkout it is one of the commit that is
// checked out: a run of another commit, which a colleague may have pushed a
// moment ago, is never taken for it. own are the entries of w.Repo, and others
// says whether other repositories have any.
//
// latest~1 is the run before it in the list of the repository.
func (r Ref) latest(own []Entry, others bool, w Wish) (Selection, error) {
	switch {
	case len(own) == 0 && !others:
		return Selection{}, fmt.Errorf("no run is stored that %q could name", r)
	case len(own) == 0:
		return Selection{}, term.Hint(&NotHereError{fmt.Sprintf("no run is stored that %q could name%s", r, in(w.Repo))},
			"cairn eval list shows the runs of other repositories; an id names one")
	}
	if w.Head == nil {
		sel, err := r.pick(own, "")
		if err == nil && w.Repo == "" {
			sel.Note = fmt.Sprintf("outside of a git repository %s is the newest run of all: %s", r.shown(), cmp.Or(sel.Entry().Repo, "of no repository"))
		}
		return sel, err
	}
	head, err := w.Head()
	if err != nil {
		return Selection{}, err
	}
	var notes []string
	at := only(own, func(e *Entry) bool { return head == "" && e.SHA == "" || sameCommit(e.SHA, head) })
	switch {
	case len(at) == 0 && head == "":
		at, notes = own, []string{"HEAD has no commit yet; it is the newest run of " + w.Repo}
	case len(at) == 0:
		return Selection{}, notHere(head, w.Repo, &own[0])
	}
	prefer := func(is func(*Entry) bool, note string) {
		if kept := only(at, is); len(kept) > 0 {
			at = kept
		} else {
			notes = append(notes, note)
		}
	}
	if w.Branch != "" {
		prefer(func(e *Entry) bool { return e.Branch == w.Branch }, "it is of this commit, but of "+cmp.Or(at[0].Branch, "no branch"))
	}
	prefer(func(e *Entry) bool { return !e.Dirty || e.Where != Elsewhere }, "it has uncommitted changes of another machine")
	i := slices.IndexFunc(own, func(e Entry) bool { return e.ID == at[0].ID })
	return r.pick(own[i:], strings.Join(notes, "; "))
}

// notHere names the newest run instead.
func notHere(head, repo string, newest *Entry) error {
	where := "of no commit"
	if newest.SHA != "" {
		where = strings.TrimPrefix(newest.Branch+"@", "@") + short(newest.SHA)
	}
	return term.Hint(&NotHereError{fmt.Sprintf("no run of HEAD's commit %s is stored; the newest of %s is %s, %s", short(head), repo, newest.ID, where)},
		"cairn eval push FILE stores a run of it; cairn eval list shows all, and an id names one")
}
