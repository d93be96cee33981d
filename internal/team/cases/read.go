package cases

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// reader reads the cases of one file after another.
type reader struct {
	specs    []Spec
	profiles *Profiles
	problems Problems
}

// members are those of a case that the format knows; all others are input.
var members = [...]string{"name", "description", "category", "tags", "suite", "prompt_source_files", "input", "expectations", "comparison", "tier_chain"}

// read is a case as far as it could be read.
type read struct {
	Case
	sound bool // nothing is wrong with it
}

func sound(all []read) (cases []Case) {
	for _, c := range all {
		if c.sound {
			cases = append(cases, c.Case)
		}
	}
	return cases
}

func (r *reader) file(file string, data []byte) (cases []read) {
	docs, err := parse(file, data)
	if err != nil {
		r.problems = append(r.problems, err.(Problem))
		return nil
	}
	add := func(n *node) {
		before := len(r.problems.Errors())
		c := r.one(n)
		cases = append(cases, read{c, len(r.problems.Errors()) == before})
	}
	for _, doc := range docs {
		switch doc.kind {
		case null: // a document of comments
		case object, list:
			for _, item := range doc.list() {
				add(item)
			}
		default:
			r.problems.say(doc.at, "a case is an object; this is %s", doc.kind)
		}
	}
	if len(docs) == 0 || len(cases) == 0 && len(r.problems) == 0 {
		r.problems.say(Position{File: file}, "holds no case")
	}
	return cases
}

func (r *reader) one(n *node) (c Case) {
	c.At = n.at
	if n.kind != object {
		r.problems.say(n.at, "a case is an object; this is %s", n.kind)
		return c
	}
	if n.get("tests") != nil && n.get("expectations") == nil && (n.get("prompts") != nil || n.get("providers") != nil) {
		r.problems.say(n.at, "this is a promptfoo configuration; convert it with cairn eval cases import")
		return c
	}
	for _, f := range n.fields {
		v := f.value
		switch f.name {
		case "name":
			c.At = f.at
			if c.Name = strings.TrimSpace(r.text(f)); c.Name == "" && v.kind <= str {
				r.problems.say(f.at, "name is empty")
			}
		case "suite":
			c.Suite = r.text(f)
		case "description":
			c.Description = r.text(f)
		case "category":
			c.Category = r.text(f)
		case "tags":
			c.Tags = r.texts(f)
		case "prompt_source_files":
			c.Sources = r.sources(f)
		case "expectations":
			c.Expectations = r.expectations(f)
		case "comparison":
			c.Comparison = r.comparison(f)
		case "tier_chain":
			c.Chain = r.chain(f)
		default:
			r.input(&c, f)
		}
	}
	for i := range c.Expectations {
		for e := range c.Expectations[i].Leaves() {
			r.reference(&c, e)
		}
	}
	if n.get("name") == nil {
		r.problems.say(n.at, "the case has no name")
	}
	if n.get("expectations") == nil {
		r.problems.say(c.At, "the case has no expectations%s", r.nearMember(n, "expectations"))
	}
	return c
}

// reference finds expectations that compare with a right answer that neither
// they nor the case have.
func (r *reader) reference(c *Case, e *Expectation) {
	i := slices.IndexFunc(r.specs, func(s Spec) bool { return s.Name == e.Type })
	if _, expected := c.Expected(); i < 0 || expected {
		return
	}
	for _, k := range r.specs[i].Keys {
		if k.Expected && !e.Has(k.Name) {
			r.problems.say(e.At, "%s has nothing to compare with; give it %s, or the case a member \"expected\"", e.Type, k.Name)
		}
	}
}

// input adds a member that is the runner's.
func (r *reader) input(c *Case, f field) {
	if c.Input == nil {
		c.Input = map[string]any{}
	}
	if f.name == "input" && f.value.kind == object {
		maps.Copy(c.Input, f.value.value().(map[string]any))
		return
	}
	c.Input[f.name] = f.value.value()
	if near := Near(f.name, members[:]); near != "" {
		r.problems.warn(f.at, "%q is taken as input%s", shown(f.name), near)
	}
}

func (r *reader) nearMember(n *node, member string) string {
	for _, f := range n.fields {
		if Near(f.name, []string{member}) != "" {
			return "; did you mean it by \"" + shown(f.name) + "\" in line " + strconv.Itoa(f.at.Line)
		}
	}
	return ""
}

func (r *reader) text(f field) string {
	w, ok := f.value.word()
	if !ok && f.value.kind != null {
		r.problems.say(f.value.at, "%s must be a text, not %s", f.name, f.value.kind)
	}
	return w
}

func (r *reader) texts(f field) []string {
	if f.value.kind == null {
		return nil
	}
	words, bad := f.value.words()
	if bad != nil {
		r.problems.say(bad.at, "%s must hold texts, not %s", f.name, bad.kind)
	}
	return words
}

func (r *reader) sources(f field) (sources []Source) {
	for _, item := range f.value.list() {
		name, ok := item.word()
		if !ok || name == "" {
			r.problems.say(item.at, "%s must hold names of files, not %s", f.name, item.kind)
			continue
		}
		sources = append(sources, Source{name, item.at})
	}
	return sources
}

func (r *reader) expectations(f field) (all []Expectation) {
	v := f.value
	switch {
	case v.kind != list && v.kind != null:
		r.problems.say(v.at, "expectations must be a list, not %s", v.kind)
	case len(v.items) == 0:
		r.problems.say(f.at, "expectations is empty: the case could not fail")
	}
	scale, judged := Scale(""), false
	for _, item := range v.items {
		e, ok := r.expectation(item, false)
		if !ok {
			continue
		}
		for leaf := range e.Leaves() {
			if leaf.Judged == nil {
				continue
			}
			p, _ := r.profiles.Find(leaf.Judged.Profile)
			if judged && !p.Scale.Is(scale) {
				r.problems.say(leaf.At, "its judge's scale %q is not the one of the case's other judges, %q", cmp.Or(p.Scale, "0-1"), cmp.Or(scale, "0-1"))
			}
			scale, judged = p.Scale, true
		}
		all = append(all, e)
	}
	return all
}

// comparison reads an A/B test.
func (r *reader) comparison(f field) *Comparison {
	n := f.value
	if n.kind == null {
		return nil
	}
	c := &Comparison{Type: "ab_test", Tolerance: DefaultTolerance, Flaky: map[string]float64{}}
	if n.kind != object {
		r.problems.say(n.at, "comparison must be an object, not %s", n.kind)
		return c
	}
	if n.get("type") == nil {
		r.problems.say(f.at, "comparison needs a type; ab_test is known")
	}
	for _, f := range n.fields {
		switch f.name {
		case "type":
			if t, _ := f.value.word(); t != "ab_test" {
				r.problems.say(f.value.at, "no comparison type %q; ab_test is known", shown(t))
			}
		case "control":
			c.Control = f.value.value()
		case "treatment":
			c.Treatment = f.value.value()
		case "tolerance":
			c.Tolerance = r.tolerance(f)
		case "flaky_criteria":
			if f.value.kind != object {
				r.problems.say(f.value.at, "flaky_criteria must be an object such as {tone: 0.1}, not %s", f.value.kind)
			}
			for _, each := range f.value.fields {
				c.Flaky[each.name] = r.tolerance(each)
			}
		default:
			r.problems.say(f.at, "comparison has no key %q%s", shown(f.name), Near(f.name, []string{"type", "control", "treatment", "tolerance", "flaky_criteria"}))
		}
	}
	return c
}

func (r *reader) tolerance(f field) float64 {
	if f.value.kind != number || f.value.number < 0 {
		r.problems.say(f.value.at, "%s must be 0 or more, not %s", shown(f.name), f.value.described())
		return 0
	}
	return f.value.number
}

// chain reads a chain of tiers.
func (r *reader) chain(f field) (tiers []Tier) {
	if f.value.kind == null {
		return nil
	}
	switch {
	case f.value.kind != list:
		r.problems.say(f.value.at, "tier_chain must be a list of tiers, not %s", f.value.kind)
	case len(f.value.items) == 0:
		r.problems.say(f.value.at, "tier_chain is empty")
	}
	names, files := map[string]bool{}, map[string]bool{}
	var writes []string
	for _, item := range f.value.items {
		t := Tier{At: item.at}
		if item.kind != object {
			r.problems.say(item.at, "a tier must be an object, not %s", item.kind)
			continue
		}
		for _, f := range item.fields {
			switch f.name {
			case "tier":
				if t.Name, t.At = r.text(f), f.at; t.Name != "" && !isName(t.Name) {
					r.problems.say(f.value.at, "invalid tier name %q; use letters, digits, - and _", shown(t.Name))
				}
			case "model":
				t.Model = r.text(f)
			case "input_from":
				if t.InputFrom = r.text(f); !files[t.InputFrom] && t.InputFrom != "" {
					r.problems.say(f.value.at, "no tier before this one writes %q%s", shown(t.InputFrom), Near(t.InputFrom, writes))
				}
			case "output_file":
				t.OutputFile = r.text(f)
			default:
				r.problems.say(f.at, "a tier has no key %q%s", shown(f.name), Near(f.name, []string{"tier", "model", "input_from", "output_file"}))
			}
		}
		switch {
		case t.Name == "":
			r.problems.say(item.at, "a tier has no name; write tier: NAME")
		case names[t.Name]:
			r.problems.say(t.At, "the tier %q stands twice", t.Name)
		case t.OutputFile != "" && files[t.OutputFile]:
			r.problems.say(t.At, "an earlier tier writes %q already", shown(t.OutputFile))
		}
		names[t.Name] = true
		if t.OutputFile != "" {
			files[t.OutputFile] = true
			writes = append(writes, t.OutputFile)
		}
		tiers = append(tiers, t)
	}
	return tiers
}
