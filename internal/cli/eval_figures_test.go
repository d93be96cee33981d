//go:build unix

package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/eval"
	"cairn/internal/team/quality"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
)

// What commands say of the runs of this machine is what the server to which they were
// pushed says of them, to its pages and to who asks it for the team's runs: `eval list`,
// `eval trend` and `eval leaderboard`.
func TestLocalFiguresAreTheServers(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	w := newSyncWorld(t)
	w.asBoss()
	first := time.Date(2026, 1, 5, 9, 30, 0, 0, time.UTC)
	random, runs := rand.New(rand.NewPCG(1, 2)), 0
	for day := range 16 {
		for _, suite := range []string{"steady", "fallen", "uneven"} {
			runs++
			w.write("run.json", figured(random, suite, day, first.AddDate(0, 0, day)))
			w.says(command.ExitOK, "", line("eval push run.json"), "synced to team ✓")
		}
	}
	runs++
	w.write("run.json", figured(random, "mixed", 3, first.AddDate(0, 0, 3))) // of two suites
	w.says(command.ExitOK, "", line("eval push run.json"), "synced to team ✓")
	for _, odd := range oddRuns {
		runs++
		w.write("run.json", odd)
		w.says(command.ExitOK, "", line("eval push run.json"), "synced to team ✓")
	}
	asked := [][]string{line("eval list -n 0 --json"), line("eval list --suite fallen --since 2026-01-12 --json"),
		line("eval trend -n 0 --json"), line("eval trend fallen -n 0 --json"), line("eval trend --branch main --json"), line("eval trend --case case-3 --json"),
		line("eval leaderboard --by model --since 2026-01-01 --json"), line("eval leaderboard --by label --since 2026-01-01 --json"),
		line("eval leaderboard --by variant --suite uneven --since 2026-01-01 --json"), line("eval baselines"), line("eval list --kind llm-judge --json"),
		line("eval show @main --json"), line("eval show odd --json"), line("eval show l --json"), line("eval show sums --json"), line("eval show named --json"),
		line("eval compare fallen~9 fallen --json"), line("eval compare two one --json")}
	here := map[string]string{}
	for _, args := range asked {
		here[strings.Join(args, " ")] = w.says(command.ExitOK, "", args)
	}

	w.env["CAIRN_HOME"] = filepath.Join(w.dir, "..", "other")
	w.asBoss()
	for _, args := range asked {
		name := strings.Join(args, " ")
		there := w.says(command.ExitOK, "", append(args, "--team"))
		if there = strings.ReplaceAll(there, `,"where":"team"`, ""); there != here[name] || len(there) < 200 {
			mine, theirs, at := strings.Split(here[name], "\n"), strings.Split(there, "\n"), 0
			for at < min(len(mine), len(theirs))-1 && mine[at] == theirs[at] {
				at++
			}
			t.Errorf("%s: line %d of %d and %d:\nhere  %s\nthere %s", name, at+1, len(mine), len(theirs), mine[at], theirs[at])
		}
	}

	ctx := t.Context()
	teams, err := db.All(ctx, w.store.DB, `select id from teams`, nil, func(m *figures.Membership) []any { return []any{&m.Team} })
	if err != nil || len(teams) != 1 {
		t.Fatal(teams, err)
	}
	team := teams[0].Team
	rows, err := db.Viewed(ctx, w.store.DB, func(tx *db.Tx) ([]figures.RunRow, error) {
		return figures.Runs(ctx, tx, figures.Ever(team), nil, figures.After{}, 1000)
	})
	if err != nil || len(rows) != runs {
		t.Fatalf("%d of %d runs, %v", len(rows), runs, err)
	}
	var list []eval.Entry
	for one := range strings.Lines(here["eval list -n 0 --json"]) {
		list = append(list, eval.Entry{})
		if err := json.Unmarshal([]byte(one), &list[len(list)-1]); err != nil {
			t.Fatal(err)
		}
	}
	said := func(at time.Time, repo, suite, branch, sha, label, tool string, n result.Counts, usd float64) string {
		return fmt.Sprintf("%s %s %s %s %s %s %s %d/%d/%d of %d $%.6f", at.UTC().Format(time.RFC3339), repo, suite, branch, sha, label, tool, n.Passed, n.Failed, n.Errored, n.Total, usd)
	}
	var mine, theirs, scores, averages []string
	for i := range list {
		e, r := &list[i], &rows[i]
		mine = append(mine, said(e.Time.Time, e.Repo, cmp.Or(e.Suite, "mixed"), e.Branch, e.SHA, e.Label, e.Tool, e.Counts, e.CostUSD))
		theirs = append(theirs, said(r.At, r.Repo, r.Suite, r.Branch, r.SHA, r.Label, r.Tool, result.Counts{Passed: r.Passed, Failed: r.Failed, Errored: r.Errored, Total: r.Total}, r.CostUSD))
	}
	for i := range list {
		run, err := eval.Open(filepath.Join(w.home, "evals")).Load(list[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range eval.Scores(eval.Tallies(run)) {
			if s.Criterion == "" {
				continue // the whole's
			}
			if s.Scale != "0-1" {
				s.Criterion += " (" + string(s.Scale) + ")"
			}
			scores = append(scores, fmt.Sprintf("%s of %s in %s: %.9f", s.Criterion, run.Suite, run.Timestamp.UTC().Format(time.RFC3339), s.Mean))
		}
		row, err := db.Viewed(ctx, w.store.DB, func(tx *db.Tx) (wire.EvalRun, error) { return figures.Run(ctx, tx, team, rows[i].ID) })
		if err != nil {
			t.Fatal(err)
		}
		var means map[string]float64
		if err := json.Unmarshal(row.JudgeAverages, &means); row.JudgeAverages != nil && err != nil {
			t.Fatal(err)
		}
		for name, mean := range means {
			averages = append(averages, fmt.Sprintf("%s of %s in %s: %.9f", name, row.Suite, row.RunAt.UTC().Format(time.RFC3339), mean))
		}
	}
	slices.Sort(scores)
	slices.Sort(averages)
	if len(scores) < runs/2 || !slices.Equal(scores, averages) {
		t.Errorf("scores:\nhere  %s\nthere %s", strings.Join(scores, "\n      "), strings.Join(averages, "\n      "))
	}
	slices.Sort(mine)
	slices.Sort(theirs)
	if !slices.Equal(mine, theirs) {
		t.Errorf("list:\nhere  %s\nthere %s", strings.Join(mine, "\n      "), strings.Join(theirs, "\n      "))
	}

	var trends struct {
		Series []eval.Series `json:"series"`
	}
	if err := json.Unmarshal([]byte(here["eval trend -n 0 --json"]), &trends); err != nil {
		t.Fatal(err)
	}
	found, err := db.Viewed(ctx, w.store.DB, func(tx *db.Tx) (quality.Found, error) {
		return quality.Of(ctx, tx, team, first.AddDate(0, 0, 40))
	})
	if err != nil {
		t.Fatal(err)
	}
	level := func(suite string, at time.Time, sha string, before, after, p float64, window, cases, regressed, fixed int) string {
		return fmt.Sprintf("%s with %s of %s: %.9f to %.9f, p %.9g, %d + %d runs, %d cases, -%d +%d", suite, sha, at.UTC().Format(time.RFC3339), before, after, p, window, window, cases, regressed, fixed)
	}
	mine, theirs = nil, nil
	for _, s := range trends.Series {
		for _, c := range s.Changes {
			mine = append(mine, level(s.Suite, c.Time.Time, c.SHA, c.Before, c.After, c.P, c.Window, c.Cases, c.Regressed, c.Fixed))
		}
	}
	for _, c := range found.Changes {
		theirs = append(theirs, level(c.Suite, c.First.At, c.First.SHA, c.Before, c.After, c.P, c.Window, c.Cases, c.Regressed, c.Fixed))
	}
	slices.Sort(mine)
	slices.Sort(theirs)
	if len(mine) == 0 || !slices.Equal(mine, theirs) {
		t.Errorf("changes:\nhere  %s\nthere %s", strings.Join(mine, "\n      "), strings.Join(theirs, "\n      "))
	}
}

// oddRuns leave out what others say, or say it otherwise.
var oddRuns = []string{
	`{"schema_version":1,"timestamp":"2026-01-07T08:00:00.123456Z","repo":"acme/app","suite":"odd","all_results":[{"name":"a","passed":true,"duration_ms":0.25},{"name":"a","variant":"v","passed":false}]}`,
	`{"schema_version":1,"timestamp":"2026-01-08T08:00:00Z","repo":"acme/app","suite":"odd","label":"l","judge_tier":"fast","scope":"quick","kind":"llm-judge","git_branch":"topic/x","git_dirty":true,"prompt_sha":"0123456789abcdef","wall_clock_ms":12.5,
		"all_results":[{"name":"a","case_id":"7","passed":true,"score":4.3,"scale":"1-5","judge_scores":{"tone":3.3333333333333335,"clarity":5}},{"name":"b","case_id":"8","status":"skip"},{"name":"b","case_id":"9","passed":false,"score":1,"scale":"1-5","attempt":3}]}`,
	`{"schema_version":1,"timestamp":"2026-01-09T08:00:00Z","repo":"acme/app","all_results":[],"total_cost_usd":0.1234567891,"duration_seconds":1.2345678,"suite":"sums"}`,
	`{"schema_version":1,"timestamp":"2026-01-10T08:00:00Z","repo":"acme/app","suite":"mixed","git_sha":"00000000000000000000000000000000000000ff","all_results":[{"name":"a","passed":true,"category":"x","cost_usd":0.0000001},{"name":"b","suite":"named","passed":true,"category":"x","cost_usd":1234567.891}]}`,
}

// figured is a run of a suite: cases of three models, some of them tried several times,
// scores and costs. fallen goes to another level on a day, and has days on which nothing
// could be judged. Of uneven the shares of attempts tell something else than those of cases.
func figured(random *rand.Rand, suite string, day int, at time.Time) string {
	run := map[string]any{"schema_version": 1, "suite": suite, "timestamp": at, "repo": "acme/app", "git_branch": "main", "git_sha": fmt.Sprintf("%040x", day+1), "label": []string{"one", "two"}[day%2], "tool": "runner", "kind": "eval"}
	var results []map[string]any
	costs := map[string]float64{}
	for n := range 18 {
		model := []string{"m-1", "m-2", "m-3"}[n%3]
		tries := 1 + n%2
		rate := map[string]float64{"m-1": .95, "m-2": .9, "m-3": .8}[model]
		switch {
		case suite == "fallen" && (day == 7 || day == 11):
			rate = math.Inf(1) // nothing can be judged
		case suite == "fallen" && day >= 9:
			rate -= .5
		case suite == "uneven" && n >= 12: // tried more often for some days: more of the attempts, and no more of the cases
			if rate = .1; day >= 5 && day < 11 {
				tries = 9
			}
		case suite == "uneven" && day >= 11:
			rate -= .45
		}
		for try := range tries {
			r := map[string]any{"name": fmt.Sprintf("case-%d", n/3), "variant": model, "model": model, "category": fmt.Sprint("c", n%2),
				"cost_usd": .01 * random.Float64(), "duration_ms": 10 + 900*random.Float64(), "judge_scores": map[string]float64{"tone": random.Float64()}, "status": "pass"}
			costs[model] += r["cost_usd"].(float64)
			if try > 0 {
				r["attempt"] = try + 1
			}
			switch chance := random.Float64(); {
			case chance > .98 || math.IsInf(rate, 1):
				r["status"], r["error"] = "error", "no answer"
			case chance > rate:
				r["status"], r["failures"] = "fail", []map[string]any{{"message": "too long"}}
			}
			results = append(results, r)
		}
	}
	if suite == "mixed" {
		results[0]["suite"] = "other"
	}
	run["all_results"] = results
	var models []map[string]any
	for _, model := range slices.Sorted(maps.Keys(costs)) {
		models = append(models, map[string]any{"model": model, "calls": 6, "input_tokens": int(math.Ceil(1e5 * costs[model])), "cost_usd": math.Round(1e6*costs[model]) / 1e6}) // a server keeps millionths
	}
	run["costs"] = models
	data, err := json.Marshal(run)
	return cmp.Or(string(data), fmt.Sprint(err))
}
