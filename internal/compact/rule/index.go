package rule

//go:generate go run ./gen

import "sort"

// An entry is what matching needs of a built-in rule, so that a hook decodes
// only the rule that matched. The table is generated from the rule files.
type entry struct {
	id       string // also the file: rules/<id>.json
	tools    []string
	commands []string
	patterns []string
	needs    [][][]string // for each pattern: of each of these sets, a match contains one text
	wrapper  bool
	source   bool
}

// indexed returns the entry of a built-in rule, or nil.
func indexed(id string) *entry {
	i := sort.Search(len(index), func(i int) bool { return index[i].id >= id })
	if i < len(index) && index[i].id == id {
		return &index[i]
	}
	return nil
}

// IDs returns the id of every rule of every tier, sorted.
func (l *Library) IDs() []string {
	var ids []string
	for i := range index {
		ids = append(ids, index[i].id)
	}
	for id := range l.user {
		if indexed(id) == nil {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	return ids
}
