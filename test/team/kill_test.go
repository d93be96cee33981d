package team

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m.Run)) }

// killPoints is how often a server is killed; CAIRN_KILL_POINTS says another number.
const killPoints = 3

const (
	killPushers  = 4
	casesPerPush = 20
)

// TestKilled kills a server with SIGKILL while people push, write and refresh.
// What it acknowledged is there afterwards, nothing is there in part, days' sums
// are those of their rows, and who was signed in still is.
func TestKilled(t *testing.T) {
	points := killPoints
	if text := os.Getenv("CAIRN_KILL_POINTS"); text != "" {
		var err error
		if points, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		points = 1
	}
	cairn := filepath.Join(t.TempDir(), "cairn")
	if err := cairntest.Build(cairn); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			v := &victim{t: t, cairn: cairn, home: t.TempDir()}
			if name == "postgres" {
				if pgtest.Shared() == nil {
					t.Skip("no PostgreSQL is installed")
				}
				var err error
				if v.database, err = pgtest.Shared().Database(); err != nil {
					t.Fatal(err)
				}
			}
			v.prepare()
			for n := range points {
				v.point(n)
				if t.Failed() {
					return
				}
			}
			if out, err := v.command("serve", "doctor").CombinedOutput(); err != nil {
				t.Errorf("doctor: %v\n%s", err, out)
			}
			t.Logf("%d kills; acknowledged: %d runs, %d reports, %d refreshes; cut off and sent again: %d runs, %d of which were there", points, v.runs, v.reports, v.refreshes, v.cut, v.there)
		})
	}
}

// A victim is a server that is killed, and what it said before.
type victim struct {
	t              *testing.T
	cairn          string
	home, database string
	url            string
	server         *exec.Cmd

	anon, service string
	team          uuid.UUID
	session       wire.Session

	runs, reports, refreshes, cut, there int
}

func (v *victim) command(args ...string) *exec.Cmd {
	cmd := exec.Command(v.cairn, args...)
	cmd.Env = append(os.Environ(), "HOME="+v.home, "CAIRN_HOME="+filepath.Join(v.home, ".cairn"), "NO_COLOR=1", "CAIRN_DATABASE_URL="+v.database)
	return cmd
}

// start starts the server and waits until it says where it listens.
func (v *victim) start() {
	v.t.Helper()
	v.server = v.command("serve", "--listen", "127.0.0.1:0")
	stderr, err := v.server.StderrPipe()
	if err == nil {
		err = v.server.Start()
	}
	if err != nil {
		v.t.Fatal(err)
	}
	v.url = ""
	lines := bufio.NewScanner(stderr)
	var said []string
	for v.url == "" && lines.Scan() {
		said = append(said, lines.Text())
		_, v.url, _ = strings.Cut(lines.Text(), "cairn serves ")
	}
	if v.url == "" {
		v.t.Fatalf("the server does not start:\n%s", strings.Join(said, "\n"))
	}
	go io.Copy(io.Discard, stderr)
}

func (v *victim) kill() {
	_ = v.server.Process.Kill()
	_ = v.server.Wait()
}

// ask sends a request and returns its answer: an error is that none came.
func (v *victim) ask(method, path, token string, body, into any) (int, error) {
	var sent bytes.Buffer
	if body != nil {
		if err := json.MarshalWrite(&sent, body); err != nil {
			return 0, err
		}
	}
	r, err := http.NewRequest(method, v.url+path, &sent)
	if err != nil {
		return 0, err
	}
	r.Header.Set("apikey", v.anon)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err
	}
	if res.StatusCode >= 300 {
		return res.StatusCode, fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, answer)
	}
	if into == nil {
		return res.StatusCode, nil
	}
	return res.StatusCode, json.Unmarshal(answer, into)
}

func (v *victim) must(method, path, token string, body, into any) {
	v.t.Helper()
	if _, err := v.ask(method, path, token, body, into); err != nil {
		v.t.Fatal(err)
	}
}

func (v *victim) prepare() {
	v.start()
	defer v.kill()
	out, err := v.command("serve", "keys", "--service", "--json").Output()
	var keys struct {
		Anon    string `json:"anon_key"`
		Service string `json:"service_role_key"`
	}
	if err == nil {
		err = json.Unmarshal(out, &keys)
	}
	if err != nil {
		v.t.Fatalf("%v: %s", err, out)
	}
	v.anon, v.service = keys.Anon, keys.Service
	who := map[string]any{"email": "ada@example.test", "password": "correct horse battery", "email_confirm": true}
	v.must("POST", wire.Auth+"admin/users", v.service, who, nil)
	v.must("POST", wire.Auth+"token?grant_type=password", v.anon, who, &v.session)
	v.must("POST", wire.CreateTeam, v.session.AccessToken, map[string]any{"team_slug": "acme", "team_name": "Acme"}, &v.team)
}

// sent is what one pusher sent at one point.
type sent struct {
	runs    []wire.EvalRun
	acked   int // how many of the runs, from the first
	reports []string
	ackedR  int
	failure error // an answer that should not have come
}

// point is one kill: load, SIGKILL, start, look.
func (v *victim) point(n int) {
	v.start()
	repo := fmt.Sprintf("acme/p%d", n)
	var all [killPushers]sent
	token := v.session.AccessToken
	var work sync.WaitGroup
	for i := range all {
		work.Go(func() { v.push(&all[i], repo, token) })
	}
	work.Go(v.refresh)
	time.Sleep(time.Duration(20+rand.IntN(400)) * time.Millisecond)
	v.kill()
	work.Wait()
	http.DefaultClient.CloseIdleConnections()
	v.start()
	defer v.kill()
	v.look(repo, &all)
}

// push sends runs and reports in turn until the server is gone.
func (v *victim) push(s *sent, repo, token string) {
	for {
		run := killedRun(v.team, repo)
		s.runs = append(s.runs, run)
		if status, err := v.ask("POST", wire.PushEvalRun, token, wire.EvalPush{Team: v.team, Run: run}, nil); err != nil {
			if status != 0 {
				s.failure = err
			}
			return
		}
		s.acked++
		key := "report-" + uuid.NewString()
		s.reports = append(s.reports, key)
		report := map[string]any{"team_id": v.team, "ingest_key": key, "repo_slug": repo, "url": "https://example.test"}
		if status, err := v.ask("POST", wire.Rest+"qa_reports", token, report, nil); err != nil {
			if status != 0 {
				s.failure = err
			}
			return
		}
		s.ackedR++
	}
}

// refresh changes the session's token for the next one until the server is gone.
func (v *victim) refresh() {
	for {
		var next wire.Session
		if _, err := v.ask("POST", wire.Auth+"token?grant_type=refresh_token", v.anon, map[string]any{"refresh_token": v.session.RefreshToken}, &next); err != nil {
			return
		}
		v.session = next
		v.refreshes++
		time.Sleep(5 * time.Millisecond)
	}
}

func killedRun(team uuid.UUID, repo string) wire.EvalRun {
	run := wire.EvalRun{RunAt: time.Now().UTC(), IngestKey: "killed-" + uuid.NewString(), RepoSlug: repo, Branch: "main", Label: "main", Suite: "s",
		TotalTests: casesPerPush, Passed: casesPerPush - 1, Failed: 1, TotalCostUSD: 0.25,
		Costs: []wire.EvalCost{{Model: "model-" + repo, Calls: casesPerPush, InputTokens: 1000, EstimatedCostUSD: 0.25}}}
	run.ID = wire.RunID(team, run.IngestKey)
	for c := range casesPerPush {
		name := "case " + strconv.Itoa(c)
		id := wire.CaseID(repo, "s", name, "")
		run.Cases = append(run.Cases, wire.EvalCase{ID: id, Suite: "s", Name: name})
		one := wire.EvalResult{CaseID: id}
		if c == 0 {
			one.Status, one.Payload = 1, []byte(`{"output":"no"}`)
		}
		run.Results = append(run.Results, one)
	}
	return run
}

// look compares what is there with what was acknowledged.
func (v *victim) look(repo string, all *[killPushers]sent) {
	where := "repo_slug=eq." + repo
	there := v.whole(where)
	reports := map[string]bool{}
	var keys []struct {
		Key string `json:"ingest_key"`
	}
	v.must("GET", wire.Rest+"qa_reports?select=ingest_key&"+where, v.service, nil, &keys)
	for _, k := range keys {
		reports[k.Key] = true
	}
	token := v.session.AccessToken
	var again []uuid.UUID
	for i := range all {
		s := &all[i]
		if s.failure != nil {
			v.t.Error(s.failure)
		}
		for n, run := range s.runs {
			if n < s.acked {
				v.runs++
				if !there[run.ID] {
					v.t.Errorf("%s: run %s was acknowledged and is lost", repo, run.ID)
				}
				continue
			}
			// The client does not know: it sends the run again, once too often or not.
			var got wire.EvalPushed
			v.must("POST", wire.PushEvalRun, token, wire.EvalPush{Team: v.team, Run: run}, &got)
			v.cut++
			if got.Duplicate {
				v.there++
			}
			// A PostgreSQL may finish what a killed server asked for after the first look.
			if !got.Duplicate && there[run.ID] {
				v.t.Errorf("%s: run %s was there; sent again it is no duplicate", repo, run.ID)
			}
			again = append(again, run.ID)
		}
		for n, key := range s.reports {
			if n < s.ackedR {
				v.reports++
				if !reports[key] {
					v.t.Errorf("%s: report %s was acknowledged and is lost", repo, key)
				}
			}
		}
	}
	there = v.whole(where)
	for _, id := range again {
		if !there[id] {
			v.t.Errorf("%s: run %s was sent again and is lost", repo, id)
		}
	}
	var next wire.Session
	v.must("POST", wire.Auth+"token?grant_type=refresh_token", v.anon, map[string]any{"refresh_token": v.session.RefreshToken}, &next)
	v.session = next
}

// whole returns a repository's runs and checks that each has all that it came
// with, once, and that the days' sums are right.
func (v *victim) whole(where string) map[uuid.UUID]bool {
	var runs []struct {
		ID      uuid.UUID        `json:"id"`
		Total   int              `json:"total_tests"`
		Passed  int              `json:"passed"`
		Results []map[string]any `json:"eval_results"`
		Bodies  []map[string]any `json:"eval_payloads"`
		Costs   []map[string]any `json:"eval_costs"`
	}
	v.must("GET", wire.Rest+"eval_runs?select=id,total_tests,passed,eval_results(case_id),eval_payloads(case_id),eval_costs(calls)&"+where, v.service, nil, &runs)
	var days []struct {
		Runs   int     `json:"runs"`
		Passed int     `json:"passed"`
		Total  int     `json:"total"`
		Cost   float64 `json:"cost_usd"`
	}
	v.must("GET", wire.Rest+"daily_evals?"+where, v.service, nil, &days)
	var costs []struct {
		Calls int `json:"calls"`
	}
	v.must("GET", wire.Rest+"daily_costs?model=eq.model-"+strings.TrimPrefix(where, "repo_slug=eq."), v.service, nil, &costs)
	there := map[uuid.UUID]bool{}
	passed, counted, calls := 0, 0, 0
	for _, r := range runs {
		there[r.ID] = true
		passed += r.Passed
		if len(r.Results) != r.Total || len(r.Bodies) != 1 || len(r.Costs) != 1 {
			v.t.Errorf("%s: run %s of %d cases has %d results, %d payloads, %d costs", where, r.ID, r.Total, len(r.Results), len(r.Bodies), len(r.Costs))
		}
	}
	sumPassed, sumTotal := 0, 0
	for _, d := range days {
		counted, sumPassed, sumTotal = counted+d.Runs, sumPassed+d.Passed, sumTotal+d.Total
	}
	for _, c := range costs {
		calls += c.Calls
	}
	if counted != len(runs) || sumPassed != passed || sumTotal != len(runs)*casesPerPush || calls != sumTotal {
		v.t.Errorf("%s: %d runs with %d passed; the days say %d, %d of %d, %d calls", where, len(runs), passed, counted, sumPassed, sumTotal, calls)
	}
	return there
}
