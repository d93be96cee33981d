package dashboard_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/pushed"
	"cairn/internal/team/result"
	"cairn/internal/team/wire"
	"cairn/test/browsertest"
	"cairn/test/dbtest"
)

const hostileAnswer = `<img src=x onerror="window.ran=1"></script><script>window.ran=1</script>`

// asked is a run of a day of March 2026: order_03 fails in it from the 5th on.
func askedRun(day int) *result.Run {
	run := &result.Run{SchemaVersion: 1, Suite: "shop", Label: "main", GitBranch: "main", GitSHA: fmt.Sprintf("%040x", 0xabc0+day), Repo: "acme/shop", Tool: "promptfoo",
		Timestamp: result.Time{Time: time.Date(2026, 3, day, 9, 0, 0, 0, time.UTC)}, Costs: []result.Cost{{Model: "claude-sonnet", Calls: 3, InputTokens: 1200, OutputTokens: 300, CostUSD: .01}}}
	for _, name := range []string{"order_01", "order_02", "order_03"} {
		for _, variant := range []string{"haiku", "sonnet"} {
			r := result.Result{Name: name, Variant: variant, Model: "claude-" + variant, DurationMS: 820, CostUSD: 0.0021, JudgeReasoning: "States date and amount.", JudgeScores: map[string]float64{"accuracy": 0.9}}
			said := fmt.Sprintf("Your order is on its way. We charged your card 12.%02d EUR.", day)
			r.Set(result.Pass)
			if name == "order_03" && day >= 5 {
				r.Set(result.Fail)
				said = "Your order is on its way. We may have charged your card. " + hostileAnswer
				r.JudgeScores["accuracy"], r.JudgeReasoning = 0.4, "It never says what was charged."
				r.Failures = []result.Failure{{Type: "threshold", ExpectationType: "llm_judge", Message: "accuracy 0.4 is below 0.7"}}
			}
			r.Output = asJSON(map[string]string{"response": said})
			r.X = asJSON(map[string]any{"input": "Where is my order? I paid last week.", "prompt": "You are a shop's assistant.\n\nCustomer: Where is my order?", "expected": "Says when and how much.",
				"usage": map[string]int{"input_tokens": 412, "output_tokens": 61}, "judge_thresholds": map[string]float64{"accuracy": 0.7}})
			run.Results = append(run.Results, r)
		}
	}
	run.Derive()
	return run
}

func asJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// push pushes a run as the command line does, and returns its id in the team.
func push(t *testing.T, d *db.DB, team uuid.UUID, as db.Identity, run *result.Run) string {
	t.Helper()
	w, err := pushed.EvalRun(run, team, "acme/shop")
	if err == nil {
		err = d.Update(t.Context(), as, func(tx *db.Tx) error {
			_, err := ingest.Push(t.Context(), tx, as, wire.EvalPush{Team: team, Run: w})
			return err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.ID.String()
}

// lookAt checks a page at a telephone's and a desk's size, in light and dark.
func lookAt(t *testing.T, tab *browsertest.Tab, name string) {
	t.Helper()
	for i, v := range []browsertest.View{{}, {Dark: true}, {Width: 360}, {Width: 360, Dark: true}} {
		tab.Look(v)
		if px := tab.Overflow(); px > 0 {
			t.Errorf("%s at %+v: %d px too wide", name, v, px)
		}
		for _, finding := range tab.Axe() {
			t.Errorf("%s at %+v: %s", name, v, finding)
		}
		if dir := os.Getenv("CAIRN_SHOTS"); dir != "" {
			tab.Shot(filepath.Join(dir, "team-"+name+"-"+[]string{"1280", "1280-dark", "360", "360-dark"}[i]+".png"))
		}
	}
	tab.Look(browsertest.View{})
	var ran bool
	if tab.Eval("!!window.ran", &ran); ran {
		t.Errorf("%s: an answer ran", name)
	}
	if bad := tab.Problems(); len(bad) > 0 {
		t.Errorf("%s: the browser complains: %q", name, bad)
	}
}

// The page of a case says without a click what was asked, what came beside the
// run before, why it is wrong and since when; that of a run leads to it and to a
// comparison; and only the team sees them.
func TestAnswers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		team, other := dbtest.Team(t, d, "acme"), dbtest.Team(t, d, "beta")
		ada, eve := dbtest.Member(t, d, team, "member"), dbtest.Member(t, d, other, "owner")
		var ids []string
		for day := 1; day <= 6; day++ {
			ids = append(ids, push(t, d, team, ada, askedRun(day)))
		}
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, git_sha, pr_url) values (?, ?, ?, ?, ?, 'acme/shop', ?, 'https://github.com/acme/shop/pull/12')`,
			team, uuid.New(), uuid.NewString(), ada.User, now, fmt.Sprintf("%040x", 0xabc0+6))
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, git_sha, pr_url) values (?, ?, ?, ?, ?, 'acme/shop', ?, 'https://evil.example/acme/shop/pull/13')`,
			team, uuid.New(), uuid.NewString(), ada.User, now, fmt.Sprintf("%040x", 0xabc0+5))
		// another team has the same repository, cases and commits
		theirs := askedRun(6)
		for i := range theirs.Results {
			theirs.Results[i].Output = asJSON(map[string]string{"response": "a secret of beta"})
		}
		theirs.Results = append(theirs.Results, theirs.Results[5])
		theirs.Results[6].Variant = "variant-of-beta"
		theirs.Recount()
		theirID := push(t, d, other, eve, theirs)
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug, git_sha, pr_url) values (?, ?, ?, ?, ?, 'acme/shop', ?, 'https://github.com/beta/shop/pull/99')`,
			other, uuid.New(), uuid.NewString(), eve.User, now.Add(time.Hour), theirs.GitSHA)
		id := strconv.FormatInt(wire.CaseID("acme/shop", "shop", "order_03", "sonnet"), 10)
		who := ada
		s := open(t, d, func() db.Identity { return who })
		casePage := "/t/acme/case?id=" + id

		tab := browsertest.Open(t, s.URL+casePage, browsertest.View{})
		tab.Wait("document.querySelectorAll('.columns').length === 3")
		text := tab.Text("main")
		for _, want := range []string{"order_03", "Where is my order? I paid last week.", "You are a shop's assistant.", "Says when and how much.", "accuracy 0.4 is below 0.7", "It never says what was charged.",
			"Fails since 2026-03-05 09:00 UTC (0000000000), 2 results in a row; passed 4 of the 4 before.", "412 tokens in, 61 out", "820ms", "$0.0021", "claude-sonnet", "<img src=x", "case 2 of 6",
			"commit 0000000000", "pull request 12", "Run before", "haiku", "Show beside the last pass"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in the page", want)
			}
		}
		var foreign []string
		tab.Eval("[...document.querySelectorAll('a')].map(a => a.href).filter(h => !h.startsWith(location.origin) && !h.startsWith('https://github.com/acme/shop/'))", &foreign)
		if len(foreign) > 0 {
			t.Errorf("links lead to %q", foreign)
		}
		if strings.Contains(text, "beta") {
			t.Errorf("the page has what another team pushed: %s", text)
		}
		if d.Dialect() == db.SQLite {
			lookAt(t, tab, "case")
		}
		tab.Click(".since a")
		tab.Wait("document.querySelector('.column h3')?.textContent && document.body.textContent.includes('charged your card 12.04 EUR')")
		tab.Keys("j")
		tab.Wait("document.querySelector('h1').textContent === 'order_01'")
		tab.Keys("u")
		tab.Wait("document.querySelectorAll('#rows li').length === 6")
		if text := tab.Text("main"); !strings.Contains(text, "66.7 %") || !strings.Contains(text, "claude-sonnet · $0.010 · 3 calls · 1,200 tokens in") && !strings.Contains(text, "1.2k tokens in") {
			t.Errorf("the run's page says %s", text)
		}
		if d.Dialect() == db.SQLite {
			lookAt(t, tab, "run")
		}
		tab.Keys("c")
		tab.Wait("document.querySelector('#summary')")
		if d.Dialect() == db.SQLite {
			lookAt(t, tab, "compare")
		}
		tab = browsertest.Open(t, s.URL+"/t/acme/compare?a="+ids[3]+"&b="+ids[5], browsertest.View{})
		tab.Wait("document.querySelector('#summary')")
		tab.Keys("e")
		tab.Wait("document.querySelector('.pages a')")
		tab.Click(".pages a:last-child")
		tab.Wait("document.querySelector('.where') && document.querySelector('h1').textContent === 'order_03'")

		// the same for programs
		for path, want := range map[string]string{"compare/cases.csv?a=" + ids[3] + "&b=" + ids[5]: "order_03 [sonnet]", "compare/suites.json?a=" + ids[3] + "&b=" + ids[5]: `"lost": 2`, "case.json?id=" + id: `"history"`, "run.json?id=" + ids[5]: "order_03 [sonnet]",
			"compare/cases.json?av=haiku&bv=sonnet&a=" + ids[5] + "&b=" + ids[5]: `"class": "failed"`} {
			if status, got := fetch(t, s.URL+"/t/acme/"+path); status != 200 || !strings.Contains(got, want) {
				t.Errorf("%s: %d, no %s in %s", path, status, want, got)
			}
		}

		// a payload of another client is said to be unreadable, and the page is there
		dbtest.Exec(t, d, `update eval_payloads`+months(d)+` set payload = ? where team_id = ? and case_id = ?`, `{"failures": "none", "judge_scores": [1]}`, team, wire.CaseID("acme/shop", "shop", "order_03", "sonnet"))
		fresh := open(t, d, func() db.Identity { return who })
		if status, got := fetch(t, fresh.URL+casePage); status != 200 || !strings.Contains(got, "cannot be read in full") {
			t.Errorf("%d: %s", status, got)
		}

		// nobody else
		who = eve
		for _, path := range []string{"acme/run?id=" + ids[5], "acme" + casePage[len("/t/acme"):], "beta/run?id=" + ids[5], "beta/case?id=" + id + "&run=" + ids[5], "beta/compare?a=" + theirID + "&b=" + ids[5], "beta/compare?a=" + ids[4] + "&b=" + ids[5]} {
			if status, got := fetch(t, s.URL+"/t/"+path); status != 404 || strings.Contains(got, "charged") {
				t.Errorf("%s to another team: %d", path, status)
			}
		}
		if status, got := fetch(t, s.URL+"/t/beta/case?id="+id+"&run="+theirID+"&with="+ids[4]); status != 200 || strings.Contains(got, "charged your card") || !strings.Contains(got, "a secret of beta") {
			t.Errorf("the other team's own page: %d %s", status, got)
		}
		who = db.Identity{}
		if status, _ := fetch(t, s.URL+casePage); status == 200 {
			t.Errorf("to a stranger: %d", status)
		}
		who = ada
		for _, path := range []string{"case?id=" + id + "&run=x", "case?id=x", "case?id=1", "compare?a=x&b=" + ids[0], "compare?a=" + uuid.NewString() + "&b=" + ids[0], "compare?av=nobody&bv=haiku&a=" + ids[0] + "&b=" + ids[0], "case?id=" + id + "&run=" + uuid.NewString()} {
			if status, got := fetch(t, s.URL+"/t/acme/"+path); status != 404 {
				t.Errorf("%s: %d %s", path, status, got)
			}
		}
	})
}

// months is what SQLite's tables of March 2026 end with.
func months(d *db.DB) string {
	if d.Dialect() == db.SQLite {
		return "_202603"
	}
	return ""
}
