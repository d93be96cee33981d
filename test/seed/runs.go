package seed

import (
	"fmt"
	"time"

	"cairn/internal/team/wire"
)

// runWeek makes the runs of a week: CI's on main, people's on topics.
func (f *filler) runWeek(c *crew, week int, monday time.Time) error {
	for s, suite := range c.plan.suites {
		repo := c.plan.repos[s%len(c.plan.repos)]
		if week == 0 {
			for n := range suite.cases {
				f.add("eval_cases", "team_id id repo_slug suite name category", c.ID, wire.CaseID(repo, suite.name, caseName(n), ""), repo, suite.name, caseName(n), category(n))
			}
		}
		if week%23 == 11 { // nothing ran
			continue
		}
		for n := range 2 + f.random.IntN(3) {
			branch, who := "main", c.bot
			if n > 1 {
				branch = fmt.Sprintf("topic-%d", week/3)
				who = c.here(monday)[f.random.IntN(len(c.here(monday)))].id
			}
			at := monday.Add(time.Duration(n*31+9+s) * time.Hour)
			if at.After(f.now) {
				continue
			}
			if err := f.run(c, run{suite: suite, repo: repo, branch: branch, user: who, at: at, week: week}); err != nil {
				return err
			}
		}
	}
	return nil
}

func caseName(n int) string {
	switch n {
	case 5:
		return "answers a question whose name is sixty characters, like this"
	case 6:
		return `<script>alert("a case")</script>`
	}
	return fmt.Sprintf("must do what case %d asks for", n)
}

func category(n int) string { return [...]string{"post_generation", "research", ""}[n%3] }

type run struct {
	suite        suite
	repo, branch string
	user         any
	at           time.Time
	week         int
}

// worse is the week from which a quarter of the cases of suites of 50 fails.
const worse = weeks - 4

// passes is how probable it is that a case passes.
func (r run) passes(n int) float64 {
	switch {
	case r.suite.cases == 50 && r.week >= worse && n%4 == 1 && r.branch == "main":
		return .05 // the real regression
	case r.suite.cases == 12 && r.week < 40 && n >= 6:
		return .3 // it got better in week 40, for good
	case n == 3 || n == 11:
		return .5
	case n%10 == 7:
		return .9
	}
	return .99
}

func (f *filler) run(c *crew, r run) error {
	id := f.uuid()
	if r.branch == "main" {
		k := [2]string{c.Slug, r.suite.name}
		f.mainRuns[k] = append(f.mainRuns[k], mainRun{id, r.at})
	}
	var count [4]int
	var byCategory [3][2]int
	month := r.at.Format("200601")
	if !f.months[month] {
		for _, t := range [...]string{"eval_results", "eval_payloads"} {
			if _, err := f.d.MonthTable(f.ctx, t, r.at); err != nil {
				return err
			}
		}
		f.months[month] = true
	}
	total := 0.
	for n := range r.suite.cases {
		status := 0
		switch {
		case !f.chance(r.passes(n)):
			status = 1
		case f.chance(.004):
			status = 3
		case n == 9 && f.chance(.1):
			status = 2
		}
		count[status]++
		byCategory[n%3][0]++
		if status == 0 {
			byCategory[n%3][1]++
		}
		cost := .002 + f.random.Float64()*.004
		total += cost
		caseID := wire.CaseID(r.repo, r.suite.name, caseName(n), "")
		f.add("eval_results_"+month, "team_id run_id run_at case_id repeat_no status score duration_ms cost_usd turns",
			c.ID, id, r.at, caseID, 0, status, float64(float32(1-float64(status)*.3)), 800+f.random.IntN(9000), f.usd(cost), 1+f.random.IntN(9))
		if n%6 == 2 { // found planted bugs
			f.add("eval_payloads_"+month, "team_id run_id run_at case_id repeat_no payload", c.ID, id, r.at, caseID, 0,
				fmt.Sprintf(`{"detection_rate": %d, "false_positives": %d, "detected_bugs": ["a"], "missed_bugs": []}`, 2+f.random.IntN(3), f.random.IntN(2)))
		} else if status == 1 || status == 3 {
			f.add("eval_payloads_"+month, "team_id run_id run_at case_id repeat_no payload", c.ID, id, r.at, caseID, 0,
				`{"failures": [{"message": "the answer does not say <b>why</b>"}], "error": "", "response_preview": "It depends."}`)
		}
	}
	year := float64(r.week) / weeks
	averages := fmt.Sprintf(`{"accuracy": %.3f, "brevity": %.3f, "voice": %.3f, "tone (1-5)": %.2f}`,
		.7+.2*year+f.random.Float64()*.05, .35+f.random.Float64()*.2, .8+f.random.Float64()*.1, 3+f.random.Float64())
	categories := fmt.Sprintf(`{"post_generation": {"total": %d, "passed": %d, "failed": %d, "judge_averages": {"accuracy": %.3f, "voice": %.3f}}, "research": {"total": %d, "passed": %d, "failed": %d}}`,
		byCategory[0][0], byCategory[0][1], byCategory[0][0]-byCategory[0][1], .6+f.random.Float64()*.1, .5+.3*year,
		byCategory[1][0], byCategory[1][1], byCategory[1][0]-byCategory[1][1])
	var averagesOrNot, categoriesOrNot any = averages, categories
	if r.week%7 == 3 {
		averagesOrNot, categoriesOrNot = nil, nil
	}
	f.add("eval_runs", "team_id id run_at ingest_key user_id repo_slug branch git_sha label suite hostname tool tier total_tests passed failed skipped errored total_cost_usd total_duration_ms wall_clock_ms judge_averages by_category meta",
		c.ID, id, r.at, "seed-"+id.String(), r.user, r.repo, r.branch, fmt.Sprintf("%x", id[:20-4]), r.branch, r.suite.name, "runner-1", "promptfoo", "standard",
		r.suite.cases, count[0], count[1], count[2], count[3], f.usd(total), r.suite.cases*4000, r.suite.cases*900, averagesOrNot, categoriesOrNot, `{"ci": "run 17"}`)
	for m, model := range [...]string{"claude-sonnet-4-5", "claude-haiku-4-5"} {
		share := [...]float64{.8, .2}[m]
		f.add("eval_costs", "team_id run_id model run_at calls input_tokens output_tokens estimated_cost_usd", c.ID, id, model, r.at,
			r.suite.cases, r.suite.cases*900, r.suite.cases*220, f.usd(total*share))
	}
	return nil
}
