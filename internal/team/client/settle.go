package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// settle ends a claim by what the server said.
func (d *Drain) settle(ctx context.Context, c *spool.Claimed, said string, err error, took time.Duration) error {
	url := d.urlOf(c.Record)
	var e *Error
	var team *teamError
	more := seconds(took)
	switch {
	case err == nil || c.Kind != Runs && isConflict(err): // a run that is there is no error
		if said != "" {
			more = said + ", " + more
		}
		d.came = true
		d.report.Delivered.IDs = append(d.report.Delivered.IDs, c.ID)
		d.Log.Add("PUSH", tableOf(c.Kind), "OK", more)
		return c.Done()
	case ctx.Err() != nil:
		return c.Release()
	case !errors.As(err, &e):
		d.report.Failed++
		d.Log.Add("PUSH", tableOf(c.Kind), "QUEUED", last(err))
		return c.Retry(err, 0)
	case e.Kind == ErrSignIn:
		d.stop(url, "", err)
		d.report.Failed++
		d.Log.Add("PUSH", tableOf(c.Kind), "QUEUED", err.Error())
		return c.Release()
	case errors.As(err, &team) && e.final():
		d.stop(url, c.Team, err)
		d.report.Failed++
		d.Log.Add("PUSH", tableOf(c.Kind), "QUEUED", err.Error())
		return c.Release()
	case e.final():
		d.report.Refused.IDs = append(d.report.Refused.IDs, c.ID)
		d.Log.Add("PUSH", tableOf(c.Kind), "REFUSED", reason(e))
		return c.Refuse(reason(e))
	case Full(e): // this team's; others on the server are delivered
		d.stop(url, c.Team, err)
	case e.Kind == ErrNetwork || e.After > 0 || e.Status == 429 || e.Status == 503:
		d.stop(url, "", err)
	}
	d.report.Failed++
	d.Log.Add("PUSH", tableOf(c.Kind), "QUEUED", err.Error())
	return c.Retry(err, e.After)
}

// isConflict reports whether the server has the row already. A row that points
// to one that is not there gets the same status.
func isConflict(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == 409 && e.Code != "23503"
}

// reason is what is kept beside a refused record.
func reason(e *Error) string {
	text := e.Message
	if e.Code != "" {
		text = e.Code + ": " + text
	}
	if e.Status != 0 { // the server's, not ours
		text = fmt.Sprintf("%d %s", e.Status, text)
	}
	return term.Line(text)
}

// tableOf is the table that a kind of record ends up in.
func tableOf(kind string) string {
	if kind == Runs {
		return "eval_runs"
	}
	return kind
}
