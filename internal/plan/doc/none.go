package doc

import "strings"

// IsNone reports whether a line says that there is nothing yet, as `None yet.`
// does where a list would begin.
func IsNone(line string) bool { return strings.TrimSpace(line) != "" && isPlaceholder(line) }
