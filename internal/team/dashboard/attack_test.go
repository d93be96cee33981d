package dashboard_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/dashboard"
	"cairn/internal/team/db"
	"cairn/internal/team/db/ingest"
	"cairn/internal/team/wire"
	"cairn/test/cairntest"
	"cairn/test/dbtest"
)

// Words that no page may show to anybody.
const (
	transcriptWords = "words-of-a-transcript"
	channelSecret   = "secret-of-a-channel"
)

// A side is a team whose rows have its mark in every text that does not have to
// be the same in both teams.
type side struct {
	team   uuid.UUID
	member db.Identity
	mark   string
	run    uuid.UUID
	after  map[string]string // of rows/KIND: a row of the team
}

// sharedCase is a case that both teams have, by the runner's own id.
var sharedCase = wire.CaseID("acme/app", "posts", "", "0")

// Two teams have the same repository, suite, cases and names of people; one
// person is in both, so that no policy of a database tells the rows apart. What
// the second team has changes no byte of any page of the first, whatever the
// address names.
func TestNoRowCrossesTeams(t *testing.T) {
	cairntest.Long(t)
	cairntest.NoRace(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		a := &side{team: dbtest.Team(t, d, "acme"), mark: "mark-of-acme", after: map[string]string{}}
		b := &side{team: dbtest.Team(t, d, "beta"), mark: "mark-of-beta", after: map[string]string{}}
		both := dbtest.Member(t, d, a.team, "owner")
		dbtest.Exec(t, d, `insert into team_members (team_id, user_id, role) values (?, ?, 'owner')`, b.team, both.User)
		for _, s := range []*side{a, b} {
			s.member = dbtest.Member(t, d, s.team, "admin")
			dbtest.Exec(t, d, `update auth.users set email = ? where id = ?`, "ada@"+s.mark+".example.com", s.member.User)
			dbtest.Exec(t, d, `update team_members set joined_at = ? where team_id = ?`, now.AddDate(0, -2, 0), s.team)
		}
		a.fill(t, d)
		b.run = wire.RunID(b.team, b.key(2))
		server := open(t, d, func() db.Identity { return both })
		addresses := addressesOf(t, server.URL, a, b)
		before := map[string]string{}
		for _, address := range addresses {
			before[address] = body(t, server.URL+address)
		}
		b.fill(t, d)
		dbtest.Member(t, d, b.team, "member")
		dbtest.Exec(t, d, `insert into ship_logs (team_id, id, ingest_key, user_id, occurred_at, repo_slug) values (?, ?, ?, ?, ?, 'only/of-beta')`, b.team, uuid.New(), uuid.NewString(), both.User, now)
		for _, address := range addresses {
			now := body(t, server.URL+address)
			if now != before[address] {
				t.Errorf("%s is another page now that another team has rows:\n%s", address, difference(before[address], now))
			}
			for _, bad := range []string{b.mark, transcriptWords, channelSecret} {
				if strings.Contains(now, bad) {
					t.Errorf("%s shows %s", address, bad)
				}
			}
		}
		// What is looked for is there: the other team sees its own, and this team its own.
		for _, s := range []*side{a, b} {
			slug := s.mark[len("mark-of-"):]
			all := ""
			for _, view := range dashboard.Views() {
				all += body(t, server.URL+"/t/"+slug+"/"+view+"?suite=posts&id="+s.run.String())
			}
			all += body(t, server.URL+"/t/"+slug+"/case?id="+fmt.Sprint(sharedCase))
			for _, field := range shownFields {
				if !strings.Contains(all, s.mark+field) {
					t.Errorf("no page of %s shows %s", slug, field)
				}
			}
			for _, bad := range []string{transcriptWords, channelSecret} {
				if strings.Contains(all, bad) {
					t.Errorf("a page of %s shows %s to an owner", slug, bad)
				}
			}
		}
	})
}

// shownFields are texts that some page shows.
var shownFields = []string{"-case", "-criterion", "-title", "-version", "-hotspot.go", "-gitauthor", "-mode", "-pattern", "-category", "-usagehost", "-agent", "-tool", "-project", "-milestone", "-phase", "-decision", "-decider", "-requirement", "-blocker", "-channel", "-error", "-zone", "-heartbeat", "-alertbranch", "-runhost", "-label", "-model", "-payload"}

// addressesOf are those of every view of the first team, as page and as JSON,
// of each panel as CSV and JSON; plain, and with what is the other team's.
func addressesOf(t *testing.T, site string, a, b *side) (out []string) {
	for _, view := range dashboard.Views() {
		queries := []url.Values{{}, {"weeks": {"104"}}, {"repo": {"acme/app"}}, {"branch": {"topic-of-beta"}}, {"person": {b.member.User.String()}}, {"person": {"Ada"}},
			{"repo": {"acme/app"}, "branch": {"main"}, "person": {a.member.User.String()}}}
		for _, id := range []string{a.run.String(), b.run.String(), fmt.Sprint(sharedCase)} {
			if view == "run" || view == "case" {
				queries = append(queries, url.Values{"id": {id}})
			}
		}
		switch view {
		case "case":
			for _, run := range []string{a.run.String(), b.run.String()} {
				queries = append(queries, url.Values{"id": {fmt.Sprint(sharedCase)}, "run": {run}}, url.Values{"id": {fmt.Sprint(sharedCase)}, "run": {a.run.String()}, "with": {run}})
			}
		case "compare":
			queries = nil
			for _, pair := range [][2]string{{a.run.String(), a.run.String()}, {a.run.String(), b.run.String()}, {b.run.String(), a.run.String()}, {b.run.String(), b.run.String()}} {
				queries = append(queries, url.Values{"a": pair[:1], "b": pair[1:]})
			}
		}
		if kind, ok := strings.CutPrefix(view, "rows/"); ok {
			queries = append(queries, url.Values{"after": {fmt.Sprintf("%d.%s", now.UnixMicro(), uuid.Max)}}, url.Values{"after": {fmt.Sprintf("%d.%s", now.Add(-time.Hour).UnixMicro(), b.run)}, "kind": {kind}})
		}
		for i, q := range queries {
			if view == "suite" {
				q.Set("suite", "posts")
			}
			out = append(out, "/t/acme/"+view+"?"+q.Encode(), "/t/acme/"+view+".json?"+q.Encode())
			if i > 0 && view != "run" && view != "case" && view != "compare" {
				continue
			}
			_, text := fetch(t, site+"/t/acme/"+view+".json?"+q.Encode())
			var shown dashboard.Shown
			if json.Unmarshal([]byte(text), &shown) != nil {
				continue // there is none
			}
			for _, p := range shown.Panels {
				out = append(out, "/t/acme/"+view+"/"+p.ID+".csv?"+q.Encode(), "/t/acme/"+view+"/"+p.ID+".json?"+q.Encode())
			}
		}
	}
	return out
}

// body is what an address answers, with its status.
func body(t *testing.T, address string) string {
	status, text := fetch(t, address)
	if status >= 500 || strings.Contains(text, "could not be made") {
		t.Errorf("%s: %d %s", address, status, text)
	}
	return fmt.Sprint(status, "\n", text)
}

// difference are the lines that only one of two texts has.
func difference(before, now string) string {
	was, is := strings.Split(before, "\n"), strings.Split(now, "\n")
	var out []string
	for _, line := range is {
		if !slices.Contains(was, line) && len(out) < 5 {
			out = append(out, "+ "+line[:min(300, len(line))])
		}
	}
	for _, line := range was {
		if !slices.Contains(is, line) && len(out) < 10 {
			out = append(out, "- "+line[:min(300, len(line))])
		}
	}
	return strings.Join(out, "\n")
}

func (s *side) key(n int) string { return fmt.Sprintf("key-of-a-run-%051d", n) }

// record adds a row of work; s.mark stands for @ in its values.
func (s *side) record(t *testing.T, d *db.DB, table, columns string, at time.Time, values ...any) {
	t.Helper()
	id := uuid.NewSHA1(s.team, []byte(table+at.String()))
	for i, v := range values {
		if text, ok := v.(string); ok {
			values[i] = strings.ReplaceAll(text, "@", s.mark)
		}
	}
	dbtest.Exec(t, d, `insert into `+table+` (team_id, id, ingest_key, user_id, occurred_at, created_at, repo_slug, `+columns+`) values (?, ?, ?, ?, ?, ?, 'acme/app'`+strings.Repeat(", ?", len(values))+`)`,
		append([]any{s.team, id, "key-" + id.String(), s.member.User, at, at}, values...)...)
	s.after[table] = fmt.Sprintf("%d.%s", at.UnixMicro(), id)
}

// fill adds a row of every table.
func (s *side) fill(t *testing.T, d *db.DB) {
	t.Helper()
	m := s.mark
	for n, branch := range []string{"main", "main", "topic-of-" + m[len("mark-of-"):]} {
		run := wire.EvalRun{ID: wire.RunID(s.team, s.key(n)), RunAt: now.AddDate(0, 0, n-3), IngestKey: s.key(n), RepoSlug: "acme/app", Branch: branch, GitSHA: "abc", Label: m + "-label", Suite: "posts",
			Hostname: m + "-runhost", Tool: m + "-tool", ToolVersion: m, PromptSHA: &m, TotalTests: 8, TotalCostUSD: .5,
			JudgeAverages: jsontext.Value(`{"` + m + `-criterion": 0.4}`), ByCategory: jsontext.Value(`{"` + m + `-judged": {"judge_averages": {"x": 0.3}}}`), Meta: jsontext.Value(`{"x": "` + m + `"}`),
			Costs: []wire.EvalCost{{Model: m + "-model", Calls: 2, InputTokens: 10, EstimatedCostUSD: .5}}}
		for c := range 8 {
			status := 0
			if n == 1 { // eight of eight went over
				status = 1
			}
			if status == 0 {
				run.Passed++
			} else {
				run.Failed++
			}
			run.Cases = append(run.Cases, wire.EvalCase{ID: int64(c), Suite: "posts", Name: m + "-case", Category: m + "-casecategory", OwnID: fmt.Sprint(c)})
			run.Results = append(run.Results, wire.EvalResult{CaseID: int64(c), Status: status, Payload: jsontext.Value(`{"detection_rate": 2, "false_positives": 1, "error": "` + m + `-payload"}`)})
		}
		s.run = run.ID
		if err := d.Update(t.Context(), s.member, func(tx *db.Tx) error {
			_, err := ingest.Push(t.Context(), tx, s.member, wire.EvalPush{Team: s.team, Run: run})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	at := now.AddDate(0, 0, -1)
	date := at.Format(time.DateOnly)
	s.record(t, d, "ship_logs", "version, branch, git_sha, title, author, author_email, pr_url, test_results", at, "@-version", "main", "abc", "@-title", "Ada", "x@@", "https://example.com/@", `{"coverage_before": 1, "coverage_after": 2, "x": "@"}`)
	s.record(t, d, "ship_logs", "branch, title, author, author_email", at.Add(time.Second), "topic-of-"+m[len("mark-of-"):], "@-title", "@-gitauthor", "y@@")
	s.record(t, d, "retro_snapshots", "date, metrics, authors, tweetable", at, date, `{"commits": 5, "insertions": 9, "deletions": 4, "test_ratio": 0.5, "feat_pct": 0.2, "fix_pct": 0.2, "hotspots": [{"path": "@-hotspot.go", "changes": 4}]}`,
		`{"@-gitauthor": {"email": "z@@", "commits": 5}}`, "@-tweet")
	score := any(8000)
	if d.Dialect() == db.PostgreSQL {
		score = "80"
	}
	s.record(t, d, "qa_reports", "url, mode, health_score, issues, report_markdown", at, "https://@", "@-mode", score, `["@-issue"]`, "@-report")
	s.record(t, d, "greptile_triage", "date, triage_type, file_pattern, category", at, date, "fp", "@-pattern", "@-category")
	s.record(t, d, "session_transcripts", "session_id, messages, total_turns, summary", at, "@-session", `[{"role": "user", "text": "`+transcriptWords+`"}]`, 12, transcriptWords)
	s.record(t, d, "usage_days", "date, hostname, agent, sessions, turns, prompts, prompt_chars, tools, outputs, tokens_before, tokens_after", at, date, "@-usagehost", "@-agent", 1, 9, 3, 90, `{"@-tool": 4}`, 1, 900, 300)
	s.record(t, d, "spend_days", "day, source, agent, session, branch, commit_sha, pull_request, phase, model, requests, usd_micros", at, date, "ledger", "@-spender", "@-spentin", "@-spenton", "abc", 7, "@-spentfor", "@-spentmodel", 3, 900000)
	s.record(t, d, "plan_snapshots", "project, workstream, milestone, phases, phases_done, plans, plans_done, detail", at, "@-project", "@-stream", "@-milestone", 4, 1, 8, 2, `{"phases": [{"number": "1", "name": "@-phase", "status": "done"}],
		"decisions": [{"ref": "D-01", "phase": "1", "text": "@-decision", "by": "@-decider"}], "requirements": [{"id": "A-01", "text": "@-requirement"}], "blockers": [{"text": "@-blocker"}]}`)
	for i, state := range []string{"firing", "resolved"} {
		var resolved any
		if state == "resolved" {
			resolved = at.Add(time.Hour)
		}
		dbtest.Exec(t, d, `insert into alerts (team_id, id, repo_slug, suite, branch, kind, state, p, expected, observed, cases, detail, opened_at, fired_at, resolved_at) values (?, ?, 'acme/app', 'posts', ?, 'eval', ?, .001, .9, .5, 8, ?, ?, ?, ?)`,
			s.team, uuid.NewSHA1(s.team, []byte(state)), m+"-alertbranch", state, `{"x": "`+m+`"}`, at.Add(time.Duration(i)), at, resolved)
	}
	channel := uuid.NewSHA1(s.team, []byte("channel"))
	on := any(1)
	if d.Dialect() == db.PostgreSQL {
		on = true
	}
	dbtest.Exec(t, d, `insert into team_channels (team_id, id, user_id, kind, name, target, secret, alerts, digest) values (?, ?, ?, 'webhook', ?, ?, ?, ?, ?)`, s.team, channel, s.member.User, m+"-channel", "https://example.com/"+channelSecret, channelSecret, on, on)
	dbtest.Exec(t, d, `insert into deliveries (team_id, id, channel_id, event, message, failed_at, error) values (?, ?, ?, ?, ?, ?, ?)`, s.team, channel, channel, m+"-event", `{"title": "`+m+`-message"}`, at, m+"-error")
	dbtest.Exec(t, d, `insert into team_settings (team_id, timezone) values (?, ?)`, s.team, m+"-zone")
	dbtest.Exec(t, d, `insert into sync_heartbeats (team_id, id, user_id, hostname, created_at) values (?, ?, ?, ?, ?)`, s.team, channel, s.member.User, m+"-heartbeat", at)
}
