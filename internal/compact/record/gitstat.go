package record

import "strings"

// statLine reports whether s is a row about one file of --stat, --numstat,
// --name-status or --raw, or one of --summary.
func statLine(s string) bool {
	if i := strings.LastIndex(s, " | "); i > 0 {
		rest := strings.TrimLeft(s[i+3:], " ")
		return strings.HasPrefix(rest, "Bin") || rest != "" && isDigit(rest[0]) || rest == "Unmerged"
	}
	f, rest, tab := strings.Cut(s, "\t")
	if tab && rest != "" {
		return len(f) > 0 && (strings.ContainsRune("ACDMRTUX", rune(f[0])) && len(f) <= 4 || f == "-" || isDigit(f[0]) || f[0] == ':')
	}
	return hasPrefix(s, "create mode ", "delete mode ", "rename ", "copy ", "mode change ", "rewrite ")
}

// statSummary reports whether s is "4 files changed, 378 insertions(+)".
func statSummary(s string) bool {
	return s != "" && isDigit(s[0]) && hasAny(s, " files changed", " file changed")
}

// statBar takes the bar and the padding out of " a/b.go    | 12 +++---".
func statBar(s string) string {
	i := strings.LastIndex(s, " | ")
	if i < 0 {
		return s
	}
	return strings.TrimRight(s[:i], " ") + " | " + strings.TrimLeft(strings.TrimRight(s[i+3:], "+- "), " ")
}
