package figures

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/spend"
)

// An Outlay is what agents cost, of one day, session, branch or whatever it is by.
type Outlay struct {
	Repo  string        // of a branch, a commit, a pull request or a phase
	Of    string        // the day, the session, …; "" of what belongs to none
	User  uuid.NullUUID // by person
	Agent string        // one of those that it is of
	Phase string        // likewise
	Made  []string      // by commit: what it was called when it was made, where a ledger knows
	spend.Tokens
	Requests    int64
	Unpriced    int64 // requests whose price is not known
	Nanos       int64 // billionths of a dollar, of requests whose price is known
	Sessions    int64
	First, Last time.Time
}

// USD is the cost in dollars, of requests whose price is known.
func (o *Outlay) USD() float64 { return float64(o.Nanos) / 1e9 }

// Key names what it is of, with the repository where that is a part of the name:
// acme/shop:main, acme/shop:1a2b3c4, acme/shop#12, acme/shop:03. "" is what belongs to none.
func (o *Outlay) Key(by string) string {
	sign := map[string]string{"branch": ":", "commit": ":", "pr": "#", "phase": ":"}[by]
	switch {
	case sign == "":
		return o.Of
	case o.Of == "" || o.Repo == "":
		return ""
	}
	return o.Repo + sign + o.Of
}

// spendBy are the columns of what outlays are by: the repository where that is a part
// of the name, and the rest. Those of times are the source's.
var spendBy = map[string][2]string{
	"day": {}, "week": {}, "month": {}, "session": {"''", "s.session"}, "repo": {"''", "s.repo_slug"},
	"branch": {"s.repo_slug", "s.branch"}, "commit": {"s.repo_slug", "s.commit_sha"}, "pr": {"s.repo_slug", "case when s.pull_request = 0 then '' else cast(s.pull_request as text) end"},
	"person": {"''", "''"}, "agent": {"''", "s.agent"}, "model": {"''", "s.model"}, "phase": {"s.repo_slug", "s.phase"}, "all": {"''", "''"},
}

// spendTimes are what outlays are by in the order of time.
var spendTimes = []string{"day", "week", "month", "block", "quarter"}

// SpendKeys are what Outlays can be by.
func SpendKeys() []string { return slices.Sorted(maps.Keys(spendBy)) }

// A SpendSource is rows of what agents cost with the columns of spend_days: the
// team's table, or the ledger of a machine. Outlays of both are added up by the same
// statement.
type SpendSource struct {
	From  string // a relation; its rows are called s
	Where string
	Args  []any // of both, in their order

	Nanos       string               // what a row cost, in billionths of a dollar
	More        map[string][2]string // what outlays of it can be by besides
	First, Last string               // seconds since 1970
	Made        string               // of all rows of a commit: what it was called before, with a comma between
}

// spendTable is spend_days as a source.
func spendTable(tx *db.Tx, r Range) SpendSource {
	w := r.spends(tx)
	s := SpendSource{From: "spend_days s", Where: w.text, Args: w.args, Nanos: "s.usd_micros * 1000", Made: "''",
		More:  map[string][2]string{"day": {"''", text(tx, "s.day")}, "week": {"''", weekOf(tx, "s.day")}, "month": {"''", "substr(" + text(tx, "s.day") + ", 1, 7)"}},
		First: "unixepoch(s.day)", Last: "s.occurred_at / 1000000"}
	if tx.Dialect() == db.PostgreSQL {
		s.First, s.Last = "extract(epoch from s.day)", "floor(extract(epoch from s.occurred_at))"
	}
	return s
}

// counts is the condition that a row s of spend_days counts. Of a session that several
// sources tell of one does: the ledger, else events, else sums. What names no session
// counts where no better source tells of that person's agent on that day.
const counts = `(s.source = 'ledger' or not case when s.session <> '' then exists (select 1 from spend_days o where o.team_id = s.team_id and o.session = s.session
		and (o.source = 'ledger' or o.source = 'otlp' and s.source = 'metrics'))
	else exists (select 1 from spend_days o where o.team_id = s.team_id and o.day = s.day and o.user_id = s.user_id and o.agent = s.agent
		and (o.source = 'ledger' or o.source = 'otlp' and s.source = 'metrics')) end)`

func (r Range) spends(tx *db.Tx) where {
	var w where
	w.and("s.team_id = ? and s.day >= ? and s.day < ?", r.Team, date(tx, r.From), date(tx, r.To))
	if r.Repo != "" {
		w.and("s.repo_slug = ?", r.Repo)
	}
	if r.Branch != "" {
		w.and("s.branch = ?", r.Branch)
	}
	if r.Who != nil {
		condition, users := r.Who.users()
		w.and("s."+condition, users...)
	}
	w.and(counts)
	return w
}

// Outlays returns what agents cost, the dearest first; days, weeks and months in their
// order. It counts Who and Branch, and whole days only.
func Outlays(ctx context.Context, tx *db.Tx, r Range, by string) ([]Outlay, error) {
	return OutlaysOf(ctx, tx, spendTable(tx, r), by)
}

// OutlaysOf is Outlays of a source. It is the one place that adds up what agents cost.
func OutlaysOf(ctx context.Context, tx *db.Tx, from SpendSource, by string) ([]Outlay, error) {
	of, ok := spendBy[by]
	if more, has := from.More[by]; has {
		of, ok = more, true
	}
	if !ok || of[1] == "" {
		return nil, fmt.Errorf("nothing is by %q: use one of %s", by, strings.Join(SpendKeys(), ", "))
	}
	user, made := "null", "''"
	if tx.Dialect() == db.PostgreSQL {
		user = "null::uuid"
	}
	switch {
	case by == "person" && of == spendBy[by]:
		user = "s.user_id"
	case by == "commit":
		made = from.Made
	}
	var group []string // without constants: SQLite then needs no sorting where an index has the rest
	for i, column := range [...]string{of[0], of[1], user} {
		if strings.Contains(column, "s.") {
			group = append(group, strconv.Itoa(i+1))
		}
	}
	list, err := db.List(ctx, tx, `select `+of[0]+`, `+of[1]+`, `+user+`, max(s.agent), max(s.phase), `+made+`, `+count("sum(s.input_tokens)")+`, `+count("sum(s.cache_read_tokens)")+`, `+
		count("sum(s.write_5m_tokens)")+`, `+count("sum(s.write_1h_tokens)")+`, `+count("sum(s.output_tokens)")+`, `+count("sum(s.requests)")+`, `+
		count("sum(s.unpriced)")+`, `+count("sum("+from.Nanos+")")+`, count(distinct case when s.session <> '' then s.session end), `+
		count("min("+from.First+")")+`, `+count("max("+from.Last+")")+`
		from `+from.From+` where `+from.Where+` and s.requests + s.usd_micros + s.input_tokens + s.cache_read_tokens + s.output_tokens + s.write_5m_tokens + s.write_1h_tokens > 0
		group by `+cmp.Or(strings.Join(group, ", "), "1"), from.Args, func(o *Outlay) []any {
		return []any{&o.Repo, &o.Of, &o.User, &o.Agent, &o.Phase, (*commas)(&o.Made), &o.Input, &o.CacheRead, &o.Write5m, &o.Write1h, &o.Output, &o.Requests,
			&o.Unpriced, &o.Nanos, &o.Sessions, (*seconds)(&o.First), (*seconds)(&o.Last)}
	})
	slices.SortFunc(list, func(a, b Outlay) int {
		earlier := 0
		if slices.Contains(spendTimes, by) {
			earlier = strings.Compare(a.Of, b.Of)
		}
		return cmp.Or(earlier, cmp.Compare(b.Nanos, a.Nanos), strings.Compare(a.Repo, b.Repo), strings.Compare(a.Of, b.Of))
	})
	return list, err
}

// commas scans a list with a comma between.
type commas []string

// Scan implements sql.Scanner.
func (c *commas) Scan(src any) error {
	*c = nil
	if text := fmt.Sprint(src); src != nil && text != "" {
		*c = strings.Split(text, ",")
	}
	return nil
}

// seconds scans seconds since 1970.
type seconds time.Time

// Scan implements sql.Scanner.
func (s *seconds) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("%T is no time", src)
	}
	*s = seconds(time.Unix(n, 0))
	return nil
}

// WeekOutlays are those of each week and repository, the oldest week first.
func WeekOutlays(ctx context.Context, tx *db.Tx, r Range) ([]Outlay, error) {
	from, by := spendTable(tx, r), "week"
	from.More[by] = [2]string{"s.repo_slug", from.More[by][1]}
	return OutlaysOf(ctx, tx, from, by)
}

// A Shipped is what releases tell of a pull request.
type Shipped struct {
	Repo, Title, URL string
	Number           int
	At               time.Time // when it was merged
	Reverted         *Shipped  // by which, nil for none that releases name
}

// ShippedPulls returns the pull requests that releases name, the newest first.
func ShippedPulls(ctx context.Context, tx *db.Tx, r Range) (out []Shipped, err error) {
	var w where
	w.and("team_id = ? and occurred_at >= ?", r.Team, r.From)
	w.and("pr_url <> ''")
	var at db.Time
	all, err := db.Each(ctx, tx, `select repo_slug, title, pr_url, occurred_at from ship_logs where `+w.text+` order by occurred_at desc limit 2000`, w.args,
		func(scan db.Scan) (p Shipped, err error) {
			err = scan(&p.Repo, &p.Title, &p.URL, &at)
			if at.Value != nil {
				p.At = *at.Value
			}
			return p, err
		})
	reverts := map[[2]string]*Shipped{} // by the title that they revert
	for i := range all {
		p := &all[i]
		if title, ok := strings.CutPrefix(p.Title, "Revert \""); ok {
			if end := strings.LastIndexByte(title, '"'); end > 0 {
				reverts[[2]string{p.Repo, title[:end]}] = p
			}
		}
	}
	for _, p := range all {
		if p.Number, _ = strconv.Atoi(p.URL[strings.LastIndexByte(p.URL, '/')+1:]); p.Number > 0 {
			if by := reverts[[2]string{p.Repo, p.Title}]; by != nil && by.At.After(p.At) {
				p.Reverted = by
			}
			out = append(out, p)
		}
	}
	return out, err
}

// SpendRows have day, source, machine, agent, session, branch, commit, pull request, model,
// requests, millionths of a dollar, and requests without a price. They are as they were
// sent, also those of a source that does not count.
func SpendRows(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Record, error) {
	w := r.times("occurred_at")
	if r.Branch != "" {
		w.and("branch = ?", r.Branch)
	}
	r.by(&w)
	w.and("requests + usd_micros + input_tokens + cache_read_tokens + output_tokens + write_5m_tokens + write_1h_tokens > 0")
	return records(ctx, tx, "spend_days", w, after, most, "day", "source", "agent", "session", "branch", "commit_sha", "pull_request", "model", "requests", "usd_micros", "unpriced")
}
