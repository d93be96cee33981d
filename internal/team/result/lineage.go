package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// PairPrompts says which prompt of b each prompt of a is: its index, −1 where that is
// not known. One whose text is in one list only is the one of the other list with its
// label, or the one that stands in its place: as many removed as new ones between the
// same neighbors, or, where as many were removed as came, at the same number.
func PairPrompts(a, b []Prompt) []int {
	of, taken := make([]int, len(a)), make([]int, len(b))
	for i := range of {
		of[i] = -1
	}
	for j := range taken {
		taken[j] = -1
	}
	if len(a) == 0 || len(b) == 0 {
		return of
	}
	join := func(i, j int) { of[i], taken[j] = j, i }
	each := func(same func(i, j int) bool) {
		for i := range a {
			for j := range b {
				if of[i] < 0 && taken[j] < 0 && same(i, j) {
					join(i, j)
				}
			}
		}
	}
	sameText := func(i, j int) bool { return a[i].ID != "" && a[i].ID == b[j].ID }
	each(func(i, j int) bool { return sameText(i, j) && a[i].Label == b[j].Label && i == j })
	each(func(i, j int) bool { return sameText(i, j) && a[i].Label == b[j].Label })
	each(sameText)
	each(func(i, j int) bool { return a[i].Label != "" && a[i].Label == b[j].Label })
	each(func(i, j int) bool { return (a[i].ID == "" || b[j].ID == "") && a[i].Name == b[j].Name }) // a text is not known
	mayBe := func(i, j int) bool { return a[i].Label == "" || b[j].Label == "" }                    // two labels are two prompts
	betweenNeighbors(of, taken, mayBe, join)
	if unpaired(of) == unpaired(taken) {
		each(func(i, j int) bool { return i == j && mayBe(i, j) })
	}
	return of
}

// betweenNeighbors joins, in their order, what is left between two prompts that
// follow one another in both runs but for these.
func betweenNeighbors(of, taken []int, mayBe func(i, j int) bool, join func(i, j int)) {
	for i := 0; i < len(of); i++ {
		if of[i] >= 0 {
			continue
		}
		end := i
		for end < len(of) && of[end] < 0 {
			end++
		}
		from, to := 0, len(taken)
		if i > 0 {
			from = of[i-1] + 1
		}
		if end < len(of) {
			to = of[end]
		}
		free := to-from == end-i
		for j := from; free && j < to; j++ {
			free = taken[j] < 0 && mayBe(i+j-from, j)
		}
		for n := 0; free && n < end-i; n++ {
			join(i+n, from+n)
		}
		i = end
	}
}

func unpaired(matched []int) (n int) {
	for _, other := range matched {
		if other < 0 {
			n++
		}
	}
	return n
}

// A Called says what the prompts of one run are called in the newest of its history.
type Called struct {
	Names  map[string]string // by the name in the run; nil where none is called otherwise
	Edited []string          // as the newest run calls them: those whose text is not that of the run before
}

// PromptNames follows prompts through the runs of a suite, the oldest first, by their
// texts: one that was inserted, moved or removed changes the number of others, not
// what they are. A run that does not hold its prompts is taken to have those of the
// next that does. A prompt that the newest run does not have keeps its name, unless
// another has that name now.
func PromptNames(runs [][]Prompt) []Called {
	out := make([]Called, len(runs))
	threads := make([][]int, len(runs))             // of each prompt of each run
	edited := make([][]bool, len(runs))             // not as before
	known, texts := map[[2]string]int{}, []string{} // thread of a text and label; the newest text of a thread
	last := -1
	for at, prompts := range runs {
		if len(prompts) == 0 {
			continue
		}
		threads[at], edited[at] = make([]int, len(prompts)), make([]bool, len(prompts))
		taken := map[int]bool{}
		for j, p := range prompts {
			threads[at][j] = -1
			if id, ok := known[[2]string{p.ID, p.Label}]; ok && p.ID != "" && !taken[id] {
				threads[at][j], taken[id] = id, true
			}
		}
		if last >= 0 {
			for i, j := range PairPrompts(runs[last], prompts) {
				if id := threads[last][i]; j >= 0 && threads[at][j] < 0 && !taken[id] {
					threads[at][j], taken[id] = id, true
				}
			}
		}
		for j, p := range prompts {
			id := threads[at][j]
			if id < 0 {
				id = len(texts)
				threads[at][j] = id
				texts = append(texts, p.ID)
			}
			edited[at][j] = p.ID != "" && texts[id] != "" && texts[id] != p.ID
			texts[id] = cmp.Or(p.ID, texts[id])
			if p.ID != "" {
				known[[2]string{p.ID, p.Label}] = id
			}
		}
		last = at
	}
	if last < 0 {
		return out
	}

	names, taken := make([]string, len(texts)), map[string]bool{}
	for at, prompts := range slices.Backward(runs) { // a thread is called as in the newest run that has it
		for j, p := range prompts {
			id := threads[at][j]
			if names[id] != "" {
				continue
			}
			names[id] = p.Name
			for n := 1; taken[names[id]]; n++ {
				if names[id] = p.Name + " (other text)"; n > 1 {
					names[id] = fmt.Sprintf("%s (other text %d)", p.Name, n)
				}
			}
			taken[names[id]] = true
		}
	}
	next := -1
	for at, prompts := range slices.Backward(runs) {
		if len(prompts) == 0 && next >= 0 {
			out[at].Names = out[next].Names
			continue
		}
		for j, p := range prompts {
			now := names[threads[at][j]]
			if now != p.Name && out[at].Names == nil {
				out[at].Names = map[string]string{}
				for k, q := range prompts[:j] {
					out[at].Names[q.Name] = names[threads[at][k]]
				}
			}
			if out[at].Names != nil {
				out[at].Names[p.Name] = now
			}
			if edited[at][j] {
				out[at].Edited = append(out[at].Edited, now)
			}
		}
		if len(prompts) > 0 {
			next = at
		}
	}
	return out
}

// Variant is a variant of the run as the newest run calls it: what it ends with may be
// a prompt that has another name there.
func (c *Called) Variant(variant string) string {
	if c.Names == nil {
		return variant
	}
	if at := strings.LastIndex(variant, between); at >= 0 {
		at += len(between)
		if now, ok := c.Names[variant[at:]]; ok {
			return variant[:at] + now
		}
	}
	for name, now := range c.Names { // a label may have the sign itself
		if before, ok := (Prompt{Name: name}).In(variant); ok {
			return before + now
		}
	}
	return variant
}

// In returns what a variant has before the name of the prompt, if that is how it ends.
func (p Prompt) In(variant string) (before string, ok bool) {
	before, ok = strings.CutSuffix(variant, p.Name)
	return before, ok && (before == "" || strings.HasSuffix(before, between))
}

// between is what variants have between a provider and its prompt.
const between = " · "

// Aligned returns the runs of a suite, the oldest first, with each case called as the
// newest of them calls it, so that Run.Key is the same although a prompt moved. A run
// of which nothing is called otherwise is returned itself.
func Aligned(runs []*Run) ([]*Run, []Called) {
	lists := make([][]Prompt, len(runs))
	for i, run := range runs {
		lists[i] = run.Prompts
	}
	called := PromptNames(lists)
	if !slices.ContainsFunc(called, func(c Called) bool { return c.Names != nil }) {
		return runs, called
	}
	inputs := map[string]string{} // by CaseID: a run of an older version does not say them
	for _, run := range runs {
		for k := range run.Results {
			if r := &run.Results[k]; r.CaseID != "" && r.Content().Input != "" {
				inputs[run.Key(r)] = r.Content().Input
			}
		}
	}
	type place struct{ suite, name, variant, input string }
	ids := map[place]string{} // what the newest run calls a case; "" where there are several
	put := func(at place, id string) {
		if other, ok := ids[at]; ok && other != id {
			id = ""
		}
		ids[at] = id
	}
	for i, run := range runs {
		for k := range run.Results {
			r := &run.Results[k]
			if called[i].Variant(r.Variant) != r.Variant {
				continue
			}
			at := place{cmp.Or(r.Suite, run.Suite), r.Name, r.Variant, inputs[run.Key(r)]}
			if put(at, r.CaseID); at.input != "" {
				at.input = ""
				put(at, r.CaseID)
			}
		}
	}
	out := slices.Clone(runs)
	for i, run := range runs {
		if called[i].Names == nil {
			continue
		}
		same := *run
		same.Results = slices.Clone(run.Results)
		for k := range same.Results {
			r := &same.Results[k]
			now := called[i].Variant(r.Variant)
			if now == r.Variant {
				continue
			}
			if r.CaseID != "" {
				id := ids[place{cmp.Or(r.Suite, run.Suite), r.Name, now, inputs[run.Key(r)]}]
				r.CaseID = cmp.Or(id, r.CaseID+"\x00"+now) // of no other: the number has another prompt now
			}
			r.Variant = now
		}
		out[i] = &same
	}
	return out, called
}
