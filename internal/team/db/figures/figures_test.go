package figures_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// The rows of a team in March 2026; the second is a Monday.
type world struct {
	team, others uuid.UUID
	ada, bob     uuid.UUID
	asAda        db.Identity
	runs         []uuid.UUID
}

func day(n, hour int) time.Time { return time.Date(2026, 3, n, hour, 0, 0, 0, time.UTC) }

var inMarch = func(team uuid.UUID) figures.Range { return figures.Range{Team: team, From: day(1, 0), To: day(32, 0)} }

var caseID = wire.CaseID("acme/app", "posts", "a", "")

func build(t *testing.T, d *db.DB) *world {
	t.Helper()
	w := &world{team: dbtest.Team(t, d, "a"), others: dbtest.Team(t, d, "b")}
	w.asAda = dbtest.Member(t, d, w.team, "owner")
	bob := dbtest.Member(t, d, w.team, "member")
	w.ada, w.bob = w.asAda.User, bob.User
	dbtest.Exec(t, d, `update team_members set joined_at = ? where user_id = ?`, day(1, 0), w.ada)
	dbtest.Exec(t, d, `update team_members set joined_at = ? where user_id = ?`, day(2, 0), w.bob)
	stranger := dbtest.Member(t, d, w.others, "owner")
	run := func(as db.Identity, team uuid.UUID, at time.Time, suite string, status int, averages string) {
		n := len(w.runs)
		key := fmt.Sprintf("%064d", n)
		score := float64(status) / 4
		p := wire.EvalPush{Team: team, Run: wire.EvalRun{
			ID: wire.RunID(team, key), RunAt: at, IngestKey: key, RepoSlug: "acme/app", Label: "main", Branch: "main", GitSHA: fmt.Sprint(n), Suite: suite,
			TotalTests: 2, Passed: 1, TotalCostUSD: 0.5,
			Cases:   []wire.EvalCase{{ID: caseID, Suite: suite, Name: "a"}, {ID: 8, Suite: suite, Name: "h"}},
			Results: []wire.EvalResult{{CaseID: caseID, Status: status, Score: &score, Payload: jsontext.Value(`{"error":"e"}`)}, {CaseID: 8}},
			Costs:   []wire.EvalCost{{Model: "m1", Calls: 2, InputTokens: 10, EstimatedCostUSD: 0.4}, {Model: "m2", Calls: 1, EstimatedCostUSD: 0.1}},
		}}
		[...]func(){func() { p.Run.Passed++ }, func() { p.Run.Failed++ }, func() { p.Run.Skipped++ }, func() { p.Run.Errored++ }}[status]()
		if averages != "" {
			p.Run.JudgeAverages = jsontext.Value(averages)
			p.Run.ByCategory = jsontext.Value(`{"posts": {"total": 2, "passed": 1, "judge_averages": {"brevity": 0.25}}}`)
		}
		err := d.Update(t.Context(), as, func(tx *db.Tx) error {
			got, err := ingest.Push(t.Context(), tx, as, p)
			w.runs = append(w.runs, got.ID)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	run(w.asAda, w.team, day(2, 9), "posts", 0, `{"accuracy": 0.9, "brevity": 0.4, "tone (1-5)": 2}`)
	run(w.asAda, w.team, day(3, 9), "posts", 1, `{"accuracy": 0.7}`)
	run(bob, w.team, day(9, 9), "posts", 3, ``)
	run(bob, w.team, day(9, 23), "mail", 0, ``)
	run(bob, w.team, time.Date(2026, 2, 27, 9, 0, 0, 0, time.UTC), "posts", 1, ``) // February
	run(stranger, w.others, day(9, 9), "posts", 0, `{"accuracy": 0.1}`)

	record := func(table, columns string, team uuid.UUID, user uuid.UUID, at time.Time, values ...any) {
		dbtest.Exec(t, d, `insert into `+table+` (team_id, id, ingest_key, user_id, occurred_at, repo_slug, `+columns+`) values (?, ?, ?, ?, ?, 'acme/app'`+
			strings.Repeat(", ?", len(values))+`)`, append([]any{team, uuid.New(), uuid.NewString(), user, at}, values...)...)
	}
	for _, s := range []struct {
		user uuid.UUID
		at   time.Time
		pr   any
	}{{w.ada, day(2, 0), "pr1"}, {w.ada, day(8, 23), "pr2"}, {w.ada, day(9, 0), nil}, {w.bob, day(9, 1), "pr3"}, {w.ada, day(10, 1), "pr4"}} {
		record("ship_logs", "pr_url", w.team, s.user, s.at, s.pr)
	}
	record("ship_logs", "pr_url", w.others, stranger.User, day(9, 0), "pr9")
	score := func(v int) any { // 80.5 is 8050 in SQLite
		if d.Dialect() == db.SQLite {
			return v
		}
		return fmt.Sprintf("%d.%02d", v/100, v%100)
	}
	record("qa_reports", "url, health_score", w.team, w.ada, day(2, 1), "http://x", score(8050))
	record("qa_reports", "url, health_score", w.team, w.ada, day(3, 1), "http://x", score(7000))
	record("qa_reports", "url, health_score", w.team, w.bob, day(4, 1), "http://x", nil)
	for i, kind := range []string{"fix", "fp", "fp", "already-fixed"} {
		record("greptile_triage", "date, triage_type, file_pattern, category", w.team, w.bob, day(5, i), "2026-03-05", kind, "*.go", []string{"null-check", "race"}[i/3])
	}
	record("retro_snapshots", "date, metrics", w.team, w.ada, day(6, 1), "2026-03-06", `{"hotspots": [{"path": "old.go", "changes": 99}]}`)
	record("retro_snapshots", "date, metrics", w.team, w.ada, day(13, 1), "2026-03-13", `{"hotspots": [{"path": "a.go", "changes": 5}, {"file": "b.go", "commits": 9}]}`)
	record("session_transcripts", "session_id, total_turns", w.team, w.ada, day(14, 1), "s1", 12)
	return w
}

// ask runs a figure as Ada.
func ask[T any](t *testing.T, d *db.DB, w *world, fn func(context.Context, *db.Tx) (T, error)) (out T) {
	t.Helper()
	err := d.View(t.Context(), w.asAda, func(tx *db.Tx) (err error) {
		out, err = fn(t.Context(), tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func TestFigures(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := build(t, d)
		march := inMarch(w.team)
		ada, bob := uuid.NullUUID{UUID: w.ada, Valid: true}, uuid.NullUUID{UUID: w.bob, Valid: true}

		same(t, "ships by author", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.ShipWeek, error) {
			return figures.ShipWeeks(ctx, tx, march)
		}),
			[]figures.ShipWeek{{Week: "2026-03-02", User: ada, Ships: 2, PRs: 2}, {Week: "2026-03-09", User: ada, Ships: 2, PRs: 1}, {Week: "2026-03-09", User: bob, Ships: 1, PRs: 1}})

		same(t, "pass rates", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.PassRate, error) {
			return figures.PassRates(ctx, tx, march, "posts", "")
		}), []figures.PassRate{
			{Day: "2026-03-02", Suite: "posts", Runs: 1, Passed: 2, Total: 2, CostUSD: 0.5},
			{Day: "2026-03-03", Suite: "posts", Runs: 1, Passed: 1, Failed: 1, Total: 2, CostUSD: 0.5},
			{Day: "2026-03-09", Suite: "posts", Runs: 1, Passed: 1, Errored: 1, Total: 2, CostUSD: 0.5}})

		same(t, "spending", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Spend, error) { return figures.Spending(ctx, tx, march) }),
			[]figures.Spend{{"2026-03-02", "m1", 4, 20, 0, 0.8}, {"2026-03-02", "m2", 2, 0, 0, 0.2}, {"2026-03-09", "m1", 4, 20, 0, 0.8}, {"2026-03-09", "m2", 2, 0, 0, 0.2}})

		history := ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Outcome, error) {
			return figures.CaseHistory(ctx, tx, figures.Ever(w.team), []int64{caseID}, 4)
		})
		var got []string
		for _, o := range history {
			got = append(got, fmt.Sprint(o.RunAt.Format("0102"), o.Status, *o.Score, o.SHA, o.Label))
		}
		same(t, "history", got, []string{"03093 0.752main", "03031 0.251main", "03020 00main", "02271 0.254main"})

		same(t, "criteria", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Criterion, error) {
			return figures.WeakestCriteria(ctx, tx, march, 10)
		}), []figures.Criterion{
			{"posts", "brevity", 0.25, 2, []figures.CriterionWeek{{"2026-03-02", 0.25, 2}}},
			{"", "brevity", 0.4, 1, []figures.CriterionWeek{{"2026-03-02", 0.4, 1}}},
			{"", "accuracy", 0.8, 2, []figures.CriterionWeek{{"2026-03-02", 0.8, 2}}},
			{"", "tone (1-5)", 2, 1, []figures.CriterionWeek{{"2026-03-02", 2, 1}}}})

		same(t, "pushers", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Pusher, error) {
			return figures.Pushers(ctx, tx, figures.Range{Team: w.team, From: day(3, 0), To: day(11, 0)})
		}), []figures.Pusher{{w.bob, 2}, {w.ada, 1}})

		same(t, "QA health", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Health, error) {
			return figures.QAHealth(ctx, tx, march)
		}),
			[]figures.Health{{"2026-03-02", "acme/app", 3, 75.25, 70, 1}})

		same(t, "triage", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Triage, error) { return figures.Triages(ctx, tx, march) }),
			[]figures.Triage{{"null-check", 1, 0, 2}, {"race", 0, 1, 0}})

		same(t, "hotspots", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Hotspot, error) {
			return figures.Hotspots(ctx, tx, march, 5)
		}), []figures.Hotspot{{"acme/app", "b.go", 9}, {"acme/app", "a.go", 5}})

		last, bobs := day(14, 1), day(9, 23)
		same(t, "members", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Activity, error) {
			return figures.Members(ctx, tx, march)
		}),
			[]figures.Activity{{w.ada, "owner", day(1, 0), 2, 4, 2, 2, 1, 12, &last}, {w.bob, "member", day(2, 0), 2, 1, 0, 1, 0, 0, &bobs}})

		run, ship, retro, qa, triaged := day(9, 23), day(10, 1), day(13, 1), day(4, 1), day(5, 3)
		same(t, "freshness", ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.Fresh, error) {
			return figures.Freshness(ctx, tx, w.team)
		}), []figures.Fresh{{Repo: "acme/app", Run: &run, Ship: &ship, Retro: &retro, QA: &qa, Triaged: &triaged}})

		one := ask(t, d, w, func(ctx context.Context, tx *db.Tx) (wire.EvalRun, error) {
			return figures.Run(ctx, tx, w.team, w.runs[1])
		})
		if len(one.Cases) != 2 || len(one.Results) != 2 || len(one.Costs) != 2 || one.Results[0].Status != 1 || *one.Results[0].Score != 0.25 ||
			one.Results[0].Payload == nil || one.Costs[0].EstimatedCostUSD != 0.4 || !one.RunAt.Equal(day(3, 9)) || one.TotalCostUSD != 0.5 {
			t.Errorf("one run: %+v", one)
		}
		elsewhere := ask(t, d, w, func(ctx context.Context, tx *db.Tx) ([]figures.PassRate, error) {
			r := march
			r.Repo = "acme/other"
			return figures.PassRates(ctx, tx, r, "", "")
		})
		if len(elsewhere) != 0 {
			t.Errorf("pass rates of another repository: %+v", elsewhere)
		}
	})
}
