package grade

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

func joiningTypes() []Type {
	const category = "Joining"
	list := cases.Key{Name: "expectations", Kind: cases.Parts, Required: true}
	return []Type{
		{cases.Spec{Name: "not", Category: category, Keys: []cases.Key{{Name: "expectation", Kind: cases.Part, Required: true}},
			About: "The expectation does not hold. If the value that it reads is missing or of another kind, not fails too; use field_missing to expect that a field is absent."}, nil},
		{cases.Spec{Name: "any_of", Category: category, Keys: []cases.Key{list},
			About: "At least one of the expectations holds. If none does and one could not be checked or judged, the case is an error or not judged, as with that one alone."}, nil},
		{cases.Spec{Name: "all_of", Category: category,
			Keys: []cases.Key{list, {Name: "threshold", Kind: cases.Share, Default: "1", About: "the share of the weights that must hold"}},
			Also: []cases.Also{{Name: "assert-set"}},
			About: "Every expectation holds or, with threshold, at least that share of their weights (weight, default 1; 0 has no effect). " +
				"One that could not be checked or judged matters only if it could change the outcome."}, nil},
	}
}

// outcome is how an expectation turned out.
type outcome int

const (
	holding  outcome = iota
	broken           // it does not hold
	missing          // what it reads is missing: neither it nor its negation holds
	unknown          // it could not be checked, or no judge answered
	unjudged         // it needs a judge, and none was asked yet
)

// part is an expectation of a paper, with those that it joins.
type part struct {
	want  *cases.Expectation
	parts []*part
	is    outcome // of a leaf
	exam  *exam   // of a leaf
}

// outcome of a leaf's exam.
func (x *exam) outcome() outcome {
	switch {
	case x.err != "":
		return unknown
	case x.lacks && len(x.failures) > 0:
		return missing
	case len(x.failures) > 0:
		return broken
	}
	return holding
}

// outcome is the outcome of a part or, if not is true, of its negation. The
// negation of missing is missing, so joined expectations are negated leaf by
// leaf: no combination of not, any_of and all_of holds for a missing value.
func (p *part) outcome(not bool) outcome {
	switch {
	case p.want.Type == "not":
		return p.parts[0].outcome(!not)
	case p.parts == nil && not && p.is == holding:
		return broken
	case p.parts == nil && not && p.is == broken:
		return holding
	case p.parts == nil:
		return p.is
	}
	var weight [unjudged + 1]float64
	total := 0.0
	for _, one := range p.parts {
		w := one.want.Weight
		weight[one.outcome(not)] += w
		total += w
	}
	enough := p.enough(total, not)
	switch {
	case enough(weight[holding]):
		return holding
	case !enough(weight[holding] + weight[unknown] + weight[unjudged]):
		return broken
	case weight[unknown] > 0 && !enough(weight[holding]+weight[unjudged]):
		return unknown
	case weight[unjudged] > 0:
		return unjudged
	}
	return unknown
}

// enough says what weight of holding parts makes the whole hold. The negation
// of "at least a share holds" is "more than the rest does not".
func (p *part) enough(total float64, not bool) func(float64) bool {
	const slack = 1e-9
	share, _ := p.want.Number("threshold")
	switch {
	case p.want.Type == "any_of" && !not:
		return func(w float64) bool { return w > slack }
	case p.want.Type == "any_of":
		return func(w float64) bool { return w >= total-slack }
	case not:
		return func(w float64) bool { return w > (1-share)*total+slack }
	}
	return func(w float64) bool { return w >= share*total-slack }
}

// leaves are the parts that do not join others.
func (p *part) leaves() (all []*part) {
	if p.parts == nil {
		return []*part{p}
	}
	for _, one := range p.parts {
		all = append(all, one.leaves()...)
	}
	return all
}

// why says in a line why a part, or its negation, does not hold.
func (p *part) why(not bool) string {
	switch {
	case p.want.Type == "not":
		return p.parts[0].why(!not)
	case p.parts == nil && p.is == holding:
		return p.want.Type + " holds"
	case p.parts == nil && p.is == unjudged:
		return p.want.Type + " is not judged"
	case p.parts == nil && p.is == unknown:
		return p.exam.err
	case p.parts == nil:
		var said []string
		for _, f := range p.exam.failures {
			said = append(said, f.Message)
		}
		return p.want.Type + ": " + strings.Join(said, "; ")
	}
	var said []string
	held, total := 0.0, 0.0
	for _, one := range p.parts {
		total += one.want.Weight
		if one.outcome(not) == holding {
			held += one.want.Weight
		} else {
			said = append(said, one.why(not))
		}
	}
	return fmt.Sprintf("%s: %s of %s hold (%s)", p.want.Type, plain(held), plain(total), strings.Join(said, "; "))
}

// joined makes the parts of an expectation and checks what it can. The questions
// are those of leaves that need a judge.
func (p *paper) joined(e *cases.Expectation, types map[string]Type, opts *Options) (root *part, questions []question) {
	root = &part{want: e}
	if len(e.Parts) == 0 {
		x := &exam{kase: p.kase, want: e, reads: types[e.Type].Reads, out: p.out, run: opts.Run}
		root.exam = x
		if p.standard && e.Type == pairwise {
			return root, nil
		}
		if e.Judged == nil {
			types[e.Type].check(x)
			root.is = x.outcome()
			return root, nil
		}
		brought, lacking, profile := p.brought(x, opts)
		x.threshold(brought)
		p.add(e, brought)
		switch root.is = x.outcome(); {
		case len(lacking) > 0 && opts.Judge != nil:
			root.is = unjudged
			return root, []question{{p, e, p.question(e, profile), root}}
		case len(lacking) > 0 && root.is == holding:
			root.is = unjudged
		}
		return root, nil
	}
	for i := range e.Parts {
		one, asked := p.joined(&e.Parts[i], types, opts)
		root.parts, questions = append(root.parts, one), append(questions, asked...)
	}
	return root, questions
}

// settle takes what is known of the joined expectations.
func (p *paper) settle() {
	for _, root := range p.joins {
		switch root.outcome(false) {
		case holding:
			p.decided++
		case unjudged:
			p.notJudged = append(p.notJudged, root.want.Type+" ("+root.open()+")")
		case unknown:
			for _, leaf := range root.leaves() {
				if leaf.is == unknown && p.err == "" {
					p.err = leaf.exam.err
				}
			}
		default:
			p.decided++
			p.failed++
			p.failures = append(p.failures, result.Failure{Type: "deterministic", ExpectationType: root.want.Type, Check: root.want.Type,
				Message: text.First(strings.TrimPrefix(root.why(false), root.want.Type+": "), 600)})
		}
	}
	p.joins = nil
}

// open are the types that were not judged.
func (p *part) open() string {
	var types []string
	for _, leaf := range p.leaves() {
		if leaf.is == unjudged && !slices.Contains(types, leaf.want.Type) {
			types = append(types, leaf.want.Type)
		}
	}
	return strings.Join(types, ", ")
}
