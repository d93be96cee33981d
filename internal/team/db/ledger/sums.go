package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/spend"
)

// A Filter is which requests count. The zero Filter is all of them.
type Filter struct {
	Since, Until time.Time
	Repo         string
	Session      string // or the beginning of one
}

func (f Filter) where() (string, []any) {
	conditions, args := []string{"true"}, []any(nil)
	and := func(condition string, arg any) { conditions, args = append(conditions, condition), append(args, arg) }
	if !f.Since.IsZero() {
		and("at >= ?", f.Since)
	}
	if !f.Until.IsZero() {
		and("at < ?", f.Until)
	}
	if f.Repo != "" {
		and("repo = ?", f.Repo)
	}
	if f.Session != "" {
		and("substr(session, 1, length(?)) = ?", f.Session)
		args = append(args, f.Session)
	}
	return strings.Join(conditions, " and "), args
}

// A Sum is what requests with the same keys cost.
type Sum struct {
	At      time.Time // the beginning of their quarter of an hour, zero where it is no key
	Keys    []string
	Session string // agent and session, where sessions are counted
	Pull    int64
	spend.Tokens
	Requests int64
	Unpriced int64 // requests of which nobody knows the price
	Nanos    int64
}

// Columns that sums can be made by.
const (
	Repo    = "repo"
	Branch  = "branch"
	Commit  = "commit_sha"
	Made    = "made"
	Agent   = "agent"
	Model   = "model"
	Session = "session"
	Sub     = "sub"
	Phase   = "phase"
	Dir     = "dir"
	Tier    = "tier"
)

// Sums adds up requests by columns, each session apart so that sessions can be
// counted; quarter: and each quarter of an hour, which every time zone has whole.
func Sums(ctx context.Context, d *db.DB, f Filter, quarter bool, columns ...string) ([]Sum, error) {
	const minutes = 15 * 60 * 1_000_000
	where, args := f.where()
	keys := ""
	for _, c := range columns {
		keys += ", " + c
	}
	at, first := "0", ""
	if quarter {
		at = fmt.Sprintf("at / %d", minutes)
		first = at + ", "
	}
	query := `select ` + at + `, agent || ' ' || session, pull, sum(input), sum(cache_read), sum(write_5m), sum(write_1h), sum(output), count(*),
		sum(nanos is null), coalesce(sum(nanos), 0)` + keys + ` from cairn.ledger_requests where ` + where + ` group by ` + first + `agent, session, pull` + keys
	return db.Viewed(ctx, d, func(tx *db.Tx) ([]Sum, error) {
		return db.List(ctx, tx, query, args, func(s *Sum) []any {
			s.Keys = make([]string, len(columns))
			into := []any{(*quarterTime)(&s.At), &s.Session, &s.Pull, &s.Input, &s.CacheRead, &s.Write5m, &s.Write1h, &s.Output, &s.Requests, &s.Unpriced, &s.Nanos}
			for i := range s.Keys {
				into = append(into, &s.Keys[i])
			}
			return into
		})
	})
}

// quarterTime scans the number of a quarter of an hour since 1970.
type quarterTime time.Time

// Scan implements sql.Scanner.
func (q *quarterTime) Scan(src any) error {
	if n, ok := src.(int64); ok && n != 0 {
		*q = quarterTime(time.Unix(n*15*60, 0))
	}
	return nil
}

// Spans are the first and the last request that count, zero where none does.
func Span(ctx context.Context, d *db.DB, f Filter) (first, last time.Time, err error) {
	where, args := f.where()
	var from, to db.Time
	err = d.Get(ctx, `select min(at), max(at) from cairn.ledger_requests where `+where, args, &from, &to)
	return value(from), value(to), err
}
