package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/wire"
)

// An Alert of a team, as its table has it.
type Alert struct {
	ID         uuid.UUID  `json:"id"`
	Repo       string     `json:"repo_slug"`
	Suite      string     `json:"suite"`
	Branch     string     `json:"branch"`
	Kind       string     `json:"kind"`
	State      string     `json:"state"`        // pending, firing, resolved
	Outcome    string     `json:"outcome"`      // passed, recovered, usual, quiet
	Why        string     `json:"why,omitzero"` // the outcome in words
	P          float64    `json:"p"`
	Expected   float64    `json:"expected"`
	Observed   float64    `json:"observed"`
	Cases      int        `json:"cases"`
	Pushes     int        `json:"pushes"`
	Run        *uuid.UUID `json:"run_id"`
	RunAt      *time.Time `json:"run_at"`
	BeganAt    time.Time  `json:"began_at"`
	FiredAt    *time.Time `json:"fired_at"`
	ResolvedAt *time.Time `json:"resolved_at"`
}

// Alerts returns a team's, the newest first: the open ones, or those that ended, too.
func (c *Client) Alerts(ctx context.Context, team uuid.UUID, ended bool, most int) ([]Alert, error) {
	q := url.Values{"team_id": {"eq." + team.String()}, "order": {"opened_at.desc"}, "limit": {strconv.Itoa(most)},
		"select": {"id,repo_slug,suite,branch,kind,state,outcome,p,expected,observed,cases,pushes,run_id,run_at,began_at,fired_at,resolved_at"}}
	if !ended {
		q.Set("state", "neq.resolved")
	}
	return reply[[]Alert](ctx, c, http.MethodGet, wire.Rest+"alerts", q, nil)
}

// A Channel is where a team is told. Only owners and admins see any.
type Channel struct {
	ID        uuid.UUID `json:"id,omitzero"`
	Team      uuid.UUID `json:"team_id"`
	Kind      string    `json:"kind"`
	Name      string    `json:"name"`
	Target    string    `json:"target"`
	Secret    string    `json:"secret"`
	Alerts    bool      `json:"alerts"`
	Digest    bool      `json:"digest"`
	CreatedAt time.Time `json:"created_at,omitzero"`
}

// Channels returns a team's, by name.
func (c *Client) Channels(ctx context.Context, team uuid.UUID) ([]Channel, error) {
	return reply[[]Channel](ctx, c, http.MethodGet, wire.Rest+"team_channels", url.Values{"team_id": {"eq." + team.String()}, "order": {"name"},
		"select": {"id,team_id,kind,name,target,secret,alerts,digest,created_at"}}, nil)
}

// Channel returns the one with a name.
func (c *Client) Channel(ctx context.Context, team uuid.UUID, name string) (Channel, error) {
	all, err := c.Channels(ctx, team)
	if err != nil {
		return Channel{}, err
	}
	if i := slices.IndexFunc(all, func(one Channel) bool { return one.Name == name }); i >= 0 {
		return all[i], nil
	}
	return Channel{}, &Error{Kind: ErrRefused, Message: fmt.Sprintf("no channel is called %s, or you are no owner or admin of the team", name)}
}

// AddChannel makes one.
func (c *Client) AddChannel(ctx context.Context, n Channel) error {
	return c.Send(ctx, Request{Method: http.MethodPost, Path: wire.Rest + "team_channels", Prefer: "return=minimal", Body: n}, nil)
}

// RemoveChannel ends one, with what waits for it.
func (c *Client) RemoveChannel(ctx context.Context, one Channel) error {
	return c.Send(ctx, Request{Method: http.MethodDelete, Path: wire.Rest + "team_channels", Query: one.query()}, nil)
}

func (one Channel) query() url.Values {
	return url.Values{"team_id": {"eq." + one.Team.String()}, "id": {"eq." + one.ID.String()}}
}

// AskTest asks the server for a message to try a channel.
func (c *Client) AskTest(ctx context.Context, one Channel, at time.Time) error {
	return c.Send(ctx, Request{Method: http.MethodPatch, Path: wire.Rest + "team_channels", Query: one.query(),
		Body: map[string]any{"test_at": at.UTC().Format(time.RFC3339Nano)}}, nil)
}

// A Delivery is what became of a message.
type Delivery struct {
	Event    string     `json:"event"`
	Attempts int        `json:"attempts"`
	SentAt   *time.Time `json:"sent_at"`
	FailedAt *time.Time `json:"failed_at"`
	Error    string     `json:"error"`
}

// Delivered returns what became of a message to a channel, nil where it is not written yet.
func (c *Client) Delivered(ctx context.Context, one Channel, event string) (*Delivery, error) {
	all, err := reply[[]Delivery](ctx, c, http.MethodGet, wire.Rest+"deliveries", url.Values{"team_id": {"eq." + one.Team.String()}, "channel_id": {"eq." + one.ID.String()},
		"event": {"eq." + event}, "select": {"event,attempts,sent_at,failed_at,error"}}, nil)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

// Troubled returns messages that were not delivered, the newest first.
func (c *Client) Troubled(ctx context.Context, team uuid.UUID, most int) (all []struct {
	Delivery
	ChannelID uuid.UUID `json:"channel_id"`
}, err error) {
	err = c.Do(ctx, http.MethodGet, wire.Rest+"deliveries", url.Values{"team_id": {"eq." + team.String()}, "error": {"neq."}, "order": {"created_at.desc"},
		"limit": {strconv.Itoa(most)}, "select": {"event,attempts,sent_at,failed_at,error,channel_id"}}, nil, &all)
	return all, err
}

// Settings say when a team's digest comes.
type Settings struct {
	Team     uuid.UUID `json:"team_id"`
	Timezone string    `json:"timezone"`
	Weekday  int       `json:"digest_weekday"` // 0 is Sunday
	Hour     int       `json:"digest_hour"`
}

// Settings returns a team's; one without any has Monday, 9:00, UTC.
func (c *Client) Settings(ctx context.Context, team uuid.UUID) (Settings, error) {
	all, err := reply[[]Settings](ctx, c, http.MethodGet, wire.Rest+"team_settings", url.Values{"team_id": {"eq." + team.String()},
		"select": {"team_id,timezone,digest_weekday,digest_hour"}}, nil)
	if err != nil || len(all) == 0 {
		return Settings{Team: team, Timezone: "UTC", Weekday: 1, Hour: 9}, err
	}
	return all[0], nil
}

// Set changes a team's settings.
func (c *Client) Set(ctx context.Context, s Settings) error {
	return c.set(ctx, s.Team, map[string]any{"timezone": s.Timezone, "digest_weekday": s.Weekday, "digest_hour": s.Hour})
}

// Shown is what a team's pages and digest tell of its people.
type Shown struct {
	Ranked bool `json:"people_ranked"` // who has most stands first
	Spend  bool `json:"people_spend"`  // all see what each spends
}

// Shown returns a team's.
func (c *Client) Shown(ctx context.Context, team uuid.UUID) (Shown, error) {
	all, err := reply[[]Shown](ctx, c, http.MethodGet, wire.Rest+"team_settings", url.Values{"team_id": {"eq." + team.String()}, "select": {"people_ranked,people_spend"}}, nil)
	if err != nil || len(all) == 0 {
		return Shown{}, err
	}
	return all[0], nil
}

// SetShown changes that.
func (c *Client) SetShown(ctx context.Context, team uuid.UUID, s Shown) error {
	return c.set(ctx, team, map[string]any{"people_ranked": s.Ranked, "people_spend": s.Spend})
}

func (c *Client) set(ctx context.Context, team uuid.UUID, body map[string]any) error {
	var changed []jsontext.Value
	err := c.Send(ctx, Request{Method: http.MethodPatch, Path: wire.Rest + "team_settings", Query: url.Values{"team_id": {"eq." + team.String()}},
		Prefer: "return=representation", Body: body}, &changed)
	if err != nil || len(changed) > 0 {
		return err
	}
	body["team_id"] = team // there were none, or one may not
	return c.Send(ctx, Request{Method: http.MethodPost, Path: wire.Rest + "team_settings", Prefer: "return=minimal", Body: body}, nil)
}

// Digest asks a cairn server for the digest of the last seven days.
func (c *Client) Digest(ctx context.Context, team uuid.UUID) (wire.Digested, error) {
	return reply[wire.Digested](ctx, c, http.MethodGet, wire.Digest, url.Values{"team_id": {team.String()}}, nil)
}
