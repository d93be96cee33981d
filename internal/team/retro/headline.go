package retro

import (
	"cairn/internal/text"
	"fmt"
	"strings"
)

// headline is a report in one line.
func headline(r *Report) string {
	m := &r.Metrics
	span := r.From.Format("Jan 2") + " – " + r.To.AddDate(0, 0, -1).Format("Jan 2, 2006")
	if m.Commits == 0 {
		return span + ": no commits"
	}
	parts := []string{text.Count(m.Commits, "commit") + " by " + text.Count(m.Contributors, "person")}
	if m.Contributors == 0 {
		parts[0] = text.Count(m.Commits, "commit")
	}
	parts = append(parts, fmt.Sprintf("+%d −%d lines", m.Insertions, m.Deletions))
	if m.PRsMerged > 0 {
		parts = append(parts, text.Count(m.PRsMerged, "pull request")+" merged")
	}
	if m.TestLOC > 0 {
		parts = append(parts, text.Percent(m.TestRatio, 0)+" tests")
	}
	if m.AIAssistedCommits > 0 {
		parts = append(parts, fmt.Sprintf("%d with an agent", m.AIAssistedCommits))
	}
	return span + ": " + strings.Join(parts, ", ")
}

// Name is what a ship is called: its version, or #12.
func (s Ship) Name() string {
	if s.Version != "" {
		return s.Version
	}
	return fmt.Sprintf("#%d", s.Number)
}
