// Command load pushes eval runs from many clients at once, to a cairn server or
// to its peer PocketBase, and prints one row of a Markdown table: pushes a
// second and how long one took. Each push is a run with its cases' results,
// stored at once or not at all. scripts/load.sh starts the servers.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/wire"
)

func main() {
	var l load
	flag.StringVar(&l.name, "name", "", "what the row is called")
	flag.StringVar(&l.url, "url", "", "the server")
	flag.StringVar(&l.peer, "peer", "", "e-mail of PocketBase's admin: the server is PocketBase; its password is $PEER_PASSWORD")
	flag.IntVar(&l.clients, "clients", 50, "clients at once")
	flag.DurationVar(&l.long, "for", 20*time.Second, "for how long")
	flag.IntVar(&l.cases, "cases", 100, "cases of a run")
	flag.Float64Var(&l.rate, "rate", 0, "pushes a second of all clients together, 0 for as many as the server takes")
	flag.BoolVar(&l.signIns, "sign-ins", false, "sign in five times a second beside the pushes, and print how long the longest took")
	flag.BoolVar(&l.bare, "bare", false, "results have nothing but a status: more of them fit into a push")
	flag.Parse()
	if err := must.Catch(l.run); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type load struct {
	name, url, peer string
	clients, cases  int
	long            time.Duration
	rate            float64
	signIns, bare   bool

	http  http.Client
	token string
	team  uuid.UUID
}

func (l *load) run() {
	l.http.Transport = &http.Transport{MaxIdleConnsPerHost: l.clients}
	l.signIn()
	var mu sync.Mutex
	var took []time.Duration
	var failed int
	var first error
	begin := time.Now()
	end := begin.Add(l.long)
	var wg sync.WaitGroup
	for range l.clients {
		wg.Go(func() {
			next := time.Now()
			for time.Now().Before(end) {
				if l.rate > 0 {
					// Each client has its own beat; who is late does not catch up.
					gap := time.Duration(float64(l.clients) / l.rate * float64(time.Second))
					next = next.Add(time.Duration(float64(gap) * (0.5 + rand.Float64())))
					time.Sleep(time.Until(next))
				}
				path, body := l.body()
				start := time.Now()
				err := l.post(path, body, nil)
				d := time.Since(start)
				mu.Lock()
				if err != nil {
					failed++
					first = err
				}
				took = append(took, d)
				mu.Unlock()
			}
		})
	}
	slowest := make(chan time.Duration, 1)
	stop := make(chan struct{})
	go func() { slowest <- l.beside(stop) }()
	wg.Wait()
	close(stop)
	defer func(d time.Duration) {
		if l.signIns {
			fmt.Printf("the longest of the sign-ins beside: %.1f ms\n", float64(d.Microseconds())/1000)
		}
	}(<-slowest)
	all := time.Since(begin)
	slices.Sort(took)
	at := func(part float64) float64 {
		return float64(took[min(len(took)-1, int(part*float64(len(took))))].Microseconds()) / 1000
	}
	fmt.Printf("| %s | %d | %.0f | %.1f | %.1f | %.1f | %d |\n", l.name, l.clients, float64(len(took)-failed)/all.Seconds(), at(.5), at(.99), at(1), failed)
	if first != nil {
		must.Fail(fmt.Errorf("%d of %d failed, the last with: %w", failed, len(took), first))
	}
}

// beside signs in again and again, as somebody else would, until stop.
func (l *load) beside(stop chan struct{}) (slowest time.Duration) {
	other := load{url: l.url}
	for l.signIns {
		select {
		case <-stop:
			return slowest
		case <-time.After(200 * time.Millisecond):
		}
		begin := time.Now()
		if err := other.post(wire.Auth+"token?grant_type=password", map[string]string{"email": os.Getenv("LOAD_EMAIL"), "password": os.Getenv("LOAD_PASSWORD")}, nil); err != nil {
			fmt.Fprintln(os.Stderr, "sign-in:", err)
		}
		slowest = max(slowest, time.Since(begin))
	}
	return slowest
}

func (l *load) signIn() {
	if l.peer != "" {
		var out struct{ Token string }
		err := l.post("/api/collections/_superusers/auth-with-password", map[string]string{"identity": l.peer, "password": os.Getenv("PEER_PASSWORD")}, &out)
		l.token = out.Token
		l.team = uuid.New()
		must.OK(err)
		return
	}
	var s wire.Session
	must.OK(l.post(wire.Auth+"token?grant_type=password", map[string]string{"email": os.Getenv("LOAD_EMAIL"), "password": os.Getenv("LOAD_PASSWORD")}, &s))
	l.token = s.AccessToken
	must.OK(l.post(wire.CreateTeam, map[string]string{"team_slug": fmt.Sprintf("load-%d", time.Now().UnixNano()), "team_name": "Load"}, &l.team))
}

// body makes one push: for PocketBase a batch, which it runs in one transaction.
func (l *load) body() (path string, body any) {
	key := uuid.NewString() + uuid.NewString()
	at := time.Now().Add(-time.Duration(rand.IntN(20*24)) * time.Hour).UTC()
	run := wire.EvalRun{ID: wire.RunID(l.team, key), RunAt: at, IngestKey: key, RepoSlug: "acme/web", Branch: "main",
		GitSHA: key[:12], Label: "main", Suite: "search", Hostname: "ci", TotalTests: l.cases, TotalCostUSD: 0.25, TotalDurationMS: 90000}
	for i := range l.cases {
		status := 0
		if rand.IntN(10) == 0 {
			status = 1
		}
		score, ms := rand.Float64(), int64(rand.IntN(5000))
		if status == 0 {
			run.Passed++
		} else {
			run.Failed++
		}
		name := fmt.Sprintf("case %d", i)
		id := wire.CaseID(run.RepoSlug, run.Suite, name, "")
		if l.bare {
			run.Cases = append(run.Cases, wire.EvalCase{ID: int64(i), Name: fmt.Sprint(i)})
			run.Results = append(run.Results, wire.EvalResult{CaseID: int64(i), Status: status})
			continue
		}
		run.Cases = append(run.Cases, wire.EvalCase{ID: id, Suite: run.Suite, Name: name})
		run.Results = append(run.Results, wire.EvalResult{CaseID: id, Status: status, Score: &score, DurationMS: &ms})
	}
	if l.peer == "" {
		run.Costs = []wire.EvalCost{{Model: "m", Calls: 100, InputTokens: 50000, OutputTokens: 9000, EstimatedCostUSD: 0.25}}
		return wire.PushEvalRun, wire.EvalPush{Team: l.team, Run: run}
	}
	type request struct {
		Method string         `json:"method"`
		URL    string         `json:"url"`
		Body   map[string]any `json:"body"`
	}
	requests := []request{{"POST", "/api/collections/eval_runs/records", map[string]any{"team_id": l.team, "ingest_key": key, "run_at": at,
		"repo_slug": run.RepoSlug, "branch": run.Branch, "git_sha": run.GitSHA, "label": run.Label, "suite": run.Suite, "hostname": run.Hostname,
		"total_tests": run.TotalTests, "passed": run.Passed, "failed": run.Failed, "total_cost_usd": run.TotalCostUSD, "total_duration_ms": run.TotalDurationMS}}}
	for _, r := range run.Results {
		requests = append(requests, request{"POST", "/api/collections/eval_results/records", map[string]any{"team_id": l.team, "run_id": run.ID, "run_at": at,
			"case_id": r.CaseID, "status": r.Status, "score": r.Score, "duration_ms": r.DurationMS}})
	}
	return "/api/batch", map[string]any{"requests": requests}
}

func (l *load) post(path string, body, out any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, l.url+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("apikey", os.Getenv("LOAD_KEY"))
	if l.token != "" {
		req.Header.Set("Authorization", "Bearer "+l.token)
	}
	res, err := l.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return fmt.Errorf("%s: %s: %.300s", path, res.Status, answer)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}
