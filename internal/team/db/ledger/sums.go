package ledger

import (
	"cmp"
	"context"
	"slices"
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
	Since   time.Time // to the quarter of an hour
	Repo    string
	Session string // what its id begins with
}

func (f Filter) where() (string, []any) {
	conditions, args := []string{"true"}, []any(nil)
	if !f.Since.IsZero() {
		conditions, args = append(conditions, "l.quarter >= ?"), append(args, f.Since.Unix()/quarter)
	}
	if f.Repo != "" {
		conditions, args = append(conditions, "l.repo = ?"), append(args, f.Repo)
	}
	if f.Session != "" {
		conditions, args = append(conditions, "substr(l.session, 1, length(?)) = ?"), append(args, f.Session, f.Session)
	}
	return strings.Join(conditions, " and "), args
}

const quarter = 15 * 60 // seconds

// spendRows are the ledger's sums with the columns of spend_days.
const spendRows = `(select l.repo as repo_slug, l.branch, l.commit_sha, l.made, l.pull as pull_request, l.phase, l.agent, l.session, l.model, l.tool, l.quarter,
	l.input as input_tokens, l.cache_read as cache_read_tokens, l.write_5m as write_5m_tokens, l.write_1h as write_1h_tokens, l.output as output_tokens,
	l.requests, l.unpriced, l.nanos, l.nanos as usd_micros, `

// A Naming gives requests names that the database cannot make, such as the day in a
// time zone: of is what it names them by.
type Naming struct {
	of    string
	names func(values []string) []string
}

// ByTime names quarters of an hour. It is given every one that there is, in their
// order.
func ByTime(name func(times []time.Time) (names []string)) *Naming {
	return &Naming{"l.quarter", func(values []string) []string {
		times := make([]time.Time, len(values))
		for i, v := range values {
			n, _ := strconv.ParseInt(v, 10, 64) // the database's
			times[i] = time.Unix(n*quarter, 0)
		}
		return name(times)
	}}
}

// ByCommit names requests by their repository and commit.
func ByCommit(name func(repo, commit string) string) *Naming {
	return &Naming{"l.repo || char(10) || l.commit_sha", func(values []string) (names []string) {
		for _, v := range values {
			repo, commit, _ := strings.Cut(v, "\n")
			names = append(names, name(repo, commit))
		}
		return names
	}}
}

// Outlays adds up requests by what figures.Outlays can be by, by tool, by quarter of
// an hour and repository, or by what name says.
func Outlays(ctx context.Context, d *db.DB, f Filter, by string, name *Naming) ([]figures.Outlay, error) {
	return db.Viewed(ctx, d, func(tx *db.Tx) ([]figures.Outlay, error) {
		where, args := f.where()
		s := figures.SpendSource{From: spendRows + "'' as at from cairn.ledger_sums l where " + where + ") s", Where: "true", Args: args,
			Nanos: "s.nanos", More: map[string][2]string{"tool": {"''", "s.tool"}, "quarter": {"s.repo_slug", "cast(s.quarter as text)"}, "title": {"s.agent", "s.session"},
				"place": {"''", "json_array(date(s.quarter * 900, 'unixepoch'), s.agent, s.session, s.branch, s.commit_sha, cast(s.pull_request as text), s.model)"}},
			Made: "group_concat(distinct s.made)", First: "s.quarter * " + strconv.Itoa(quarter), Last: "s.quarter * " + strconv.Itoa(quarter)}
		if name != nil {
			names, err := name.json(ctx, tx, where, args)
			if err != nil {
				return nil, err
			}
			// SQLite makes an index of a table that it has made, and of an inner one: with a
			// million lines that is a tenth of a second in place of minutes.
			s.From = "(with t(of, at) as materialized (select key, value from json_each(?)) " + spendRows[1:] + `t.at from cairn.ledger_sums l
				cross join t where t.of = cast(` + name.of + ` as text) and ` + where + ") s"
			s.Args, s.More[by] = append([]any{names}, args...), [2]string{"''", "s.at"}
		}
		return figures.OutlaysOf(ctx, tx, s, by)
	})
}

// json is an object of the names.
func (n *Naming) json(ctx context.Context, tx *db.Tx, where string, args []any) (string, error) {
	values, err := db.List(ctx, tx, `select distinct cast(`+n.of+` as text) from cairn.ledger_sums l where `+where+` order by `+n.of, args, func(v *string) []any { return []any{v} })
	if err != nil {
		return "", err
	}
	of := make(map[string]string, len(values))
	for i, name := range n.names(values) {
		of[values[i]] = name
	}
	data, err := json.Marshal(of)
	return string(data), err
}

// Days are a repository's requests as the rows that a team keeps: by day (UTC),
// session, branch, commit, pull request and model.
func Days(ctx context.Context, d *db.DB, repo string) ([]record.SpendDay, error) {
	list, err := Outlays(ctx, d, Filter{Repo: repo}, "place", nil)
	if err != nil {
		return nil, err
	}
	days := make([]record.SpendDay, len(list))
	for i, o := range list {
		var at []string
		if err := json.Unmarshal([]byte(strings.ToValidUTF8(o.Of, "\ufffd")), &at); err != nil {
			return nil, err
		}
		pull, _ := strconv.Atoi(at[5]) // the database's
		days[i] = record.SpendDay{At: o.Last, Repo: repo, Source: record.SourceLedger, Phase: o.Phase,
			Day: at[0], Agent: at[1], Session: at[2], Branch: at[3], Commit: at[4], PullRequest: pull, Model: at[6],
			SpendFigures: record.SpendFigures{Input: o.Input, CacheRead: o.CacheRead, Write5m: o.Write5m, Write1h: o.Write1h, Output: o.Output,
				Requests: o.Requests, Micros: (o.Nanos + 500) / 1000, Unpriced: o.Unpriced}}
	}
	slices.SortStableFunc(days, func(a, b record.SpendDay) int {
		return cmp.Or(strings.Compare(a.Day, b.Day), strings.Compare(a.Session, b.Session), a.At.Compare(b.At))
	})
	return days, nil
}

// Titles returns the sessions of an agent whose id begins with a text, the last first, at
// most so many.
func Titles(ctx context.Context, d *db.DB, prefix string, most int) ([]figures.Outlay, error) {
	list, err := Outlays(ctx, d, Filter{Session: prefix}, "title", nil)
	slices.SortFunc(list, func(a, b figures.Outlay) int { return cmp.Or(b.Last.Compare(a.Last), strings.Compare(a.Of, b.Of)) })
	return list[:min(most, len(list))], err
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
