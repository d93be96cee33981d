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

// matchPrompts tells prompts by their text, as result.PairPrompts does, and notes what
// became of them.
func matchPrompts(a, b []result.Prompt) promptPairs {
	pairs := promptPairs{to: map[string]string{}, edited: map[string]bool{}}
	if len(a) == 0 || len(b) == 0 {
		return pairs
	}
	taken := make([]bool, len(b))
	for i, j := range result.PairPrompts(a, b) {
		if j < 0 {
			pairs.to[a[i].Name] = "\x00gone"
			pairs.say("prompt-gone", "%s of A is not in B", promptTitle(a[i]))
			continue
		}
		taken[j] = true
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
	for j, was := range taken {
		if !was {
			pairs.say("prompt-new", "%s of B is new", promptTitle(b[j]))
		}
	}
	return pairs
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
