package merge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan/doc"
	words "cairn/internal/text"
)

// known is a phase of one version of the roadmap.
type known struct {
	version string
	id      doc.PhaseID
	slug    string
	about   string // its fields, to know it again under another name
	body    string // all that is said of it, without its number
	done    int    // how many boxes of it are ticked
}

func phasesOf(t *doc.Text) (out []known) {
	r := doc.ReadRoadmap(t)
	at := func(version string, id doc.PhaseID) *known {
		for i := range out {
			if out[i].version == version && out[i].id.Same(id) {
				return &out[i]
			}
		}
		out = append(out, known{version: version, id: id})
		return &out[len(out)-1]
	}
	for _, p := range r.Phases {
		if p.Shipped {
			continue
		}
		k := at(p.Version, p.ID)
		k.slug = slug(p.Name)
		for _, name := range []string{"Goal", "Requirements"} {
			f, _ := r.PhaseField(p, name)
			k.about += f.Value + "\n"
		}
		k.body += p.Name + "\n" + said(r, p) + "\n"
		for _, it := range r.Items(p.Start, p.End) {
			if it.Done {
				k.done++
			}
		}
	}
	for _, b := range r.Boxes {
		if b.Shipped {
			continue
		}
		k := at(b.Version, b.ID)
		k.slug = cmp.Or(k.slug, slug(b.Name))
		k.body += strconv.FormatBool(b.Done) + b.Text[strings.Index(b.Text, b.Written)+len(b.Written):] + "\n"
		if b.Done {
			k.done += 100
		}
	}
	return out
}

// said is what a section says of its phase. Numbers of phases are left out: they
// change when another phase is removed.
func said(r *doc.Roadmap, p doc.RoadmapPhase) string {
	depends, ok := r.PhaseField(p, "Depends on")
	var b strings.Builder
	for i := p.Start; i < p.End; i++ {
		if ok && i == depends.Line {
			continue
		}
		for word := range strings.FieldsSeq(r.Line(i)) {
			if _, rest, isID := doc.DirPhaseID(word); isID && word[0] <= '9' {
				word = rest
			}
			b.WriteString(word + " ")
		}
	}
	return b.String()
}

func slug(name string) string { return words.LetterSlug(name, doc.SlugLength) }

// class is one phase with its place in each version, nil where it is not.
type class struct {
	at [3]*known
	to doc.PhaseID
}

// number finds out which phases of the versions are the same one and gives each
// its number: the one that both agree on, or who changed it. Where two have one
// number a phase that both knew keeps it; of two new ones that of the version
// whose phases are further, else whose name comes first in the alphabet. The others
// go on after the last number, in their order.
func number(t [3]*doc.Text) *numbering {
	n := &numbering{texts: t, gone: map[string]map[doc.PhaseID]doc.PhaseID{}}
	all := classes(phasesOf(t[0]), phasesOf(t[1]), phasesOf(t[2]))
	var live []*class
	for _, c := range all {
		switch b, o, t := c.at[0], c.at[1], c.at[2]; {
		case b == nil && o == nil:
			c.to = t.id
		case t == nil && b == nil:
			c.to = o.id
		case o != nil && t != nil:
			c.to = o.id
			if b != nil && o.id == b.id {
				c.to = t.id
			}
		default: // one removed it, or both
			left := cmp.Or(o, t)
			if left == nil || left.body == b.body {
				c.to = b.id
				if b.id.Number >= 0 {
					c.to = doc.PhaseID{Number: goneFrom + len(n.removed)}
					n.note(b.version, c.to, b.id)
				}
				n.removed = append(n.removed, c.to)
				continue
			}
			c.to = left.id
		}
		live = append(live, c)
	}
	n.moved = apart(live, highest(t))
	for _, c := range live {
		if c.at[0] != nil && (c.at[1] == nil || c.at[2] == nil) {
			n.revived = append(n.revived, c.to)
		}
	}
	for i := range n.to {
		n.to[i] = map[string]map[doc.PhaseID]doc.PhaseID{}
		for _, c := range all {
			k := c.at[i]
			if k == nil || k.id.Number < 0 {
				continue
			}
			if n.to[i][k.version] == nil {
				n.to[i][k.version] = map[doc.PhaseID]doc.PhaseID{}
			}
			n.to[i][k.version][k.id] = c.to
		}
	}
	return n
}

// goneFrom is above every number that a phase can have.
const goneFrom = 900000

func (n *numbering) note(version string, from, was doc.PhaseID) {
	if n.gone[version] == nil {
		n.gone[version] = map[doc.PhaseID]doc.PhaseID{}
	}
	n.gone[version][from] = was
}

// classes puts together what is one phase: the same number and name, else the
// same name, else the same number where it is still about the same.
func classes(base, ours, theirs []known) []*class {
	var all []*class
	for i := range base {
		all = append(all, &class{at: [3]*known{&base[i]}})
	}
	for i, phases := range [][]known{ours, theirs} {
		side := i + 1
		free := make([]*known, len(phases))
		for i := range phases {
			free[i] = &phases[i]
		}
		for _, same := range []func(b, p *known) bool{
			func(b, p *known) bool { return b.id.Same(p.id) && b.slug == p.slug },
			func(b, p *known) bool { return b.slug == p.slug && b.slug != "" },
			func(b, p *known) bool { return b.id.Same(p.id) && b.about == p.about },
		} {
			for _, c := range all {
				if c.at[0] == nil || c.at[side] != nil {
					continue
				}
				i := slices.IndexFunc(free, func(p *known) bool { return p != nil && p.version == c.at[0].version && same(c.at[0], p) })
				if i >= 0 {
					c.at[side], free[i] = free[i], nil
				}
			}
		}
		for _, p := range free {
			if p == nil {
				continue
			}
			i := slices.IndexFunc(all, func(c *class) bool {
				o := c.at[3-side]
				return c.at[0] == nil && o != nil && c.at[side] == nil && o.version == p.version && o.slug == p.slug
			})
			if i >= 0 {
				all[i].at[side] = p
				continue
			}
			c := &class{}
			c.at[side] = p
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *class) int { return a.first().id.Compare(b.first().id) })
	return all
}

func (c *class) first() *known { return cmp.Or(c.at[0], c.at[1], c.at[2]) }

// apart gives phases that would have one number different ones: the next after the
// last. It reports whether there were such.
func apart(live []*class, last int) (moved bool) {
	theirsKeep := theirsFurther(live)
	weight := func(c *class) int {
		switch {
		case c.at[0] != nil && c.at[1] != nil && c.at[2] != nil:
			return 0
		case c.at[0] == nil && (c.at[2] != nil) == theirsKeep:
			return 1
		case c.at[0] == nil:
			return 2
		}
		return 3
	}
	order := slices.Clone(live)
	slices.SortStableFunc(order, func(a, b *class) int { return weight(a) - weight(b) })
	for _, c := range live {
		if c.to.Number < 999 {
			last = max(last, c.to.Number)
		}
	}
	for i, c := range order {
		if !slices.ContainsFunc(order[:i], func(d *class) bool { return clash(c, d) }) {
			continue
		}
		moved = true
		if c.to.Decimals == "" && c.to.Number >= 0 {
			last++
			c.to.Number, c.to.Letter = last, ""
			continue
		}
		for taken := true; taken && c.to.Number >= 0; {
			c.to.Decimals = nextDecimal(c.to.Decimals)
			taken = slices.ContainsFunc(live, func(d *class) bool { return d != c && clash(c, d) })
		}
	}
	return moved
}

// theirsFurther says whose new phases keep their numbers: of the first two that
// would have the same one the phase with more done, else the first by its name.
func theirsFurther(live []*class) bool {
	for i, c := range live {
		for _, d := range live[:i] {
			if o, t := news(c, d); o != nil && clash(c, d) {
				return cmp.Or(cmp.Compare(o.done, t.done), strings.Compare(t.slug, o.slug)) < 0
			}
		}
	}
	return false
}

// highest is the last number that any milestone of the versions has.
func highest(t [3]*doc.Text) (last int) {
	for _, t := range t {
		r := doc.ReadRoadmap(t)
		for _, p := range r.Phases {
			if p.ID.Number < 999 {
				last = max(last, p.ID.Number)
			}
		}
		for _, b := range r.Boxes {
			if b.ID.Number < 999 {
				last = max(last, b.ID.Number)
			}
		}
	}
	return last
}

// news returns the two phases of two classes of which each version added one.
func news(c, d *class) (ours, theirs *known) {
	if c.at[0] != nil || d.at[0] != nil {
		return nil, nil
	}
	if c.at[1] == nil {
		c, d = d, c
	}
	if c.at[1] == nil || d.at[2] == nil {
		return nil, nil
	}
	return c.at[1], d.at[2]
}

func clash(c, d *class) bool {
	return c.to.Same(d.to) && c.first().version == d.first().version
}

func nextDecimal(decimals string) string {
	at := strings.LastIndexByte(decimals, '.')
	n, _ := strconv.Atoi(decimals[at+1:])
	return decimals[:at+1] + strconv.Itoa(n+1)
}
