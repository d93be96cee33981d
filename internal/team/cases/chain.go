package cases

// comparison reads an A/B test.
func (r *reader) comparison(f field) *Comparison {
	n := f.value
	if n.kind == null {
		return nil
	}
	c := &Comparison{Type: "ab_test", Tolerance: DefaultTolerance, Flaky: map[string]float64{}}
	if n.kind != object {
		r.problems.say(n.at, "comparison is %s; an object is wanted", n.kind)
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
				r.problems.say(f.value.at, "flaky_criteria is %s; an object such as {tone: 0.1} is wanted", f.value.kind)
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
		r.problems.say(f.value.at, "%s is %s; a number from 0 is wanted", shown(f.name), f.value.described())
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
		r.problems.say(f.value.at, "tier_chain is %s; a list of tiers is wanted", f.value.kind)
	case len(f.value.items) == 0:
		r.problems.say(f.value.at, "tier_chain is empty")
	}
	names, files := map[string]bool{}, map[string]bool{}
	var writes []string
	for _, item := range f.value.items {
		t := Tier{At: item.at}
		if item.kind != object {
			r.problems.say(item.at, "a tier is %s; an object is wanted", item.kind)
			continue
		}
		for _, f := range item.fields {
			switch f.name {
			case "tier":
				if t.Name, t.At = r.text(f), f.at; t.Name != "" && !isName(t.Name) {
					r.problems.say(f.value.at, "%q is no name of a tier; letters, digits, - and _ are", shown(t.Name))
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
			r.problems.say(item.at, "a tier without a name; tier: NAME is wanted")
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
