package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/wire"
)

// halve asks for the two halves of a page of rows that is larger than the server
// sends at once, and puts them together. done is false where it is no such page.
func (c *Client) halve(ctx context.Context, r Request, refused error, out any) (done bool, err error) {
	var e *Error
	limit, noLimit := strconv.Atoi(r.Query.Get("limit"))
	if !errors.As(refused, &e) || e.Status != http.StatusRequestEntityTooLarge || r.Method != http.MethodGet ||
		!strings.HasPrefix(r.Path, wire.Rest) || noLimit != nil || limit < 2 || out == nil {
		return false, nil
	}
	offset, _ := strconv.Atoi(r.Query.Get("offset"))
	var rows []jsontext.Value
	for _, part := range [...]int{limit / 2, limit - limit/2} {
		q := url.Values{}
		for k, v := range r.Query {
			q[k] = v
		}
		q["limit"], q["offset"] = []string{strconv.Itoa(part)}, []string{strconv.Itoa(offset + len(rows))}
		half := r
		half.Query = q
		var some []jsontext.Value
		if err := c.Send(ctx, half, &some); err != nil {
			return true, err
		}
		rows = append(rows, some...)
		if len(some) < part {
			break
		}
	}
	all, err := json.Marshal(rows)
	if err != nil {
		return true, err
	}
	return true, json.Unmarshal(all, out)
}
