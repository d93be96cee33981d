package compare

import (
	"fmt"

	"cairn/internal/team/result"
)

// promptPairs says which prompt of B each prompt of A is.
type promptPairs struct {
	to     map[string]string // name in A → name in B; of one that B does not have, no name at all
	edited map[string]bool   // by the name in A
	notes  []Note
}

// matchPrompts tells prompts by their text. One whose text is in one run only is
// the one of the other run with its label, or the one that stands in its place: as
// many lost as new ones between the same neighbours, or, where as many were lost
// as came, at the same number. Of others it is not known what they became.
func matchPrompts(a, b []result.Prompt) promptPairs {
	pairs := promptPairs{to: map[string]string{}, edited: map[string]bool{}}
	if len(a) == 0 || len(b) == 0 {
		return pairs
	}
	of, taken := make([]int, len(a)), make([]int, len(b)) // the number in the other run, −1 not known
	for i := range of {
		of[i] = -1
	}
	for j := range taken {
		taken[j] = -1
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
	betweenNeighbours(of, taken, mayBe, join)
	if left(of) == left(taken) {
		each(func(i, j int) bool { return i == j && mayBe(i, j) })
	}
	for i, j := range of {
		if j < 0 {
			pairs.to[a[i].Name] = "\x00gone"
			pairs.say("prompt-gone", "%s of A is not in B", promptTitle(a[i]))
			continue
		}
		pairs.to[a[i].Name] = b[j].Name
		edited := a[i].ID != "" && b[j].ID != "" && a[i].ID != b[j].ID
		pairs.edited[a[i].Name] = edited
		switch moved := a[i].Name != b[j].Name; {
		case moved && edited:
			pairs.say("prompt-edited", "%s of A was edited and is %s of B", promptTitle(a[i]), promptTitle(b[j]))
		case edited:
			pairs.say("prompt-edited", "%s was edited", promptTitle(a[i]))
		case moved && b[j].Label != "":
			pairs.say("prompt-renamed", "%s of A is called %q in B", promptTitle(a[i]), result.Shown(b[j].Name))
		case moved:
			pairs.say("prompt-moved", "%s of A is %s of B", promptTitle(a[i]), promptTitle(b[j]))
		}
	}
	for j, i := range taken {
		if i < 0 {
			pairs.say("prompt-new", "%s of B is new", promptTitle(b[j]))
		}
	}
	return pairs
}

// betweenNeighbours joins, in their order, what is left between two prompts that
// follow one another in both runs but for these.
func betweenNeighbours(of, taken []int, mayBe func(i, j int) bool, join func(i, j int)) {
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

func left(matched []int) (n int) {
	for _, other := range matched {
		if other < 0 {
			n++
		}
	}
	return n
}

// promptTitle is "prompt 2", or a label in quotes.
func promptTitle(p result.Prompt) string {
	if p.Label == "" && len(p.Name) > len("prompt ") && p.Name[:len("prompt ")] == "prompt " {
		return p.Name
	}
	return fmt.Sprintf("the prompt %q", result.Shown(p.Name))
}

const mostPromptNotes = 8

func (p *promptPairs) say(code, format string, args ...any) {
	switch n := len(p.notes); {
	case n < mostPromptNotes:
		p.notes = append(p.notes, Note{code, fmt.Sprintf(format, args...)})
	case n == mostPromptNotes:
		p.notes = append(p.notes, Note{"prompts", "more prompts differ"})
	}
}
