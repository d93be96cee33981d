package gate

import (
	"strings"

	"cairn/internal/plan/doc"
)

// The lines around what Record writes, by which the next one finds it.
const (
	recordBegin = "<!-- cairn: decision coverage -->"
	recordEnd   = "<!-- /cairn: decision coverage -->"
)

// Record puts the warning section of the verify stage into VERIFICATION.md:
// in place of the one it wrote before, at the end the first time, and none
// when nothing is missing. It never touches the verification's status.
func Record(t *doc.Text, c Coverage) {
	if c.Result.Skipped || c.Result.Loose > 0 {
		return
	}
	at := removeRecord(t)
	if len(c.Open) == 0 {
		return
	}
	lines := append([]string{recordBegin, "", "## Decision coverage (warning)", ""}, strings.Split(c.Result.Message, "\n")...)
	lines = append(lines, "", "This does not change the status of the verification.", recordEnd)
	if at < 0 {
		at = t.Len()
	}
	t.Insert(at, lines...)
}

// removeRecord takes the section out and returns where it stood, or -1.
func removeRecord(t *doc.Text) int {
	for i := range t.Len() {
		if strings.TrimSpace(t.Line(i)) != recordBegin {
			continue
		}
		for end := i + 1; end < t.Len(); end++ {
			if strings.TrimSpace(t.Line(end)) == recordEnd {
				t.Delete(i, end+1)
				return i
			}
		}
	}
	return -1
}
