package ledger

import (
	"context"
	"strings"
	"time"

	"cairn/internal/team/db"
	"cairn/internal/team/spend"
)

// A Filter is which requests count. The zero Filter is all of them.
type Filter struct {
	Since time.Time // to the quarter of an hour
	Repo  string
}

func (f Filter) where() (string, []any) {
	conditions, args := []string{"true"}, []any(nil)
	if !f.Since.IsZero() {
		conditions, args = append(conditions, "quarter >= ?"), append(args, f.Since.Unix()/quarter)
	}
	if f.Repo != "" {
		conditions, args = append(conditions, "repo = ?"), append(args, f.Repo)
	}
	return strings.Join(conditions, " and "), args
}

const quarter = 15 * 60 // seconds

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
	Phase   = "phase"
	Tool    = "tool"
)

// Sums adds up requests by columns, each session apart so that sessions can be
// counted; byTime: and each quarter of an hour.
func Sums(ctx context.Context, d *db.DB, f Filter, byTime bool, columns ...string) ([]Sum, error) {
	where, args := f.where()
	keys := ""
	for _, c := range columns {
		keys += ", " + c
	}
	at := "0"
	group := "agent, session, pull" + keys
	if byTime {
		at, group = "quarter", "quarter, "+group
	}
	query := `select ` + at + `, agent || ' ' || session, pull, sum(input), sum(cache_read), sum(write_5m), sum(write_1h), sum(output), sum(requests),
		sum(unpriced), sum(nanos)` + keys + ` from cairn.ledger_sums where ` + where + ` group by ` + group
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

// A Quarter is what a quarter of an hour cost in a repository.
type Quarter struct {
	At    time.Time
	Repo  string
	Nanos int64
}

// Quarters adds up all requests by time and repository, in the order of time.
func Quarters(ctx context.Context, d *db.DB) ([]Quarter, error) {
	return db.All(ctx, d, `select quarter, repo, sum(nanos) from cairn.ledger_sums group by quarter, repo order by quarter, repo`, nil,
		func(q *Quarter) []any { return []any{(*quarterTime)(&q.At), &q.Repo, &q.Nanos} })
}

// quarterTime scans the number of a quarter of an hour since 1970.
type quarterTime time.Time

// Scan implements sql.Scanner.
func (q *quarterTime) Scan(src any) error {
	if n, ok := src.(int64); ok && n != 0 {
		*q = quarterTime(time.Unix(n*quarter, 0))
	}
	return nil
}

// RepoDirs are the directories from which requests were sent, by the repository that
// they are in.
func RepoDirs(ctx context.Context, d *db.DB) (map[string][]string, error) {
	return pairs(ctx, d, `select distinct repo, dir from cairn.ledger_requests where repo <> '' order by repo, dir`)
}

// Commits are those that requests belong to, by repository.
func Commits(ctx context.Context, d *db.DB) (map[string][]string, error) {
	return pairs(ctx, d, `select distinct repo, commit_sha from cairn.ledger_sums where commit_sha <> '' order by repo, commit_sha`)
}

func pairs(ctx context.Context, d *db.DB, query string) (map[string][]string, error) {
	type pair struct{ of, value string }
	rows, err := db.All(ctx, d, query, nil, func(p *pair) []any { return []any{&p.of, &p.value} })
	of := map[string][]string{}
	for _, r := range rows {
		of[r.of] = append(of[r.of], r.value)
	}
	return of, err
}
