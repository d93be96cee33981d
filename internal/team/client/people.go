package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
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
	people, err := reply[[]Person](ctx, c, http.MethodPost, wire.TeamPeople, nil, map[string]any{"p_team": team})
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
	if i := slices.IndexFunc(people, func(p Person) bool { return strings.EqualFold(p.Email, email) }); i >= 0 {
		return people[i], nil
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
	return reply[string](ctx, c, http.MethodPost, wire.InviteMember, nil, map[string]any{"p_team": team, "p_email": email, "p_role": role})
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
	return reply[[]wire.Token](ctx, c, http.MethodGet, wire.Tokens, url.Values{"team_id": {team.String()}}, nil)
}

// NewToken makes a token of CI; its Token is not shown again.
func (c *Client) NewToken(ctx context.Context, n wire.NewToken) (wire.Token, error) {
	return reply[wire.Token](ctx, c, http.MethodPost, wire.Tokens, nil, n)
}

// RevokeToken ends a token of CI at once.
func (c *Client) RevokeToken(ctx context.Context, id uuid.UUID) error {
	return c.Do(ctx, http.MethodDelete, wire.Tokens+"/"+id.String(), nil, nil, nil)
}

// Trust lets a workflow exchange its OIDC token for one of CI.
func (c *Client) Trust(ctx context.Context, n wire.NewWorkflow) (wire.Workflow, error) {
	return reply[wire.Workflow](ctx, c, http.MethodPost, wire.TokenWorkflows, nil, n)
}

// Team returns the id of the team with a slug; "" means the one of the
// repository, or where that has none, the only one that the user is in. What
// was looked up once is known from then on.
func (c *Client) Team(ctx context.Context, slug string) (uuid.UUID, error) {
	if slug == "" {
		slug = c.opts.TeamSlug
	}
	if _, err := c.token(ctx); err != nil {
		return uuid.UUID{}, err
	}
	c.mu.Lock()
	known := c.session.Teams[slug]
	c.mu.Unlock()
	if id, err := uuid.Parse(known); err == nil {
		return id, nil
	}
	query := url.Values{"select": {"id,slug"}, "limit": {"2"}}
	if slug != "" {
		query.Set("slug", "eq."+slug)
	}
	var teams []struct {
		ID   uuid.UUID `json:"id"`
		Slug string    `json:"slug"`
	}
	if err := c.Do(ctx, http.MethodGet, wire.Rest+"teams", query, nil, &teams); err != nil {
		return uuid.UUID{}, err
	}
	if len(teams) == 0 && slug != "" { // it may have been called that before
		if t, err := c.FindTeam(ctx, slug); err == nil {
			teams = append(teams, struct {
				ID   uuid.UUID `json:"id"`
				Slug string    `json:"slug"`
			}{t.ID, t.Slug})
		}
	}
	switch {
	case len(teams) == 0 && slug != "":
		return uuid.UUID{}, term.Hint(&Error{Kind: ErrDenied, Message: fmt.Sprintf("you are not in the team %s", slug)},
			"an owner or admin of it can invite you: cairn team invite YOUR@ADDRESS")
	case len(teams) == 0:
		return uuid.UUID{}, term.Hint(&Error{Kind: ErrDenied, Message: "you are in no team on " + c.base}, "cairn team create NAME makes one")
	case len(teams) > 1:
		return uuid.UUID{}, &Error{Kind: ErrRefused, Message: "you are in several teams, and .cairn/team.json names none in team_slug"}
	}
	return teams[0].ID, c.knowTeam(ctx, slug, teams[0].ID)
}

// knowTeam keeps a team's id with the session.
func (c *Client) knowTeam(ctx context.Context, slug string, id uuid.UUID) error {
	c.mu.Lock()
	teams := map[string]string{slug: id.String()}
	for s, id := range c.session.Teams {
		teams[s] = id
	}
	c.session.Teams = teams
	c.session.TeamID = id.String()
	c.mu.Unlock()
	if c.opts.CI.Given() {
		return nil
	}
	unlock, err := c.store.lock(ctx)
	if err != nil {
		return nil // a home that cannot be written: it is asked for again next time
	}
	defer unlock()
	_ = c.store.edit(c.base, func(s Session) Session {
		if s.SignedIn() {
			s.Teams, s.TeamID = teams, id.String()
		}
		return s
	})
	return nil
}

// EnsureTeam makes sure that there is a team, and that one is in it. Name is what a
// new one is called, "" is its slug.
func (c *Client) EnsureTeam(ctx context.Context, slug, name string) (made bool, err error) {
	if _, err = c.Team(ctx, slug); !errors.Is(err, ErrDenied) {
		return false, err
	}
	_, err = c.CreateTeam(ctx, slug, cmp.Or(name, slug))
	return err == nil, err
}

// TeamPage is where the pages of a team begin.
func TeamPage(slug string) string { return "/t/" + slug + "/" }

// Entry is an address that lets a browser in once, to the pages of a team on
// cairn's server.
func (c *Client) Entry(ctx context.Context, slug string) (string, error) {
	var entry wire.Entry
	if err := c.Do(ctx, http.MethodPost, wire.Enter, nil, nil, &entry); err != nil {
		if isKind(err, ErrSignIn) {
			err = term.Hint(err, "pages are for people: cairn sync setup signs in")
		}
		return "", err
	}
	return entry.URL + "&next=" + url.QueryEscape(TeamPage(slug)), nil
}
