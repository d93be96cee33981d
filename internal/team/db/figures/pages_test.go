package figures_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/test/dbtest"
)

// What pages sum of rows that come twice, of authors that git knows, and of rows
// that another client wrote badly; nothing of the other team.
func TestPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		march := inMarch(w.team)
		row := func(table, columns string, team uuid.UUID, user any, n, hour int, values ...any) {
			args := append([]any{team, uuid.New(), uuid.NewString(), user, day(n, hour)}, values...)
			marks := ""
			for range values {
				marks += ", ?"
			}
			dbtest.Exec(t, d, `insert into `+table+` (team_id, id, ingest_key, user_id, occurred_at, repo_slug, `+columns+`) values (?, ?, ?, ?, ?, 'acme/web'`+marks+`)`, args...)
		}
		retro := func(team uuid.UUID, n, hour int, date, metrics string) {
			row("retro_snapshots", "date, period, metrics, authors", team, w.ada, n, hour, date, "7d", metrics, `{"Ada": {"email": "a@x", "commits": 2}, "Bad": 7}`)
		}
		retro(w.team, 8, 20, "2026-03-08", `{"commits": 10, "test_ratio": 0.5, "insertions": "many"}`)
		retro(w.team, 8, 21, "2026-03-08", `{"commits": 12}`)   // measured again by another person
		retro(w.team, 6, 21, "2026-03-06", `{"commits": 99}`)   // of days that the week's has too
		retro(w.team, 15, 20, "2026-03-15", `[1]`)              // another client's
		retro(w.others, 8, 22, "2026-03-08", `{"commits": 77}`) // another team's
		var weeks []string
		for _, r := range ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Retro, error) {
			r := march
			r.Repo = "acme/web"
			return figures.Retros(ctx, tx, r)
		}) {
			commits := -1.
			if r.Metrics.Commits != nil {
				commits = *r.Metrics.Commits
			}
			weeks = append(weeks, fmt.Sprint(r.Week, " ", commits, " ", *r.Authors["Ada"].Commits, r.Authors["Ada"].Email))
		}
		same(t, "retros", weeks, []string{"2026-03-02 12 2a@x", "2026-03-09 -1 2a@x"})

		usage := func(team uuid.UUID, user any, n, hour int, date string, turns int, tools string) {
			row("usage_days", "date, hostname, agent, turns, tools, tokens_before, tokens_after", team, user, n, hour, date, "m", "codex", turns, tools, 100*turns, 10*turns)
		}
		usage(w.team, w.ada, 9, 1, "2026-03-09", 5, `{"Bash": 1}`)
		usage(w.team, w.ada, 9, 2, "2026-03-09", 7, `{"Bash": 3, "Read": "x"}`)
		usage(w.team, w.bob, 10, 2, "2026-03-10", 1, `[]`)
		usage(w.others, w.ada, 9, 3, "2026-03-09", 99, `{}`)
		var days []string
		for _, u := range ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Usage, error) { return figures.Usages(ctx, tx, march) }) {
			days = append(days, fmt.Sprint(u.Day, u.Turns, u.Tools, u.TokensBefore-u.TokensAfter))
		}
		same(t, "usage", days, []string{"2026-03-097 map[Bash:3] 630", "2026-03-101 map[] 90"})

		plan := func(team uuid.UUID, n int, done int, detail string) {
			row("plan_snapshots", "phases, phases_done, detail", team, w.ada, n, 1, 4, done, detail)
		}
		plan(w.team, 3, 1, `{}`)
		plan(w.team, 5, 2, `{}`)
		plan(w.team, 12, 3, `{"phases": [{"number": 1, "name": "One", "status": "done", "plans": 2, "plans_done": "x"}, {"number": []}]}`)
		plan(w.others, 13, 4, `{}`)
		same(t, "plans", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.PlanWeek, error) {
			return figures.PlanWeeks(ctx, tx, march)
		}),
			[]figures.PlanWeek{{"2026-03-02", "acme/web", "", "", 4, 2}, {"2026-03-09", "acme/web", "", "", 4, 3}})
		two := 2.
		same(t, "phases", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Phase, error) { return figures.Phases(ctx, tx, march) }),
			[]figures.Phase{{figures.PlanOf{Repo: "acme/web", Project: "", Workstream: ""}, "1", "One", "done", &two, nil}, {PlanOf: figures.PlanOf{Repo: "acme/web"}}})
		plan(w.team, 14, 3, `{"phases": [], "decisions": [{"ref": "D-01", "phase": 1, "text": "Use chi", "state": "superseded", "by": "Ada", "superseded_by": "02/D-01"}, "x", {"text": ["x"]}],
			"requirements": {"id": "x"}, "blockers": [{"text": "No key", "do": "ask"}], "left_out": {"decisions": 7, "blockers": "x"}}`)
		same(t, "what plans say", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.PlanText, error) {
			return figures.PlanTexts(ctx, tx, march)
		}),
			[]figures.PlanText{{PlanOf: figures.PlanOf{Repo: "acme/web"}, Decisions: []figures.PlanDecision{{"D-01", "1", "Use chi", "superseded", "Ada", "02/D-01"}, {}}, Blockers: []figures.PlanBlocker{{"No key", "ask"}}, MoreDecisions: 7}})

		row("ship_logs", "author, author_email, branch, version", w.team, w.ada, 17, 1, "Grace", "g@x", "main", "v1")
		row("ship_logs", "author, author_email, branch, version", w.team, w.ada, 17, 2, "Bob", w.bob.String()+"@Example.com", "main", "")
		row("ship_logs", "author, author_email, branch, version, git_sha", w.team, w.ada, 17, 3, "Grace", "g@x", "", "", "abc") // a pull request of a host that is not known
		ships := func(who *figures.Who) []string {
			var out []string
			for _, s := range ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.ShipWeek, error) {
				r := march
				r.Who = who
				return figures.ShipWeeks(ctx, tx, r)
			}) {
				out = append(out, fmt.Sprint(s.Week, " ", s.Author, s.Ships, s.PRs, s.Versions))
			}
			return out
		}
		same(t, "Grace's ships", ships(&figures.Who{Author: "Grace"}), []string{"2026-03-16 Grace2 1 1"})
		same(t, "Bob's ships", ships(&figures.Who{User: w.bob, Email: w.bob.String() + "@example.com"}), []string{"2026-03-09 1 1 0", "2026-03-16 Bob1 0 0"})

		same(t, "suites", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.SuiteSum, error) {
			return figures.Suites(ctx, tx, march)
		}),
			[]figures.SuiteSum{{"acme/app", "mail", 1, 2, 0, 0, 2, .5, "2026-03-09"}, {"acme/app", "posts", 3, 4, 1, 1, 6, 1.5, "2026-03-09"}})
		branch := march
		branch.Branch = "main"
		same(t, "rates of a branch", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.PassRate, error) {
			return figures.Rates(ctx, tx, branch, "")
		}),
			ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.PassRate, error) {
				return figures.Rates(ctx, tx, march, "")
			}))

		var pages []string // one row at a time, each once
		var after figures.After
		for {
			page := ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.RunRow, error) {
				return figures.Runs(ctx, tx, march, nil, after, 1)
			})
			if len(page) == 0 {
				break
			}
			after = figures.After{At: page[0].At, ID: page[0].ID}
			pages = append(pages, page[0].At.Format("0102T15"))
		}
		same(t, "pages of runs", pages, []string{"0309T23", "0309T09", "0303T09", "0302T09"})
	})
}
