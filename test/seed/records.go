package seed

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

func (f *filler) head(c *crew, user any, at time.Time, repo string) []any {
	id := f.uuid()
	return []any{c.ID, id, "seed-" + id.String(), user, at, repo}
}

func (f *filler) record(table, columns string, head []any, values ...any) {
	f.add(table, "team_id id ingest_key user_id occurred_at repo_slug "+columns, append(head, values...)...)
}

// shipWeek makes what was shipped: sent by whoever collected it, with the author of the commit.
func (f *filler) shipWeek(c *crew, week int, monday time.Time) {
	for i, p := range c.here(monday) {
		for n := range f.random.IntN(int(c.plan.busy*2) + 2) {
			at := monday.Add(time.Duration(n*29+i*3+8) * time.Hour)
			if at.After(f.now) {
				continue
			}
			author, email := p.name, p.email
			user := any(c.people[0].id)
			switch {
			case n%5 == 3: // a skill's: without an author
				author, email, user = "", "", p.id
			case i == 2 && !c.plan.believable:
				email = "private+" + email // no member's
			}
			if !p.member { // the user was deleted
				user = nil
			}
			version, pr, tests := "", any(fmt.Sprintf("https://example.com/%s/pull/%d", c.plan.repos[0], week*40+i*5+n)), any(nil)
			if n == 2 {
				version, pr = fmt.Sprintf("v1.%d.%d", week, i), nil
			}
			if n == 1 {
				tests = fmt.Sprintf(`{"passed": 214, "failed": 0, "coverage_before": %.1f, "coverage_after": %.1f}`, 70+float64(week)/10, 70.4+float64(week)/10)
			}
			f.record("ship_logs", "version branch git_sha title author author_email pr_url test_results", f.head(c, user, at, c.plan.repos[(i+n)%len(c.plan.repos)]),
				version, "main", fmt.Sprintf("%x", sha1.Sum(fmt.Append(nil, c.Slug, week, i, n))), c.plan.title(week*11+i*5+n), author, email, pr, tests)
		}
	}
}

// recordWeek makes retrospectives, QA, verdicts, usage and plans of a week.
func (f *filler) recordWeek(c *crew, week int, monday time.Time) {
	sunday := monday.AddDate(0, 0, 6)
	for r, repo := range c.plan.repos {
		commits := 5 + f.random.IntN(60)
		if week%17 == 5 {
			commits = 0
		}
		metrics := fmt.Sprintf(`{"commits": %d, "contributors": %d, "prs_merged": %d, "merges": 2, "insertions": %d, "deletions": %d, "net_loc": %d, "test_loc": %d,
			"test_ratio": %.3f, "active_days": 5, "sessions": 12, "feat_pct": %.2f, "fix_pct": %.2f, "ai_assisted_commits": %d, "bot_commits": 3,
			"hotspots": [{"path": %q, "changes": %d}, {"path": "web/app.ts", "changes": 9}, {"path": %q, "changes": 4}]}`,
			commits, min(commits, len(c.people)), commits/4, commits*70, commits*30, commits*40, commits*20, .2+.2*float64(week)/weeks,
			.4, .25, commits/3, c.plan.file(0), 12+r, c.plan.file(1))
		authors := ""
		for i, p := range c.here(monday) {
			if i > 0 {
				authors += ", "
			}
			authors += fmt.Sprintf(`%q: {"email": %q, "commits": %d, "co_authored": 0, "insertions": %d, "deletions": %d, "test_loc": %d, "test_ratio": 0.3, "active_days": 4, "streak_days": %d}`,
				p.name, p.email, commits/(i+2), commits*20/(i+1), commits*9/(i+1), commits*5/(i+1), i+1)
		}
		at := sunday.Add(23 * time.Hour)
		if at.After(f.now) {
			at = f.now
		}
		for twice := range 1 + (week+1)%2 { // every other week two people measured it
			f.record("retro_snapshots", "date period metrics authors streak_days test_health", f.head(c, c.people[twice%len(c.people)].id, at.Add(-time.Duration(twice)*time.Minute), repo),
				f.day(sunday), "7d", metrics, "{"+authors+"}", 4, `{"test_files_changed": 7, "test_commits": 5}`)
		}
		if week%2 == 0 {
			var score any
			if week%10 != 4 {
				score = f.percent(70 + 20*float64(week)/weeks + f.random.Float64()*8)
			}
			f.record("qa_reports", "url mode health_score issues category_scores", f.head(c, c.people[0].id, monday.Add(50*time.Hour), repo), "https://staging.example.com/"+repo, "full",
				score, `[{"id": "1", "title": "a button is <hidden>", "severity": "high"}]`, `{"console": 90, "links": 70}`)
		}
	}
	for n := range f.random.IntN(7) {
		at := monday.Add(time.Duration(n*20+3) * time.Hour)
		if at.After(f.now) {
			break
		}
		f.record("greptile_triage", "date triage_type file_pattern category", f.head(c, c.people[n%len(c.people)].id, at, c.plan.repos[0]),
			f.day(at), [...]string{"fp", "fix", "already-fixed"}[f.random.IntN(3)], "internal/*.go", [...]string{"null-check", "race", "style", ""}[f.random.IntN(4)])
	}
	if week > weeks/2 {
		f.usageWeek(c, monday)
		f.spendWeek(c, week, monday)
	}
	if week >= weeks-40 {
		f.planWeek(c, week, monday)
	}
	if week >= weeks-3 {
		f.sessions(c, week, monday)
	}
}

func (f *filler) usageWeek(c *crew, monday time.Time) {
	for i, p := range c.here(monday) {
		if i%4 == 3 { // does not work with agents
			continue
		}
		for day := range 5 {
			at := monday.AddDate(0, 0, day).Add(18 * time.Hour)
			if at.After(f.now) || f.chance(.2) {
				continue
			}
			turns := f.random.IntN(90)
			for again := range 1 + f.random.IntN(2) { // sent once more, later that day
				f.record("usage_days", "date hostname agent sessions turns prompts prompt_chars tools outputs tokens_before tokens_after",
					f.head(c, p.id, at.Add(time.Duration(again)*time.Hour), c.plan.repos[i%len(c.plan.repos)]), f.day(at), fmt.Sprintf("laptop-%d", i), [...]string{"claude-code", "codex"}[i%2],
					1+turns/20, turns+again*5, turns/3, turns*61, fmt.Sprintf(`{"Bash": %d, "Read": %d, "Edit": %d}`, turns, turns/2, turns/4), turns, turns*1500, turns*500)
			}
		}
	}
}

// spendWeek makes what agents cost, with figures that leave all other rows as they are.
func (f *filler) spendWeek(c *crew, week int, monday time.Time) {
	for i, p := range c.here(monday) {
		for day := range 5 {
			at := monday.AddDate(0, 0, day).Add(17 * time.Hour)
			n := int64(week*31 + i*7 + day)
			if at.After(f.now) || n%4 == 3 {
				continue
			}
			id := uuid.NewSHA1(c.ID, fmt.Append(nil, p.id, at))
			branch, pull := "main", int64(0)
			if n%3 > 0 {
				branch, pull = fmt.Sprintf("feature-%d", n%9), 100+n%9
			}
			repo, requests := c.plan.repos[i%len(c.plan.repos)], 20+n%50
			f.add("spend_days", "team_id id ingest_key user_id occurred_at repo_slug day source hostname agent session branch commit_sha pull_request phase model "+
				"input_tokens cache_read_tokens write_5m_tokens write_1h_tokens output_tokens requests usd_micros unpriced",
				c.ID, id, "seed-"+id.String(), p.id, at, repo, f.day(at), [...]string{"ledger", "otlp"}[n%2], fmt.Sprintf("laptop-%d", i), [...]string{"claude", "codex"}[i%2], id.String(),
				branch, fmt.Sprintf("%040x", n), pull, fmt.Sprint(1+n%4), [...]string{"claude-opus-5", "gpt-5"}[i%2],
				requests*300, requests*40_000, requests*2000, 0, requests*700, requests, requests*(31_000+n%7*4000), n%5/4)
		}
	}
}

func (f *filler) planWeek(c *crew, week int, monday time.Time) {
	done := (week - (weeks - 40)) / 5
	var phases []string
	for n := range 10 {
		status, plansDone := "pending", 0
		switch {
		case n < done:
			status, plansDone = "complete", 3
		case n == done:
			status, plansDone = "in progress", 1
		}
		phases = append(phases, fmt.Sprintf(`{"number": "%d", "name": %q, "status": "%s", "plans": 3, "plans_done": %d}`, n+1, c.plan.phase(n), status, plansDone))
	}
	at := monday.Add(60 * time.Hour)
	if at.After(f.now) {
		at = f.now
	}
	const columns = "project workstream milestone phases phases_done plans plans_done requirements requirements_done detail"
	f.record("plan_snapshots", columns, f.head(c, c.people[0].id, at, c.plan.repos[0]), "", "", "v1.0", 10, done, 30, done*3+1, 24, done*2, `{"phases": [`+strings.Join(phases, ", ")+`]`+c.plan.says(done)+`}`)
	if len(c.plan.repos) > 1 && week%3 == 0 {
		f.record("plan_snapshots", columns, f.head(c, c.people[0].id, at, c.plan.repos[1]), "payments", "backend", "v2.0", 4, done/3, 0, 0, 0, 0, `{}`)
	}
}

// sessions are transcripts: nobody's page may show a word of them.
func (f *filler) sessions(c *crew, week int, monday time.Time) {
	f.record("session_transcripts", "session_id messages total_turns summary", f.head(c, c.people[len(c.people)-1].id, monday.Add(9*time.Hour), c.plan.repos[0]),
		fmt.Sprintf("session-%d", week), `[{"role": "user", "text": "`+Secret+`"}]`, 12, Secret)
}

// lastRun is the newest run of a suite on main before a time; nil for none.
func (f *filler) lastRun(c *crew, suite string, before time.Time) (id any) {
	for _, r := range f.mainRuns[[2]string{c.Slug, suite}] {
		if r.at.Before(before) {
			id = r.id
		}
	}
	return id
}

// alerts of every state, with channels and what was sent.
func (f *filler) alerts(c *crew) {
	suite := c.plan.suites[len(c.plan.suites)-1]
	repo := c.plan.repos[(len(c.plan.suites)-1)%len(c.plan.repos)]
	const columns = "team_id id repo_slug suite branch kind state outcome began_at run_id run_at pushes p expected observed cases detail opened_at fired_at resolved_at created_at"
	alert := func(branch, state, outcome string, p, expected, observed float64, opened, judged time.Time, fired, resolved any) {
		f.add("alerts", columns, c.ID, f.uuid(), repo, suite.name, branch, "eval", state, outcome, opened, f.lastRun(c, suite.name, judged), judged, 8, float64(float32(p)), float64(float32(expected)), float64(float32(observed)), suite.cases,
			`{"worst": [{"case_id": 1, "name": "must do what case 1 asks for", "expected": 0.98, "passed": 0, "of": 1}]}`, opened, fired, resolved, opened)
	}
	if c.Slug == "atlas" {
		opened := f.start.AddDate(0, 0, 7*worse).Add(10*time.Hour + time.Minute) // with the first run of the real regression
		alert("main", "firing", "", 2e-9, .93, .70, opened, f.now, opened.Add(31*time.Hour), nil)
		alert("topic-30", "pending", "", .003, .93, .82, f.now.AddDate(0, 0, -1), f.now, nil, nil)
	}
	for n, outcome := range [...]string{"recovered", "quiet", "usual"} {
		opened := f.now.AddDate(0, -n*4, -45)
		ended := opened.Add(50 * time.Hour)
		alert("main", "resolved", outcome, .0004, .95, .75, opened, ended, opened.Add(time.Hour), ended)
	}
	for n, channel := range [...][3]string{{"slack", "eng-alerts", "https://hooks.example.com/secret-of-a-channel"}, {"mail", "everybody", "team@example.com"}} {
		id := f.uuid()
		f.add("team_channels", "team_id id user_id kind name target alerts digest created_at", c.ID, id, c.people[0].id, channel[0], channel[1], channel[2], f.flag(true), f.flag(n == 1), f.now.AddDate(0, -3, 0))
		at := f.now.AddDate(0, 0, -20)
		var sent, failed any = at.Add(time.Minute), nil
		problem, attempts := "", 1
		if n == 1 {
			sent, failed, problem, attempts = nil, at.Add(time.Hour), "the server answered 550", 8
		}
		f.add("deliveries", "team_id id channel_id event message due_at attempts sent_at failed_at error created_at", c.ID, f.uuid(), id, fmt.Sprintf("alert:%s:firing", uuid.Nil), `{"title": "a suite got worse"}`,
			at, attempts, sent, failed, problem, at)
	}
	f.add("team_settings", "team_id timezone digest_weekday digest_hour updated_at", c.ID, "Europe/Berlin", 1, 9, f.now.AddDate(0, -3, 0))
	for i, p := range c.people {
		if p.member && i < 3 {
			f.add("sync_heartbeats", "team_id id user_id hostname created_at", c.ID, f.uuid(), p.id, fmt.Sprintf("laptop-%d", i), f.now.AddDate(0, 0, -i*12))
		}
	}
}

// badRows are what other clients may send: JSON of other shapes.
func (f *filler) badRows(c *crew) {
	at := f.now.AddDate(0, 0, -9)
	for n, metrics := range [...]string{`{"commits": "many", "insertions": null, "hotspots": "none"}`, `[1, 2, 3]`, `"text"`, `{"commits": 1e300, "hotspots": [{"path": 7}]}`} {
		f.record("retro_snapshots", "date period metrics authors streak_days test_health", f.head(c, nil, at.AddDate(0, 0, -n), "other/client"), f.day(at.AddDate(0, 0, -n)), [...]string{"7d", "7d", "banana", "30d"}[n], metrics, `["Ada"]`, nil, `"no"`)
	}
	f.record("usage_days", "date hostname agent sessions turns prompts prompt_chars tools outputs tokens_before tokens_after", f.head(c, nil, at, "other/client"), f.day(at), "", "", 0, 0, 0, 0,
		`{"Bash": "often", "Read": -3}`, 0, 0, 0)
	f.record("plan_snapshots", "project workstream milestone phases phases_done plans plans_done requirements requirements_done detail", f.head(c, nil, at, "other/client"), "", "", "", 0, 0, 0, 0, 0, 0, `{"phases": {"a": 1}}`)
	f.record("qa_reports", "url mode health_score issues category_scores", f.head(c, nil, at, "other/client"), "javascript:alert(1)", "", nil, `"broken"`, `[]`)
	f.record("ship_logs", "version branch git_sha title author author_email pr_url test_results", f.head(c, nil, at, "other/client"), "", "", "", "", "", "", "javascript:alert(1)", `{"coverage_after": "high"}`)
	id := f.uuid()
	f.add("eval_runs", "", c.ID, id, at, "seed-"+id.String(), nil, "other/client", "", "", "", "", "", "", "standard", 0, 0, 0, 0, 0, f.usd(0), 0, nil, `{"accuracy": "high", "voice": [1]}`, `[1]`, `[]`)
}
