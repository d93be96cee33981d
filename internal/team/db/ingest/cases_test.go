package ingest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// ways are how a run comes into a database: with what Push checks before, and,
// as in a Supabase project or from a server of the version before, by the
// function of PostgreSQL alone.
func ways(d *db.DB) map[string]func(db.Identity, wire.EvalPush) error {
	all := map[string]func(db.Identity, wire.EvalPush) error{"push": func(as db.Identity, p wire.EvalPush) error {
		_, err := push(d, as, p)
		return err
	}, "store": func(as db.Identity, p wire.EvalPush) error {
		_, err := ingest.Store(ctx, d, as, p)
		return err
	}}
	if d.Dialect() == db.PostgreSQL {
		all["function"] = func(as db.Identity, p wire.EvalPush) error {
			body, err := json.Marshal(p.Run)
			if err != nil {
				return err
			}
			return d.Update(ctx, as, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, `select public.push_eval_run(?, ?::jsonb)`, p.Team, string(body))
				return err
			})
		}
	}
	return all
}

// code is the SQLSTATE of an error, by whomever it is.
func code(err error) string {
	var e *postgrest.Error
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &e):
		return e.Code
	case errors.As(err, &pg):
		return pg.Code
	}
	return fmt.Sprint(err)
}

// oneCase is a run of one case with one result, which names it by an id.
func oneCase(team uuid.UUID, key, repo string, c wire.EvalCase, payload string) wire.EvalPush {
	p := aRun(team, key, dbtest.Day(1))
	p.Run.RepoSlug, p.Run.Cases = repo, []wire.EvalCase{c}
	p.Run.Results = []wire.EvalResult{{CaseID: c.ID}}
	if payload != "" {
		p.Run.Results[0].Payload = jsontext.Value(payload)
	}
	p.Run.TotalTests, p.Run.Passed, p.Run.Failed, p.Run.Errored = 1, 1, 0, 0
	return p
}

// The id of a case is computed from what it is, whatever a push says: nobody can
// give a case of another repository a name.
func TestCaseIDs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for way, send := range ways(d) {
			team := dbtest.Team(t, d, way)
			as := dbtest.Member(t, d, team, "member")
			must := func(p wire.EvalPush) {
				t.Helper()
				if err := send(as, p); err != nil {
					t.Fatalf("%s: %v", way, err)
				}
			}
			named := func(repo, name string, id int64) {
				t.Helper()
				q := `select count(*) from eval_results r join eval_cases c on c.team_id = r.team_id and c.id = r.case_id where r.team_id = ? and c.repo_slug = ? and c.name = ? and c.id = ?`
				if n := dbtest.Count(t, d, q, team, repo, name, id); n == 0 {
					t.Errorf("%s: no result of %s is named %q with the id %d", way, repo, name, id)
				}
			}
			victim := wire.CaseID("acme/app", "posts", "checkout works", "")
			must(oneCase(team, "a1", "acme/only", wire.EvalCase{ID: victim, Suite: "posts", Name: "RENAMED"}, ""))
			must(oneCase(team, "a2", "acme/only", wire.EvalCase{ID: victim, Suite: "posts", Name: "RENAMED", OwnID: "x"}, ""))
			must(oneCase(team, "a3", "acme/only", wire.EvalCase{ID: victim, Suite: "posts", Name: "RENAMED"}, `{"case_id":"checkout works"}`))
			must(oneCase(team, "a4", "acme/app", wire.EvalCase{ID: victim, Suite: "posts", Name: "checkout works"}, ""))
			named("acme/app", "checkout works", victim)
			named("acme/only", "RENAMED", wire.CaseID("acme/only", "posts", "RENAMED", ""))
			named("acme/only", "RENAMED", wire.CaseID("acme/only", "posts", "", "x"))
			named("acme/only", "RENAMED", wire.CaseID("acme/only", "posts", "", "checkout works"))

			// What a sender calls a case is its own business.
			must(oneCase(team, "b1", "acme/app", wire.EvalCase{ID: 7, Suite: "posts", Name: "seven"}, ""))
			named("acme/app", "seven", wire.CaseID("acme/app", "posts", "seven", ""))

			// A runner's own id stays when the name changes; older senders have it in the payload alone.
			own := wire.CaseID("acme/app", "posts", "", "T-1")
			must(oneCase(team, "c1", "acme/app", wire.EvalCase{ID: own, Suite: "posts", Name: "first"}, `{"case_id":"T-1"}`))
			must(oneCase(team, "c2", "acme/app", wire.EvalCase{ID: own, Suite: "posts", Name: "second", OwnID: "T-1"}, ""))
			named("acme/app", "first", own)
			if n := dbtest.Count(t, d, `select count(*) from eval_results where team_id = ? and case_id = ?`, team, own); n != 2 {
				t.Errorf("%s: %d results of the case with an id of its own, want 2", way, n)
			}

			// Results of a case that the run does not name: its repository's, nobody else's.
			later := oneCase(team, "d1", "acme/app", wire.EvalCase{ID: victim}, "")
			later.Run.Cases = nil
			must(later)
			for i, id := range []int64{victim, 12345} {
				p := oneCase(team, fmt.Sprintf("e%d", i), "acme/only", wire.EvalCase{ID: id}, "")
				p.Run.Cases = nil
				if err := send(as, p); code(err) != "23503" {
					t.Errorf("%s: results of case %d, which is not the repository's: %v", way, id, err)
				}
			}
			for what, cases := range map[string][]wire.EvalCase{
				"22023": {{ID: 1, Name: "a"}, {ID: 1, Name: "b"}}, // two cases by one id
				"23514": {{ID: 1, Name: ""}},
			} {
				p := oneCase(team, "f", "acme/app", wire.EvalCase{ID: 1}, "")
				p.Run.Cases = cases
				if err := send(as, p); code(err) != what {
					t.Errorf("%s: %v: %v, want %s", way, cases, err, what)
				}
			}
		}
	})
}

// What was named wrongly before ids were computed is named right by the next
// push of whoever the case is.
func TestWrongNameIsCorrected(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for way, send := range ways(d) {
			team := dbtest.Team(t, d, way)
			as := dbtest.Member(t, d, team, "member")
			id := wire.CaseID("acme/app", "posts", "checkout works", "")
			dbtest.Exec(t, d, `insert into eval_cases (team_id, id, repo_slug, name) values (?, ?, 'acme/only', 'RENAMED')`, team, id)
			if err := send(as, oneCase(team, "1", "acme/app", wire.EvalCase{ID: id, Suite: "posts", Name: "checkout works"}, "")); err != nil {
				t.Fatal(err)
			}
			if n := dbtest.Count(t, d, `select count(*) from eval_cases where team_id = ? and repo_slug = 'acme/app' and suite = 'posts' and name = 'checkout works'`, team); n != 1 {
				t.Errorf("%s: the case has still the wrong name", way)
			}
			// Nor does a wrong id stay because its row has the name that is pushed.
			other := wire.CaseID("acme/app", "posts", "sign-in works", "")
			dbtest.Exec(t, d, `insert into eval_cases (team_id, id, repo_slug, suite, name) values (?, ?, 'acme/only', 'posts', 'MINE')`, team, other)
			if err := send(as, oneCase(team, "2", "acme/only", wire.EvalCase{ID: other, Suite: "posts", Name: "MINE"}, "")); err != nil {
				t.Fatal(err)
			}
			if n := dbtest.Count(t, d, `select count(*) from eval_results where team_id = ? and case_id = ?`, team, wire.CaseID("acme/only", "posts", "MINE", "")); n != 1 {
				t.Errorf("%s: %d results of the case under its own id, want 1", way, n)
			}
		}
	})
}

// Every text has a limit, and what is longer is refused alike: a row that
// nobody can pull stops a team's pull for good.
func TestSizes(t *testing.T) {
	cairntest.NoRace(t)
	t.Parallel()
	long := random(20_000) // what can be compressed would fit into an index
	text := func(n int) jsontext.Value { return jsontext.Value(`{"a":"` + strings.Repeat("x", n) + `"}`) }
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for way, send := range ways(d) {
			team := dbtest.Team(t, d, way)
			as := dbtest.Member(t, d, team, "member")
			for column, change := range map[string]func(*wire.EvalRun){
				"label": func(r *wire.EvalRun) { r.Label = strings.Repeat("x", 20<<20) }, "repo_slug": func(r *wire.EvalRun) { r.RepoSlug = long[:501] },
				"branch": func(r *wire.EvalRun) { r.Branch = long }, "git_sha": func(r *wire.EvalRun) { r.GitSHA = long },
				"suite": func(r *wire.EvalRun) { r.Suite = long }, "hostname": func(r *wire.EvalRun) { r.Hostname = long },
				"tool": func(r *wire.EvalRun) { r.Tool = long }, "tool_version": func(r *wire.EvalRun) { r.ToolVersion = long },
				"kind": func(r *wire.EvalRun) { r.Kind = long }, "tier": func(r *wire.EvalRun) { r.Tier = long },
				"prompt_sha": func(r *wire.EvalRun) { r.PromptSHA = &long }, "meta": func(r *wire.EvalRun) { r.Meta = text(2_000_000) },
				"judge_averages": func(r *wire.EvalRun) { r.JudgeAverages = text(2_000_000) }, "by_category": func(r *wire.EvalRun) { r.ByCategory = text(2_000_000) },
				"name of a case": func(r *wire.EvalRun) { r.Cases[0].Name = long }, "variant": func(r *wire.EvalRun) { r.Cases[0].Variant = long },
				"suite of a case": func(r *wire.EvalRun) { r.Cases[0].Suite = long }, "category": func(r *wire.EvalRun) { r.Cases[0].Category = long },
				"model": func(r *wire.EvalRun) { r.Costs[0].Model = long }, "price_table": func(r *wire.EvalRun) { r.Costs[0].PriceTable = long },
			} {
				p := aRun(team, "1", dbtest.Day(1))
				change(&p.Run)
				if err := send(as, p); code(err) != "22001" {
					t.Errorf("%s: %s too long: %.200v, want 22001", way, column, err)
				}
			}
			p := aRun(team, "2", dbtest.Day(1)) // at their limits they go in, indexes and all
			r := &p.Run
			r.RepoSlug, r.Label, r.Suite, r.Branch, r.Kind, r.GitSHA = random(500), random(1000), random(800), "main", random(100), random(100)
			r.Meta, r.Costs[0].Model, r.Cases[0].Name = text(256<<10), random(500), random(10_000)
			r.JudgeAverages = jsontext.Value(`{}`)
			if err := send(as, p); err != nil {
				t.Errorf("%s: at the limits: %v", way, err)
			}
		}
	})
}

// random is a text that PostgreSQL cannot compress.
func random(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(uuid.NewString())
	}
	return b.String()[:n]
}

func TestTooManyRows(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "a")
		p := aRun(team, "1", dbtest.Day(1))
		p.Run.Results = make([]wire.EvalResult, 1_000_001)
		if _, err := push(d, dbtest.Member(t, d, team, "member"), p); code(err) != "54000" {
			t.Errorf("1,000,001 results: %v", err)
		}
	})
}
