package figures

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/test/dbtest"
)

// TestOutlays: each request counts once, whichever sources tell of it, and none
// without a price is worth nothing in silence.
func TestOutlays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, others := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "others")
		ada, bob := dbtest.Member(t, d, team, "owner").User, dbtest.Member(t, d, team, "member").User
		put := func(team, user uuid.UUID, source, day, session, repo, branch, commit string, pr int, model string, requests, micros, unpriced int) {
			t.Helper()
			dbtest.Exec(t, d, `insert into spend_days (team_id, id, ingest_key, user_id, source, day, session, repo_slug, branch, commit_sha, pull_request, model, agent, requests, usd_micros, unpriced, output_tokens)
				values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'claude', ?, ?, ?, 10)`, team, uuid.New(), uuid.NewString(), user, source, day, session, repo, branch, commit, pr, model, requests, micros, unpriced)
		}
		put(team, ada, "ledger", "2026-11-02", "s1", "acme/shop", "main", "c1", 12, "m", 2, 1_000_000, 0)
		put(team, ada, "ledger", "2026-11-03", "s1", "acme/shop", "topic", "", 0, "m", 1, 500_000, 0)
		put(team, bob, "otlp", "2026-11-02", "s1", "", "", "", 0, "m", 3, 1_500_000, 0)    // the ledger has it
		put(team, bob, "metrics", "2026-11-02", "s1", "", "", "", 0, "m", 0, 1_500_000, 0) // so too
		put(team, bob, "otlp", "2026-11-09", "s2", "acme/shop", "topic", "", 0, "n", 4, 250_000, 3)
		put(team, bob, "metrics", "2026-11-09", "s2", "acme/shop", "topic", "", 0, "n", 0, 250_000, 0) // its events tell more
		put(team, bob, "metrics", "2026-11-10", "s3", "acme/app", "main", "", 0, "n", 0, 40_000, 0)
		put(team, bob, "metrics", "2026-11-09", "", "", "", "", 0, "n", 0, 70_000, 0) // of which session is not known, but events came
		put(team, bob, "metrics", "2026-11-12", "", "", "", "", 0, "n", 0, 5_000, 0)
		put(team, ada, "ledger", "2026-11-12", "s9", "acme/shop", "gone", "", 0, "m", 0, 0, 0) // belongs elsewhere now
		dbtest.Exec(t, d, `update spend_days set output_tokens = 0 where branch = 'gone'`)
		put(others, ada, "ledger", "2026-11-02", "s1", "evil/shop", "main", "", 0, "m", 1, 9_000_000, 0)
		day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
		r := Range{Team: team, From: day(1), To: day(30)}
		for _, x := range []struct {
			by   string
			r    Range
			want string
		}{
			{"all", r, " 1.795/7/3/3"},
			{"day", r, "2026-11-02 1/2/0/1, 2026-11-03 0.5/1/0/1, 2026-11-09 0.25/4/3/1, 2026-11-10 0.04/0/0/1, 2026-11-12 0.005/0/0/0"},
			{"week", r, "2026-11-02 1.5/3/0/1, 2026-11-09 0.295/4/3/2"},
			{"month", r, "2026-11 1.795/7/3/3"},
			{"session", r, "s1 1.5/3/0/1, s2 0.25/4/3/1, s3 0.04/0/0/1,  0.005/0/0/0"},
			{"repo", r, "acme/shop 1.75/7/3/2, acme/app 0.04/0/0/1,  0.005/0/0/0"},
			{"branch", r, "acme/shop:main 1/2/0/1, acme/shop:topic 0.75/5/3/2, acme/app:main 0.04/0/0/1,  0.005/0/0/0"},
			{"commit", r, "acme/shop:c1 1/2/0/1,  0.75/5/3/2,  0.04/0/0/1,  0.005/0/0/0"},
			{"pr", r, "acme/shop#12 1/2/0/1,  0.75/5/3/2,  0.04/0/0/1,  0.005/0/0/0"},
			{"model", r, "m 1.5/3/0/1, n 0.295/4/3/2"},
			{"agent", r, "claude 1.795/7/3/3"},
			{"model", Range{Team: team, From: day(1), To: day(30), Repo: "acme/shop", Branch: "topic"}, "m 0.5/1/0/1, n 0.25/4/3/1"},
			{"model", Range{Team: team, From: day(1), To: day(30), Who: &Who{User: bob}}, "n 0.295/4/3/2"},
			{"model", Range{Team: team, From: day(9), To: day(10)}, "n 0.25/4/3/1"},
		} {
			list, err := db.Viewed(t.Context(), d, func(tx *db.Tx) ([]Outlay, error) { return Outlays(t.Context(), tx, x.r, x.by) })
			if err != nil {
				t.Fatalf("%s: %v", x.by, err)
			}
			got := ""
			for i, o := range list {
				if i > 0 {
					got += ", "
				}
				got += fmt.Sprintf("%s %g/%d/%d/%d", o.Key(x.by), o.USD(), o.Requests, o.Unpriced, o.Sessions)
			}
			if got != x.want {
				t.Errorf("by %s:\n got %s\nwant %s", x.by, got, x.want)
			}
		}
		people, err := db.Viewed(t.Context(), d, func(tx *db.Tx) ([]Outlay, error) { return Outlays(t.Context(), tx, r, "person") })
		if err != nil || len(people) != 2 || people[0].User.UUID != ada || people[0].Nanos != 1_500_000_000 || people[1].User.UUID != bob {
			t.Errorf("%+v, %v", people, err)
		}
		weeks, err := db.Viewed(t.Context(), d, func(tx *db.Tx) ([]Outlay, error) { return WeekOutlays(t.Context(), tx, r) })
		got := ""
		for _, o := range weeks {
			got += fmt.Sprintf("%s %s %g/%d/%d, ", o.Of, o.Repo, o.USD(), o.Requests, o.Unpriced)
		}
		if want := "2026-11-02 acme/shop 1.5/3/0, 2026-11-09 acme/shop 0.25/4/3, 2026-11-09 acme/app 0.04/0/0, 2026-11-09  0.005/0/0, "; got != want || err != nil {
			t.Errorf("by week and repository:\n got %s %v\nwant %s", got, err, want)
		}
		if _, err := db.Viewed(t.Context(), d, func(tx *db.Tx) ([]Outlay, error) { return Outlays(t.Context(), tx, r, "shoe size") }); err == nil {
			t.Error("by anything")
		}
	})
}
