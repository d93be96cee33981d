package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/wire"
	"cairn/internal/term"
)

// A Person is a member of a team.
type Person struct {
	UserID   uuid.UUID `json:"user_id"`
	Email    string    `json:"email"`
	Role     string    `json:"role"` // owner, admin, member, ci
	JoinedAt time.Time `json:"joined_at"`
}

// People returns a team's members, who joined first at first.
func (c *Client) People(ctx context.Context, team uuid.UUID) ([]Person, error) {
	var people []Person
	err := c.Do(ctx, http.MethodPost, wire.TeamPeople, nil, map[string]any{"p_team": team}, &people)
	if err == nil && len(people) == 0 { // not even oneself
		err = term.Hint(&Error{Kind: ErrDenied, Message: "you are not in the team"}, "an owner or admin of it can invite you: cairn team invite YOUR@ADDRESS")
	}
	return people, err
}

// Find returns the member with an address.
func (c *Client) Find(ctx context.Context, team uuid.UUID, email string) (Person, error) {
	people, err := c.People(ctx, team)
	if err != nil {
		return Person{}, err
	}
	for _, p := range people {
		if strings.EqualFold(p.Email, email) {
			return p, nil
		}
	}
	return Person{}, term.Hint(&Error{Kind: ErrRefused, Message: fmt.Sprintf("nobody in the team has the address %s", email)}, "cairn team members lists them")
}

// Me is the id of the user who is signed in.
func (c *Client) Me(ctx context.Context) (uuid.UUID, error) {
	if _, err := c.token(ctx); err != nil {
		return uuid.UUID{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return uuid.Parse(c.session.UserID)
}

// InviteMember makes an invitation and returns the token that proves it; it is
// not shown again.
func (c *Client) InviteMember(ctx context.Context, team uuid.UUID, email, role string) (token string, err error) {
	err = c.Do(ctx, http.MethodPost, wire.InviteMember, nil, map[string]any{"p_team": team, "p_email": email, "p_role": role}, &token)
	return token, err
}

// SetRole changes what a member may do.
func (c *Client) SetRole(ctx context.Context, team, user uuid.UUID, role string) error {
	return c.changeMember(ctx, http.MethodPatch, team, user, map[string]string{"role": role})
}

// Remove takes a member out of a team; what they sent stays.
func (c *Client) Remove(ctx context.Context, team, user uuid.UUID) error {
	return c.changeMember(ctx, http.MethodDelete, team, user, nil)
}

// changeMember changes one row. None changed means that the server hid it: the
// user may not.
func (c *Client) changeMember(ctx context.Context, method string, team, user uuid.UUID, body any) error {
	var changed []struct {
		UserID uuid.UUID `json:"user_id"`
	}
	err := c.Send(ctx, Request{
		Method: method, Path: wire.Rest + "team_members", Prefer: "return=representation", Body: body,
		Query: url.Values{"team_id": {"eq." + team.String()}, "user_id": {"eq." + user.String()}, "select": {"user_id"}},
	}, &changed)
	if err == nil && len(changed) == 0 {
		err = &Error{Kind: ErrDenied, Message: "only an owner or an admin of the team can do that, and only an owner with an owner"}
	}
	return err
}

// Tokens returns a team's tokens of CI, without what proves them.
func (c *Client) Tokens(ctx context.Context, team uuid.UUID) ([]wire.Token, error) {
	var list []wire.Token
	err := c.Do(ctx, http.MethodGet, wire.Tokens, url.Values{"team_id": {team.String()}}, nil, &list)
	return list, err
}

// NewToken makes a token of CI; its Token is not shown again.
func (c *Client) NewToken(ctx context.Context, n wire.NewToken) (wire.Token, error) {
	var made wire.Token
	err := c.Do(ctx, http.MethodPost, wire.Tokens, nil, n, &made)
	return made, err
}

// RevokeToken ends a token of CI at once.
func (c *Client) RevokeToken(ctx context.Context, id uuid.UUID) error {
	return c.Do(ctx, http.MethodDelete, wire.Tokens+"/"+id.String(), nil, nil, nil)
}

// Trust lets a workflow exchange its OIDC token for one of CI.
func (c *Client) Trust(ctx context.Context, n wire.NewWorkflow) (wire.Workflow, error) {
	var made wire.Workflow
	err := c.Do(ctx, http.MethodPost, wire.TokenWorkflows, nil, n, &made)
	return made, err
}
