package evalview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/team/judge"
	"cairn/internal/team/result"
	"cairn/test/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// store is the user's, without word of what cannot be read.
type store struct{ *eval.Store }

func (s store) List() ([]eval.Entry, error) {
	entries, _, err := s.Store.List()
	return entries, err
}

const hostile = `<img src=x onerror="window.ran=1"></script><script>window.ran=1</script>`

// made is a run of day i: order_03 fails in it from day 4 on.
func made(t testing.TB, i int, cases ...string) *result.Run {
	t.Helper()
	if cases == nil {
		cases = []string{"order_01", "order_02", "order_03"}
	}
	run := &result.Run{SchemaVersion: 1, Suite: "shop", Label: "main", GitBranch: "main", GitSHA: fmt.Sprintf("%040x", 0xabc0+i), Repo: "acme/shop",
		Timestamp: result.Time{Time: time.Date(2026, 10, 1+i, 9, 0, 0, 0, time.UTC)}}
	for _, name := range cases {
		for _, variant := range []string{"haiku", "sonnet"} {
			r := result.Result{Name: name, Variant: variant, Model: "claude-" + variant, DurationMS: 820, CostUSD: 0.0021, JudgeReasoning: "States date and amount.",
				JudgeScores: map[string]float64{"accuracy": 0.9, "tone": 0.8}, Tags: []string{"mail"}}
			said := fmt.Sprintf("Your order is on its way. We charged your card 12.%02d EUR.", i)
			r.Set(result.Pass)
			if name == "order_03" && i >= 4 {
				r.Set(result.Fail)
				said = "Your order is on its way. We may have charged your card. \x1b[31mred\x1b[0m \u202eevil " + hostile
				r.JudgeScores["accuracy"], r.JudgeReasoning = 0.4, "It never says what was charged."
				r.Failures = []result.Failure{{Type: "threshold", ExpectationType: "llm_judge", Message: "accuracy 0.4 is below 0.7"}}
			}
			r.Output = value(map[string]string{"response": said})
			r.X = value(map[string]any{"input": "Where is my order? I paid last week.", "prompt": "You are a shop's assistant.\n\nCustomer: Where is my order?", "expected": "Says when and how much.",
				"usage": map[string]int{"input_tokens": 412, "output_tokens": 61}, "trace_url": "javascript:alert(1)", "judge_thresholds": map[string]float64{"accuracy": 0.7, "tone": 0.6}})
			run.Results = append(run.Results, r)
		}
	}
	run.Derive()
	if err := run.Identify(); err != nil {
		t.Fatal(err)
	}
	return run
}

func value(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// serve shows runs that are stored, and others.
func serve(t testing.TB, stored []*result.Run, files ...*result.Run) *View {
	t.Helper()
	s := eval.Open(filepath.Join(t.TempDir(), "evals"))
	for _, run := range stored {
		if _, _, err := s.Put(run); err != nil {
			t.Fatal(err)
		}
	}
	site := evalpage.Site{Zone: time.UTC, Commit: func(run *result.Run) string { return "https://github.com/acme/shop/commit/" + run.GitSHA }, Pull: func(run *result.Run) evalpage.Link {
		return evalpage.Link{Text: "pull request 12", To: "javascript:alert(1)"}
	}}
	v, err := Start(Options{Store: store{s}, Files: files, Labels: filepath.Join(t.TempDir(), "labels"), Site: site, Idle: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _, _ = v.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return v
}

func days(t testing.TB, n int) (list []*result.Run) {
	for i := range n {
		list = append(list, made(t, i))
	}
	return list
}

// look checks a page at a telephone's and a desk's size, in light and dark.
func look(t *testing.T, tab *browsertest.Tab, name string) {
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
			tab.Shot(filepath.Join(dir, name+"-"+[]string{"1280", "1280-dark", "360", "360-dark"}[i]+".png"))
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

// A case's page says without a click what was asked, what came beside the run
// before, why it is wrong and since when; what is hostile in it is text.
func TestCase(t *testing.T) {
	runs := days(t, 6)
	v := serve(t, runs)
	last := runs[5]
	id := idOf(last, &last.Results[5]) // order_03 [sonnet]
	tab := browsertest.Open(t, v.URL()+caseLink(last.ID, id)+"&with="+runs[3].ID, browsertest.View{})
	tab.Wait("document.querySelectorAll('.columns').length === 3")
	text := tab.Text("main")
	for _, want := range []string{"order_03", "Where is my order? I paid last week.", "You are a shop's assistant.", "Says when and how much.", "accuracy 0.4 is below 0.7",
		"It never says what was charged.", "Fails since 2026-10-05 09:00 UTC (000000000000)"[:36], "2 results in a row; passed 4 of the 4 before", "412 tokens in, 61 out", "820ms", "$0.0021", "claude-sonnet",
		"⟨ESC⟩[31mred⟨ESC⟩[0m ⟨U+202E⟩evil <img src=x", "charged your card 12.03 EUR", "commit 0000000000", "haiku"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	var links []string
	tab.Eval("[...document.querySelectorAll('a')].map(a => a.href).filter(h => !h.startsWith('http:') && !h.startsWith('https://github.com/acme/shop/commit/'))", &links)
	if len(links) > 0 {
		t.Errorf("links lead to %q", links)
	}
	var marks, squares string
	tab.Eval("[...document.querySelectorAll('.columns')][1].querySelectorAll('.column')[1].querySelector('pre').innerHTML", &marks)
	if want := `We <mark class="only">charged</mark> your card`; !strings.Contains(marks, "12") || !strings.Contains(marks, "mark") {
		t.Errorf("what differs is not marked: %s, want something like %s", marks, want)
	}
	if tab.Eval("[...document.querySelectorAll('.square')].map(s => s.className).join(', ')", &squares); squares != "square pass, square pass, square pass, square pass beside, square fail, square fail here" {
		t.Errorf("squares %s", squares)
	}
	look(t, tab, "case")

	tab.Keys("j") // in the run's order the next is the first that passed
	tab.Wait("document.querySelector('h1').textContent === 'order_01'")
	tab.Keys("k")
	tab.Wait("document.querySelector('h1').textContent === 'order_03'")
	tab.Keys("u")
	tab.Wait("document.querySelectorAll('#rows li').length === 6")
}

// A label is kept where judge agreement finds it, and taken back with the same
// key. Nobody else's page can send one.
func TestLabel(t *testing.T) {
	runs := days(t, 5)
	v := serve(t, runs)
	run := runs[4]
	id := idOf(run, &run.Results[5])
	tab := browsertest.Open(t, v.URL()+caseLink(run.ID, id), browsertest.View{})
	kept := func() string {
		labels, err := judge.KeptLabels(v.opts.Labels, run.ID)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(labels)
	}
	pressed := `document.querySelectorAll('.labels [aria-pressed="true"]').length`
	tab.Keys("w")
	tab.Wait(pressed + " === 1")
	if got := kept(); got != "[{order_03 [sonnet] * false}]" {
		t.Errorf("kept %s", got)
	}
	tab.Click(`.label:nth-of-type(2) button`) // accuracy is right
	tab.Wait(pressed + " === 2")
	if got := kept(); got != "[{order_03 [sonnet] * false} {order_03 [sonnet] accuracy true}]" {
		t.Errorf("kept %s", got)
	}
	tab.Keys("w")
	tab.Wait(pressed + " === 1")
	if got := kept(); got != "[{order_03 [sonnet] accuracy true}]" {
		t.Errorf("kept %s", got)
	}
	body := `{"run":"` + run.ID + `","case":"` + id + `","criterion":"*","pass":true}`
	for _, c := range []struct {
		kind, origin, body string
		want               int
	}{
		{"text/plain", "", body, 415}, {"application/json", "http://evil.example", body, 403}, {"application/json", "", "{", 400},
		{"application/json", "", strings.Replace(body, "*", "wit", 1), 404}, {"application/json", "", strings.Replace(body, id, "0", 1), 404},
		{"application/json", "", strings.Repeat(" ", mostLabel) + body, 400},
	} {
		req, err := http.NewRequest("POST", v.URL()+"label", strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", c.kind)
		if c.origin != "" {
			req.Header.Set("Origin", c.origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%+v: %d", c, resp.StatusCode)
		}
	}
	if got := kept(); got != "[{order_03 [sonnet] accuracy true}]" {
		t.Errorf("kept %s", got)
	}
}

// aTeam is a team whose server can be out of reach.
type aTeam struct {
	sent string
	err  error
}

func (a *aTeam) Of(run *result.Run) ([]judge.Label, []judge.Voice, error) {
	title := run.Results[5].Title()
	return []judge.Label{{Case: title, Criterion: "*", Pass: true}}, []judge.Voice{{Who: "bob", Labels: []judge.Label{{Case: title, Criterion: "*"}, {Case: "another", Criterion: "*"}}}}, a.err
}

func (a *aTeam) Set(run *result.Run, r *result.Result, criterion string, pass, gone bool) error {
	if a.err == nil {
		a.sent += fmt.Sprintln(run.ID, r.Title(), criterion, pass, gone)
	}
	return a.err
}

// With a team a label goes there too, what its members said stands beside one's own,
// and a server that cannot be reached loses nothing and is named.
func TestLabelOfTeam(t *testing.T) {
	runs := days(t, 5)
	v := serve(t, runs)
	team := &aTeam{}
	v.opts.Team = team
	run := runs[4]
	url := v.URL() + caseLink(run.ID, idOf(run, &run.Results[5]))
	tab := browsertest.Open(t, url, browsertest.View{})
	tab.Wait(`document.querySelectorAll('.labels [aria-pressed="true"]').length === 1`)
	if text := tab.Text(".labels"); !strings.Contains(text, "bob") || !strings.Contains(text, "kept on this machine and sent to the team") {
		t.Errorf("the page says %q", text)
	}
	look(t, tab, "case-team")
	tab.Keys("w")
	tab.Wait(`document.querySelector('.labels button[data-pass="false"]').getAttribute("aria-pressed") === "true"`)
	if want := fmt.Sprintln(run.ID, "order_03 [sonnet]", "*", false, false); team.sent != want {
		t.Errorf("sent %q, want %q", team.sent, want)
	}
	team.err = errors.New("nobody answers")
	tab.Keys("r")
	tab.Wait(`document.querySelector('.labels').textContent.includes("The team does not have the label, this machine has: nobody answers")`)
	labels, err := judge.KeptLabels(v.opts.Labels, run.ID)
	if err != nil || fmt.Sprint(labels) != "[{order_03 [sonnet] * true}]" {
		t.Errorf("kept %v, %v", labels, err)
	}
	tab = browsertest.Open(t, url, browsertest.View{})
	tab.Wait(`document.querySelector('.labels')?.textContent.includes("The team's labels cannot be read: nobody answers")`)
}

// The pages of a run: filters, search, and the order in which its cases follow.
func TestRun(t *testing.T) {
	runs := days(t, 6)
	v := serve(t, runs, made(t, 7, "order_01", "order_03"))
	tab := browsertest.Open(t, v.URL()+"runs", browsertest.View{})
	tab.Wait("document.querySelectorAll('#rows > li').length === 7")
	look(t, tab, "runs")
	tab = browsertest.Open(t, v.URL()+runLink(runs[5].ID), browsertest.View{})
	titles := func() (list []string) {
		tab.Eval("[...document.querySelectorAll('#rows .title')].map(e => e.textContent)", &list)
		return list
	}
	tab.Wait("document.querySelectorAll('#rows li').length === 6")
	if got := titles(); !slices.Equal(got[:2], []string{"order_03 [haiku]", "order_03 [sonnet]"}) {
		t.Errorf("first come %q", got)
	}
	look(t, tab, "run")
	tab.Eval("document.getElementById('variant').value = 'haiku'; document.getElementById('variant').dispatchEvent(new Event('change'))", nil)
	tab.Keys("4") // those that pass
	if got := titles(); !slices.Equal(got, []string{"order_01 [haiku]", "order_02 [haiku]"}) {
		t.Errorf("haiku, pass: %q", got)
	}
	tab.Keys("j", "\r")
	tab.Wait("document.querySelector('h1').textContent === 'order_01'")
	tab.Keys("j")
	tab.Wait("document.querySelector('h1').textContent === 'order_02'")
	if got := tab.Text(".where"); !strings.Contains(got, "case 2 of 2") {
		t.Errorf("the order of the run's page is lost: %q", got)
	}
	var next string
	if tab.Eval("document.querySelectorAll('.steps a').length + ''", &next); next != "1" {
		t.Errorf("after the last that is listed there is another")
	}
}

// Two runs and two variants stand beside each other and lead to their cases.
func TestCompare(t *testing.T) {
	runs := days(t, 6)
	v := serve(t, runs)
	for _, c := range []struct {
		link, chip, summary string
		pages               int
	}{
		{compareLink(side{run: runs[3].ID}, side{run: runs[5].ID}), "lost", "2 of 6", 2},
		{compareLink(side{runs[5].ID, "haiku"}, side{runs[5].ID, "sonnet"}), "failed", "variant sonnet", 2},
	} {
		tab := browsertest.Open(t, v.URL()+c.link, browsertest.View{})
		tab.Wait("document.querySelector('#summary')")
		if got := tab.Text("main"); !strings.Contains(got, c.summary) {
			t.Errorf("%s: no %q in %s", c.link, c.summary, got)
		}
		tab.Click(`.chip[data-name="` + c.chip + `"]`)
		tab.Keys("e")
		tab.Wait("document.querySelector('.pages a')")
		if got := tab.Text("#cases"); !strings.Contains(got, "Where is my order? I paid last week.") || !strings.Contains(got, "We may have charged your card.") {
			t.Errorf("%s: what was asked and answered is not there: %s", c.link, got)
		}
		look(t, tab, "compare-"+c.chip)
		var links []string
		tab.Eval("[...[...document.querySelectorAll('#cases > li')][0].querySelectorAll('.pages a')].map(a => a.href)", &links)
		if len(links) != c.pages {
			t.Fatalf("%s: %d links to cases", c.link, len(links))
		}
		for _, link := range links {
			resp, err := http.Get(link)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != 200 {
				t.Errorf("%s: %d", link, resp.StatusCode)
			}
		}
	}
}

// Of several suites one can be chosen.
func TestCompareSuites(t *testing.T) {
	a, b := made(t, 3), made(t, 5)
	for _, run := range []*result.Run{a, b} {
		for i := range run.Results {
			run.Results[i].Suite = []string{"mail", "chat"}[i%2]
		}
		if err := run.Identify(); err != nil {
			t.Fatal(err)
		}
	}
	v := serve(t, nil, a, b)
	tab := browsertest.Open(t, v.URL()+compareLink(side{run: a.ID}, side{run: b.ID}), browsertest.View{})
	tab.Wait("document.querySelectorAll('#cases > li').length === 2")
	tab.Eval("document.getElementById('suite').value = 'chat'; document.getElementById('suite').dispatchEvent(new Event('change'))", nil)
	var titles []string
	if tab.Eval("[...document.querySelectorAll('#cases .title')].map(e => e.textContent)", &titles); len(titles) != 1 || !strings.Contains(titles[0], "chat › order_03 [sonnet]") {
		t.Errorf("of chat: %q", titles)
	}
	tab.Keys("\x1b", "e")
	tab.Wait("document.querySelectorAll('.pages a').length === 4 && document.querySelectorAll('.asked').length === 2")
}

// What is not there is said to be not there.
func TestMissing(t *testing.T) {
	runs := days(t, 1)
	v := serve(t, runs)
	for _, path := range []string{"run?id=x", "run", "case?run=" + runs[0].ID + "&case=x", "compare?a=" + runs[0].ID + "&b=x", "compare?a=" + runs[0].ID + "&av=nobody&b=" + runs[0].ID, "other", "run?id=" + url.QueryEscape("../../etc/passwd"), "run?id=" + url.QueryEscape("<b>")} {
		resp, err := http.Get(v.URL() + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 404 || !strings.Contains(string(body), "All runs") || err != nil || strings.Contains(string(body), "<b>") {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
	}
}

// Attempts take turns, the first that did not pass before the others; what only one
// of many variants says is marked in it.
func TestAttempts(t *testing.T) {
	run := made(t, 4, "order_03")
	like := run.Results[0]
	run.Results = nil
	for i, variant := range []string{"haiku", "sonnet · a prompt with a name as long as the names of prompts are when people write them", "opus", "local", "other"} {
		for try := 1; try <= 3; try++ {
			r := like
			r.Variant, r.Attempt = variant, try
			r.Set(result.Pass)
			r.Failures = nil
			said := fmt.Sprintf("Attempt %d of %s says that the order is on its way.", try, variant)
			if try == 2 && i < 2 {
				r.Set(result.Fail)
				r.Failures = []result.Failure{{Message: "no date is named in the second attempt"}}
			}
			r.Output = value(map[string]string{"subject": "Your order", "body": said})
			r.X = value(map[string]any{"input": "Where is my order?", "checks": []map[string]any{{"passed": true, "type": "contains", "value": "order", "weight": 2}, {"passed": try != 2, "metric": "date", "type": "regex", "reason": "a date", "score": 0.5}}})
			run.Results = append(run.Results, r)
		}
	}
	if err := run.Identify(); err != nil {
		t.Fatal(err)
	}
	v := serve(t, nil, run)
	tab := browsertest.Open(t, v.URL()+caseLink(run.ID, idOf(run, &run.Results[0])), browsertest.View{})
	tab.Wait("document.querySelectorAll('.columns').length === 3")
	if text := tab.Text("main"); !strings.Contains(text, "Attempt 2 of haiku") || strings.Contains(text, "Attempt 1 of haiku") || !strings.Contains(text, "no date is named") || !strings.Contains(text, "All checks: 1 of 2 passed") || strings.Contains(text, "Is the answer right?") {
		t.Errorf("%s", text)
	}
	look(t, tab, "attempts")
	tab.Click(`[aria-label="Attempts of This run"] button:first-child`)
	if text := tab.Text("main"); !strings.Contains(text, "Attempt 1 of haiku") || strings.Contains(text, "Attempt 2 of haiku") {
		t.Errorf("after a click: %s", text)
	}
}
