// Package opencode reads the database of OpenCode, an agent: the messages that
// cost something, and the sessions that they are of. It never writes to it.
package opencode

import (
	"context"
	"database/sql"
	"net/url"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// A Message is an answer of a model, with its data as OpenCode wrote it: JSON.
type Message struct {
	ID        string
	Session   string
	Parent    string // the session that a subagent's belongs to
	Directory string
	Created   time.Time
	Updated   time.Time
	Data      []byte
}

// Messages gives every answer of a model that was written to since a time, the
// oldest change first.
func Messages(ctx context.Context, file string, since time.Time, each func(Message)) error {
	d, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(2000)&_pragma=query_only(ON)")
	if err != nil {
		return err
	}
	defer d.Close()
	rows, err := d.QueryContext(ctx, `select m.id, m.session_id, coalesce(s.parent_id, ''), coalesce(s.directory, ''), m.time_created, m.time_updated, m.data
		from message m left join session s on s.id = m.session_id
		where m.time_updated >= ? and json_extract(m.data, '$.role') = 'assistant' order by m.time_updated, m.id`, since.UnixMilli())
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var m Message
		var created, updated int64
		if err := rows.Scan(&m.ID, &m.Session, &m.Parent, &m.Directory, &created, &updated, &m.Data); err != nil {
			return err
		}
		m.Created, m.Updated = time.UnixMilli(created), time.UnixMilli(updated)
		each(m)
	}
	return rows.Err()
}
