package client

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/wire"
	"cairn/internal/text"
)

// PulseDays is how far back a Pulse looks.
const PulseDays = 7

// A Pulse is what a team did in the last days.
type Pulse struct {
	Members    int        `json:"members"`
	Runs       int64      `json:"runs"`
	CostUSD    float64    `json:"cost_usd"`
	Ships      int        `json:"ships"`
	LastShipAt *time.Time `json:"last_ship_at"` // whenever that was; nil for never
}

// String is "3 members, 47 eval runs this week, last ship 2h ago".
func (p Pulse) String() string {
	s := text.Count(p.Members, "member") + ", " + text.Count(int(p.Runs), "eval run") + " this week"
	if p.LastShipAt != nil {
		s += ", last ship " + text.Ago(*p.LastShipAt, time.Now())
	}
	return s
}

// Pulse asks for a team's.
func (c *Client) Pulse(ctx context.Context, team uuid.UUID) (Pulse, error) {
	var p Pulse
	err := c.Do(ctx, http.MethodPost, wire.TeamPulse, nil, map[string]any{"p_team": team, "p_days": PulseDays}, &p)
	return p, err
}
