package compare

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// A lineage says which case of B a case of A is, by what they consist of. Names
// and numbers are kept where the runs do not say more.
type lineage struct {
	key   map[string]string // result.Run.Key in A → the key in B, or one that nothing in B has
	edits map[string]edits  // by the key in B
	notes []Note
}

// A Change is what of a case is not in B as it was in A, although it is the same case.
type Change struct {
	Was    string   `json:"was,omitempty"`    // its name in A, if that is another
	Edited []string `json:"edited,omitempty"` // input, prompt
}

// edits is what of a case was changed although it is the same case.
type edits struct{ input, prompt bool }

func (e edits) list() (changed []string) {
	if e.input {
		changed = append(changed, "input")
	}
	if e.prompt {
		changed = append(changed, "prompt")
	}
	return changed
}

// of is the key in B of a case of A.
func (l *lineage) of(key string) string { return cmp.Or(l.key[key], key) }

// A being is a case of one run: what it consists of, with the names of B.
type being struct {
	key   string // of result.Run
	title string
	place string // suite and variant
	name  string
	input string
	id    string // suite and case_id, where the runner gave the case one

	prompt string // in its own run
}

// trace finds out which cases of A are which of B. Runs that do not say what
// their cases consist of, such as those stored by older versions, are matched by
// result.Run.Key alone: a lineage of nothing.
func trace(a, b *result.Run) *lineage {
	l := &lineage{}
	if a == b || !identified(a) || !identified(b) {
		return l
	}
	prompts := matchPrompts(a.Prompts, b.Prompts)
	l.notes = prompts.notes
	before, after := beings(a, prompts.to), beings(b, nil)
	l.key, l.edits = make(map[string]string, len(before)), map[string]edits{}

	var renamed, edited, prompted []string
	join := func(p, q *being, e edits) {
		l.key[p.key] = q.key
		if e.prompt = e.prompt || prompts.edited[p.prompt]; e != (edits{}) {
			l.edits[q.key] = e
		}
	}
	left, right := pairOff(before, after, func(c *being) string { return c.place + "\x00" + c.name + "\x00" + c.input }, func(p, q *being) { join(p, q, edits{}) })
	left, right = pairOff(left, right, func(c *being) string {
		if c.input == "" {
			return ""
		}
		return c.place + "\x00" + c.input
	}, func(p, q *being) {
		join(p, q, edits{})
		if p.name != q.name {
			renamed = append(renamed, fmt.Sprintf("%q is %q in B", result.Shown(p.name), result.Shown(q.name)))
		}
	})
	asked := func(p, q *being, prompt bool) {
		other := p.input != "" && q.input != "" && p.input != q.input
		if join(p, q, edits{input: other, prompt: prompt}); other {
			edited = append(edited, fmt.Sprintf("%q", result.Shown(q.name)))
		}
	}
	left, right = pairOff(left, right, func(c *being) string { return c.place + "\x00" + c.name }, func(p, q *being) { asked(p, q, false) })
	left, _ = pairOff(left, right, func(c *being) string { return c.id }, func(p, q *being) {
		other := p.prompt != "" && q.prompt != "" && prompts.to[p.prompt] != q.prompt
		if asked(p, q, other); other {
			prompted = append(prompted, fmt.Sprintf("%q", result.Shown(q.name)))
		}
	})
	silent := unsaid(b)
	for _, p := range left { // a key of B may read the same and mean another case
		if silent[p.key] {
			continue // B does not say what it consists of: it goes by its key
		}
		suite, _, _ := strings.Cut(p.key, "\x00")
		l.key[p.key] = suite + "\x00gone\x00" + p.key
	}
	l.say("case-renamed", "cases with the same input and another name are taken for the same", renamed)
	l.say("input-changed", "the input of cases changed; they are compared by their name, and what became of them may be due to that", edited)
	l.say("case-prompt", "cases with the same case_id have another prompt in B; they are compared, and what became of them may be due to that", prompted)
	return l
}

// unsaid are the keys of the cases that do not say what they consist of.
func unsaid(run *result.Run) map[string]bool {
	keys := map[string]bool{}
	for i := range run.Results {
		if r := &run.Results[i]; r.Content() == (result.Identity{}) {
			keys[run.Key(r)] = true
		}
	}
	return keys
}

// identified reports whether a result of the run says what its case consists of.
func identified(run *result.Run) bool {
	for i := range run.Results {
		if run.Results[i].Content() != (result.Identity{}) {
			return true
		}
	}
	return false
}

// mostNamed is how many cases a note names.
const mostNamed = 3

func (l *lineage) say(code, what string, which []string) {
	slices.Sort(which)
	which = slices.Compact(which) // of several variants
	if len(which) == 0 {
		return
	}
	more := ""
	if n := len(which) - mostNamed; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	l.notes = append(l.notes, Note{code, what + ": " + strings.Join(which[:min(len(which), mostNamed)], ", ") + more})
}

// beings lists the cases of a run that say what they consist of. to has the names
// that prompts have in the other run.
func beings(run *result.Run, to map[string]string) (list []*being) {
	seen := make(map[string]bool, len(run.Results))
	for i := range run.Results {
		r := &run.Results[i]
		key, of := run.Key(r), r.Content()
		if of == (result.Identity{}) || seen[key] {
			continue
		}
		seen[key] = true
		suite, _, _ := strings.Cut(key, "\x00")
		c := &being{key: key, title: r.Title(), place: suite + "\x00" + r.Variant, name: r.Name, input: of.Input, prompt: of.Prompt}
		if r.CaseID != "" && run.Tool != madeIDs {
			c.id = key
		}
		if c.prompt == "" {
			c.name = cmp.Or(r.CaseID, r.Name) // a sample's id; its name may hold the question
		} else if name, ok := to[c.prompt]; ok {
			c.place = suite + "\x00" + strings.TrimSuffix(r.Variant, c.prompt) + name
		}
		list = append(list, c)
	}
	return list
}

// madeIDs is the tool whose case_ids are made here, of what a case consists of and of
// the number of its prompt: they say no more than that, and less.
const madeIDs = "promptfoo"

// pairOff joins those of which each run has exactly one, and returns the others.
// "" of what is none of a case's own.
func pairOff(a, b []*being, of func(*being) string, join func(p, q *being)) (left, right []*being) {
	type both struct {
		a, b  int
		other *being
	}
	found := make(map[string]*both, len(b))
	for _, q := range b {
		if k := of(q); k != "" {
			if found[k] == nil {
				found[k] = &both{}
			}
			found[k].b++
			found[k].other = q
		}
	}
	for _, p := range a {
		if f := found[of(p)]; f != nil {
			f.a++
		}
	}
	for _, p := range a {
		if f := found[of(p)]; f != nil && f.a == 1 && f.b == 1 {
			join(p, f.other)
			continue
		}
		left = append(left, p)
	}
	for _, q := range b {
		if f := found[of(q)]; f == nil || f.a != 1 || f.b != 1 {
			right = append(right, q)
		}
	}
	return left, right
}

// inputs looks at cases that are known by their names alone and came out otherwise:
// of those it matters whether the question is the same. Others are not looked at,
// since reading their members would take longer than comparing the runs.
func (l *lineage) inputs(pairs []*pair) {
	var edited []string
	for _, p := range pairs {
		if p.Class != Lost && p.Class != Gained || p.Changed != nil || p.a[0].Identity != nil && p.b[0].Identity != nil || bytes.Equal(p.a[0].X, p.b[0].X) {
			continue
		}
		if before, after := inputOf(p.a[0].X), inputOf(p.b[0].X); before != nil && after != nil && !bytes.Equal(before, after) {
			p.Changed = &Change{Edited: edits{input: true}.list()}
			edited = append(edited, fmt.Sprintf("%q", result.Shown(p.Name)))
		}
	}
	l.say("input-changed", "cases that came out otherwise have another input in B, which may be why", edited)
}

// inputOf is what was asked, where a runner says it in one of the members that it
// may have for that, in a form in which it can be compared.
func inputOf(x jsontext.Value) jsontext.Value {
	var said struct {
		Input   jsontext.Value `json:"input"`
		Message jsontext.Value `json:"user_message"`
		Vars    jsontext.Value `json:"vars"`
	}
	if len(x) == 0 || json.Unmarshal(x, &said) != nil {
		return nil
	}
	for _, v := range [...]jsontext.Value{said.Input, said.Message, said.Vars} {
		if v.Kind() != 'n' && len(v) > 0 && v.Canonicalize() == nil {
			return v
		}
	}
	return nil
}

// follow notes on a pair that came from A what its case is in B.
func (p *pair) follow(l *lineage, key string, r *result.Result) {
	if len(p.a) == 0 || len(p.b) > 0 || l.key == nil {
		return
	}
	change := Change{Edited: l.edits[key].list()}
	if now := r.Title(); now != p.Name {
		change.Was, p.Name = p.Name, now
	}
	p.Variant = r.Variant
	if p.CaseID = r.CaseID; change.Was != "" || change.Edited != nil {
		p.Changed = &change
	}
}
