package gstack

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/record"
	"cairn/internal/team/result"
)

// Units and scales stay what they are.
func TestFigures(t *testing.T) {
	w := newWorld(t)
	w.put(evals+"x.json", "@eval-result.gstack.json")
	keep := &shelf{}
	w.read(keep)
	run := keep.runs[0]
	if run.DurationSeconds != 93.4 || run.WallClockMS != 61250 || run.TotalCostUSD != 0.61 || run.Repo != "acme/app" || run.Label != "feat_terse" || run.Tool != "gstack" {
		t.Errorf("%+v", run)
	}
	found, judged := run.Results[0], run.Results[1]
	if found.Score != nil || !strings.Contains(string(found.X), `"detection_rate":4`) || strings.Contains(string(found.X), "transcript") {
		t.Errorf("a count of bugs, and no transcript: %+v", found)
	}
	if judged.Scale != "1-5" || judged.JudgeScores["completeness"] != 2 || judged.Passed || judged.Failures[0].Message != "completeness 2 < 3" {
		t.Errorf("%+v", judged)
	}
	if !strings.Contains(string(run.X), `"shard":"s-03"`) {
		t.Errorf("%s", run.X)
	}
}

// Names have the precision of a minute: what is the same run the content says.
func TestNames(t *testing.T) {
	const name = "1.0-main-e2e-2026-08-15-1030.json"
	w := newWorld(t)
	w.put(evals+name, "@eval-result.gstack.json")
	w.put(evals+"shards/acme-app/"+name, strings.Replace(w.sample("eval-result.gstack.json"), "00.123Z", "41.123Z", 1))
	w.put(evals+"copy/"+name, "@eval-result.gstack.json")
	w.want(w.read(&shelf{}), Count{Runs, 3, 2, 1, 0})

	w = newWorld(t)
	w.put(evals+name, `{"schema_version":1,"total_tests":1,"passed":1,"failed":0,"tests":[{"name":"a","passed":true}]}`)
	keep := &shelf{}
	w.read(keep)
	if at := keep.runs[0].Timestamp.Format(time.RFC3339); at != "2026-08-15T10:30:00Z" {
		t.Errorf("a run without a time is of %s", at)
	}
}

// What names no repository is ours by its commit, or when a person says so.
func TestUnnamed(t *testing.T) {
	other := strings.Replace(newWorld(t).sample("eval-result.gstack.json"), "abc1234", "fff9999", 1)
	w := newWorld(t)
	w.put("gstack-dev/evals/x.json", other)
	w.want(w.read(&shelf{}), Count{Runs, 1, 0, 0, 1})
	w.src.Unnamed = true
	w.want(w.read(&shelf{}), Count{Runs, 1, 1, 0, 0})
	w.src.Repo = Repo{}
	w.want(w.read(&shelf{}), Count{Runs, 1, 0, 0, 1})

	w = newWorld(t)
	w.src.Evals = filepath.Dir(w.put("evals/x.json", "@eval-result.gstack.json"))
	w.put("gstack-dev/evals/x.json", other)
	w.want(w.read(&shelf{}), Count{Runs, 2, 1, 0, 1})
	w.src.Evals = filepath.Join(w.src.Dev, "evals")
	w.want(w.read(&shelf{}), Count{Runs, 1, 0, 0, 1})
}

// A project's name is made of the remote, remembered by path, or said.
func TestSlugs(t *testing.T) {
	for _, c := range []struct {
		name, project string
		set           func(*world)
		mine          bool
	}{
		{"by the remote", "acme-app", nil, true},
		{"another", "acme-app2", nil, false},
		{"the directory's name is not enough", "app", nil, false},
		{"said", "custom", func(w *world) { w.src.Slug = "custom" }, true},
		{"remembered by a file", "old-name", func(w *world) {
			w.put("gstack/slug-cache/"+strings.NewReplacer("/", "_", `\`, "_", ":", "_").Replace(w.src.Repo.Dir), "old-name\n")
		}, true},
		{"remembered by a line", "old-name", func(w *world) {
			w.put("gstack/slug-cache", "/somewhere/else x\n"+w.src.Repo.Dir+"\told-name\n")
		}, true},
		{"of another path", "old-name", func(w *world) { w.put("gstack/slug-cache/_somewhere_else", "old-name\n") }, false},
		{"odd letters", "acme-my-app", func(w *world) { w.src.Repo.Name = "acme/my app" }, true},
		{"odd letters left out", "acme-myapp", func(w *world) { w.src.Repo.Name = "acme/my app" }, true},
	} {
		w := newWorld(t)
		if c.set != nil {
			c.set(w)
		}
		w.put("gstack/projects/"+c.project+"/evals/x.json", "@eval-result.gstack.json")
		keep := &shelf{}
		w.read(keep)
		if mine := len(keep.runs) == 1; mine != c.mine {
			t.Errorf("%s: %v", c.name, mine)
		}
	}
}

// Two repositories may have one name with the tool. Then commits tell.
func TestNamesake(t *testing.T) {
	w := newWorld(t)
	w.src.Repo.Name = "a-b/c"
	w.put("gstack/projects/a-b-c/greptile-history.md", "2026-08-13 | a/b-c | fp | x.go | style\n")
	w.put("gstack/projects/a-b-c/evals/here.json", "@eval-result.gstack.json")
	w.put("gstack/projects/a-b-c/evals/there.json", strings.Replace(w.sample("eval-result.gstack.json"), "abc1234", "fff9999", 1))
	r := w.read(&shelf{})
	w.want(r, Count{Runs, 2, 1, 0, 1}, Count{Verdicts, 1, 1, 0, 0})
	if !strings.Contains(r.why("there.json"), "does not have its commit") {
		t.Error(r.Left)
	}
}

// The n-th verdict of one content is one, wherever it is written down.
func TestVerdicts(t *testing.T) {
	const line = "2026-08-13 | acme/app | fp | a.go | style\n"
	w := newWorld(t)
	w.put("gstack/greptile-history.md", line+line+"2026-08-13 | other/thing | fix | b.go | style\r\n2026-08-13 | | fp | c.go | style\n")
	w.put("gstack/projects/acme-app/greptile-history.md", line+line+line+"2026-08-13 | | fp | c.go | style\n"+
		"2026-08-13 | acme/app | perhaps | a.go | style\n2026-08-13 | acme/app\nnot a verdict")
	keep := &shelf{}
	r := w.read(keep)
	w.want(r, Count{Verdicts, 10, 5, 2, 3}, Count{Others, 1, 0, 0, 1})
	if r.Bad() != 2 {
		t.Errorf("%+v", r.Left)
	}
	repos := map[string]int{}
	for _, row := range keep.of(t, record.Triage) {
		repos[row["repo_slug"]]++
	}
	if repos[`"acme/app"`] != 4 || repos[`"other/thing"`] != 1 {
		t.Errorf("%v", repos)
	}
	for _, l := range r.Left {
		if l.Bad && l.Line != 5 && l.Line != 6 {
			t.Errorf("%+v", l)
		}
	}
}

// Of one look at a site the baseline has the score and the report the words.
func TestQA(t *testing.T) {
	w := newWorld(t)
	w.put("app/.gstack/qa-reports/baseline.json", "@qa-baseline.json")
	w.put("app/.gstack/qa-reports/qa-report-staging-acme-test-2026-08-14.md", "see http://elsewhere.test and (https://staging.acme.test/cart).\nHealth Score: **78**/100\n")
	w.put("app/.gstack/qa-reports/qa-report-staging.acme.test-2026-08-07.md", "## Health score\nhealth score | 61.5 |\n")
	w.put("app/.gstack/qa-reports/qa-report-localhost.md", "Health Score: 101\nHealth Score: -3\n")
	w.put("app/.gstack/qa-reports/qa-report-x-2026-08-09.md", "\xff\xfe")
	keep := &shelf{}
	r := w.read(keep)
	w.want(r, Count{QA, 5, 4, 0, 1})
	got := map[string]string{}
	for _, row := range keep.of(t, record.QA) {
		got[row["url"]+row["occurred_at"][:min(11, len(row["occurred_at"]))]] = row["health_score"]
	}
	for name, score := range map[string]string{
		`"https://staging.acme.test""2026-08-14`: "78", `"https://staging.acme.test/cart""2026-08-14`: "", `"https://staging.acme.test""2026-08-07`: "61.5",
	} {
		if is, ok := got[name]; !ok || is != score {
			t.Errorf("%s: %q, want %q: %v", name, is, score, got)
		}
	}
}

// A ship is one, with what the review before it found.
func TestShips(t *testing.T) {
	w := newWorld(t)
	const project = "gstack/projects/acme-app/"
	w.put(project+"timeline.jsonl", `{"skill":"ship","event":"started","branch":"feat/x","session":"s1","ts":"2026-08-15T10:00:00Z"}
{"skill":"ship","event":"completed","branch":"feat/x","outcome":"success","session":"s1","ts":"2026-08-15T10:30:00Z"}
{"skill":"ship","event":"completed","branch":"feat/x","outcome":"error","session":"s2","ts":"2026-08-15T11:30:00Z"}
{"skill":"ship","event":"completed","branch":"feat/x","ts":"2026-08-16T10:30:00Z"}
{"skill":"ship","event":"completed","branch":"feat/x","ts":"2026-08-16T11:30:00Z"}
{"skill":"qa","event":"completed","ts":"2026-08-16T10:30:00Z"}
{"skill":"ship","event":"completed","branch":"feat/y","outcome":"success"}
{"skill":"ship","ev`)
	w.put(project+"feat-x-reviews.jsonl", `{"skill":"review","timestamp":"2026-08-15T09:00:00Z","critical":3,"informational":1}
{"skill":"review","timestamp":"2026-08-15T10:00:00Z","critical":0,"informational":2}
{"skill":"review","timestamp":"2026-08-15T10:31:00Z","critical":9,"informational":9}
`)
	w.put("gstack/analytics/skill-usage.jsonl", `{"skill":"ship","ts":"2026-08-15T10:30:20Z","repo":"app","session_id":"s1","outcome":"success"}
{"skill":"ship","ts":"2026-08-16T10:30:20Z","repo":"app","outcome":"success"}
{"skill":"ship","ts":"2026-08-17T10:30:20Z","repo":"acme-app","outcome":"success"}
{"skill":"ship","ts":"2026-08-17T12:30:20Z","repo":"other","outcome":"success"}
{"skill":"ship","ts":"2026-08-17T12:30:20Z","repo":"app"}
`)
	keep := &shelf{}
	r := w.read(keep)
	w.want(r, Count{Ships, 9, 4, 2, 3}, Count{Others, 7, 0, 0, 7})
	rows := keep.of(t, record.Ship)
	for i, want := range []struct{ at, findings string }{
		{`"2026-08-15T10:30:00Z"`, `{"critical":0,"informational":2}`}, {`"2026-08-16T10:30:00Z"`, `{"critical":9,"informational":9}`}, {`"2026-08-16T11:30:00Z"`, ""},
		{`"2026-08-17T10:30:20Z"`, ""},
	} {
		if rows[i]["occurred_at"] != want.at || rows[i]["review_findings"] != want.findings || rows[i]["repo_slug"] != `"acme/app"` {
			t.Errorf("%v, want %v", rows[i], want)
		}
	}
	if why := r.why("timeline.jsonl"); !strings.Contains(why, "ends in the middle") || !strings.Contains(why, "ts: missing") {
		t.Error(why)
	}
}

func TestShipLog(t *testing.T) {
	w := newWorld(t)
	w.src.Temp = []string{filepath.Dir(w.put("tmp/gstack-ship-log.json", "@ship-log.branch-only.json"))}
	keep := &shelf{}
	w.read(keep)
	if rows := keep.of(t, record.Ship); len(rows) != 1 || rows[0]["repo_slug"] != `"acme/app"` || rows[0]["version"] != `"1.2.3.0"` {
		t.Errorf("%v", rows)
	}
	w.put("tmp/gstack-ship-log.json", `{"version":"1.0","branch":"main"}`)
	r := w.read(&shelf{})
	w.want(r, Count{Ships, 1, 0, 0, 1})
	w.src.Unnamed = true
	w.want(w.read(&shelf{}), Count{Ships, 1, 1, 0, 0})
	w.put("tmp/gstack-ship-log.json", `{"pr_url":"https://gitlab.test/team/group/thing/-/merge_requests/4"}`)
	keep = &shelf{}
	w.read(keep)
	if rows := keep.of(t, record.Ship); len(rows) != 1 || rows[0]["repo_slug"] != `"group/thing"` {
		t.Errorf("%v", rows)
	}
}

// The last line of a key counts, and consent is not carried to another server.
func TestSettings(t *testing.T) {
	w := newWorld(t)
	w.put("gstack/config.yaml", "\ufeff# a: b\nsync_enabled: true\r\n  indented: 1\nsync_enabled: false\r\nsync_transcripts: true\nupdate_check: \"no\"\nfoo@1a: x: y\nnothing\n")
	keep := &shelf{}
	r := w.read(keep)
	w.want(r, Count{Settings, 4, 1, 0, 3})
	if len(keep.settings) != 1 || keep.settings["sync_enabled"] != "false" || r.Bad() != 1 {
		t.Errorf("%v %+v", keep.settings, r.Left)
	}
}

// What waited for the older tool's server is a copy of files, or all that is left.
func TestQueue(t *testing.T) {
	w := newWorld(t)
	run := strings.TrimSpace(w.sample("eval-result.gstack.json"))
	w.put(evals+"x.json", run)
	w.put("app/.context/retros/a.json", `{"date":"2026-08-15","metrics":{"commits":1}}`)
	entry := func(table, data string) string {
		return `{"table":"` + table + `","data":` + data + `,"timestamp":"2026-08-15T10:30:00.000Z","retries":4}`
	}
	w.put("gstack/sync-queue.json", "["+strings.Join([]string{
		entry("eval_runs", run),
		entry("eval_runs", `{"schema_version":1,"timestamp":"2026-08-15T10:30:00.123Z","repo_slug":"acme-app","all_results":[{"name":"a","passed":true}]}`),
		entry("eval_runs", strings.Replace(run, "10:30", "10:45", 1)),
		entry("eval_runs", strings.Replace(run, `"schema_version"`, `"repo_slug":"acme-other","schema_version"`, 1)),
		entry("eval_runs", strings.Replace(strings.Replace(run, "10:30", "10:50", 1), `"failed": 1`, `"failed": 7`, 1)),
		entry("retro_snapshots", `{"team_id":"t","user_id":"","repo_slug":"acme-app","date":"2026-08-15","metrics":{"commits":1}}`),
		entry("qa_reports", `{"team_id":"t","repo_slug":"acme-app","url":"https://a.test","health_score":50}`),
		entry("ship_logs", `{"version":"1.0"}`),
		entry("greptile_triage", `{"repo_slug":"acme/app","date":"2026-08-13","triage_type":"maybe","file_pattern":"a.go"}`),
		entry("session_transcripts", `{}`), entry("sync_heartbeats", `{}`), `{"table":"eval_runs","data":7}`,
	}, ",")+"]")
	keep := &shelf{}
	r := w.read(keep)
	w.want(r, Count{Runs, 7, 2, 2, 3}, Count{Retros, 2, 1, 1, 0}, Count{QA, 1, 1, 0, 0}, Count{Ships, 1, 0, 0, 1}, Count{Verdicts, 1, 0, 0, 1}, Count{Others, 2, 0, 0, 2})
	if r.Bad() != 3 || len(r.Notes) > 0 {
		t.Errorf("%d bad: %+v %+v", r.Bad(), r.Left, r.Notes)
	}
	w.put("gstack/sync-queue.json", "["+entry("eval_runs", run)[:200])
	if r := w.read(&shelf{}); !strings.Contains(r.why("sync-queue.json"), "ends in the middle") {
		t.Error(r.Left)
	}
}

// bar counts what progress is told.
type bar struct{ total, done int64 }

func (b *bar) BeginCount(_ string, total int64) { b.total = total }
func (b *bar) Add(n int64)                      { b.done += n }
func (b *bar) End()                             {}

// stranger takes nothing, as a dry run does.
type stranger struct{}

func (s *stranger) Run(run *result.Run) (bool, error)         { return true, run.Identify() }
func (s *stranger) Row(record.Row) (bool, error)              { return true, nil }
func (s *stranger) Setting(_, _ string) (bool, string, error) { return true, "", nil }

// A dry run tells the same as the run.
func TestDryRun(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{evals + "a.json", evals + "shards/b.json", "gstack-dev/evals/c.json"} {
		w.put(name, "@eval-result.gstack.json")
	}
	w.put("gstack/greptile-history.md", "@greptile-history.md")
	w.put("gstack/projects/acme-app/greptile-history.md", "@greptile-history.md")
	w.put("gstack/config.yaml", "@config.yaml")
	var b bar
	w.src.Bar = &b
	dry, err := Import(t.Context(), w.src, &stranger{})
	if err != nil {
		t.Fatal(err)
	}
	if b.total != 6 || b.done != 6 {
		t.Errorf("%+v", b)
	}
	if real := w.read(&shelf{}); !reflect.DeepEqual(dry, real) {
		t.Errorf("%+v, and then %+v", dry, real)
	}
}

// What a record loses is told.
func TestNotes(t *testing.T) {
	w := newWorld(t)
	w.put("app/.context/retros/a.json", `{"date":"2026-08-15","metrics":{"commits":1},"mood":"good"}`)
	if r := w.read(&shelf{}); len(r.Notes) != 1 || !strings.Contains(r.Notes[0].Why, "mood") {
		t.Error(r.Notes)
	}
}

func TestMain(m *testing.M) {
	_ = os.Setenv("TZ", "Pacific/Auckland") // nothing depends on where one is
	os.Exit(m.Run())
}
