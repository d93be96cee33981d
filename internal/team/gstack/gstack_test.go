package gstack

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/record"
	"cairn/internal/team/result"
)

// shelf keeps what it is given, as cli does.
type shelf struct {
	runs     []*result.Run
	rows     []record.Row
	settings map[string]string
	known    map[string]bool
	fail     error
}

func (s *shelf) fresh(key string) bool {
	if s.known == nil {
		s.known = map[string]bool{}
	}
	fresh := !s.known[key]
	s.known[key] = true
	return fresh
}

func (s *shelf) Run(run *result.Run) (bool, error) {
	if err := run.Identify(); err != nil {
		return false, err
	}
	if s.fresh(run.IngestKey) {
		s.runs = append(s.runs, run)
		return true, s.fail
	}
	return false, s.fail
}

func (s *shelf) Row(row record.Row) (bool, error) {
	if s.fresh(row.IngestKey) {
		s.rows = append(s.rows, row)
		return true, s.fail
	}
	return false, s.fail
}

func (s *shelf) Setting(key, value string) (bool, string, error) {
	if s.settings == nil {
		s.settings = map[string]string{}
	}
	s.settings[key] = value
	return s.fresh(key + "=" + value), "", s.fail
}

// of returns the rows of a kind, as JSON members.
func (s *shelf) of(t *testing.T, kind record.Kind) (list []map[string]string) {
	t.Helper()
	for _, row := range s.rows {
		if row.Table != kind.Table() {
			continue
		}
		var in map[string]jsontext.Value
		if err := json.Unmarshal(row.Body, &in); err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for name, v := range in {
			out[name] = string(v)
		}
		list = append(list, out)
	}
	return list
}

// world is a home and a repository, acme/app, with what a test puts there.
type world struct {
	t    *testing.T
	root string
	src  Source
}

func newWorld(t *testing.T) *world {
	root := t.TempDir()
	return &world{t, root, Source{
		State: filepath.Join(root, "gstack"), Dev: filepath.Join(root, "gstack-dev"),
		Repo: Repo{Dir: filepath.Join(root, "app"), Name: "acme/app", HasCommit: func(sha string) bool { return sha == "abc1234" }},
	}}
}

// put writes a file; a text that begins with @ names one of testdata.
func (w *world) put(name, text string) string {
	w.t.Helper()
	if sample, ok := strings.CutPrefix(text, "@"); ok {
		text = w.sample(sample)
	}
	path := filepath.Join(w.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) sample(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// read imports everything; the figures of a report have to add up.
func (w *world) read(keep *shelf) *Report {
	w.t.Helper()
	report, err := Import(context.Background(), w.src, keep)
	if err != nil {
		w.t.Fatal(err)
	}
	left := map[Kind]int{}
	for _, l := range report.Left {
		left[l.Kind] += l.Count
	}
	for _, c := range report.Counts {
		if c.Found != c.New+c.Here+c.LeftOut || c.LeftOut != left[c.Kind] {
			w.t.Errorf("%+v; %d are left out", c, left[c.Kind])
		}
	}
	return report
}

// want checks the figures of kinds: found, new, already here, left out.
func (w *world) want(r *Report, want ...Count) {
	w.t.Helper()
	if len(want) != len(r.Counts) {
		w.t.Errorf("%+v, want %+v", r.Counts, want)
		return
	}
	for i, c := range r.Counts {
		if c != want[i] {
			w.t.Errorf("%+v, want %+v\n%+v", c, want[i], r.Left)
		}
	}
}

// why returns the reason of what was left out in a file.
func (r *Report) why(name string) string {
	var all []string
	for _, l := range r.Left {
		if filepath.Base(l.Path) == name {
			all = append(all, l.Why)
		}
	}
	return strings.Join(all, "; ")
}

const evals = "gstack/projects/acme-app/evals/"

// Every format has a place, and becomes something, or nothing for a reason.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name, place, sample string
		want                []Count
		why                 string
	}{
		{"a run of a project", evals + "1.68.3.0-feat-terse-e2e-2026-08-15-1030.json", "@eval-result.gstack.json", []Count{{Runs, 1, 1, 0, 0}}, ""},
		{"a shard", evals + "shards/acme-app/x.json", "@eval-result.gstack.json", []Count{{Runs, 1, 1, 0, 0}}, ""},
		{"a shard beside", "gstack/shards/acme-app/x.json", "@eval-result.gstack.json", []Count{{Runs, 1, 1, 0, 0}}, ""},
		{"a shard of another", "gstack/shards/acme-other/x.json", "@eval-result.gstack.json", []Count{{Runs, 1, 0, 0, 1}}, ""},
		{"a run without a project", "gstack-dev/evals/x.json", "@eval-result.gstack.json", []Count{{Runs, 1, 1, 0, 0}}, ""},
		{"a run of another project", "gstack/projects/acme-other/evals/x.json", "@eval-result.gstack.json", []Count{{Runs, 1, 0, 0, 1}}, ""},
		{"a partial", evals + "_partial-e2e.json", "{", []Count{{Runs, 1, 0, 0, 1}}, "a run that was not over"},
		{"a partial inside", evals + "x.json", `{"_partial":true,"tests":[]}`, []Count{{Runs, 1, 0, 0, 1}}, "a run that was not over"},
		{"a retro", "app/.context/retros/2026-08-15-1.json", "@retro.json", []Count{{Retros, 1, 1, 0, 0}}, ""},
		{"a global retro", "gstack/retros/global-2026-08-15.json", "@retro-global.json", []Count{{Retros, 1, 0, 0, 1}}, "of all projects at once"},
		{"a global retro in the repository", "app/.context/retros/x.json", "@retro-global.json", []Count{{Retros, 1, 0, 0, 1}}, "it is of all projects"},
		{"verdicts", "gstack/greptile-history.md", "@greptile-history.md", []Count{{Verdicts, 3, 3, 0, 0}, {Others, 1, 0, 0, 1}}, "no verdict"},
		{"verdicts of a project", "gstack/projects/acme-app/greptile-history.md", "@greptile-history.md", []Count{{Verdicts, 3, 3, 0, 0}, {Others, 1, 0, 0, 1}}, ""},
		{"QA", "app/.gstack/qa-reports/baseline.json", "@qa-baseline.json", []Count{{QA, 1, 1, 0, 0}}, ""},
		{"QA in Markdown", "app/.gstack/qa-reports/qa-report-staging.acme.test-2026-08-14.md", "# Report", []Count{{QA, 1, 1, 0, 0}}, ""},
		{"a picture", "app/.gstack/qa-reports/shot.png", "x", []Count{{Others, 1, 0, 0, 1}}, "screenshots"},
		{"a timeline", "gstack/projects/acme-app/timeline.jsonl", "@timeline.jsonl", []Count{{Ships, 1, 1, 0, 0}}, ""},
		{"reviews", "gstack/projects/acme-app/feat-x-reviews.jsonl", "@reviews.jsonl", []Count{{Others, 1, 0, 0, 1}}, "no ship"},
		{"a timeline of another", "gstack/projects/x/timeline.jsonl", "@timeline.jsonl", []Count{{Ships, 1, 0, 0, 1}}, ""},
		{"use of skills", "gstack/analytics/skill-usage.jsonl", `{"skill":"ship","ts":"2026-08-15T10:30:00Z","repo":"app","outcome":"success"}`, []Count{{Ships, 1, 1, 0, 0}}, ""},
		{"a ship log", "gstack/gstack-ship-log.json", "@ship-log.branch-only.json", []Count{{Ships, 1, 1, 0, 0}}, ""},
		{"settings", "gstack/config.yaml", "@config.yaml", []Count{{Settings, 12, 3, 0, 9}}, ""},
		{"sign-in", "gstack/auth.json", "@auth.json", []Count{{Others, 1, 0, 0, 1}}, "cairn sync setup signs in"},
		{"the queue", "gstack/sync-queue.json", "@sync-queue.json", []Count{{Runs, 1, 0, 0, 1}}, "without results"},
		{"a sign of life", "gstack-dev/e2e-live.json", "{}", []Count{{Others, 1, 0, 0, 1}}, "sign of life"},
		{"logs of runs", "gstack-dev/e2e-runs/1/progress.log", "", []Count{{Others, 1, 0, 0, 1}}, ""},
		{"the older tool's server", "app/.gstack-sync.json", "{}", []Count{{Others, 1, 0, 0, 1}}, "cairn sync init"},
		{"nothing", "gstack/sessions/x", "", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.put(c.place, c.sample)
			keep := &shelf{}
			r := w.read(keep)
			w.want(r, c.want...)
			if got := r.why(filepath.Base(c.place)); !strings.Contains(got, c.why) {
				t.Errorf("left out because %q, want %q", got, c.why)
			}
			again := w.read(keep)
			if again.Sum().New != 0 || again.Sum().Here != r.Sum().New {
				t.Errorf("a second time: %+v", again.Counts)
			}
		})
	}
}

func TestHistoryOfPrompts(t *testing.T) {
	w := newWorld(t)
	w.src.History = w.put("claude/history.jsonl", "@claude-history.jsonl")
	w.want(w.read(&shelf{})) // nothing of gstack's is here, so it is not our business
	w.put("gstack/sessions/x", "")
	r := w.read(&shelf{})
	w.want(r, Count{Others, 1, 0, 0, 1})
	if !strings.Contains(r.why("history.jsonl"), "push-transcript") {
		t.Error(r.Left)
	}
}

// A disk that is full ends the import.
func TestKeeperFails(t *testing.T) {
	for _, name := range []string{evals + "x.json", "gstack/config.yaml", "app/.context/retros/x.json"} {
		w := newWorld(t)
		w.put(name, map[string]string{".yaml": "@config.yaml"}[filepath.Ext(name)])
		if strings.HasPrefix(name, evals) {
			w.put(name, "@eval-result.gstack.json")
		} else if strings.HasSuffix(name, ".json") {
			w.put(name, "@retro.json")
		}
		full := errors.New("disk full")
		if _, err := Import(context.Background(), w.src, &shelf{fail: full}); !errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStops(t *testing.T) {
	w := newWorld(t)
	w.put(evals+"x.json", "@eval-result.gstack.json")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	keep := &shelf{}
	if _, err := Import(ctx, w.src, keep); !errors.Is(err, context.Canceled) || len(keep.runs) > 0 {
		t.Errorf("%v, %d runs", err, len(keep.runs))
	}
}

func TestWhere(t *testing.T) {
	env := map[string]string{}
	for _, c := range []struct{ set, want string }{
		{"", filepath.Join("user", ".gstack")}, {"GSTACK_STATE_DIR", "dir"}, {"GSTACK_HOME", "home"}, {"GSTACK_STATE_ROOT", "root"},
	} {
		if c.set != "" {
			env[c.set] = c.want
		}
		if got := Where(func(k string) string { return env[k] }, "user").State; got != c.want {
			t.Errorf("%v: %s", env, got)
		}
	}
}
