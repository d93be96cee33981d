package dashboard

import (
	"cmp"
	"context"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/team/db/figures"
)

var planEmpty = answer.Empty{Text: "No plans yet.", Command: "cairn sync collect"}

const planNote = "The newest snapshot of each repository, project and workstream counts."

// until is everything before the end of what is asked for: a plan that nobody
// touched is still where it was.
func (a *ask) until() figures.Range {
	r := a.in()
	r.From = time.Unix(0, 0)
	return r
}

// planName is what a plan is called.
func planName(repo, project, workstream string) string {
	parts := []string{repo}
	for _, part := range [...]string{project, workstream} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " / ")
}

func planProgress(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "progress", Title: "Progress", Rows: "rows/plans", Note: a.note(planNote, "repo"), Empty: planEmpty,
		Table: answer.Table{Columns: []answer.Column{col("plan", "Plan", answer.Words), col("milestone", "Milestone", answer.Words), col("done", "Done", answer.Percent), col("phases_done", "Phases done", answer.Count), col("phases", "Phases", answer.Count),
			col("plans_done", "Plans done", answer.Count), col("plans", "Plans", answer.Count), col("at", "As of", answer.Moment)}}}
	for _, s := range once(ctx, a, records, "plans", ofRepo(a.until()), figures.PlanStates) {
		p.Table.Add(planName(s.Repo, s.Project, s.Workstream), s.Milestone, ratio(float64(s.PhasesDone), float64(s.Phases)), s.PhasesDone, s.Phases, s.PlansDone, s.Plans, s.At)
	}
}

// burnUp draws phases that are done. A week without a snapshot has the value of
// the week before: a plan stays where it is.
func burnUp(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "burn-up", Title: "Phases done over time", Rows: "rows/plans", Note: a.note("The newest snapshot of a week; a week without one has that of the week before.", "repo"), Empty: planEmpty,
		Table: answer.Table{Columns: []answer.Column{col("week", "Week", answer.Week), col("plan", "Plan", answer.Words), col("done", "Done", answer.Count), col("phases", "Phases", answer.Count)}}}
	list := once(ctx, a, records, "plan weeks", ofRepo(a.until()), figures.PlanWeeks)
	chart := answer.Chart{Kind: answer.LineChart, Unit: answer.Count, Step: answer.Week, X: a.weeks(), From: answer.To(0)}
	last := map[string]figures.PlanWeek{}
	var names []string
	next := 0
	running := answer.Weeks(a.now, a.now.Add(time.Second))[0]
	var rows []answer.Row
	for _, w := range chart.X {
		for ; next < len(list) && list[next].Week <= w; next++ {
			name := planName(list[next].Repo, list[next].Project, list[next].Workstream)
			if _, ok := last[name]; !ok {
				names = append(names, name)
			}
			last[name] = list[next]
		}
		if w > running {
			break
		}
		for _, name := range names {
			if s := last[name]; s.Phases > 0 {
				chart.Point(name, w, float64(s.PhasesDone), nil, nil)
				rows = append(rows, answer.Row{answer.Of(w), answer.Of(name), answer.Of(s.PhasesDone), answer.Of(s.Phases)})
			}
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		p.Table.Rows = append(p.Table.Rows, rows[i])
	}
	draw(p, &chart)
}

func planPhases(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "phases", Title: "Phases", Rows: "rows/plans", Note: a.note(planNote, "repo"), Empty: planEmpty,
		Table: answer.Table{Columns: []answer.Column{col("plan", "Plan", answer.Words), col("number", "Phase", answer.Words), col("name", "Name", answer.Words), col("status", "Status", answer.Words), col("plans_done", "Plans done", answer.Count), col("plans", "Plans", answer.Count)}}}
	for _, s := range once(ctx, a, records, "phases", ofRepo(a.until()), figures.Phases) {
		mark := ""
		if of := strings.ToLower(s.Status); strings.HasPrefix(of, "complete") || of == "done" {
			mark = "good"
		}
		p.Table.Add(planName(s.Repo, s.Project, s.Workstream), s.Number, s.Name, answer.Marked(cmp.Or(s.Status, "unknown"), mark), s.Done, s.Plans)
	}
}

// textsEmpty is what a panel says of plans whose people do not share their words.
func textsEmpty(what string) answer.Empty {
	return answer.Empty{Text: "No " + what + ". They are sent only by who turns that on.", Command: "cairn config set sync_plan_text true && cairn sync collect"}
}

// planTexts fills a panel with what each plan says, and counts what a snapshot left out.
func planTexts(ctx context.Context, a *ask, p *answer.Panel, add func(plan string, text *figures.PlanText) (more int)) {
	list := once(ctx, a, records, "plan texts", ofRepo(a.until()), figures.PlanTexts)
	for i := range list {
		p.Table.More += add(planName(list[i].Repo, list[i].Project, list[i].Workstream), &list[i])
	}
}

func planBlockers(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "blockers", Title: "Blockers", Rows: "rows/plans", Note: a.note("What stands in the way, by STATE.md and the plan's next step. "+planNote, "repo"), Empty: textsEmpty("blockers"),
		Table: answer.Table{Columns: []answer.Column{col("blocker", "Blocker", answer.Words), col("do", "What to do", answer.Words), col("plan", "Plan", answer.Words)}}}
	planTexts(ctx, a, p, func(plan string, text *figures.PlanText) int {
		for _, b := range text.Blockers {
			p.Table.Add(b.Text, b.Do, plan)
		}
		return text.MoreBlockers
	})
}

func planDecisions(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "decisions", Title: "Decisions", Rows: "rows/plans", Note: a.note("Who decided is named below the decision, else it is who committed it. "+planNote, "repo"), Empty: textsEmpty("decisions"),
		Table: answer.Table{Columns: []answer.Column{col("decision", "Decision", answer.Words), col("text", "Text", answer.Words), col("state", "State", answer.Words), col("by", "Decided by", answer.Words), col("phase", "Phase", answer.Words), col("plan", "Plan", answer.Words)}}}
	planTexts(ctx, a, p, func(plan string, text *figures.PlanText) int {
		for _, d := range text.Decisions {
			state := cmp.Or(d.State, "unknown")
			if by := strings.TrimPrefix(d.SupersededBy, "?"); by != "" {
				state += " by " + by
			}
			p.Table.Add(d.Ref, d.Text, answer.Marked(state, settled[d.State]), d.By, d.Phase, plan)
		}
		return text.MoreDecisions
	})
}

func planRequirements(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "requirements", Title: "Requirements", Rows: "rows/plans", Note: a.note(planNote, "repo"), Empty: textsEmpty("requirements"),
		Table: answer.Table{Columns: []answer.Column{col("requirement", "Requirement", answer.Words), col("text", "Text", answer.Words), col("state", "State", answer.Words), col("phase", "Phase", answer.Words), col("plan", "Plan", answer.Words)}}}
	planTexts(ctx, a, p, func(plan string, text *figures.PlanText) int {
		for _, r := range text.Requirements {
			p.Table.Add(r.ID, r.Text, answer.Marked(cmp.Or(r.State, "unknown"), settled[r.State]), r.Phase, plan)
		}
		return text.MoreRequirements
	})
}

// settled marks what is settled, and what nothing was planned for.
var settled = map[string]string{"verified": "good", "done": "good", "open": "warn", "unassigned": "warn"}
