package reader

import (
	"strings"
	"testing"

	"cairn/internal/team/result"
)

func readAs(t *testing.T, data string, pairs ...string) (File, *result.Run, error) {
	t.Helper()
	m, err := ParseMapping(pairs)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadMapped("a.csv", []byte(data), m)
	if err != nil {
		return f, nil, err
	}
	stored(t, f)
	return f, f.Runs[0], nil
}

// The same table in four forms: each member from the column that is said to be it.
func TestMapped(t *testing.T) {
	pairs := []string{"name=id", "passed=ok", "output=answer", "score=judge", "score_tone=tone", "input=question", "owner=team.lead", "suite='geo'"}
	const csv = "id,ok,answer,judge,tone,question,team.lead,unused\n" +
		"c1,yes,\"Paris, of \"\"course\"\"\",0.9,1,Capital of France?,ada,x\n\n" +
		"c2,FALSE,\"Lon\ndon\",0.2,,Capital of Spain?,bob,x\n"
	lines := `{"id":"c1","ok":true,"answer":"Paris, of \"course\"","judge":0.9,"tone":1,"question":"Capital of France?","team":{"lead":"ada"},"unused":["x"]}
{"id":"c2","ok":0,"answer":"Lon\ndon","judge":"0.2","tone":null,"question":"Capital of Spain?","team":{"lead":"bob"}}`
	for form, data := range map[string]string{
		"comma":   csv,
		"lines":   lines,
		"list":    "[" + strings.Replace(lines, "\n", ",\n", 1) + "]",
		"mark":    "\ufeff" + csv,
		"windows": strings.ReplaceAll(strings.ReplaceAll(csv, "\n", "\r\n"), "Lon\r\ndon", "Lon\ndon"),
		"tab":     "id\tok\tanswer\tjudge\ttone\tquestion\tteam.lead\tunused\nc1\tpass\t\"Paris, of \"\"course\"\"\"\t0.9\t1\tCapital of France?\tada\tx\nc2\tfailed\t\"Lon\ndon\"\t0.2\t\tCapital of Spain?\tbob\t\n",
	} {
		f, run, err := readAs(t, data, pairs...)
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		if len(f.Warnings) != 1 || f.Warnings[0] != "unused columns: unused" || len(run.Results) != 2 {
			t.Errorf("%s: %q %+v", form, f.Warnings, run.Results)
			continue
		}
		a, b := run.Results[0], run.Results[1]
		if a.Name != "c1" || a.Suite != "geo" || a.Status != result.Pass || string(a.Output) != `{"response":"Paris, of \"course\""}` || *a.Score != 0.9 || a.JudgeScores["tone"] != 1 ||
			a.Content().Input != result.ContentID("Capital of France?") || string(a.X) != `{"input":"Capital of France?","owner":"ada"}` {
			t.Errorf("%s: %+v", form, a)
		}
		if b.Status != result.Fail || len(b.Failures) != 1 || b.JudgeScores != nil || string(b.Output) != `{"response":"Lon\ndon"}` {
			t.Errorf("%s: %+v", form, b)
		}
	}
}

// Columns that are called as members are need no mapping.
func TestTableOfMembers(t *testing.T) {
	f, run := readText(t, "a.csv", "name;status;score;message;team\na;passed;1;;x\nb;failed;0.5;too long;x\nb;error;;no answer;x\n")
	if f.Format != "table" || run.Counts != (result.Counts{Total: 3, Passed: 1, Failed: 1, Errored: 1}) || run.Results[1].Failures[0].Message != "too long" || run.Results[2].Error != "no answer" || run.Results[2].Attempt != 2 || len(f.Warnings) != 2 {
		t.Errorf("%s %+v %q", f.Format, run, f.Warnings)
	}
}

// A result a line, or a list of them, is a file like any other.
func TestCaseLines(t *testing.T) {
	for _, data := range []string{
		"{\"name\":\"a\",\"passed\":true}\n\n{\"name\":\"b\",\"status\":\"fail\",\"output\":[1],\"own\":2}\n",
		`[{"name":"a","passed":true}, {"name":"b","status":"fail","output":[1],"own":2}]`,
		`{"name":"a","passed":true}` + "\r\n" + `{"name":"b","status":"fail","output":[1],"own":2}`,
	} {
		f, run := readText(t, "a.jsonl", data)
		if f.Format != "lines of results" || run.Counts != (result.Counts{Total: 2, Passed: 1, Failed: 1}) || string(run.Results[1].Output) != `{"response":[1]}` || string(run.Results[1].X) != `{"own":2}` {
			t.Errorf("%s: %s %+v", data, f.Format, run)
		}
	}
}

// What is wrong is said with its line and column.
func TestTablesRefused(t *testing.T) {
	for _, tt := range []struct {
		data, say string
		pairs     []string
	}{
		{"id,ok\na,true\n", "a table with the columns id, ok; name the columns with --map name=COLUMN,passed=COLUMN", nil},
		{"{\"id\":1,\"ok\":true}\n{\"id\":2,\"ok\":true}\n", "lines of objects with id, ok; name the columns with --map name=COLUMN,passed=COLUMN", nil},
		{"id,ok\na,true\n", `no column "okk"; the columns are id, ok`, []string{"name=id", "passed=okk"}},
		{"id,ok\na,true\nb,maybe\n", `line 3: passed (ok) must be true, false, pass, fail, skip or error, not "maybe"`, []string{"name=id", "passed=ok"}},
		{"id,ok\na,true\nb,\n", "line 3: passed (ok) is empty", []string{"name=id", "passed=ok"}},
		{"id,ok\n,true\n", "line 2: name (id) is empty", []string{"name=id", "passed=ok"}},
		{"id,ok,s\na,true,high\n", `line 2: score (s) must be a number, not "high"`, []string{"name=id", "passed=ok", "score=s"}},
		{"id,ok,s\na,true,4\n", `the result "a": score: 4 is outside 0 to 1; say "scale" where another is meant`, []string{"name=id", "passed=ok", "score=s"}},
		{"id,ok\na,true,x\n", "line 2: wrong number of fields", []string{"name=id", "passed=ok"}},
		{"{\"id\":1,\"ok\":true}\n3\n", "line 2: must be an object, not a number", []string{"name=id", "passed=ok"}},
		{"{\"id\":1,\"ok\":true}\n{\"id\":", "line 2: id: the file ends in the middle of the JSON", []string{"name=id", "passed=ok"}},
		{"{\"name\":\"a\",\"passed\":true}\n{\"name\":\"b\",\"passed\":\"x\"}\n", "line 2: passed: a string where true or false is wanted", nil},
		{"{\"name\":\"a\",\"passed\":true}\n\n{\"name\":\"a\",\"passed\":true}\n", `line 3: name: "a" was already in line 1; number repeats with "attempt"`, nil},
		{"{\"name\":\"a\",\"passed\":true}\n{\"name\":\"b\"}\n", "line 2: passed: missing; true, false or a status is wanted", nil},
		{"{\"name\":\"a\",\"passed\":true}\n{\"name\":\"b\",\"pas", "line 2: the file ends in the middle of the JSON", nil},
	} {
		_, _, err := readAs(t, tt.data, tt.pairs...)
		if err == nil || strings.TrimPrefix(err.Error(), "a.csv: ") != tt.say {
			t.Errorf("%q: %v", tt.data, err)
		}
	}
	if _, run, err := readAs(t, "id,ok,s\na,true,4\n", "name=id", "passed=ok", "score=s", "scale='1-5'"); err != nil || *run.Results[0].Score != 4 {
		t.Error(err)
	}
	for _, pairs := range [][]string{{"name"}, {"=x"}, {"name="}, {"name=a", "name=b"}, {"name=a"}, {"passed=a"}} {
		if _, err := ParseMapping(pairs); err == nil {
			t.Errorf("%q is taken", pairs)
		}
	}
	// A mapping is for tables: other files are read as ever.
	for _, data := range []string{`{"name":"a","passed":true}`, "name,passed\na,true\n"} {
		if _, run, err := readAs(t, data, "name=id", "passed=ok"); err != nil || run.Results[0].Name != "a" {
			t.Errorf("%s: %v", data, err)
		}
	}
	if _, run, err := readAs(t, `{"name":"a","id":"b","passed":true}`, "name=id", "passed=passed"); err != nil || run.Results[0].Name != "b" {
		t.Error(err)
	}
	if _, _, err := readAs(t, `{"key":"a","ok":true}`, "name=id", "passed=ok"); err == nil || !strings.Contains(err.Error(), `no column "id"; the columns are key, ok`) {
		t.Error(err)
	}
	if f, _, err := readAs(t, string(sample(t, "promptfoo-results.csv")), "name=id", "passed=ok"); err != nil || f.Format != "promptfoo CSV" {
		t.Errorf("%s %v", f.Format, err)
	}
}
