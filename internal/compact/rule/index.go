package rule

//go:generate go run ./gen

import (
	"maps"
	"slices"
	"sort"
)

// An entry is a rule with what its patterns need. The table of the built-in
// ones is generated from the rule files as Go literals: it costs nothing at
// start, and a hook decodes no rule at all.
type entry struct {
	*Rule
	needs [][][]string // for each pattern: of each of these sets, a match contains one text
}

// indexed returns a built-in rule, or nil.
func indexed(id string) *Rule {
	i := sort.Search(len(index), func(i int) bool { return index[i].ID >= id })
	if i < len(index) && index[i].ID == id {
		return index[i].Rule
	}
	return nil
}

// IDs returns the id of every rule of every tier, sorted.
func (l *Library) IDs() []string {
	var ids []string
	for i := range index {
		ids = append(ids, index[i].ID)
	}
	for _, id := range l.own() {
		if indexed(id) == nil {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids
}

// own returns the id of every rule that is not only built in.
func (l *Library) own() []string {
	ids := slices.Collect(maps.Keys(l.user))
	for id := range l.project {
		if l.user[id] == nil {
			ids = append(ids, id)
		}
	}
	return ids
}
