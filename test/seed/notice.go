package seed

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// alerts of every state, with channels and what was sent.
func (f *filler) alerts(c *crew) {
	suite := c.plan.suites[len(c.plan.suites)-1]
	repo := c.plan.repos[(len(c.plan.suites)-1)%len(c.plan.repos)]
	const columns = "team_id id repo_slug suite branch kind state run_at p expected observed cases detail opened_at fired_at resolved_at created_at"
	alert := func(branch, state string, p, expected, observed float64, opened time.Time, fired, resolved any) {
		f.add("alerts", columns, c.ID, f.uuid(), repo, suite.name, branch, "eval", state, opened.Add(time.Hour), float64(float32(p)), float64(float32(expected)), float64(float32(observed)), suite.cases,
			`{"worst": [{"case_id": 1, "name": "must do what case 1 asks for", "expected": 0.98, "passed": 0, "of": 1}]}`, opened, fired, resolved, opened)
	}
	if c.Slug == "atlas" {
		opened := f.now.AddDate(0, 0, -20)
		alert("main", "firing", 2e-9, .93, .70, opened, opened.Add(2*time.Hour), nil)
		alert("topic-30", "pending", .003, .93, .82, f.now.AddDate(0, 0, -1), nil, nil)
	}
	for n := range 3 {
		opened := f.now.AddDate(0, -n*4, -15)
		alert("main", "resolved", .0004, .95, .75, opened, opened.Add(time.Hour), opened.Add(50*time.Hour))
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
