package ledger

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/record"
)

// A Filter is which requests count. The zero Filter is all of them.
type Filter struct {
	Since time.Time // to the quarter of an hour
	Repo  string
}

func (f Filter) where() (string, []any) {
	conditions, args := []string{"true"}, []any(nil)
	if !f.Since.IsZero() {
		conditions, args = append(conditions, "l.quarter >= ?"), append(args, f.Since.Unix()/quarter)
	}
	if f.Repo != "" {
		conditions, args = append(conditions, "l.repo = ?"), append(args, f.Repo)
	}
	return strings.Join(conditions, " and "), args
}

const quarter = 15 * 60 // seconds

// spendRows are the ledger's sums with the columns of spend_days.
const spendRows = `(select l.repo as repo_slug, l.branch, l.commit_sha, l.made, l.pull as pull_request, l.phase, l.agent, l.session, l.model, l.tool, l.quarter,
	l.input as input_tokens, l.cache_read as cache_read_tokens, l.write_5m as write_5m_tokens, l.write_1h as write_1h_tokens, l.output as output_tokens,
	l.requests, l.unpriced, l.nanos, l.nanos as usd_micros, `

// A Naming names a time, such as the day that it is in. It is given every time that
// there is, in their order.
type Naming func(times []time.Time) (names []string)

// Outlays adds up requests by what figures.Outlays can be by, by tool, or where name
// is given by the time.
func Outlays(ctx context.Context, d *db.DB, f Filter, by string, name Naming) ([]figures.Outlay, error) {
	return db.Viewed(ctx, d, func(tx *db.Tx) ([]figures.Outlay, error) {
		where, args := f.where()
		s := figures.SpendSource{From: spendRows + "'' as at from cairn.ledger_sums l where " + where + ") s", Where: "true", Args: args,
			Nanos: "s.nanos", More: map[string]string{"tool": "s.tool"}, Made: "group_concat(distinct s.made)",
			First: "s.quarter * " + strconv.Itoa(quarter), Last: "s.quarter * " + strconv.Itoa(quarter)}
		if name != nil {
			names, err := named(ctx, tx, where, args, name)
			if err != nil {
				return nil, err
			}
			// SQLite knows no time zones but its own.
			s.From = spendRows + `t.at from cairn.ledger_sums l join (select cast(key as integer) as quarter, value as at from json_each(?)) t
				on t.quarter = l.quarter where ` + where + ") s"
			s.Args, s.Times = append([]any{names}, args...), map[string]string{by: "s.at"}
		}
		return figures.OutlaysOf(ctx, tx, s, by)
	})
}

// named is a JSON object of the names of quarters of an hour.
func named(ctx context.Context, tx *db.Tx, where string, args []any, name Naming) (string, error) {
	quarters, err := db.List(ctx, tx, `select distinct l.quarter from cairn.ledger_sums l where `+where+` order by 1`, args, func(n *int64) []any { return []any{n} })
	if err != nil {
		return "", err
	}
	times, of := make([]time.Time, len(quarters)), make(map[string]string, len(quarters))
	for i, q := range quarters {
		times[i] = time.Unix(q*quarter, 0)
	}
	for i, n := range name(times) {
		of[strconv.FormatInt(quarters[i], 10)] = n
	}
	data, err := json.Marshal(of)
	return string(data), err
}

// Days are a repository's requests as the rows that a team keeps: by day (UTC),
// session, branch, commit, pull request and model.
func Days(ctx context.Context, d *db.DB, repo string) ([]record.SpendDay, error) {
	return db.All(ctx, d, `select date(quarter * 900, 'unixepoch'), agent, session, branch, commit_sha, pull, max(phase), model, max(quarter),
		sum(input), sum(cache_read), sum(write_5m), sum(write_1h), sum(output), sum(requests), sum(unpriced), (sum(nanos) + 500) / 1000
		from cairn.ledger_sums where repo = ? group by 1, 2, 3, 4, 5, 6, 8 order by 1, 3, 9`, []any{repo}, func(s *record.SpendDay) []any {
		s.Repo, s.Source = repo, record.SourceLedger
		return []any{&s.Day, &s.Agent, &s.Session, &s.Branch, &s.Commit, &s.PullRequest, &s.Phase, &s.Model, (*quarterTime)(&s.At),
			&s.Input, &s.CacheRead, &s.Write5m, &s.Write1h, &s.Output, &s.Requests, &s.Unpriced, &s.Micros}
	})
}

// quarterTime scans the number of a quarter of an hour since 1970.
type quarterTime time.Time

// Scan implements sql.Scanner.
func (q *quarterTime) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("%T is no time", src)
	}
	*q = quarterTime(time.Unix(n*quarter, 0))
	return nil
}

// SessionNames are the sessions that the ledger knows.
func SessionNames(ctx context.Context, d *db.DB) (map[string]bool, error) {
	list, err := db.All(ctx, d, `select distinct session from cairn.ledger_sums`, nil, func(s *string) []any { return []any{s} })
	names := make(map[string]bool, len(list))
	for _, s := range list {
		names[s] = true
	}
	return names, err
}
