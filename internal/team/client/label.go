package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"cairn/internal/team/wire"
)

// Labels returns those that of's query selects, of each case the oldest first.
func (c *Client) Labels(ctx context.Context, of wire.EvalLabel) ([]wire.EvalLabel, error) {
	q := of.Query()
	q.Set("order", "case_id,criterion,created_at,user_id")
	list, err := pages[wire.EvalLabel](ctx, c, wire.EvalLabels, q)
	return list, c.labelled(err)
}

// SetLabel gives or changes a label of whoever is signed in; gone takes it back.
func (c *Client) SetLabel(ctx context.Context, l wire.EvalLabel, gone bool) (err error) {
	if l.User, err = c.Me(ctx); err != nil {
		return err
	}
	r := Request{Method: http.MethodPost, Path: wire.Rest + wire.EvalLabels, Prefer: "return=minimal,resolution=merge-duplicates", Body: l}
	if gone {
		r = Request{Method: http.MethodDelete, Path: wire.Rest + wire.EvalLabels, Prefer: "return=minimal", Query: l.Query()}
	} else if r.Query, err = url.ParseQuery(wire.UpsertLabel); err != nil {
		return err
	}
	return c.labelled(c.Send(ctx, r, nil))
}

// Refusal is what a page says of it.
func (e *Error) Refusal() (status int, message string) { return e.Status, e.Error() }

// labelled says why there can be no labels.
func (c *Client) labelled(err error) error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return err
	case e.noTable():
		e.Message = c.base + " keeps no labels: it is of an older version of cairn"
	case e.Code == "23503":
		e.Message = "the team does not have the run: cairn eval push sends it"
	}
	return err
}
