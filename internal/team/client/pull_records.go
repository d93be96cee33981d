package client

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// row is what the order of records goes by.
type row struct {
	Place
	at    time.Time
	value jsontext.Value
}

// records pulls the rows since the cursor, a little of what is there again, and
// joins them with what is there. Pages that came before one failed count.
func (p *pull) records(ctx context.Context, t pulledTable, had Pulled) (Pulled, int, error) {
	var old []jsontext.Value
	if err := p.cache.Rows(t.name, &old); errors.Is(err, errCorrupt) {
		_ = p.cache.in.Remove(tableFile(t.name))
		old, had = nil, Pulled{}
	} else if err != nil {
		return had, 0, err
	}
	kept, fine := p.index(old)
	if !fine || len(kept) != had.Rows { // not what we wrote
		kept, had = map[string]row{}, Pulled{}
	}
	since := p.now().AddDate(0, 0, -keepDays)
	found, full := map[string]row{}, p.full || had.Cursor.At == ""
	if !full {
		at, err := time.Parse(time.RFC3339, had.Cursor.At)
		if err != nil {
			full = true
		} else {
			since = at.Add(-overlap)
		}
	}
	from := Place{At: since.UTC().Format(time.RFC3339Nano)}
	failed := p.pages(ctx, t, &from, found)
	if failed != nil && full && len(kept) > 0 {
		return had, 0, failed // half of everything is less than what is there
	}
	fresh := 0
	for id := range found {
		if _, ok := kept[id]; !ok {
			fresh++
		}
	}
	if full {
		kept = map[string]row{}
	}
	for id, r := range found {
		kept[id] = r
	}
	got, err := p.store(t, kept)
	if failed == nil {
		failed = err
	}
	return got, fresh, failed
}

// pages asks for pages from a place on and moves it.
func (p *pull) pages(ctx context.Context, t pulledTable, from *Place, found map[string]row) error {
	var w Window
	for more := true; more; {
		var err error
		more, err = w.Fetch(func(limit int) (int, error) { return p.page(ctx, t, "*", limit, from, found) })
		if TooMuch(err) { // one row: its place is asked for, and the next ones
			none := map[string]row{}
			if _, err = p.page(ctx, t, "created_at,id", 1, from, none); err == nil {
				p.skip(t, from.ID)
				more = true
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// page asks for one page and moves the place behind it.
func (p *pull) page(ctx context.Context, t pulledTable, columns string, limit int, from *Place, found map[string]row) (int, error) {
	q := url.Values{"select": {columns}, "team_id": {"eq." + p.team.String()}, "limit": {strconv.Itoa(limit)}}
	from.After(q)
	var page []jsontext.Value
	if err := p.get(ctx, rowsOf(t.name, q), &page); err != nil {
		return 0, err
	}
	rows, fine := p.index(page)
	if !fine {
		return 0, &Error{Kind: ErrNetwork, Message: "the server sent rows without created_at and id"}
	}
	for id, r := range rows {
		found[id] = r
	}
	return len(page), from.Move(page)
}

// index is rows by id. fine is false where one has no id or no time.
func (p *pull) index(rows []jsontext.Value) (byID map[string]row, fine bool) {
	byID = map[string]row{}
	for _, v := range rows {
		r := row{value: v}
		if err := json.Unmarshal(v, &r); err != nil || r.ID == "" {
			return byID, false
		}
		var err error
		if r.at, err = time.Parse(time.RFC3339, r.At); err != nil {
			return byID, false
		}
		byID[r.ID] = r
	}
	return byID, true
}

// store writes a table without what is too old.
func (p *pull) store(t pulledTable, byID map[string]row) (Pulled, error) {
	oldest := p.now().AddDate(0, 0, -keepDays-1)
	rows := make([]row, 0, len(byID))
	for _, r := range byID {
		if r.at.After(oldest) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.ID, b.ID)) })
	values := make([]jsontext.Value, len(rows))
	for i, r := range rows {
		values[i] = r.value
	}
	got := Pulled{Rows: len(rows)}
	if len(rows) > 0 {
		newest := rows[len(rows)-1]
		got.Latest, got.Cursor = newest.At, Cursor(newest.Place)
	}
	return got, p.cache.writeTable(t.name, values)
}
