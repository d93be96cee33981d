package compare

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// Dimensions are what cases can be grouped by, --by of the command line.
var Dimensions = [...]string{"variant", "model", "prompt", "category", "tag"}

// groupsOf are the values of a dimension that an attempt has; none is "".
func groupsOf(r *result.Result, by string) []string {
	switch by {
	case "model":
		return []string{r.Model}
	case "prompt":
		return []string{promptOf(r)}
	case "category":
		return []string{r.Category}
	case "tag":
		return r.Tags
	}
	return []string{cmp.Or(r.Variant, r.Model)}
}

// promptOf is the prompt that the run names, else what is left of a variant without
// the model or provider before it: "prompt 2" of "openai:gpt-5 · prompt 2".
func promptOf(r *result.Result) string {
	if known := r.Content().Prompt; known != "" {
		return known
	}
	_, prompt, ok := strings.Cut(r.Variant, " · ")
	if !ok && r.Variant != r.Model {
		return r.Variant
	}
	return prompt
}

// grouped tests each group of a dimension. Cases without a value are in none, and
// one group alone is no group: it is the run.
func grouped(pairs []*pair, opts Options) (by string, groups []Suite) {
	by = cmp.Or(opts.By, Dimensions[0])
	for _, p := range pairs {
		if len(p.a) <= 1 && len(p.b) == 1 { // nearly all
			p.Group = cmp.Or(p.b[0].Variant, p.b[0].Model)
			continue
		}
		p.Group = strings.Join(p.groups(Dimensions[0]), ", ")
	}
	if opts.By == "" && !slices.ContainsFunc(pairs, func(p *pair) bool { return p.Variant != "" }) {
		return "", nil
	}
	members := map[string][]*pair{}
	for _, p := range pairs {
		for _, name := range p.groups(by) {
			members[name] = append(members[name], p)
		}
	}
	if len(members) < 2 && opts.By == "" {
		return "", nil
	}
	for _, name := range slices.SortedFunc(maps.Keys(members), text.Natural) {
		groups = append(groups, Suite{name, testOf(members[name], opts)})
	}
	return by, groups
}

// groups are those of a case. One that differs between the runs is a group of its
// own, "old → new": what changed there is what is being tried.
func (p *pair) groups(by string) (names []string) {
	values := func(attempts []*result.Result) (found []string) {
		for _, r := range attempts {
			for _, name := range groupsOf(r, by) {
				if name != "" && !slices.Contains(found, name) {
					found = append(found, name)
				}
			}
		}
		return found
	}
	a, b := values(p.a), values(p.b)
	switch {
	case len(p.b) == 0:
		return a
	case len(p.a) == 0 || by == "tag" || by == Dimensions[0] || slices.Equal(a, b): // a case keeps its variant by another name
		return b
	}
	return []string{cmp.Or(strings.Join(a, ", "), "(none)") + " → " + cmp.Or(strings.Join(b, ", "), "(none)")}
}

// Between makes two runs of one: the results of two values of a dimension, each
// without what tells them apart.
func Between(run *result.Run, by, a, b string) (before, after *result.Run, err error) {
	by = cmp.Or(by, Dimensions[0])
	known := map[string]bool{}
	take := func(value string) *result.Run {
		part := *run
		part.ID, part.IngestKey, part.Label = "", "", value
		part.Results, part.Costs, part.TotalCostUSD, part.DurationSeconds = nil, nil, 0, 0
		for i := range run.Results {
			r := run.Results[i]
			names := groupsOf(&r, by)
			for _, name := range names {
				known[name] = true
			}
			if !slices.Contains(names, value) {
				continue
			}
			part.TotalCostUSD += r.CostUSD
			part.DurationSeconds += r.DurationMS / 1000
			switch by {
			case "variant":
				r.Variant = ""
			case "model":
				r.Variant = promptOf(&r)
			case "prompt":
				r.Variant, _, _ = strings.Cut(r.Variant, " · ")
				if r.Variant == value {
					r.Variant = ""
				}
			}
			if of := r.Content(); of.Prompt != "" && (by == "variant" || by == "prompt") {
				of.Prompt = ""
				r.SetContent(of)
			}
			part.Results = append(part.Results, r)
		}
		if by != "model" {
			part.Prompts = nil // one of them is what is compared
		}
		part.Recount()
		return &part
	}
	before, after = take(a), take(b)
	if by == "variant" || by == "model" || by == "prompt" {
		unname(before, after)
	}
	delete(known, "")
	for _, side := range []struct {
		name string
		run  *result.Run
	}{{a, before}, {b, after}} {
		if len(side.run.Results) == 0 {
			names := slices.SortedFunc(maps.Keys(known), text.Natural)
			if len(names) == 0 {
				return nil, nil, fmt.Errorf("the run names no %s", by)
			}
			return nil, nil, fmt.Errorf("the run has no %s %q; it has %s", by, side.name, strings.Join(names, ", "))
		}
	}
	if a == b {
		return nil, nil, errors.New("both are the same " + by)
	}
	return before, after, nil
}

// unname takes the ids of cases away where they tell the two sides apart: no id is
// in both. Cases that only their ids told apart are told apart by their order.
func unname(before, after *result.Run) {
	ids := map[string]bool{}
	for i := range before.Results {
		ids[before.Results[i].CaseID] = true
	}
	delete(ids, "")
	if slices.ContainsFunc(after.Results, func(r result.Result) bool { return ids[r.CaseID] }) {
		return
	}
	for _, run := range []*result.Run{before, after} {
		numbers, seen := map[string]int{}, map[string]int{}
		for i := range run.Results {
			r := &run.Results[i]
			if r.CaseID == "" {
				continue
			}
			name := strings.Join([]string{r.Suite, r.Name, r.Variant}, "\x00")
			if numbers[name+"\x00"+r.CaseID] == 0 {
				seen[name]++
				numbers[name+"\x00"+r.CaseID] = seen[name]
			}
			n := numbers[name+"\x00"+r.CaseID]
			if r.CaseID = ""; n > 1 {
				r.CaseID = fmt.Sprintf("%s #%d", name, n)
			}
		}
	}
}
