package rule

import "regexp"

// A Program is a rule whose patterns are compiled. It is made for one output
// only, because that is the only rule a hook needs.
type Program struct {
	*Rule
	Strip, Drop, Keep, Only []*regexp.Regexp
	Blocks                  []BlockProgram
	GroupBy                 *regexp.Regexp
	GroupKey, GroupRow      int // submatch indices, 0 when absent
	DedupePattern           *regexp.Regexp
	Counts                  []CounterProgram
}

// BlockProgram is a compiled Block; End is nil for "up to a blank line".
type BlockProgram struct {
	Start, End *regexp.Regexp
	Max        int
}

// CounterProgram is a compiled Counter.
type CounterProgram struct {
	Name    string
	Pattern *regexp.Regexp
}

const blockMax = 60 // lines of a block when the rule does not say

// Program compiles all patterns of r. One bad pattern fails the whole rule:
// half a rule could drop what the other half keeps.
func (r *Rule) Program() (*Program, error) {
	p := &Program{Rule: r}
	var err error
	compile := func(pattern string) *regexp.Regexp {
		if err != nil || pattern == "" {
			return nil
		}
		var re *regexp.Regexp
		re, err = r.Compile(pattern)
		return re
	}
	all := func(patterns []string) (out []*regexp.Regexp) {
		for _, s := range patterns {
			if re := compile(s); re != nil {
				out = append(out, re)
			}
		}
		return out
	}
	f := r.Primitives.Filter
	p.Strip, p.Drop, p.Keep, p.Only = all(f.Strip), all(f.Drop), all(f.Keep), all(f.Only)
	for _, b := range f.Blocks {
		bp := BlockProgram{Start: compile(b.Start), End: compile(b.End), Max: b.Max}
		if bp.Max <= 0 {
			bp.Max = blockMax
		}
		if bp.Start != nil {
			p.Blocks = append(p.Blocks, bp)
		}
	}
	if g := r.Primitives.Group; g != nil {
		if p.GroupBy = compile(g.By); p.GroupBy != nil {
			p.GroupKey = max(p.GroupBy.SubexpIndex("key"), 0)
			p.GroupRow = max(p.GroupBy.SubexpIndex("row"), 0)
		}
	}
	if d := r.Primitives.Dedupe; d != nil {
		p.DedupePattern = compile(d.Pattern)
	}
	for _, c := range r.Primitives.Count.Counters {
		pattern := c.Pattern
		if c.Flags != "" {
			pattern = "(?" + c.Flags + ")" + pattern
		}
		if re := compile(pattern); re != nil {
			p.Counts = append(p.Counts, CounterProgram{c.Name, re})
		}
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// HasPatterns reports whether any line has to be matched at all.
func (p *Program) HasPatterns() bool {
	return len(p.Strip)+len(p.Drop)+len(p.Keep)+len(p.Only)+len(p.Blocks)+len(p.Counts) > 0 || p.GroupBy != nil
}
