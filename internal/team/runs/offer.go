package runs

import (
	"slices"

	"cairn/internal/command"
	"cairn/internal/team/eval"
	"cairn/internal/term"
)

// mostOffered is how many runs a shell is offered values of: the newest.
const mostOffered = 200

// stored are the newest runs of the store.
func stored(c *command.Call) []eval.Entry {
	entries, err := Own(c.Env).List()
	if err != nil {
		return nil
	}
	return entries[:min(len(entries), mostOffered)]
}

// distinct is what a member of the stored runs can be, the newest first.
func distinct(c *command.Call, member func(e eval.Entry) []string) (found []string) {
	for _, e := range stored(c) {
		for _, v := range member(e) {
			if v = term.Line(v); v != "" && !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	return found
}

// Labels and the others offer what the stored runs have, to a shell.
func Labels(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return []string{e.Label} })
}
func Branches(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return []string{e.Branch} })
}
func Repositories(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return []string{e.Repo} })
}
func Suites(c *command.Call) []string {
	return distinct(c, func(e eval.Entry) []string { return append(e.Suites, e.Suite) })
}

// Refs are what a run can be named by.
func Refs(c *command.Call) []string {
	out := []string{eval.Latest + "\tthe newest here", eval.Previous + "\tthe one before", eval.MergeBase + "\twhere the branch began"}
	for _, l := range Labels(c) {
		out = append(out, l+"\tthe newest with this label")
	}
	for _, b := range Branches(c) {
		out = append(out, "@"+b+"\tthe newest of this branch")
	}
	for i, e := range stored(c) {
		if i == 30 { // a screen full
			break
		}
		out = append(out, e.ID+"\t"+term.Line(e.SuiteText())+", "+e.Time.Local().Format("2 Jan 15:04"))
	}
	return out
}
