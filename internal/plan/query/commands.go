package query

import (
	"slices"
	"strings"
)

// helpCommands is a function, because what it lists includes itself.
func helpCommands() []command {
	return []command{
		{name: "commands", run: listCommands, bare: true},
	}
}

// listCommands lists every spelling: by words and, of two words or more, by
// dots.
func listCommands(*call) (result, error) {
	all := []string{}
	for _, family := range families() {
		for _, cmd := range family {
			for name := range strings.SplitSeq(cmd.name, "|") {
				all = append(all, name, strings.ReplaceAll(name, " ", "."))
			}
		}
	}
	slices.Sort(all)
	return data(slices.Compact(all)), nil
}
