package rows

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
)

// keysAtOnce is how many parents' rows one statement looks for.
const keysAtOnce = 500

// mostEmbedded is how many rows are embedded in an answer in all.
const mostEmbedded = 200_000

// embedded are rows of another table, by what they are joined to.
type embedded struct {
	rows map[string][]jsontext.Value
	many bool
	// empty is what a row without one shows of a spread: its members, null.
	empty []string
}

func (r *reader) name() string {
	r.alias++
	return "t" + strconv.Itoa(r.alias)
}

// exists puts the condition that a row has one that would be embedded.
func (r *reader) exists(s *statement, e *postgrest.Embed, parent string) error {
	child := r.name()
	from, err := r.from(&e.Query, child)
	if err != nil {
		return err
	}
	s.put(" and exists (select 1").add(from)
	for i, there := range e.Relation.There {
		s.put(" and " + child + "." + there + " = " + parent + "." + e.Relation.Here[i])
	}
	s.put(")")
	return nil
}

// embed reads the rows of another table that belong to the rows of an answer.
func (r *reader) embed(c *cell, parents [][]any) (*embedded, error) {
	out := &embedded{rows: map[string][]jsontext.Value{}, many: c.embed.Relation.Many}
	if c.embed.Spread {
		for _, item := range r.items(&c.embed.Query) {
			if item.Embed == nil {
				out.empty = append(out.empty, name(item))
			}
		}
	}
	groups := wanted(c, parents)
	if len(groups) == 0 { // what may not be seen is refused all the same
		_, err := r.from(&c.embed.Query, r.name())
		return out, err
	}
	total := 0
	for _, keys := range groups {
		for some := range slices.Chunk(keys, keysAtOnce) {
			got, err := r.embedSome(c.embed, some, out)
			if err != nil {
				return nil, err
			}
			if total += got; total > mostEmbedded && r.as.Role != db.Service {
				return nil, fail(400, "54000", fmt.Sprintf("the answer embeds more than %d rows of %s: ask for fewer rows", mostEmbedded, c.embed.Relation.Name))
			}
		}
	}
	return out, nil
}

// wanted returns the keys that embedded rows are looked for by, in groups that
// differ in the last column only: the team is the same.
func wanted(c *cell, parents [][]any) (groups [][][]any) {
	seen, group := map[string]bool{}, map[string]int{}
	for _, values := range parents {
		key, whole := keyOf(values, c.keys)
		if !whole || seen[key] {
			continue
		}
		seen[key] = true
		first, _ := keyOf(values, c.keys[:len(c.keys)-1])
		n, known := group[first]
		if !known {
			n = len(groups)
			group[first] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], pick(values, c.keys))
	}
	return groups
}

func (r *reader) embedSome(e *postgrest.Embed, keys [][]any, out *embedded) (int, error) {
	q, alias := &e.Query, r.name()
	s := &statement{dialect: r.tx.Dialect()}
	s.put("select * from (select ")
	sh, err := r.columns(s, q, alias+".")
	if err != nil {
		return 0, err
	}
	for _, there := range e.Relation.There {
		s.put(", ")
		s.key(alias + "." + there)
	}
	s.put(", row_number() over (partition by ")
	s.list(e.Relation.There, alias+".")
	if err := r.order(s, q, alias); err != nil {
		return 0, err
	}
	s.put(") as place")
	from, err := r.from(q, alias)
	if err != nil {
		return 0, err
	}
	s.add(from)
	last := len(e.Relation.There) - 1
	for i, there := range e.Relation.There {
		parameter := s.parameter(kindOf(q.Table.Column(there)))
		if i < last {
			s.put(" and "+alias+"."+there+" = "+parameter, keys[0][i])
			continue
		}
		s.put(" and " + alias + "." + there + " in (")
		for n, key := range keys {
			if n > 0 {
				s.put(", ")
			}
			s.put(parameter, key[i])
		}
	}
	s.put(")) as found where place > " + strconv.Itoa(max(q.Offset, 0)))
	limit := q.Limit
	if r.as.Role != db.Service && (limit < 0 || limit > MostRows) {
		limit = MostRows
	}
	if limit >= 0 {
		s.put(" and place <= " + strconv.Itoa(max(q.Offset, 0)+limit))
	}
	s.put(" order by place")
	return r.collect(s, sh, len(e.Relation.There), out)
}

// collect files rows under what they are joined to, which stands after the shape's values.
func (r *reader) collect(s *statement, sh *shape, width int, out *embedded) (int, error) {
	var raw [][]any
	err := s.each(r.ctx, r.tx, func(values []any) error {
		raw = append(raw, append([]any(nil), values...))
		return nil
	})
	if err != nil {
		return 0, err
	}
	objects, err := r.objects(raw, sh)
	if err != nil {
		return 0, err
	}
	at := make([]int, width)
	for i := range at {
		at[i] = sh.width + i
	}
	for i, values := range raw {
		key, _ := keyOf(values, at)
		out.rows[key] = append(out.rows[key], objects[i])
	}
	return len(raw), nil
}

// member adds what is embedded in a row to its object.
func (e *embedded) member(o []byte, c *cell, values []any) []byte {
	key, _ := keyOf(values, c.keys)
	list := e.rows[key]
	switch {
	case c.embed.Spread && len(list) > 0:
		inner := bytes.TrimSuffix(bytes.TrimPrefix(list[0], []byte("{")), []byte("}"))
		if len(inner) > 0 && len(o) > 1 {
			o = append(o, ',')
		}
		return append(o, inner...)
	case c.embed.Spread:
		for _, name := range e.empty {
			o = member(o, name, jsontext.Value("null"))
		}
		return o
	case !e.many && len(list) == 0:
		return member(o, c.name, jsontext.Value("null"))
	case !e.many:
		return member(o, c.name, list[0])
	}
	array := []byte{'['}
	for i, v := range list {
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, v...)
	}
	return member(o, c.name, append(array, ']'))
}

// keyOf makes one text of values; false where one of them is null, which joins nothing.
func keyOf(values []any, at []int) (string, bool) {
	var b []byte
	for _, i := range at {
		switch v := values[i].(type) {
		case nil:
			return "", false
		case []byte:
			b = append(b, v...)
		case string:
			b = append(b, v...)
		default:
			b = fmt.Append(b, v)
		}
		b = append(b, '|')
	}
	return string(b), true
}

func pick(values []any, at []int) []any {
	out := make([]any, len(at))
	for i, n := range at {
		out[i] = values[n]
	}
	return out
}
