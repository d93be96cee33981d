package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/wire"
)

// Reach asks the server whether it is there, as a stranger, and says how long
// the answer took.
func (c *Client) Reach(ctx context.Context) (time.Duration, error) {
	begin := time.Now()
	err := c.send(ctx, Request{Method: http.MethodGet, Path: wire.Auth + "health"}, "", nil)
	var e *Error
	if errors.As(err, &e) && (e.Kind == ErrSignIn || e.Kind == ErrRefused || e.Kind == ErrDenied) { // an answer, all the same
		err = nil
	}
	return time.Since(begin), err
}

// Who asks the server who one is: the address, or "" for a job of CI.
func (c *Client) Who(ctx context.Context) (email string, err error) {
	if c.opts.CI.Token != "" {
		return "", c.Do(ctx, http.MethodGet, wire.Rest+"teams", url.Values{"select": {"id"}, "limit": {"1"}}, nil, nil)
	}
	var user wire.User
	err = c.Do(ctx, http.MethodGet, wire.Auth+"user", nil, nil, &user)
	var e *Error
	if errors.As(err, &e) && e.Code == "bad_jwt" { // the server signs with another key now; the session may go on
		s, _ := c.current()
		if err = c.renew(ctx, s.AccessToken); err == nil {
			err = c.Do(ctx, http.MethodGet, wire.Auth+"user", nil, nil, &user)
		}
	}
	if errors.As(err, &e) && e.Kind == ErrDenied { // GoTrue's word for a session that is over
		return "", &Error{Kind: ErrSignIn, Status: e.Status, Code: e.Code, Message: "the session with " + c.base + " is over: " + e.Message, cause: e}
	}
	return user.Email, err
}

// A Heartbeat is a row that proves the whole path to the server.
type Heartbeat struct {
	client *Client
	team   uuid.UUID
	id     uuid.UUID
}

// NewHeartbeat makes one; nothing is sent.
func (c *Client) NewHeartbeat(team uuid.UUID) *Heartbeat { return &Heartbeat{c, team, uuid.New()} }

func (h *Heartbeat) query() url.Values {
	return url.Values{"team_id": {"eq." + h.team.String()}, "id": {"eq." + h.id.String()}}
}

// Write stores the row.
func (h *Heartbeat) Write(ctx context.Context, hostname string) error {
	return h.client.Send(ctx, Request{
		Method: http.MethodPost, Path: wire.Rest + "sync_heartbeats", Prefer: "return=minimal",
		Body: map[string]any{"team_id": h.team, "id": h.id, "hostname": hostname},
	}, nil)
}

// Read looks whether the row is there.
func (h *Heartbeat) Read(ctx context.Context) error {
	q := h.query()
	q.Set("select", "id,created_at")
	rows, err := reply[[]struct {
		ID uuid.UUID `json:"id"`
	}](ctx, h.client, http.MethodGet, wire.Rest+"sync_heartbeats", q, nil)
	if err == nil && (len(rows) != 1 || rows[0].ID != h.id) {
		err = &Error{Kind: ErrRefused, Message: "the row that was written is not there to be read"}
	}
	return err
}

// Remove takes the row away. left says that the server keeps it: only admins
// remove rows.
func (h *Heartbeat) Remove(ctx context.Context) (left bool, err error) {
	var gone []struct {
		ID uuid.UUID `json:"id"`
	}
	q := h.query()
	q.Set("select", "id")
	err = h.client.Send(ctx, Request{
		Method: http.MethodDelete, Path: wire.Rest + "sync_heartbeats", Query: q, Prefer: "return=representation",
	}, &gone)
	if errors.Is(err, ErrDenied) {
		return true, nil
	}
	return len(gone) == 0, err
}
