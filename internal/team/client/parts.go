package client

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/wire"
)

// parts is in how many parts a page comes that the server finds too large.
const parts = 10

// inParts asks for the parts of a page of rows that is larger than the server sends
// at once, and puts them together. done is false where it is no such page.
func (c *Client) inParts(ctx context.Context, r Request, refused error, out any) (done bool, err error) {
	var e *Error
	limit, noLimit := strconv.Atoi(r.Query.Get("limit"))
	if !errors.As(refused, &e) || e.Status != http.StatusRequestEntityTooLarge || r.Method != http.MethodGet ||
		!strings.HasPrefix(r.Path, wire.Rest) || noLimit != nil || limit < 2 || out == nil {
		return false, nil
	}
	offset, _ := strconv.Atoi(r.Query.Get("offset"))
	part := r
	var rows []jsontext.Value
	for n := (limit + parts - 1) / parts; len(rows) < limit; {
		n = min(n, limit-len(rows))
		part.Query = maps.Clone(r.Query)
		part.Query.Set("limit", strconv.Itoa(n))
		part.Query.Set("offset", strconv.Itoa(offset+len(rows)))
		var some []jsontext.Value
		if err := c.Send(ctx, part, &some); err != nil {
			return true, err
		}
		if rows = append(rows, some...); len(some) < n {
			break
		}
	}
	all := []byte{'['}
	for i, row := range rows {
		if i > 0 {
			all = append(all, ',')
		}
		all = append(all, row...)
	}
	return true, json.Unmarshal(append(all, ']'), out)
}
