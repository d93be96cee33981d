package dashboard_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/result"
	"cairn/internal/team/result/reader"
	"cairn/test/dbtest"
)

// promptfooRun reads a file of promptfoo: those of the prompts pass that begin with
// "good". Three of its cases have one description and differ in their variables.
func promptfooRun(t *testing.T, day int, prompts ...string) *result.Run {
	t.Helper()
	type object = map[string]any
	var texts, rows []object
	for _, p := range prompts {
		texts = append(texts, object{"raw": p + " {{q}}", "label": p + " {{q}}", "provider": "m"})
	}
	for test := range 23 {
		description := fmt.Sprintf("case %02d", test)
		if test >= 20 {
			description = "one of three"
		}
		for i, p := range prompts {
			rows = append(rows, object{"testIdx": test, "promptIdx": i, "success": strings.HasPrefix(p, "good"), "score": 1, "provider": object{"id": "m"}, "vars": object{"q": fmt.Sprint("q", test)},
				"prompt": object{"raw": p + fmt.Sprint(" q", test), "label": p + " {{q}}"}, "response": object{"output": p}, "testCase": object{"description": description}})
		}
	}
	at := time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC)
	data, err := json.Marshal(object{"evalId": fmt.Sprint("e", day), "config": object{"description": "shop"},
		"results": object{"version": 3, "timestamp": at, "prompts": texts, "results": rows, "stats": object{"successes": 1}}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := reader.Read("results.json", data)
	if err != nil {
		t.Fatal(err)
	}
	run := f.Runs[0]
	run.Repo, run.GitBranch, run.GitSHA, run.Label, run.SchemaVersion = "acme/shop", "main", fmt.Sprintf("%040x", 0xabc0+day), "main", 1
	run.Derive()
	return run
}

// A prompt that is inserted before others changes their numbers and nothing else: no
// page shows a fall or a rise, and the history of each case goes on.
func TestPromptInserted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		ada := dbtest.Member(t, d, team, "owner")
		var runs []string
		for day := 1; day <= 12; day++ {
			prompts := []string{"good one", "bad two"}
			if day > 6 {
				prompts = []string{"bad new", "good one", "bad two"}
			}
			run := promptfooRun(t, day, prompts...)
			if day == 1 { // as an older version stored it
				run.Prompts = nil
			}
			runs = append(runs, push(t, d, team, ada, run))
		}
		s := open(t, d, func() db.Identity { return ada })
		get := func(path string) string {
			t.Helper()
			status, text := fetch(t, s.URL+"/t/acme/"+path)
			if status != 200 {
				t.Fatal(path, status)
			}
			return text
		}
		if text := get("quality/changes.csv"); strings.Count(text, "\n") != 1 {
			t.Errorf("changes: %s", text)
		}
		cases := get("suite/cases.csv?suite=shop")
		for prompt, want := range map[string]string{"prompt 1": ",0,6,fail\n", "prompt 2": ",0,12,pass\n", "prompt 3": ",0,12,fail\n"} {
			n := 0
			for line := range strings.Lines(cases) {
				if strings.Contains(line, "· "+prompt+"]") && strings.HasSuffix(line, want) {
					n++
				}
			}
			if n != 23 {
				t.Errorf("%s: %d cases: %s", prompt, n, cases)
			}
		}
		id := func(name, variant string) string {
			ids, err := db.All(t.Context(), d, `select min(id) from eval_cases where team_id = ? and name = ? and variant = ?`, []any{team, name, variant}, func(id *int64) []any { return []any{id} })
			if err != nil || len(ids) != 1 {
				t.Fatal(err)
			}
			return fmt.Sprint(ids[0])
		}
		for _, name := range []string{"case 07", "one of three"} {
			for prompt, want := range map[string]string{"m · prompt 2": "pass", "m · prompt 3": "fail"} {
				text := get("case/history.csv?id=" + id(name, prompt))
				if strings.Count(text, ","+want+",") != 12 || strings.Count(text, "\n") != 13 {
					t.Errorf("%s with %s: %s", name, prompt, text)
				}
			}
		}
		// an address with a run means what it meant there
		text := get("case/history.csv?run=" + runs[2] + "&id=" + id("case 07", "m · prompt 1"))
		if strings.Count(text, ",pass,") != 12 {
			t.Errorf("prompt 1 of an older run: %s", text)
		}
		page := get("case?run=" + runs[2] + "&id=" + id("case 07", "m · prompt 1"))
		if !strings.Contains(page, "m · prompt 1") || !strings.Contains(page, "run="+runs[11]+"&id="+id("case 07", "m · prompt 2")) {
			t.Errorf("the page of an older run does not lead to the case in the newest, %s: %s", runs[11], page)
		}
		err := d.View(t.Context(), db.ServerItself, func(tx *db.Tx) error {
			last, _, err := notice.Cases(t.Context(), tx, notice.Waiting{Team: team, Run: uuid.MustParse(runs[11]), RunAt: time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)})
			if err != nil {
				return err
			}
			first, _, err := notice.Cases(t.Context(), tx, notice.Waiting{Team: team, Run: uuid.MustParse(runs[1]), RunAt: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)})
			passed, same := map[int64]int{}, 0
			for _, c := range first.Cases {
				passed[c.Case] = c.Passed + 1
			}
			for _, c := range last.Cases {
				if passed[c.Case] == c.Passed+1 {
					same++
				} else if passed[c.Case] > 0 {
					t.Errorf("an alert takes case %d for another", c.Case)
				}
			}
			if same != 46 {
				t.Errorf("alerts know %d cases again", same)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// A prompt that was edited in place goes on; one that was taken out keeps its history
// beside that of the prompt that has its number now.
func TestPromptEditedOrGone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team := dbtest.Team(t, d, "acme")
		ada := dbtest.Member(t, d, team, "owner")
		for day := 1; day <= 4; day++ {
			push(t, d, team, ada, promptfooRun(t, day, "good one", "good two", "bad three"))
		}
		for day := 5; day <= 8; day++ {
			push(t, d, team, ada, promptfooRun(t, day, "good two", "bad three"))
		}
		for day := 9; day <= 12; day++ {
			push(t, d, team, ada, promptfooRun(t, day, "good two, edited", "bad three"))
		}
		s := open(t, d, func() db.Identity { return ada })
		_, cases := fetch(t, s.URL+"/t/acme/suite/cases.csv?suite=shop")
		for _, c := range []string{"case 03", "one of three"} {
			for _, want := range []string{"m · prompt 1],,1,WILSON,1,0,12,pass", "m · prompt 2],,0,0,WILSON,0,12,fail", "m · prompt 1 (other text)],,1,WILSON,1,0,4,pass"} {
				before, after, _ := strings.Cut(want, "WILSON")
				if n := strings.Count(regexp.MustCompile(`0\.\d+`).ReplaceAllString(cases, "WILSON"), c+" ["+before+"WILSON"+after); n == 0 {
					t.Errorf("%s [%s is not in %s", c, want, cases)
				}
			}
		}
	})
}
