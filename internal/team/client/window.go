package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// PageBytes is how much one page of rows has at most: of few rows, if they are
// large. A row that is larger by itself is left out.
const PageBytes = 16 << 20

// pageRows is how many rows any server gives at once.
const pageRows = 1000

// What is wrong with an answer where fewer rows may help: it has more bytes than
// are read of one, or its bytes come too slowly.
var (
	errTooMuch = errors.New("the answer is too large")
	errTooSlow = errors.New("the answer comes too slowly")
)

// TooMuch reports whether an answer is larger than what is read of one, or than
// what the server gives.
func TooMuch(err error) bool {
	var e *Error
	return errors.Is(err, errTooMuch) || errors.As(err, &e) && e.Status == http.StatusRequestEntityTooLarge
}

// A Window is how many rows are asked for at once: as many as any server gives,
// and fewer while they are large.
type Window struct{ rows int }

// Fetch asks for the next rows by ask, which gets the number of them to ask for
// and returns how many came. more is false after the last page. The error is
// TooMuch if not even one row can be had.
func (w *Window) Fetch(ask func(limit int) (came int, err error)) (more bool, err error) {
	if w.rows == 0 {
		w.rows = pageRows
	}
	for {
		came, err := ask(w.rows)
		switch {
		case err == nil:
			more := came >= w.rows
			w.rows = min(2*w.rows, pageRows)
			return more, nil
		case w.rows == 1 || !TooMuch(err) && !errors.Is(err, errTooSlow):
			return false, err
		}
		w.rows = max(1, w.rows/8)
	}
}

// pages asks for all rows of a table, in the order that the query has.
func pages[T any](ctx context.Context, c *Client, table string, query url.Values) (all []T, err error) {
	var w Window
	for more := true; more; {
		more, err = w.Fetch(func(limit int) (int, error) {
			query.Set("limit", strconv.Itoa(limit))
			query.Set("offset", strconv.Itoa(len(all)))
			var page []T
			err := c.Send(ctx, RowsOf(table, query), &page)
			all = append(all, page...)
			return len(page), err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// A Place is where a row stands in the order in which rows came to the server.
type Place struct {
	At string `json:"at"` // created_at
	ID string `json:"id"`
}

// After makes a query ask for the rows behind a place; without an ID, for those
// from its time on.
func (p Place) After(q url.Values) {
	q.Set("order", "created_at.asc,id.asc")
	if p.ID == "" {
		q.Set("created_at", "gte."+p.At)
		return
	}
	q.Set("or", fmt.Sprintf("(created_at.gt.%q,and(created_at.eq.%q,id.gt.%s))", p.At, p.At, p.ID))
}

// Move goes to the last of the rows that came.
func (p *Place) Move(page []jsontext.Value) error {
	if len(page) == 0 {
		return nil
	}
	var last struct {
		At string `json:"created_at"`
		ID string `json:"id"`
	}
	if err := json.Unmarshal(page[len(page)-1], &last); err != nil || last.At == "" || last.ID == "" {
		return &Error{Kind: ErrNetwork, Message: "the server sent a row without created_at and id"}
	}
	*p = Place(last)
	return nil
}

// Before reports whether a place is before another, which may be none.
func (p Place) Before(q Place) bool {
	at, err := time.Parse(time.RFC3339, p.At)
	other, otherErr := time.Parse(time.RFC3339, q.At)
	if err != nil || otherErr != nil {
		return false
	}
	return at.Before(other) || at.Equal(other) && p.ID < q.ID
}
