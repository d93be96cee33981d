package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/wire"
	"cairn/test/dbtest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

var ctx = context.Background()

func push(d *db.DB, as db.Identity, p wire.EvalPush) (out wire.EvalPushed, err error) {
	ctx := context.Background()
	err = d.Update(ctx, as, func(tx *db.Tx) error {
		out, err = ingest.Push(ctx, tx, as, p)
		return err
	})
	return out, err
}

// aRun has two cases, one of them twice, and two models.
func aRun(team uuid.UUID, key string, at time.Time) wire.EvalPush {
	key = key + strings.Repeat("0", 64-len(key))
	score, cost, ms, turns := 0.8, 0.25, int64(1200), 3
	first, second := wire.CaseID("acme/app", "posts", "a", ""), wire.CaseID("acme/app", "posts", "b", "v")
	return wire.EvalPush{Team: team, Run: wire.EvalRun{
		ID: wire.RunID(team, key), RunAt: at, IngestKey: key, RepoSlug: "acme/app", Label: "main", Suite: "posts",
		TotalTests: 3, Passed: 1, Failed: 1, Errored: 1, TotalCostUSD: 0.5, Meta: jsontext.Value(`{"version": "1.2"}`),
		Cases: []wire.EvalCase{{ID: first, Suite: "posts", Name: "a"}, {ID: second, Suite: "posts", Name: "b", Variant: "v", Category: "c"}},
		Results: []wire.EvalResult{
			{CaseID: first, Status: 0, Score: &score, CostUSD: &cost, DurationMS: &ms, Turns: &turns},
			{CaseID: second, Status: 1, Payload: jsontext.Value(`{"failures": [{"message": "m"}]}`)},
			{CaseID: second, Repeat: 1, Status: 3},
		},
		Costs: []wire.EvalCost{{Model: "m1", Calls: 2, InputTokens: 3_000_000_000, EstimatedCostUSD: 0.4}, {Model: "m2", Calls: 1, OutputTokens: 5, EstimatedCostUSD: 0.1}},
	}}
}

func TestPush(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		as := dbtest.Member(t, d, team, "member")
		p := aRun(team, "1", dbtest.Day(1))
		// PostgreSQL keeps numbers in more bytes than they are written with.
		p.Run.Results[1].Payload = jsontext.Value(`{"output":{"logits":[` + strings.Repeat("1,", 200_000) + `1]}}`)
		for i := range 2 {
			got, err := push(d, as, p)
			if want := (wire.EvalPushed{ID: p.Run.ID, Duplicate: i > 0}); err != nil || got != want {
				t.Fatalf("push %d: %+v, %v; want %+v", i, got, err, want)
			}
		}
		other := p
		other.Run.ID = uuid.New()
		if got, err := push(d, as, other); err != nil || !got.Duplicate || got.ID != p.Run.ID {
			t.Errorf("the same key under another id: %+v, %v", got, err)
		}
		other = p
		other.Run.IngestKey = strings.Repeat("f", 64)
		var taken interface{ SQLState() string }
		var refused *postgrest.Error
		if got, err := push(d, as, other); !(errors.As(err, &refused) && refused.Code == "23505") && !(errors.As(err, &taken) && taken.SQLState() == "23505") {
			t.Errorf("the same id with another key: %+v, %v; want 23505", got, err)
		}
		for query, want := range map[string]int{
			`select count(*) from eval_runs`:                                                              1,
			`select count(*) from eval_cases`:                                                             2,
			`select count(*) from eval_results`:                                                           3,
			`select count(*) from eval_payloads`:                                                          1,
			`select count(*) from eval_costs`:                                                             2,
			`select input_tokens from daily_costs where model = 'm1'`:                                     3_000_000_000,
			`select total from daily_evals`:                                                               3,
			`select status from eval_results where repeat_no = 1`:                                         3,
			`select count(*) from eval_runs where kind = 'eval' and scope = 'standard' and attempt = 1`:   1,
			`select count(*) from eval_results where duration_ms = 1200 and turns = 3 and score > 0.7999`: 1,
		} {
			if got := dbtest.Count(t, d, query); got != want {
				t.Errorf("%s: %d, want %d", query, got, want)
			}
		}
	})
}

func TestRefused(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, others := dbtest.Team(t, d, "a"), dbtest.Team(t, d, "b")
		as := dbtest.Member(t, d, team, "member")
		stranger := dbtest.Member(t, d, others, "owner")
		ci := dbtest.Member(t, d, team, "ci")
		ci.Team, ci.Scopes = team, []string{"ingest"}
		elsewhere, unscoped, repo := ci, ci, ci
		elsewhere.Team, unscoped.Scopes, repo.Repo = others, []string{"read"}, "acme/other"
		cases := []struct {
			name, code string
			as         db.Identity
			change     func(*wire.EvalPush)
		}{
			{"a stranger", "42501", stranger, nil},
			{"nobody", "42501", db.Identity{Role: db.Anon}, nil},
			{"a team that is not there", "42501", as, func(p *wire.EvalPush) { p.Team = uuid.New() }},
			{"the server, a team that is not there", "23503", db.ServerItself, func(p *wire.EvalPush) { p.Team = uuid.New() }},
			{"a token of another team", "42501", elsewhere, nil},
			{"a token that may only read", "42501", unscoped, nil},
			{"a token of another repository", "42501", repo, nil},
			{"the year 1999", "22008", as, func(p *wire.EvalPush) { p.Run.RunAt = time.Date(1999, 12, 31, 23, 0, 0, 0, time.UTC) }},
			{"the day after tomorrow", "22008", as, func(p *wire.EvalPush) { p.Run.RunAt = time.Now().Add(25 * time.Hour) }},
			{"no time", "23502", as, func(p *wire.EvalPush) { p.Run.RunAt = time.Time{} }},
			{"no id", "23502", as, func(p *wire.EvalPush) { p.Run.ID = uuid.Nil }},
			{"a short key", "23514", as, func(p *wire.EvalPush) { p.Run.IngestKey = "abc" }},
			{"counts that do not add up", "23514", as, func(p *wire.EvalPush) { p.Run.Passed = 99 }},
			{"a negative count", "23514", as, func(p *wire.EvalPush) { p.Run.Passed = -1 }},
			{"an unknown scope", "23514", as, func(p *wire.EvalPush) { p.Run.Scope = "half" }},
			{"an unknown status", "23514", as, func(p *wire.EvalPush) { p.Run.Results[0].Status = 4 }},
			{"a result twice", "23505", as, func(p *wire.EvalPush) { p.Run.Results[2].Repeat = 0 }},
			{"a model twice", "23505", as, func(p *wire.EvalPush) { p.Run.Costs[1].Model = "m1" }},
			{"negative tokens", "23514", as, func(p *wire.EvalPush) { p.Run.Costs[1].InputTokens = -1 }},
			{"a repeat beyond smallint", "22003", as, func(p *wire.EvalPush) { p.Run.Results[0].Repeat = 40000 }},
			{"a cost beyond its column", "22003", as, func(p *wire.EvalPush) { p.Run.TotalCostUSD = 1e9 }},
			{"a run of too many parts", "22023", as, func(p *wire.EvalPush) { p.Run.Parts = wire.MostParts + 1 }},
			{"an unknown judge", "23514", as, func(p *wire.EvalPush) { tier := "best"; p.Run.JudgeTier = &tier }},
			{"what is no JSON", "22P02", as, func(p *wire.EvalPush) { p.Run.Meta = jsontext.Value(`{"a":`) }},
			{"a count beyond integer", "22003", as, func(p *wire.EvalPush) { p.Run.TotalTests, p.Run.Passed = 1<<31+1, 1<<31-1 }},
			{"an attempt beyond integer", "22003", as, func(p *wire.EvalPush) { p.Run.Attempt = 1 << 31 }},
			{"turns beyond smallint", "22003", as, func(p *wire.EvalPush) { turns := 1 << 15; p.Run.Results[1].Turns = &turns }},
			{"a duration beyond integer", "22003", as, func(p *wire.EvalPush) { ms := int64(1 << 31); p.Run.Results[1].DurationMS = &ms }},
			{"a score beyond real", "22003", as, func(p *wire.EvalPush) { score := 1e39; p.Run.Results[1].Score = &score }},
			{"the cost of a result beyond its column", "22003", as, func(p *wire.EvalPush) { cost := 1e7; p.Run.Results[1].CostUSD = &cost }},
			{"the cost of a model below nothing", "23514", as, func(p *wire.EvalPush) { p.Run.Costs[0].EstimatedCostUSD = -0.1 }},
			{"the character 0", "22P05", as, func(p *wire.EvalPush) { p.Run.Label = "a\x00b" }},
			{"a payload of 1 MB", "23514", as, func(p *wire.EvalPush) {
				p.Run.Results[0].Payload = jsontext.Value(`{"output":"` + strings.Repeat("x", 1_000_000) + `"}`)
			}},
		}
		for _, c := range cases {
			p := aRun(team, "1", dbtest.Day(1))
			if c.change != nil {
				c.change(&p)
			}
			_, err := push(d, c.as, p)
			_, stored := ingest.Store(ctx, d, c.as, p)
			for way, err := range map[string]error{"pushed": err, "stored": stored} {
				var e *postgrest.Error
				if !errors.As(err, &e) || e.Code != c.code {
					t.Errorf("%s, %s: %v, want %s", c.name, way, err, c.code)
				}
			}
		}
		if n := dbtest.Count(t, d, `select (select count(*) from eval_runs) + (select count(*) from eval_cases) + (select count(*) from eval_results) + (select count(*) from daily_evals)`); n != 0 {
			t.Errorf("%d rows are left of refused pushes", n)
		}
		if _, err := push(d, ci, aRun(team, "2", dbtest.Day(1))); err != nil {
			t.Errorf("a token of CI for its team: %v", err)
		}
	})
}

// Fifty at once, half of them the same runs, into months that are not there yet.
func TestPushAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		as := dbtest.Member(t, d, team, "member")
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				if _, err := push(d, as, aRun(team, fmt.Sprintf("%02d", i%25), dbtest.Day(i%5*40))); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for query, want := range map[string]int{
			`select count(*) from eval_runs`:              25,
			`select count(*) from eval_results`:           75,
			`select count(*) from eval_cases`:             2,
			`select sum(runs) from daily_evals`:           25,
			`select sum(calls) from daily_costs`:          75,
			`select count(distinct day) from daily_costs`: 5,
		} {
			if got := dbtest.Count(t, d, query); got != want {
				t.Errorf("%s: %d, want %d", query, got, want)
			}
		}
	})
}

// A Supabase project has the function alone, without what Push checks before.
func TestFunctionAlone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect() != db.PostgreSQL {
			t.Skip("SQLite has no functions")
		}
		team := dbtest.Team(t, d, "a")
		as, stranger := dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, dbtest.Team(t, d, "b"), "owner")
		body := `{"id": "%s", "run_at": "%s", "ingest_key": "0123456789abcdef", "repo_slug": "r", "label": "l", "total_tests": 0, "passed": 0, "failed": 0}`
		call := func(as db.Identity, at string) error {
			return d.Update(t.Context(), as, func(tx *db.Tx) error {
				_, err := tx.Exec(t.Context(), `select public.push_eval_run(?, ?)`, team, fmt.Sprintf(body, uuid.New(), at))
				return err
			})
		}
		for _, c := range []struct {
			as       db.Identity
			at, code string
		}{{stranger, "2026-03-01", "42501"}, {as, "1999-01-01", "22008"}, {as, "2999-01-01", "22008"}} {
			var e *pgconn.PgError
			if err := call(c.as, c.at); !errors.As(err, &e) || e.Code != c.code {
				t.Errorf("a run of %s: %v, want %s", c.at, err, c.code)
			}
		}
		if err := call(as, "2026-03-01"); err != nil {
			t.Error(err)
		}
	})
}
