package doc

import "strings"

// IsNone reports whether a line says that there is nothing yet, as `None yet.`
// does where a list would begin.
func IsNone(line string) bool { return strings.TrimSpace(line) != "" && isPlaceholder(line) }

// SaysNone reports whether the first sentence of an item of a list says that there is
// none, as `No active blockers. The main risk is the disk.` does.
func SaysNone(item string) bool {
	first, _, _ := strings.Cut(item, ". ")
	words := strings.Fields(first)
	if len(words) == 3 && strings.EqualFold(words[0], "no") {
		switch strings.ToLower(words[1]) {
		case "active", "open", "current", "known", "new", "outstanding":
			words = []string{words[0], words[2]}
		}
	}
	return IsNone(strings.Join(words, " "))
}
