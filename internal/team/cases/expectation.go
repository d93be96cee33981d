package cases

import (
	"fmt"
	"slices"
	"strings"
)

// expectation reads one entry of expectations against the declarations;
// weighted is whether its weight counts.
func (r *reader) expectation(n *node, weighted bool) (e Expectation, ok bool) {
	e.At, e.Weight = n.at, 1
	if n.kind != object {
		r.problems.say(n.at, "an expectation must be an object with a type, not %s", n.kind)
		return e, false
	}
	kind := n.get("type")
	switch {
	case kind == nil:
		r.problems.say(n.at, "an expectation without a type%s", r.typeAsKey(n))
		return e, false
	case kind.kind != str:
		r.problems.say(kind.at, "the type of an expectation must be a text, not %s", kind.kind)
		return e, false
	}
	e.Type, e.At = kind.text, kind.at
	i := slices.IndexFunc(r.specs, func(s Spec) bool { return s.Name == e.Type })
	if i < 0 {
		r.problems.say(kind.at, "no expectation type %q%s", shown(e.Type), NearType(e.Type, r.specs))
		return e, false
	}
	before := len(r.problems.Errors())
	r.arguments(&e, &r.specs[i], n)
	if w := n.get("weight"); w != nil && !weighted {
		r.problems.say(w.at, "%s: weight has an effect only in all_of; remove it", e.Type)
	}
	return e, len(r.problems.Errors()) == before
}

// NearType is Near for types of expectations, which other tools call otherwise.
func NearType(word string, specs []Spec) string {
	plain := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", ":", "", " ", "").Replace(strings.ToLower(s))
	}
	var names []string
	within, negated := strings.CutPrefix(plain(word), "not")
	for i := range specs {
		name := specs[i].Name
		for _, a := range append(specs[i].Also, Also{Name: name}) {
			near := fmt.Sprintf("; did you mean %q", name)
			if negated && plain(a.Name) == within {
				near = fmt.Sprintf("; did you mean \"not\" with the expectation %q", name)
			} else if plain(a.Name) != plain(word) {
				continue
			}
			if a.How != "" {
				near += ": " + a.How
			}
			return near
		}
		names = append(names, name)
	}
	return Near(word, names)
}

func (r *reader) arguments(e *Expectation, spec *Spec, n *node) {
	given := map[string]Position{}
	for _, f := range n.fields {
		if f.name == "type" {
			continue
		}
		key := spec.key(f.name)
		if key == nil {
			r.problems.say(f.at, "%s has no key %q%s", e.Type, shown(f.name), Near(f.name, spec.keyNames()))
			continue
		}
		given[f.name] = f.at
		if key.Kind == Part || key.Kind == Parts {
			r.parts(e, spec, key, f)
			continue
		}
		if f.name == "path" && spec.Whole() {
			r.problems.say(f.at, "%s takes no path; put it into its expectations", e.Type)
			continue
		}
		if spec.Judged && (f.name == "criteria" || f.name == "judge_profile") {
			continue // read together
		}
		say := func(at Position, format string, args ...any) { r.problems.say(at, e.Type+": "+format, args...) }
		value, ok := valueReader{key, say}.read(f.value)
		if !ok {
			continue
		}
		if f.name == "path" {
			e.Path, _ = value.(Path)
			e.Given, _ = f.value.word()
			continue
		}
		if f.name == "weight" {
			if e.Weight, _ = value.(float64); e.Weight < 0 {
				r.problems.say(f.value.at, "%s: weight must be 0 or more, not %v", e.Type, e.Weight)
			}
			continue
		}
		e.args = append(e.args, argument{f.name, value})
	}
	for i := range spec.Keys {
		k := &spec.Keys[i]
		if _, ok := given[k.Name]; ok {
			continue
		}
		if k.Required {
			r.problems.say(e.At, "%s needs %s%s", e.Type, k.Name, kindBeside(k))
		} else if k.Default != "" {
			e.args = append(e.args, argument{k.Name, k.defaultValue()})
		}
	}
	if len(spec.Needs) > 0 && !slices.ContainsFunc(spec.Needs, func(name string) bool { _, ok := given[name]; return ok }) {
		r.problems.say(e.At, "%s needs %s", e.Type, strings.Join(spec.Needs, " or "))
	}
	for _, k := range spec.Keys {
		if low, ok := strings.CutPrefix(k.Name, "min"); ok {
			lo, ok1 := e.Number(k.Name)
			hi, ok2 := e.Number("max" + low)
			if ok1 && ok2 && lo > hi {
				at, ok := given["max"+low]
				if !ok {
					at = given[k.Name]
				}
				r.problems.say(at, "%s: %s %v is above %s %v", e.Type, k.Name, lo, "max"+low, hi)
			}
		}
	}
	if spec.Judged {
		e.Judged = r.judged(e, spec, n)
	}
	if share, ok := e.Number("threshold"); ok && share == 0 {
		r.problems.say(e.At, "%s: threshold must be above 0, or the expectation can never fail", e.Type)
	}
}

// parts reads the expectations that one joins.
func (r *reader) parts(e *Expectation, spec *Spec, key *Key, f field) {
	items, before := f.value.list(), len(r.problems.Errors())
	switch {
	case key.Kind == Part && f.value.kind == list:
		r.problems.say(f.value.at, "%s: %s must be one expectation, not a list; join several with all_of or any_of", e.Type, key.Name)
		return
	case key.Kind == Parts && f.value.kind != list, len(items) == 0:
		r.problems.say(f.value.at, "%s: %s must be a list of at least one expectation", e.Type, key.Name)
		return
	}
	sum := 0.0
	for _, item := range items {
		one, _ := r.expectation(item, spec.key("threshold") != nil)
		e.Parts = append(e.Parts, one)
		sum += one.Weight
	}
	if sum == 0 && len(r.problems.Errors()) == before {
		r.problems.say(f.at, "%s: all weights are 0, so it can never fail; give at least one a weight above 0", e.Type)
	}
}

// defaultValue reads the default as if it stood in the case.
func (k *Key) defaultValue() any {
	docs, err := parse("", []byte(k.Default))
	if err == nil && len(docs) == 1 {
		silent := func(Position, string, ...any) {}
		if v, ok := (valueReader{k, silent}).read(docs[0]); ok {
			return v
		}
	}
	panic(fmt.Sprintf("cases: the default %q of the key %s cannot be read", k.Default, k.Name))
}

// typeAsKey helps who wrote a type as other formats do: "body_contains: x".
func (r *reader) typeAsKey(n *node) string {
	for _, f := range n.fields {
		for _, spec := range r.specs {
			if f.name == spec.Name {
				return "; write type: " + f.name + ", and its keys beside it"
			}
		}
	}
	return ""
}

// kindBeside is the kind of a key where its name does not tell it.
func kindBeside(k *Key) string {
	if k.Kind.String() == k.Name {
		return ""
	}
	return fmt.Sprintf(" (%s)", k.Kind)
}

// judged reads criteria and judge_profile of an expectation.
func (r *reader) judged(e *Expectation, spec *Spec, n *node) *Judged {
	j := &Judged{Criteria: map[string]float64{}}
	profile := r.profiles.Default()
	if p := n.get("judge_profile"); p != nil {
		name, ok := p.word()
		if !ok {
			r.problems.say(p.at, "judge_profile must be a name, not %s", p.kind)
			return j
		}
		j.Profile = name
		if profile, ok = r.profiles.Find(name); !ok {
			bare := r.profiles == nil && thresholds(n.get("criteria"))
			say := r.problems.say
			if bare { // the case itself says what scores are held against
				say = r.problems.warn
			}
			say(p.at, "no judge profile %q%s; %s", shown(name), Near(name, r.profiles.names()), r.profiles.whence())
			if !bare {
				return j
			}
		}
	}
	criteria := n.get("criteria")
	lo, hi, _ := profile.Scale.Bounds()
	least := profile.ThresholdOf(spec.Scored)
	if spec.Least > 0 {
		least = lo + spec.Least*(hi-lo)
	}
	share, shared := e.Number("threshold")
	if shared {
		least = lo + share*(hi-lo)
	}
	switch {
	case shared && criteria == nil && spec.Scored == "", shared && criteria != nil && (criteria.kind != str || isName(criteria.text)):
		r.problems.say(e.At, "%s: threshold applies only to criteria in words; write criteria: {name: 0.8}", e.Type)
	case criteria == nil && spec.Scored != "":
		j.Criteria[spec.Scored] = least
	case criteria == nil && len(profile.Criteria) == 0:
		r.problems.say(e.At, "%s needs criteria, or a judge_profile that has some", e.Type)
	case criteria == nil:
		for name := range profile.Criteria {
			j.Criteria[name] = profile.ThresholdOf(name)
		}
	case criteria.kind == str && !isName(criteria.text):
		if j.Prompt = strings.TrimSpace(criteria.text); j.Prompt == "" {
			r.problems.say(criteria.at, "criteria is empty")
		}
		name, _, _ := strings.Cut(e.Type, "_")
		if spec.Scored != "" {
			name = spec.Scored
		} else if !shared {
			least = profile.ThresholdOf(name)
		}
		j.Criteria[name] = least
	case criteria.kind == str, criteria.kind == list:
		names, bad := criteria.words()
		if bad != nil || len(names) == 0 {
			r.problems.say(criteria.at, "criteria is a list without names")
		}
		for _, name := range names {
			r.threshold(j, profile, name, criteria.at, nil)
		}
	case criteria.kind == object:
		if len(criteria.fields) == 0 {
			r.problems.say(criteria.at, "criteria is empty")
		}
		for _, f := range criteria.fields {
			r.threshold(j, profile, f.name, f.at, f.value)
		}
	default:
		r.problems.say(criteria.at, "criteria must be an object such as {accuracy: 0.7}, not %s", criteria.kind)
	}
	return j
}

// thresholds reports whether each of the criteria has a threshold of its own.
func thresholds(criteria *node) bool {
	if criteria == nil || criteria.kind != object {
		return false
	}
	for _, f := range criteria.fields {
		if f.value == nil || f.value.kind == null {
			return false
		}
	}
	return true
}

func (r *reader) threshold(j *Judged, profile Profile, name string, at Position, v *node) {
	if !isName(name) {
		r.problems.say(at, "invalid criterion name %q; use letters, digits, - and _", shown(name))
		return
	}
	if _, ok := j.Criteria[name]; ok {
		r.problems.say(at, "the criterion %s stands twice", name)
	}
	if v == nil || v.kind == null {
		j.Criteria[name] = profile.ThresholdOf(name)
		return
	}
	lo, hi, _ := profile.Scale.Bounds()
	if v.kind != number || v.number < lo || v.number > hi {
		r.problems.say(v.at, "the threshold of %s must be a number from %v to %v, not %s", name, lo, hi, v.described())
		return
	}
	j.Criteria[name] = v.number
}

// isName reports whether s can be a name of a criterion, a profile or a tier.
func isName(s string) bool {
	return s != "" && len(s) <= 100 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}
