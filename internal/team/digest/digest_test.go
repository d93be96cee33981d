package digest_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/digest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

var ctx = context.Background()

func day(n, hour int) time.Time { return time.Date(2026, 3, n, hour, 0, 0, 0, time.UTC) }

// A week of March 2026, from the 9th to the 15th, and the one before it.
func build(t *testing.T, d *db.DB) notice.Settings {
	team := dbtest.Team(t, d, "acme")
	ada := dbtest.Member(t, d, team, "owner")
	dbtest.Exec(t, d, `update auth.users set email = 'ada@example.com' where id = ?`, ada.User)
	bob := dbtest.Member(t, d, team, "member")
	dbtest.Exec(t, d, `update auth.users set email = 'bob@example.com' where id = ?`, bob.User)
	runs := 0
	run := func(as db.Identity, at time.Time, suite, branch, sha string, cases, failed int) {
		runs++
		key := fmt.Sprintf("%064d", runs)
		p := wire.EvalPush{Team: team, Run: wire.EvalRun{ID: wire.RunID(team, key), RunAt: at, IngestKey: key, RepoSlug: "acme/app", Label: branch, Branch: branch, GitSHA: sha,
			Suite: suite, TotalTests: cases, Passed: cases - failed, Failed: failed, TotalCostUSD: 1, Costs: []wire.EvalCost{{Model: "m1", Calls: 1, EstimatedCostUSD: float64(at.Day()) / 10}}}}
		for i := range cases {
			id := int64(len(suite)*1000 + i)
			status := 0
			if (i+runs)%cases < failed { // not always the same ones
				status = 1
			}
			p.Run.Cases = append(p.Run.Cases, wire.EvalCase{ID: id, Suite: suite, Name: fmt.Sprint("case ", i)})
			p.Run.Results = append(p.Run.Results, wire.EvalResult{CaseID: id, Status: status})
		}
		err := d.Update(ctx, as, func(tx *db.Tx) error {
			_, err := ingest.Push(ctx, tx, as, p)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for n := range 14 {
		failed := 12
		if n >= 9 { // on the 11th a commit makes posts better
			failed = 2
		}
		run(bob, day(2+n, 9), "posts", "main", fmt.Sprintf("%040d", n), 20, failed)
		run(bob, day(2+n, 10), "mails", "main", fmt.Sprintf("%040d", n), 20, 5+n%3) // noise
		run(bob, day(2+n, 11), "few", "main", fmt.Sprintf("%040d", n), 3, n/7*3)
		run(bob, day(2+n, 12), "posts", "feature", "", 20, 20) // branches have no say
	}
	run(bob, time.Date(2026, 1, 20, 9, 0, 0, 0, time.UTC), "old", "main", "", 3, 0)
	ship := func(at time.Time, user uuid.UUID, author, email, sha, pr string) {
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, author, author_email, git_sha, pr_url) values (?, ?, ?, ?, ?, 'acme/app', ?, ?, ?, ?)`,
			team, uuid.New(), uuid.NewString(), user, at, author, email, sha, pr)
	}
	ship(day(11, 8), bob.User, "Ada L.", "ada@example.com", fmt.Sprintf("%040d", 9), "pr1")
	ship(day(14, 8), bob.User, "Ada L.", "ada@example.com", "x", "pr2")
	ship(day(15, 8), ada.User, "", "", "", "pr3") // hers, too
	ship(day(12, 8), bob.User, "Eve <b>", "eve@example.com", "y", "pr4")
	ship(day(3, 8), bob.User, "Long Ago", "long@example.com", "z", "pr5")
	record := func(table, columns string, at time.Time, values ...any) {
		dbtest.Exec(t, d, `insert into `+table+` (team_id, id, ingest_key, occurred_at, repo_slug, `+columns+`) values (?, ?, ?, ?, 'acme/app'`+strings.Repeat(", ?", len(values))+`)`,
			append([]any{team, uuid.New(), uuid.NewString(), at}, values...)...)
	}
	score := func(v int) any {
		if d.Dialect() == db.SQLite {
			return v * 100
		}
		return v
	}
	record("qa_reports", "url, health_score", day(10, 1), "u", score(70))
	record("qa_reports", "url, health_score", day(12, 1), "u", score(90))
	record("qa_reports", "url, health_score", day(3, 1), "u", score(95))
	record("retro_snapshots", "date, metrics", day(13, 1), "2026-03-13", `{"hotspots": [{"path": "a.go", "changes": 5}]}`)
	record("plan_snapshots", "project, milestone, phases, phases_done", day(4, 1), "app", "v1", 5, 1)
	record("plan_snapshots", "project, milestone, phases, phases_done", day(12, 1), "app", "v1", 5, 3)
	return notice.Settings{Team: team, Slug: "acme", Timezone: "UTC", Weekday: 1, Hour: 9}
}

func TestWeek(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := build(t, d)
		week, due := digest.Due(s, day(16, 9))
		if !due {
			t.Fatal("it is not due")
		}
		var r *digest.Report
		err := d.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
			r, err = digest.Gather(ctx, tx, s, week)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Message(day(16, 9))
		if err != nil {
			t.Fatal(err)
		}
		got := m.Markdown()
		want := `# The week of acme, 2026-03-09 to 2026-03-15

## People

- Ada L.: 3 releases, 3 pull requests, improved 1 suite, 2 days in a row
- bob: 28 eval runs
- Eve &lt;b>: 1 release, 1 pull request

## Pass rates

- few of acme/app is worse since 2026-03-09: 0 % after 100 % (by -100 to -100 points, 3 cases), first commit 00000000, with a push of bob; cases: case 0, case 1, case 2
- posts of acme/app is better since 2026-03-11: 90 % after 40 % (by +46 to +54 points, 20 cases), first commit 00000000, with a push of Ada L.; cases: case 1, case 2, case 5, 17 more

1 suite without a change that is more than noise.

## Cost by model

- m1: \$33.60, +140 % to the week before (\$14.00)

## QA health

- acme/app: 80 of 100 on average, 70 at worst, 2 reports; 95 the week before

## Plans

- acme/app app v1: 3 of 5 phases done, 2 this week

## Hotspots

- a.go in acme/app: changed 5 times

## Stale suites

- old of acme/app: no run for 55 days
`
		if got != want {
			t.Errorf("%s", got)
		}
		dbtest.Exec(t, d, `insert into team_settings (team_id, people_ranked) values (?, ?)`, s.Team, true)
		err = d.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
			all, err := notice.AllSettings(ctx, tx, s.Team)
			if err == nil {
				r, err = digest.Gather(ctx, tx, all[0], week)
			}
			return err
		})
		if m, merr := r.Message(day(16, 9)); err != nil || merr != nil || !strings.Contains(m.Markdown(), "## Leaderboard\n\n- Ada L.: 3 releases, 3 pull requests, improved 1 suite, 2 days in a row\n- Eve") {
			t.Errorf("ranked: %v, %v: %s", err, merr, m.Markdown())
		}
		empty := digest.Report{Team: "acme"}
		if m, err := empty.Message(day(16, 9)); err != nil || len(m.Sections) != 0 || m.Text != "No releases, eval runs or plans this week." {
			t.Errorf("an empty week: %+v, %v", m, err)
		}
	})
}
