package reader

import (
	"cmp"
	"context"
	"time"

	"cairn/internal/team/db/opencode"
	"cairn/internal/team/spend"
)

// openCodeData is the data of a message. What was thought is apart from the output,
// and what the cache had is no part of the input.
type openCodeData struct {
	Model    string  `json:"modelID"`
	Provider string  `json:"providerID"`
	Cost     float64 `json:"cost"`
	Path     struct {
		Cwd string `json:"cwd"`
	} `json:"path"`
	Tokens struct {
		Input     int64 `json:"input"`
		Output    int64 `json:"output"`
		Reasoning int64 `json:"reasoning"`
		Cache     struct {
			Read  int64 `json:"read"`
			Write int64 `json:"write"`
		} `json:"cache"`
	} `json:"tokens"`
}

// openCode reads the messages that changed since the cursor, which is the time of
// the newest change. The request for a session's title is in no message.
func openCode(ctx context.Context, f *File, c *Cursor, out *Out) error {
	return opencode.Messages(ctx, f.Path, time.UnixMilli(c.Offset), func(m opencode.Message) {
		var d openCodeData
		if !decode(m.Data, &d) {
			out.Odd++
			return
		}
		c.Offset = max(c.Offset, m.Updated.UnixMilli())
		t := d.Tokens
		if t.Input+t.Output+t.Reasoning+t.Cache.Read+t.Cache.Write == 0 && d.Cost == 0 {
			return // it is being written, or failed
		}
		q := spend.Request{
			Agent: f.Agent, ID: m.ID, Session: cmp.Or(m.Parent, m.Session), At: m.Created, Sent: m.Created, Dir: cmp.Or(d.Path.Cwd, m.Directory),
			Model:  d.Model,
			Tokens: spend.Tokens{Input: t.Input, CacheRead: t.Cache.Read, Write5m: t.Cache.Write, Output: t.Output + t.Reasoning},
			Own:    d.Cost,
		}
		if m.Parent != "" {
			q.Sub = m.Session
		}
		out.Requests = append(out.Requests, q)
	})
}
