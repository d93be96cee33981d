package cli

import (
	"strings"
	"time"

	"cairn/internal/team/client"
	"cairn/internal/text"
)

// pulseText is "3 members, 47 eval runs this week, last ship 2h ago".
func pulseText(p client.Pulse) string {
	parts := []string{text.Count(p.Members, "member"), text.Count(int(p.Runs), "eval run") + " this week"}
	if p.LastShipAt != nil {
		parts = append(parts, "last ship "+text.Ago(*p.LastShipAt, time.Now()))
	}
	return strings.Join(parts, ", ")
}
