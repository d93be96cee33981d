package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/pushed"
	"cairn/internal/team/result"
	"cairn/internal/team/spool"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Runs is the kind of a spooled run of evals; its body is the run in the
// standard format. Every other kind is a table of the registry, its body a row
// without the team and the user.
const Runs = "eval_run"

// delivered says what became of a record: a few words for the log.
func (c *Client) deliver(ctx context.Context, r spool.Record) (said string, err error) {
	team, err := c.Team(ctx, r.Team)
	if err != nil {
		return "", &teamError{err}
	}
	if r.Kind == Runs {
		return c.deliverRun(ctx, team, r)
	}
	t := table.Find(r.Kind)
	if t == nil || t.Insert == table.Nobody || t.Column("ingest_key") == nil {
		return "", &Error{Kind: ErrRefused, Message: fmt.Sprintf("nothing of the kind %q can be sent", r.Kind)}
	}
	row, err := rowOf(team, r)
	if err != nil {
		return "", &Error{Kind: ErrRefused, Message: "the record is no row: " + err.Error(), cause: err}
	}
	columns, prefer := onConflict(t)
	err = c.Send(ctx, Request{
		Method: http.MethodPost, Path: wire.Rest + t.Name, Query: url.Values{"on_conflict": {strings.Join(columns, ",")}},
		Prefer: "return=minimal,resolution=" + prefer, Body: row,
	}, nil)
	return "", err
}

// teamError says that a record's team cannot be found: it waits until it can.
type teamError struct{ error }

func (e *teamError) Unwrap() error { return e.error }

func (c *Client) deliverRun(ctx context.Context, team uuid.UUID, r spool.Record) (string, error) {
	var run result.Run
	if err := json.Unmarshal(r.Body, &run); err != nil {
		return "", &Error{Kind: ErrRefused, Message: "the run cannot be read: " + last(err), cause: err}
	}
	run.IngestKey = r.IngestKey
	push, err := pushed.EvalRun(&run, team, "local") // where a run names no repository
	if err != nil {
		return "", &Error{Kind: ErrRefused, Message: err.Error(), cause: err}
	}
	answer, err := c.push(ctx, wire.EvalPush{Team: team, Run: push})
	if err != nil {
		return "", err
	}
	if answer.ID == uuid.Nil {
		return "", &Error{Kind: ErrNetwork, Message: c.base + " did not say that it has the run"}
	}
	if answer.Duplicate {
		return "was there", nil
	}
	return text.Count(len(push.Results), "test"), nil
}

// onConflict is what an insert says about rows that are there already. The
// ingest key tells the same row, which is left as it is; where a table knows a
// row by something else, too, and its author may change it, the new one counts.
func onConflict(t *table.Table) (columns []string, prefer string) {
	for _, unique := range t.Unique {
		if slices.Contains(unique, "ingest_key") {
			columns = unique
		} else if t.Update == table.Author {
			return unique, "merge-duplicates"
		}
	}
	return columns, "ignore-duplicates"
}

// merges reports whether the order of records of a kind counts.
func merges(kind string) bool {
	t := table.Find(kind)
	if t == nil {
		return false
	}
	_, prefer := onConflict(t)
	return prefer == "merge-duplicates"
}

// rowOf adds to a record's members what is known only here.
func rowOf(team uuid.UUID, r spool.Record) (jsontext.Value, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(r.Body, &members); err != nil {
		return nil, err
	}
	if members == nil {
		return nil, fmt.Errorf("an object is wanted")
	}
	members["team_id"] = quoted(team.String())
	members["ingest_key"] = quoted(r.IngestKey)
	delete(members, "user_id") // the server knows who sends
	var b bytes.Buffer
	err := json.MarshalWrite(&b, members, json.Deterministic(true))
	return b.Bytes(), err
}

func quoted(text string) jsontext.Value {
	b, _ := jsontext.AppendQuote(nil, text) // its only error is invalid UTF-8, replaced
	return b
}

// A run of more bytes is sent in parts of about partBytes, which a server does
// not show before the run itself comes.
const (
	wholeBytes = 4 << 20
	partBytes  = 2 << 20
)

// push sends a run: whole, or in parts if it is large and the server takes them.
func (c *Client) push(ctx context.Context, push wire.EvalPush) (answer wire.EvalPushed, err error) {
	body, err := json.Marshal(push)
	if err != nil {
		return answer, err
	}
	if len(body) > wholeBytes {
		parts, err := partsOf(&push)
		if err != nil {
			return answer, err
		}
		sent, err := c.pushParts(ctx, parts)
		if err != nil {
			return answer, err
		}
		if sent {
			push.Run.Cases, push.Run.Results, push.Run.Parts = []wire.EvalCase{}, []wire.EvalResult{}, len(parts)
			return answer, c.Do(ctx, http.MethodPost, wire.PushEvalRun, nil, push, &answer)
		}
	}
	return answer, c.Do(ctx, http.MethodPost, wire.PushEvalRun, nil, body, &answer)
}

// pushParts sends parts; sent is false where the server is of a version that
// takes none.
func (c *Client) pushParts(ctx context.Context, parts []wire.EvalPart) (sent bool, err error) {
	for i := range parts {
		err := c.Do(ctx, http.MethodPost, wire.PushEvalPart, nil, &parts[i], nil)
		var e *Error
		if i == 0 && errors.As(err, &e) && e.Status == http.StatusNotFound {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// partsOf cuts a run into parts, each with the cases of its results.
func partsOf(push *wire.EvalPush) (parts []wire.EvalPart, err error) {
	size := func(v any) int {
		data, more := json.Marshal(v)
		err = errors.Join(err, more)
		return len(data)
	}
	cases := make(map[int64]*wire.EvalCase, len(push.Run.Cases))
	for i := range push.Run.Cases {
		cases[push.Run.Cases[i].ID] = &push.Run.Cases[i]
	}
	var part *wire.EvalPart
	var named map[int64]bool
	left := 0
	for i := range push.Run.Results {
		r := &push.Run.Results[i]
		if left <= 0 {
			parts = append(parts, wire.EvalPart{Team: push.Team, Key: push.Run.IngestKey, Part: len(parts)})
			part, named, left = &parts[len(parts)-1], map[int64]bool{}, partBytes
		}
		if known := cases[r.CaseID]; known != nil && !named[r.CaseID] {
			named[r.CaseID] = true
			part.Body.Cases = append(part.Body.Cases, *known)
			left -= size(known)
		}
		part.Body.Results = append(part.Body.Results, *r)
		left -= size(r)
	}
	return parts, err
}

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
