package cli

import (
	"fmt"
	"strings"
	"time"

	"cairn/internal/team/client"
	"cairn/internal/term"
)

// pulseText is "3 members, 47 eval runs this week, last ship 2h ago".
func pulseText(p client.Pulse) string {
	parts := []string{term.Count(p.Members, "member"), term.Count(int(p.Runs), "eval run") + " this week"}
	if p.LastShipAt != nil {
		parts = append(parts, "last ship "+ago(*p.LastShipAt))
	}
	return strings.Join(parts, ", ")
}

// ago is how long ago something was, in one unit.
func ago(t time.Time) string {
	d := time.Since(t)
	switch {
	case d < time.Minute: // also what a clock puts ahead of ours
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh ago", d/time.Hour)
	}
	return term.Count(int(d/(24*time.Hour)), "day") + " ago"
}
