package rows

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// keysAtOnce is how many rows one statement looks for the embedded rows of.
const keysAtOnce = 500

// A reading calls fn with every row's object and the keys of the embedded ones.
type reading func(q *postgrest.Query, sh *shape, fn func(o []byte, keys []any) error) error

// embed adds rows with those of other tables in them. What is read for that stays
// within the answer's budget, as the answer does.
func (r *reader) embed(q *postgrest.Query, sh *shape, read reading, a *Answer) error {
	held := 0
	hold := func(n int) error {
		if held += n; held > a.budget {
			return ErrTooLarge
		}
		return nil
	}
	var objects [][]byte
	var keys [][]any
	err := read(q, sh, func(o []byte, k []any) error {
		objects, keys = append(objects, slices.Clone(o)), append(keys, slices.Clone(k))
		return hold(len(o))
	})
	if err != nil {
		return err
	}
	found := make([]map[string][]byte, len(sh.embeds))
	for i, at := 0, 0; i < len(found); i++ {
		to := at + len(sh.embeds[i].Relation.Here)
		if found[i], err = r.children(sh.embeds[i], keys, at, to, a.budget, hold); err != nil {
			return err
		}
		at = to
	}
	for n, o := range objects {
		o = o[:len(o)-1]
		for i, at := 0, 0; i < len(found); i++ {
			rel := sh.embeds[i].Relation
			if len(o) > 1 {
				o = append(o, ',')
			}
			o = append(o, `"`+rel.Name+`":`...)
			list := found[i][keyOf(keys[n][at:at+len(rel.Here)])]
			switch {
			case rel.Many:
				o = append(append(append(o, '['), list...), ']')
			case list == nil:
				o = append(o, "null"...)
			default:
				o = append(o, list...)
			}
			at += len(rel.Here)
		}
		if err := a.add(append(o, '}')); err != nil {
			return err
		}
		objects[n] = nil
	}
	return nil
}

// children reads the embedded rows of a relation, by what they are joined to:
// the values from at to to of keys. Several are separated by commas.
func (r *reader) children(e *postgrest.Embed, keys [][]any, at, to, budget int, hold func(int) error) (map[string][]byte, error) {
	sh := r.shapeOf(&e.Query, budget)
	for _, name := range e.Relation.There {
		sh.keys = append(sh.keys, e.Query.Table.Column(name))
	}
	if len(keys) == 0 { // what may not be seen is refused all the same
		_, err := r.enter(e.Query.Table, reads)
		return nil, err
	}
	// The keys of a team, which differ in the last column alone, are looked for together.
	groups, seen := map[string][]any{}, map[string]bool{}
	var order [][]any
	for _, k := range keys {
		k = k[at:to]
		if slices.Contains(k, nil) || seen[keyOf(k)] {
			continue // null joins nothing
		}
		seen[keyOf(k)] = true
		first := keyOf(k[:len(k)-1])
		if groups[first] == nil {
			order = append(order, k[:len(k)-1])
		}
		groups[first] = append(groups[first], k[len(k)-1])
	}
	found := map[string][]byte{}
	for _, first := range order {
		for some := range slices.Chunk(groups[keyOf(first)], keysAtOnce) {
			s := r.statement().put("select ")
			r.show(s, sh)
			if err := r.where(s, &e.Query, e.Query.Table.Name); err != nil {
				return nil, err
			}
			r.joined(s, sh.keys, first, some)
			err := r.objects(s, sh, func(o []byte, k []any) error {
				key := keyOf(k)
				if found[key] != nil {
					found[key] = append(found[key], ',')
				}
				found[key] = append(found[key], o...)
				return hold(len(o))
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// joined puts the condition that a row belongs to one of those that it is embedded in.
func (r *reader) joined(s *statement, columns []*table.Column, first, some []any) {
	last := len(columns) - 1
	for i, c := range columns[:last] {
		s.put(" and "+c.Name+" = "+s.parameter(kindOf(c)), first[i])
	}
	parameter := s.parameter(kindOf(columns[last]))
	s.put(" and "+columns[last].Name+" in ("+parameter+strings.Repeat(", "+parameter, len(some)-1)+")", some...)
}

// keyOf makes one text of values.
func keyOf(values []any) string {
	var b []byte
	for _, v := range values {
		if raw, ok := v.([]byte); ok {
			v = string(raw)
		}
		b = append(fmt.Append(b, v), '|')
	}
	return string(b)
}
