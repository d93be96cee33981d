package client

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/result"
	"cairn/internal/team/spool"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
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
	push, err := EvalRun(&run, team, "local") // where a run names no repository
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
