package replica

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/client"
	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

const (
	sumDays  = 90        // of daily sums
	mostRows = 512 << 20 // bytes of the rows of a table
)

// Rows decodes the rows of a table into out, a pointer to a slice: of records and
// runs those of the last Days in the order in which they came, of daily sums those
// of the last months.
func (r *Replica) Rows(ctx context.Context, name string, out any) error {
	if said, ok := r.state.Said[name]; ok {
		if said.Kind() != '[' {
			said = append(append([]byte("["), said...), ']')
		}
		return json.Unmarshal(said, out)
	}
	q := url.Values{"team_id": {"eq." + r.state.Team.String()}}
	switch t := table.Find(name); {
	case t == nil:
		return nil // what a function says and did not
	case t.Column("created_at") != nil:
		q.Set("created_at", "gte."+stamp(r.now().AddDate(0, 0, -Days-1)))
		q.Set("order", "created_at,id")
	default:
		q.Set("day", "gte."+r.now().UTC().AddDate(0, 0, -sumDays).Format(time.DateOnly))
		q.Set("order", dayOrder(name))
	}
	query, failed := postgrest.ParseQuery(table.Find(name), q.Encode())
	if failed != nil {
		return failed
	}
	answer := rows.NewAnswer(mostRows)
	defer answer.Free()
	if err := r.DB.View(ctx, service, func(tx *db.Tx) error { return rows.Select(ctx, tx, service, query, false, answer) }); err != nil {
		return err
	}
	var text bytes.Buffer
	text.WriteByte('[')
	if _, err := answer.WriteTo(&text); err != nil {
		return err
	}
	text.WriteByte(']')
	return json.Unmarshal(text.Bytes(), out)
}

// dayOrder is an order without ties.
func dayOrder(name string) string {
	if name == "daily_costs" {
		return "day,model"
	}
	return "day,repo_slug,label,suite"
}

// Export writes what is here to a repository's cache, as JSON: a file for each
// table, and what they are.
func (r *Replica) Export(ctx context.Context, cache *client.Cache, url string, report Report) (client.Meta, error) {
	unlock, err := cache.Lock(ctx)
	if err != nil {
		return client.Meta{}, err
	}
	defer unlock()
	meta := client.Meta{URL: url, Team: r.state.Team.String(), LastPull: r.state.Fresh, FullPull: later(r.state.Pulled, r.state.Paged), Skipped: report.Skipped, Tables: map[string]client.Pulled{}}
	_, all := r.state.Said[People] // else costs are of some repositories only
	for _, name := range append(slices.Clone(records[:]), "daily_evals", "daily_costs", People, Pulse) {
		_, said := r.state.Said[name]
		if table.Find(name) == nil && !said || !all && name == "daily_costs" {
			if err := cache.RemoveTable(name); err != nil {
				return meta, err
			}
			continue
		}
		var list []jsontext.Value
		if err := r.Rows(ctx, name, &list); err != nil {
			return meta, err
		}
		if err := cache.WriteTable(name, list); err != nil {
			return meta, err
		}
		meta.Tables[name] = r.pulled(name, list)
	}
	return meta, cache.WriteMeta(meta)
}

// pulled says what there is of a table.
func (r *Replica) pulled(name string, list []jsontext.Value) client.Pulled {
	p := client.Pulled{Rows: len(list)}
	if table.Find(name) == nil {
		p.Latest = r.state.Fresh.Format(time.RFC3339)
		return p
	}
	if len(list) == 0 {
		return p
	}
	if p.Cursor.Move(list) == nil {
		p.Latest = p.Cursor.At
		return p
	}
	var last struct {
		Day string `json:"day"`
	}
	_ = json.Unmarshal(list[len(list)-1], &last)
	p.Latest = last.Day
	return p
}
