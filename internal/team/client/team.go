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
func (c *Client) FindTeam(ctx context.Context, team string) (wire.Team, error) {
	t, err := reply[wire.Team](ctx, c, http.MethodGet, wire.Teams+url.PathEscape(team), nil, nil)
	return t, c.whole(err)
}

// Quotas returns a team's limits and what it has.
func (c *Client) Quotas(ctx context.Context, team uuid.UUID) ([]wire.Quota, error) {
	list, err := reply[[]wire.Quota](ctx, c, http.MethodGet, wire.Teams+team.String()+"/quota", nil, nil)
	return list, c.whole(err)
}

// RenameTeam gives a team another slug or name; "" stays.
func (c *Client) RenameTeam(ctx context.Context, team uuid.UUID, to wire.TeamChange) (wire.Team, error) {
	t, err := reply[wire.Team](ctx, c, http.MethodPatch, wire.Teams+team.String(), nil, to)
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
	if e, ok := errors.AsType[*Error](err); ok && e.Status == http.StatusNotFound && e.Code != "42704" {
		return term.Hint(&Error{Kind: ErrRefused, Status: e.Status, Message: c.base + " cannot do that: it is a Supabase project, or an older cairn server"},
			"for a Supabase project see docs/supabase.md")
	}
	return err
}

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
	case e.noTable():
		return false, nil
	}
	return false, err
}

// NoTable reports whether an error says that the server does not have the table: it
// is older than this cairn.
func NoTable(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.noTable()
}

// noTable reports that the server does not have the table.
func (e *Error) noTable() bool { return e.Code == "PGRST205" || e.Code == "42P01" }

// CreateTeam makes a team whose owner is the user. A slug that is taken is an
// error of the kind ErrRefused.
func (c *Client) CreateTeam(ctx context.Context, slug, name string) (uuid.UUID, error) {
	var id uuid.UUID
	err := c.Do(ctx, http.MethodPost, wire.CreateTeam, nil, map[string]string{"team_slug": slug, "team_name": name}, &id)
	if e, ok := errors.AsType[*Error](err); ok && e.Code == "23505" {
		err = &Error{Kind: ErrRefused, Status: e.Status, Code: e.Code, Message: "the server has a team called " + slug + " already", cause: err}
	}
	if err != nil {
		return id, err
	}
	return id, c.knowTeam(ctx, slug, id)
}

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
	return reply[Pulse](ctx, c, http.MethodPost, wire.TeamPulse, nil, map[string]any{"p_team": team, "p_days": PulseDays})
}
