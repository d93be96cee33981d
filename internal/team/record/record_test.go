package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/table"
)

var here = Context{Repo: "acme/app", Branch: "main", Time: time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What other tools write becomes rows of the registry's columns.
func TestSamples(t *testing.T) {
	for _, c := range []struct {
		kind  Kind
		file  string
		rows  int
		first map[string]string // members of the first row, as JSON
		warn  string
	}{
		{Retro, "retro.json", 1, map[string]string{"date": `"2026-08-15"`, "period": `"7d"`, "streak_days": "47", "occurred_at": `"2026-08-15T00:00:00Z"`, "repo_slug": `"acme/app"`, "version_range": `["1.16.0.0","1.16.1.0"]`}, ""},
		{QA, "qa-baseline.json", 1, map[string]string{"url": `"https://staging.acme.test"`, "health_score": "78", "occurred_at": `"2026-08-14T00:00:00Z"`, "category_scores": `{"console":70,"links":85,"visual":92,"functional":60}`}, ""},
		{Ship, "ship-log.branch-only.json", 1, map[string]string{"version": `"1.2.3.0"`, "branch": `"feat/x"`, "todos_completed": `["retry queue"]`, "occurred_at": `"2026-09-01T08:00:00Z"`}, ""},
		{Ship, "timeline.jsonl", 1, map[string]string{"branch": `"feat/x"`, "occurred_at": `"2026-08-15T10:30:00Z"`}, ""},
		{Ship, "reviews.jsonl", 0, nil, "1 of 1 lines tell of no ship"},
		{Triage, "greptile-history.md", 3, map[string]string{"date": `"2026-08-13"`, "triage_type": `"fp"`, "file_pattern": `"app/services/auth_service.rb"`, "category": `"race-condition"`}, "lines that are no verdict: 1"},
	} {
		t.Run(c.file, func(t *testing.T) {
			f, err := Read(c.kind, sample(t, c.file), here)
			if err != nil || len(f.Rows) != c.rows {
				t.Fatalf("%d rows, %v; want %d", len(f.Rows), err, c.rows)
			}
			if got := strings.Join(f.Warnings, "; "); !strings.Contains(got, c.warn) || c.warn == "" && got != "" {
				t.Errorf("warnings %q; want %q", got, c.warn)
			}
			if c.rows == 0 {
				return
			}
			row := members(t, f.Rows[0])
			for name, want := range c.first {
				if row[name] != want {
					t.Errorf("%s is %s; want %s", name, row[name], want)
				}
			}
			tab := table.Find(c.kind.Table())
			for name := range row {
				if tab.Column(name) == nil {
					t.Errorf("%s has no column %s", tab.Name, name)
				}
			}
			if row["team_id"] != "" || row["user_id"] != "" || row["ingest_key"] != `"`+f.Rows[0].IngestKey+`"` || len(f.Rows[0].IngestKey) != 64 {
				t.Errorf("row %v", row)
			}
		})
	}
}

func members(t *testing.T, r Row) map[string]string {
	t.Helper()
	var row map[string]jsontext.Value
	if err := json.Unmarshal(r.Body, &row); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, value := range row {
		out[name] = string(value)
	}
	return out
}

// What cannot be a row is refused, with the line and the path.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		in   string
		want string
	}{
		{Retro, ``, "line 1: empty; it must be a JSON object"},
		{Retro, `[1]`, "line 1: must be an object, not a number"},
		{Retro, "{\"date\":\"2026-08-15\",\n\"metrics\":[1]}", "line 2: metrics: must be an object with a number for each measure"},
		{Retro, `{"metrics":{}}`, "line 1: date: missing; retros need it"},
		{Retro, `{"date":"2026-08-15"}`, "line 1: metrics: missing"},
		{Retro, `{"date":"yesterday","metrics":{}}`, `line 1: date: "yesterday" is no time`},
		{Retro, "{\"date\":\"2026-08-15\",\"metrics\":{\n\"commits\":\"47\"}}", "line 2: metrics.commits: must be a number, not a string"},
		{Retro, `{"date":"2026-08-15","metrics":{},"window":"a week"}`, `line 1: window: must be days, such as 7d, 14d or 30d, not "a week"`},
		{Retro, `{"date":"2026-08-15","metrics":{},"streak_days":1.5}`, "line 1: streak_days: must be a whole number, not a number"},
		{Retro, `{"date":"2026-08-15","metrics":{},"streak_days":-1}`, "line 1: streak_days: -1; it is from 0"},
		{Retro, `{"date":"2026-08-15","metrics":{},"tweetable":"a\u0000b"}`, "line 1: tweetable: a zero character"},
		{Retro, `{"date":"2026-08-15","metrics":{}`, "the file ends in the middle"},
		{Retro, `{"date":"2026-08-15","date":"2026-08-16","metrics":{}}`, "stands there twice"},
		{QA, `{"healthScore":78}`, "line 1: url: missing"},
		{QA, `{"url":"https://a.test","healthScore":178}`, "line 1: healthScore: 178; it is from 0 to 100"},
		{QA, `{"url":"https://a.test","categoryScores":{"links":"good"}}`, "line 1: categoryScores.links: must be a number, not a string"},
		{Ship, `{"todos_completed":["a"]}`, "line 1: it has no release"},
		{Ship, `{"version":"1","todos_completed":["a",1]}`, "line 1: todos_completed: must be a list of strings, not a list"},
		{Ship, `{"version":1.2}`, "line 1: version: must be a string, not a number"},
		{Triage, "x\n2026-08-13 | acme/app | maybe | a.go | nil", `line 2: must be fp, fix or already-fixed, not "maybe"`},
		{Triage, "2026-08-13 | acme/app | fp", "line 1: must be DAY | OWNER/REPO"},
		{Triage, "2026-08-13 | acme/app | fp |  | nil", "line 1: the file is missing"},
		{Triage, `{"date":"2026-08-13","type":"maybe","pattern":"a.go"}`, `line 1: type: must be fp, fix or already-fixed, not "maybe"`},
	} {
		f, err := Read(c.kind, []byte(c.in), here)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.in, err, c.want)
		}
		if len(f.Rows) > 0 {
			t.Errorf("%s: rows of a file that is refused", c.in)
		}
	}
	f, err := Read(Retro, []byte(`{"date":"2026-08-15","metrics":{},"mood":"good"}`), here)
	if err != nil || strings.Join(f.Warnings, "") != "line 1: nothing is known of mood, left out" {
		t.Errorf("%v, %v", f.Warnings, err)
	}
	if _, err := Read(Retro, sample(t, "retro-global.json"), here); err == nil || !strings.Contains(err.Error(), "of all projects") {
		t.Errorf("a global retro: %v", err)
	}
}

// The same content is the same record, however it is written and whenever it is sent.
func TestIngestKey(t *testing.T) {
	key := func(k Kind, in string, when Context) string {
		f, err := Read(k, []byte(in), when)
		if err != nil {
			t.Fatal(err)
		}
		return f.Rows[len(f.Rows)-1].IngestKey
	}
	later := here
	later.Time = here.Time.Add(time.Hour)
	a := key(Ship, `{"version":"1.0","branch":"main"}`, here)
	if b := key(Ship, "{ \"branch\" : \"main\",\n\"version\":\"1\\u002e0\"}", later); a != b {
		t.Error("another key for the same content")
	}
	if b := key(Ship, `{"version":"1.0","branch":"main","ts":"2026-09-01T08:00:00Z"}`, here); a == b {
		t.Error("a time that is told is content")
	}
	other := here
	other.Repo = "acme/other"
	if key(Ship, `{"version":"1.0","branch":"main"}`, other) == a {
		t.Error("one key for two repositories")
	}

	const line = "2026-08-13 | acme/app | fp | a.go | nil\n"
	once, twice := key(Triage, line, here), key(Triage, line+line, here)
	if once == twice {
		t.Error("the same verdict twice is two verdicts")
	}
	if again := key(Triage, line+line, later); again != twice {
		t.Error("sent again it is the same")
	}
	if j := key(Triage, `{"date":"2026-08-13","type":"fp","pattern":"a.go","category":"nil","repo":"acme/app"}`, here); j != once {
		t.Error("another key for the same verdict in JSON")
	}
}

// A history is of everything that its user worked on; the team gets its own.
func TestOtherRepositories(t *testing.T) {
	const lines = "2026-08-13 | acme/app | fp | a.go | nil\n2026-08-13 | secret/thing | fix | b.go | nil\n"
	f, err := Read(Triage, []byte(lines), here)
	if err != nil || len(f.Rows) != 1 || !strings.Contains(strings.Join(f.Warnings, ""), "not the team's: 1") {
		t.Errorf("%d rows, %v, %v", len(f.Rows), f.Warnings, err)
	}
}
