// Command landed makes the stored database that upgrades are tested from: it
// starts a released cairn on an empty database, puts a little of everything
// into it over HTTP, as clients do, stops it, and writes the database to a file.
//
//	go run ./scripts/landed -binary ./cairn-0.1 -out internal/team/db/testdata/landed/0.1.sqlite.gz
//	go run ./scripts/landed -binary ./cairn-0.1 -database postgres://… -out internal/team/db/testdata/landed/0.1.postgres.sql.gz
//
// PostgreSQL's is what pg_dump writes, which must be on the PATH.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/wire"
)

func main() {
	binary := flag.String("binary", "", "the released cairn")
	database := flag.String("database", "", "URL of an empty PostgreSQL; without it SQLite")
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	if err := must.Catch(func() { run(context.Background(), *binary, *database, *out) }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, database, out string) {
	dir := must.Get(os.MkdirTemp("", "landed"))
	defer os.RemoveAll(dir)
	s := server{binary: binary, dir: dir, database: database}
	s.start(ctx)
	err := must.Catch(s.fill)
	s.stop()
	must.OK(err)
	var data []byte
	if database == "" {
		data, err = os.ReadFile(filepath.Join(dir, "data", "cairn.db"))
	} else {
		data, err = exec.CommandContext(ctx, "pg_dump", "--inserts", "--dbname", database).Output()
	}
	must.OK(err)
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	w.Write(data)
	w.Close()
	must.OK(os.WriteFile(out, packed.Bytes(), 0o644))
}

// A server is a released cairn that runs.
type server struct {
	binary, dir, database string
	url, token            string
	cmd                   *exec.Cmd
}

func (s *server) command(ctx context.Context, args ...string) *exec.Cmd {
	if s.database == "" {
		args = append(args, "--data", filepath.Join(s.dir, "data"))
	}
	cmd := exec.CommandContext(ctx, s.binary, args...)
	cmd.Env = append(os.Environ(), "CAIRN_HOME="+s.dir, "HOME="+s.dir, "CAIRN_DATABASE_URL="+s.database)
	cmd.Stderr = os.Stderr
	return cmd
}

func (s *server) start(ctx context.Context) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	address := l.Addr().String()
	l.Close()
	s.url = "http://" + address
	s.cmd = s.command(ctx, "serve", "--listen", address, "--log-level", "error")
	must.OK(s.cmd.Start())
	for range 100 {
		if res, err := http.Get(s.url + wire.Ready); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	must.Fail(fmt.Errorf("%s does not get ready", s.binary))
}

func (s *server) stop() {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
}

type object = map[string]any

// fill puts a little of everything into the database: two teams, three people,
// runs of three months, a row of each kind of record.
func (s *server) fill() {
	printed := must.Get(s.command(context.Background(), "serve", "keys", "--service", "--json").Output())
	var keys struct {
		Service string `json:"service_role_key"`
	}
	must.OK(json.Unmarshal(printed, &keys))
	for _, name := range []string{"ada", "bob", "carol"} {
		s.token = keys.Service
		must.OK(s.post(wire.Auth+"admin/users", object{"email": name + "@example.com", "password": "landed-" + name + "-1", "email_confirm": true}, nil))
	}
	s.signIn("carol")
	var other string
	must.OK(s.post(wire.CreateTeam, object{"team_slug": "other", "team_name": "Other"}, &other))
	s.push(other, 0)
	s.signIn("ada")
	var team, invitation string
	must.OK(s.post(wire.CreateTeam, object{"team_slug": "acme", "team_name": "Acme, Inc."}, &team))
	for _, to := range []string{"dora", "bob"} { // dora's stays open
		must.OK(s.post(wire.RPC+"invite_member", object{"p_team": team, "p_email": to + "@example.com", "p_role": "admin"}, &invitation))
	}
	for n := range 6 {
		s.push(team, n)
	}
	must.OK(s.post(wire.Tokens, object{"team_id": team, "name": "main", "scopes": []string{"ingest", "read"}, "repo_slug": "acme/app"}, nil))
	for table, row := range records() {
		row["team_id"] = team
		if err := s.post(wire.Rest+table, row, nil); err != nil && !strings.Contains(err.Error(), "PGRST205") { // an older server has no such table
			must.Fail(err)
		}
	}
	s.signIn("bob")
	must.OK(s.post(wire.RPC+"accept_invite", object{"p_token": invitation}, nil))
}

func (s *server) signIn(name string) {
	s.token = ""
	var session wire.Session
	err := s.post(wire.Auth+"token?grant_type=password", object{"email": name + "@example.com", "password": "landed-" + name + "-1"}, &session)
	s.token = session.AccessToken
	must.OK(err)
}

// push sends the nth run, of as many times nine days ago.
func (s *server) push(team string, n int) {
	key := fmt.Sprintf("landed-%s-%02d", team[:8], n)
	at := time.Now().UTC().AddDate(0, 0, -9*n).Add(-time.Hour)
	parsed := must.Get(uuid.Parse(team))
	var cases, results []object
	for i := range 4 {
		name := fmt.Sprintf("case %d é", i)
		id := wire.CaseID("acme/app", "checkout", name, "")
		cases = append(cases, object{"id": id, "suite": "checkout", "name": name, "category": "pay"})
		results = append(results, object{"case_id": id, "status": i / 3, "score": 0.25 * float64(i), "duration_ms": 10 * i, "cost_usd": 0.01,
			"payload": object{"response_preview": strings.Repeat("well ", i), "failure_reason": "because"}})
	}
	must.OK(s.post(wire.PushEvalRun, object{"p_team": team, "p_run": object{
		"id": wire.RunID(parsed, key), "run_at": at, "ingest_key": key, "repo_slug": "acme/app", "branch": []string{"main", "topic"}[n%2], "git_sha": fmt.Sprintf("%040x", n+1),
		"label": "nightly", "suite": "checkout", "hostname": "ci-1", "total_tests": 4, "passed": 3, "failed": 1, "total_cost_usd": 0.04, "total_duration_ms": 60,
		"judge_averages": object{"clarity": 4.5}, "by_category": object{"pay": object{"passed": 3, "total": 4}}, "meta": object{"note": "kept"},
		"cases": cases, "results": results,
		"costs": []object{{"model": "some-model", "calls": 4, "input_tokens": 4000, "output_tokens": 400, "estimated_cost_usd": 0.04, "price_table": "2026-10"}},
	}}, nil))
}

// records are a row of each other table that clients write.
func records() map[string]object {
	day := time.Now().UTC().AddDate(0, 0, -3).Format(time.DateOnly)
	return map[string]object{
		"retro_snapshots":     {"ingest_key": "landed-retro-000001", "repo_slug": "acme/app", "date": day, "period": "7d", "metrics": object{"commits": 12}, "authors": object{"ada": object{"commits": 12}}, "streak_days": 3},
		"qa_reports":          {"ingest_key": "landed-qa-00000001", "repo_slug": "acme/app", "url": "http://localhost/", "health_score": 87.5, "issues": []object{{"severity": "high"}}, "report_markdown": "# fine"},
		"ship_logs":           {"ingest_key": "landed-ship-000001", "repo_slug": "acme/app", "version": "v1.2.3", "branch": "main", "todos_completed": []string{"one", "two"}},
		"greptile_triage":     {"ingest_key": "landed-triage-0001", "repo_slug": "acme/app", "date": day, "triage_type": "fix", "file_pattern": "*.go"},
		"session_transcripts": {"ingest_key": "landed-session-001", "repo_slug": "acme/app", "session_id": "s-1", "messages": []object{{"role": "user", "text": "hello"}}, "total_turns": 1},
		"plan_snapshots":      {"ingest_key": "landed-plan-000001", "repo_slug": "acme/app", "milestone": "v1", "phases": 4, "phases_done": 2, "plans": 9, "plans_done": 5},
		"usage_days":          {"ingest_key": "landed-usage-00001", "repo_slug": "acme/app", "date": day, "agent": "claude", "sessions": 2, "turns": 20, "tokens_before": 1000, "tokens_after": 400},
		"sync_heartbeats":     {"hostname": "laptop"},
		"team_settings":       {"timezone": "Europe/Berlin", "digest_weekday": 5, "digest_hour": 8},
		"team_channels":       {"kind": "webhook", "name": "pager", "target": "https://example.com/hook", "secret": "s3cret"},
	}
}

func (s *server) post(path string, body, out any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, s.url+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if s.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.token)
		req.Header.Set("apikey", s.token)
	}
	res, err := http.DefaultClient.Do(req)
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
