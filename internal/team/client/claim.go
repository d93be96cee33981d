package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"cairn/internal/team/wire"
)

// Claim makes the first owner of a fresh server with the token that it printed,
// and signs in.
func (c *Client) Claim(ctx context.Context, token, email string) error {
	var fresh wire.Session
	if err := c.send(ctx, Request{Method: http.MethodPost, Path: wire.Claim, Body: wire.NewOwner{Token: token, Email: email}}, "", &fresh); err != nil {
		return err
	}
	return c.begin(ctx, fresh)
}

// HasSchema reports whether a Supabase project has the team's tables. It needs
// nobody to be signed in: a stranger may not read a table, but is told so.
func (c *Client) HasSchema(ctx context.Context) (bool, error) {
	err := c.send(ctx, Request{Method: http.MethodGet, Path: wire.Rest + "teams", Query: url.Values{"select": {"id"}, "limit": {"1"}}}, c.opts.AnonKey, nil)
	var e *Error
	switch {
	case err == nil:
		return true, nil
	case !errors.As(err, &e):
		return false, err
	case e.Code == "42501": // permission denied for table teams
		return true, nil
	case e.Code == "PGRST205" || e.Code == "42P01":
		return false, nil
	}
	return false, err
}

// CreateTeam makes a team whose owner is the user. A slug that is taken is an
// error of the kind ErrRefused.
func (c *Client) CreateTeam(ctx context.Context, slug, name string) (uuid.UUID, error) {
	var id uuid.UUID
	err := c.Do(ctx, http.MethodPost, wire.CreateTeam, nil, map[string]string{"team_slug": slug, "team_name": name}, &id)
	var e *Error
	if errors.As(err, &e) && e.Code == "23505" {
		err = &Error{Kind: ErrRefused, Status: e.Status, Code: e.Code, Message: "the server has a team called " + slug + " already", cause: err}
	}
	if err != nil {
		return id, err
	}
	return id, c.knowTeam(ctx, slug, id)
}
