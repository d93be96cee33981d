package pipeline

import (
	"slices"
	"strings"

	"cairn/internal/command"
	"cairn/internal/plan/content"
	"cairn/internal/plan/plancmd"
)

// verbOf is the part of a call that says what is done: `plan gate decisions`,
// without what it is done to.
func verbOf(call []string) string {
	n := 1
	if len(call) > 1 && call[0] == "plan" {
		n = 2
		if len(call) > 2 && slices.ContainsFunc(plancmd.Commands(plancmd.Prompts{}), func(c *command.Command) bool { return c.Run == nil && c.Path == "plan "+call[1] }) {
			n = 3
		}
	}
	return strings.Join(call[:min(n, len(call))], " ")
}

// licensed returns why what a model read does not tell it to make this call,
// or "": some call in its words must be of the same verb, and its flags must
// be there with that verb.
func licensed(call []string, words string) string {
	var flags []string
	told := false
	for _, c := range content.CallsOf(words) {
		if verbOf(c) == verbOf(call) {
			told, flags = true, append(flags, c...)
		}
	}
	if !told {
		return "nothing told it to call cairn " + verbOf(call)
	}
	for _, word := range call {
		if name, _, _ := strings.Cut(word, "="); strings.HasPrefix(name, "-") && !slices.Contains(flags, name) {
			return "nothing told it of " + name + " of cairn " + verbOf(call)
		}
	}
	return ""
}
