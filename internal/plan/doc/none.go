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

// SaysSettled reports whether an item of a list says that it is no longer open:
// `~~The key is missing~~`, `✅ …`, `The key — RESOLVED by 01-01`.
func SaysSettled(item string) bool {
	item = strings.TrimSpace(item)
	if _, said := cutSigns(item); said == SaysDone || strings.HasPrefix(item, "~~") {
		return true
	}
	words := strings.FieldsFunc(item, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 128 })
	for i, w := range words {
		if (w == "RESOLVED" || w == "CLEARED") && (i == 0 || !strings.EqualFold(words[i-1], "not")) {
			return true
		}
	}
	return false
}
