package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"cairn/internal/team/wire"
	"cairn/internal/term"
)

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
