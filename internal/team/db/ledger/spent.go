package ledger

import (
	"context"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/spend"
)

// A Spent is a request with its price and place.
type Spent struct {
	spend.Request
	Place spend.Place
	Nanos int64
	Known bool // its price
}

// Which says of which requests one wants to know. What is "" or 0 counts for none.
type Which struct {
	Session string
	Agent   string // with Session
	Repo    string // with Pull
	Pull    int64
}

// Requests returns requests one by one, in the order of their time.
func Requests(ctx context.Context, d *db.DB, w Which) ([]Spent, error) {
	var where []string
	var args []any
	add := func(condition string, value any) { where, args = append(where, condition), append(args, value) }
	if w.Session != "" {
		add("session = ?", w.Session)
	}
	if w.Agent != "" {
		add("agent = ?", w.Agent)
	}
	if w.Pull != 0 {
		add("repo = ?", w.Repo)
		add("pull = ?", w.Pull)
	}
	query := `select agent, id, session, sub, at, sent, dir, model, tier, input, cache_read, write_5m, write_1h, output, tool, own,
		coalesce(nanos, 0), nanos is not null, repo, branch, commit_sha, made, pull, phase
		from cairn.ledger_requests where ` + strings.Join(where, " and ") + ` order by at, id`
	return db.Viewed(ctx, d, func(tx *db.Tx) ([]Spent, error) {
		var at, sent db.Time
		return db.Each(ctx, tx, query, args, func(scan db.Scan) (s Spent, err error) {
			p := &s.Place
			err = scan(&s.Agent, &s.ID, &s.Session, &s.Sub, &at, &sent, &s.Dir, &s.Model, &s.Tier, &s.Input, &s.CacheRead, &s.Write5m, &s.Write1h, &s.Output,
				&s.Tool, &s.Own, &s.Nanos, &s.Known, &p.Repo, &p.Branch, &p.Commit, &p.Made, &p.Pull, &p.Phase)
			s.At, s.Sent = value(at), value(sent)
			return s, err
		})
	})
}

// An Active is a session that asked for something lately.
type Active struct {
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Repo    string    `json:"repo,omitempty"`
	Branch  string    `json:"branch,omitempty"`
	Model   string    `json:"model"` // of its last request, as is the rest
	Last    time.Time `json:"last"`
	USD     float64   `json:"usd"` // since the time that was asked for
	Hour    float64   `json:"-"`   // in the last hour

	First time.Time `json:"-"` // request since then
}

// Latest returns the sessions that asked for something since a time, the last first,
// and what each spent since then and in the hour before now.
func Latest(ctx context.Context, d *db.DB, since, now time.Time) ([]Active, error) {
	var first, last db.Time
	var nanos, hour int64
	return db.Viewed(ctx, d, func(tx *db.Tx) ([]Active, error) {
		return db.Each(ctx, tx, `select agent, session, repo, branch, model, min(at), coalesce(sum(nanos), 0),
				coalesce(sum(case when at >= ? then nanos end), 0), max(at) as last
			from cairn.ledger_requests where at >= ? group by agent, session order by last desc, session`, []any{now.Add(-time.Hour), since},
			func(scan db.Scan) (a Active, err error) {
				err = scan(&a.Agent, &a.Session, &a.Repo, &a.Branch, &a.Model, &first, &nanos, &hour, &last)
				a.First, a.Last, a.USD, a.Hour = value(first), value(last), spend.Dollars(nanos), spend.Dollars(hour)
				return a, err
			})
	})
}
