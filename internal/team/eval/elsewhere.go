package eval

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/team/result"
)

// Where a run is, as a person reads it.
const (
	Here      = "here"
	Elsewhere = "team"
	Both      = "both"
)

// Elsewheres are runs that others have, too: those of a team.
type Elsewheres struct {
	Entries []Entry // their ids are the beginnings of ingest keys, as here
	Load    func(Entry) (*result.Run, error)
}

// With returns the store together with runs that are elsewhere. A run that is
// here as well, which its id tells, is read here. Put is as before.
func (s *Store) With(others Elsewheres) *Store { return &Store{s.dir, &others} }

// merge adds the entries of runs that are not here, and marks where each is.
func (o *Elsewheres) merge(here []Entry) []Entry {
	at := make(map[string]int, len(here))
	for i := range here {
		here[i].Where = Here
		at[here[i].ID] = i
	}
	for _, e := range o.Entries {
		if i, ok := at[e.ID]; ok {
			here[i].Where = Both
			continue
		}
		e.Where = Elsewhere
		at[e.ID] = len(here)
		here = append(here, e)
	}
	sortNewest(here)
	return here
}

// sortNewest puts entries in the order of List.
func sortNewest(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(b.Time.Compare(a.Time.Time), strings.Compare(b.File, a.File))
	})
}
