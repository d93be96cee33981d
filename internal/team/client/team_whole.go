package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/retry"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

// FindTeam returns the team with an id, a slug, or a slug that it had before.
func (c *Client) FindTeam(ctx context.Context, team string) (t wire.Team, err error) {
	err = c.Do(ctx, http.MethodGet, wire.Teams+url.PathEscape(team), nil, nil, &t)
	return t, c.whole(err)
}

// Quotas returns a team's limits and what it has.
func (c *Client) Quotas(ctx context.Context, team uuid.UUID) (list []wire.Quota, err error) {
	err = c.Do(ctx, http.MethodGet, wire.Teams+team.String()+"/quota", nil, nil, &list)
	return list, c.whole(err)
}

// RenameTeam gives a team another slug or name; "" stays.
func (c *Client) RenameTeam(ctx context.Context, team uuid.UUID, to wire.TeamChange) (t wire.Team, err error) {
	err = c.Do(ctx, http.MethodPatch, wire.Teams+team.String(), nil, to, &t)
	return t, c.whole(err)
}

// DeleteTeam deletes a team of that slug, and returns when nothing of it is left.
// step hears when that takes long.
func (c *Client) DeleteTeam(ctx context.Context, team uuid.UUID, slug string, step func()) error {
	var d wire.Deletion
	err := c.Do(ctx, http.MethodDelete, wire.Teams+team.String(), url.Values{"confirm": {slug}}, nil, &d)
	for err == nil && !d.Done {
		step()
		if err := retry.Wait(ctx, time.Second); err != nil {
			return err
		}
		err = c.Do(ctx, http.MethodGet, wire.Deletions+d.ID.String(), nil, nil, &d)
	}
	return c.whole(err)
}

// ExportTeam writes the archive of a team, or of what is a person's of it, and
// returns how many bytes; see db/export. What was written before an error is no archive.
func (c *Client) ExportTeam(ctx context.Context, team uuid.UUID, person string, w io.Writer) (int64, error) {
	r := Request{Method: http.MethodGet, Path: wire.Teams + team.String() + "/export", Query: url.Values{}}
	if person != "" {
		r.Query.Set("person", person)
	}
	for again := false; ; again = true {
		token, err := c.token(ctx)
		if err != nil {
			return 0, err
		}
		n, err := c.download(ctx, r, token, w)
		if again || n > 0 || !isKind(err, ErrSignIn) {
			return n, c.whole(err)
		}
		if err := c.renew(ctx, token); err != nil {
			return 0, err
		}
	}
}

// download writes an answer that is too long to be read as a whole.
func (c *Client) download(ctx context.Context, r Request, token string, w io.Writer) (int64, error) {
	req, err := c.prepare(ctx, r, token)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Accept", "application/zip")
	res, err := c.http.Do(req)
	if err != nil {
		return 0, networkError(c.base, err)
	}
	defer res.Body.Close()
	c.lookAtClock(res.Header.Get("Date"))
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); res.StatusCode != http.StatusOK || kind != "application/zip" {
		data, err := io.ReadAll(io.LimitReader(res.Body, mostSaid))
		if err != nil {
			return 0, networkError(c.base, err)
		}
		if err := c.read(r, res, data, nil); err != nil {
			return 0, err
		}
		return 0, c.stranger(res, "the answer is "+kindText(kind))
	}
	n, err := io.Copy(w, res.Body)
	if err != nil {
		err = fmt.Errorf("after %s: %w", text.Bytes(n), networkError(c.base, err))
	}
	return n, err
}

// whole says what to do where the server is a Supabase project, or too old.
func (c *Client) whole(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Status == http.StatusNotFound && e.Code != "42704" {
		return term.Hint(&Error{Kind: ErrRefused, Status: e.Status, Message: c.base + " cannot do that: it is a Supabase project, or an older cairn server"},
			"for a Supabase project see docs/supabase.md")
	}
	return err
}
