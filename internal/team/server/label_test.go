package server

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/wire"
)

// Who is signed in in a browser labels an answer by the form of its page; the cookie
// alone, sent from another site, does nothing, and signed out it is no use.
func TestLabelByCookie(t *testing.T) {
	s, _ := made(t, Config{})
	running(t, s)
	token, err := s.accounts.NewClaim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var session wire.Session
	res, err := http.Post(s.URL()+wire.Claim, "application/json", strings.NewReader(`{"token":"`+token+`","email":"ada@acme.test"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.UnmarshalRead(res.Body, &session); err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res.StatusCode, err)
	}
	ask := func(path, body string, out any) {
		t.Helper()
		req, _ := http.NewRequest(http.MethodPost, s.URL()+path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+session.AccessToken)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, res.Status)
		}
		if err := json.UnmarshalRead(res.Body, out); err != nil {
			t.Fatal(path, err)
		}
	}
	var team uuid.UUID
	ask(wire.CreateTeam, `{"team_slug":"acme","team_name":"Acme"}`, &team)
	id := wire.CaseID("acme/app", "posts", "reply", "")
	run := wire.RunID(team, "label-by-cookie-0001")
	var pushed wire.EvalPushed
	ask(wire.PushEvalRun, fmt.Sprintf(`{"p_team":"%s","p_run":{"id":"%s","run_at":"%s","ingest_key":"label-by-cookie-0001","repo_slug":"acme/app","label":"main","suite":"posts","total_tests":1,"passed":1,"failed":0,
		"cases":[{"id":%d,"suite":"posts","name":"reply"}],"results":[{"case_id":%d,"status":0,"payload":{"output":"Thanks"}}]}}`, team, run, time.Now().UTC().Format(time.RFC3339), id, id), &pushed)
	var entry wire.Entry
	ask(wire.Enter, "", &entry)

	b := newTab(t, s.URL())
	casePage := fmt.Sprintf("/t/acme/case?run=%s&id=%d", run, id)
	if status, at, page := b.get(strings.TrimPrefix(entry.URL, s.URL()) + "&next=" + url.QueryEscape(casePage)); status != 200 || at.Path != "/t/acme/case" || !strings.Contains(page, `action="label"`) {
		t.Fatalf("%d at %s: %s", status, at, page)
	}
	form := func(pass string) url.Values {
		return url.Values{"run": {run.String()}, "case": {fmt.Sprint(id)}, "criterion": {"*"}, "pass": {pass}}
	}
	const said = "Your label of the answer: "
	if status, at, page := b.post("/t/acme/label", form("true"), "Origin", s.URL(), "Sec-Fetch-Site", "same-origin"); status != 200 || at.Path != "/t/acme/case" || !strings.Contains(page, said+"right.") {
		t.Errorf("the form leads to %d at %s: %s", status, at, page)
	}
	for _, header := range [][]string{{"Origin", "https://evil.test"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if status, _, _ := b.post("/t/acme/label", form("false"), header...); status != http.StatusForbidden {
			t.Errorf("with %q: %d", header, status)
		}
	}
	if _, at, _ := newTab(t, s.URL()).post("/t/acme/label", form("false")); at.Path != "/signin" {
		t.Errorf("nobody is led to %s", at)
	}
	if _, _, page := b.get(casePage); !strings.Contains(page, said+"right.") {
		t.Errorf("what was refused changed the label: %s", page)
	}
	if _, _, page := b.post("/t/acme/label", form("")); strings.Contains(page, said) {
		t.Errorf("a label that was taken back is there: %s", page)
	}
}
