package team

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"cairn/internal/team/wire"
	"cairn/test/cairntest"
)

// judged is a run of four cases, two of which the judge passes.
const judged = `{"schema_version":1,"suite":"mails","label":"main","repo":"acme/web","git_branch":"main","git_sha":"0123456789abcdef0123456789abcdef01234567","timestamp":"2026-03-01T10:00:00Z",
"all_results":[
{"name":"mail","variant":"good","passed":true,"output":{"response":"Dear Ada"},"judge_scores":{"tone":0.9},"judge_thresholds":{"tone":0.5}},
{"name":"mail","variant":"bad","passed":false,"output":{"response":"Hello"},"judge_scores":{"tone":0.2},"judge_thresholds":{"tone":0.5}},
{"name":"reply","case_id":"own-7","passed":true,"output":{"response":"Thanks"},"judge_scores":{"tone":0.8},"judge_thresholds":{"tone":0.5}},
{"name":"bye","passed":false,"output":{"response":"Bye"},"judge_scores":{"tone":0.1},"judge_thresholds":{"tone":0.5}}]}`

// session is the access token of a person and the server that it is for.
func (p person) session() (server, token, team string) {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.home, ".cairn", "auth.json"))
	if err != nil {
		p.t.Fatal(err)
	}
	var all map[string]struct {
		AccessToken string            `json:"access_token"`
		Teams       map[string]string `json:"teams"`
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all) != 1 {
		p.t.Fatalf("%v: %s", err, data)
	}
	for url, s := range all {
		server, token = url, s.AccessToken
		for _, id := range s.Teams {
			team = id
		}
	}
	return server, token, team
}

// label sends what the page of a case sends; pass is JSON.
func (p person) label(slug string, run uuid.UUID, id int64, pass string) {
	p.t.Helper()
	server, token, _ := p.session()
	req, err := http.NewRequest("POST", server+"/t/"+slug+"/label", strings.NewReader(fmt.Sprintf(`{"run":"%s","case":"%d","criterion":"*","pass":%s}`, run, id, pass)))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	if text, _ := io.ReadAll(res.Body); res.StatusCode != http.StatusNoContent {
		p.t.Fatalf("label %d: %s: %s", id, res.Status, text)
	}
}

// TestLabels: what two people label on the team's pages is what judges are compared
// with: each has one word, one's own on this machine comes first, and answers on
// which they contradict each other are left out and said.
func TestLabels(t *testing.T) {
	cairntest.Long(t)
	cairn := filepath.Join(t.TempDir(), "cairn")
	if err := cairntest.Build(cairn); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "web")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ada, bob := person{t, cairn, t.TempDir(), dir}, person{t, cairn, t.TempDir(), dir}
	for _, line := range []string{"git init -q -b main .", "git config user.email ada@example.test", "git config user.name Ada",
		"git remote add origin https://git.example.test/acme/web.git", "git commit -q --allow-empty -m start"} {
		ada.run(line)
	}
	file := filepath.Join(dir, "run.json")
	if err := os.WriteFile(file, []byte(judged), 0o644); err != nil {
		t.Fatal(err)
	}
	ada.run(ada.serve("serve", "--data", filepath.Join(ada.home, "server")))
	if out := ada.run("cairn eval push run.json"); !strings.Contains(out, "synced to team ✓") {
		t.Fatal(out)
	}
	for line := range strings.Lines(ada.run("cairn team invite bob@example.test")) {
		if strings.HasPrefix(line, "cairn sync setup") {
			bob.run(line)
		}
	}
	// As the team has it.
	server, token, team := ada.session()
	req, _ := http.NewRequest("GET", server+wire.Rest+"eval_runs?select=id", nil)
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ ID uuid.UUID }
	err = json.NewDecoder(res.Body).Decode(&rows)
	res.Body.Close()
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d runs of team %s, %v", len(rows), team, err)
	}
	run := rows[0].ID
	of := func(name, variant string) int64 { return wire.CaseID("acme/web", "mails", name, variant) }
	good, bad, bye := of("mail", "good"), of("mail", "bad"), of("bye", "")
	own := wire.CaseID("acme/web", "mails", "", "own-7")

	ada.label("acme", run, good, "true")
	ada.label("acme", run, bad, "true")
	bob.label("acme", run, bad, "false") // they contradict each other
	bob.label("acme", run, own, "false")
	bob.label("acme", run, bye, "true")
	bob.label("acme", run, bye, "null") // taken back
	ada.label("acme", run, bye, "true")

	agreement := func(p person, args ...string) (out struct {
		Validation []struct {
			Criterion string `json:"criterion"`
			Cases     int    `json:"cases"`
			BothPass  int    `json:"both_pass"`
			BothFail  int    `json:"both_fail"`
			OnlyJudge int    `json:"only_judge"`
			OnlyHuman int    `json:"only_people"`
		} `json:"validation"`
		Disputed int `json:"disputed"`
	}, stderr string) {
		t.Helper()
		cmd := p.command(cairn, append([]string{"eval", "judge", "agreement", "--json"}, args...)...)
		var err strings.Builder
		cmd.Stderr = &err
		data, failed := cmd.Output()
		if failed != nil {
			t.Fatalf("%v: %s", failed, err.String())
		}
		if bad := json.Unmarshal(data, &out); bad != nil {
			t.Fatalf("%v: %s", bad, data)
		}
		return out, err.String()
	}
	for _, p := range []person{ada, bob} { // bob has the run from the team only
		got, stderr := agreement(p, "main", "--team")
		if text := fmt.Sprintf("%+v", got); text != "{Validation:[{Criterion:* Cases:3 BothPass:1 BothFail:0 OnlyJudge:1 OnlyHuman:1}] Disputed:1}" {
			t.Errorf("%s, %s", text, stderr)
		}
		if !strings.Contains(stderr, "compared with 3 labels of 2 people") || !strings.Contains(stderr, `contradict each other on 1 label, left out, such as "mail [bad]", "*"`) {
			t.Errorf("it says %s", stderr)
		}
	}
	// Ada has thought better of it here: her own word on this machine counts for her.
	id := strings.Fields(ada.run("cairn eval list --json --get [0].id"))[0]
	labels := filepath.Join(ada.home, ".cairn", "evals", "labels")
	if err := os.MkdirAll(labels, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(labels, id+".json"), []byte(`[{"case":"mail [bad]","criterion":"*","pass":false}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, stderr := agreement(ada, "main", "--team")
	if text := fmt.Sprintf("%+v", got); text != "{Validation:[{Criterion:* Cases:4 BothPass:1 BothFail:1 OnlyJudge:1 OnlyHuman:1}] Disputed:0}" {
		t.Errorf("%s, %s", text, stderr)
	}
	if got, stderr := agreement(ada, "main"); len(got.Validation) != 1 || got.Validation[0].Cases != 1 || !strings.Contains(stderr, "compared with the 1 label given in cairn eval view") {
		t.Errorf("without --team %+v, %s", got, stderr)
	}

	// What bob labels in cairn eval view --team is the team's at once.
	view := bob.command(cairn, "eval", "view", "main", "--team", "--no-open", "--json")
	out, err := view.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := view.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = view.Process.Signal(os.Interrupt)
		_ = view.Wait()
	}()
	var begun struct {
		URL  string   `json:"url"`
		Runs []string `json:"runs"`
	}
	if err := json.NewDecoder(out).Decode(&begun); err != nil || len(begun.Runs) != 1 {
		t.Fatalf("%+v, %v", begun, err)
	}
	page := func(path string) string {
		t.Helper()
		res, err := http.Get(begun.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return string(text)
	}
	found := regexp.MustCompile(`"id":"([0-9a-f]{16})"[^{}]*"bye"|"bye"[^{}]*"id":"([0-9a-f]{16})"`).FindStringSubmatch(page("run?id=" + begun.Runs[0]))
	if found == nil {
		t.Fatalf("no case in %s", page("run?id="+begun.Runs[0]))
	}
	here := found[1] + found[2]
	if text := page("case?run=" + begun.Runs[0] + "&case=" + here); !strings.Contains(text, `"others":[{"who":"ada","criterion":"*","pass":true}]`) || !strings.Contains(text, "sent to the team") {
		t.Errorf("bob does not see ada's label: %s", text)
	}
	res, err = http.Post(begun.URL+"label", "application/json", strings.NewReader(fmt.Sprintf(`{"run":%q,"case":%q,"criterion":"*","pass":false}`, begun.Runs[0], here)))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if res.StatusCode != http.StatusNoContent {
		t.Fatalf("%s: %s", res.Status, text)
	}
	got, stderr = agreement(ada, "main", "--team")
	if text := fmt.Sprintf("%+v", got); text != "{Validation:[{Criterion:* Cases:3 BothPass:1 BothFail:1 OnlyJudge:1 OnlyHuman:0}] Disputed:1}" || !strings.Contains(stderr, `such as "bye"`) {
		t.Errorf("%s, %s", text, stderr)
	}
}
