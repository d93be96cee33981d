package dashboard

import (
	"cmp"
	"context"
	"strings"
	"time"

	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
)

func plansView() view {
	return view{
		name: "plans", title: "Plans", summary: "How far each project is, and how it got there.",
		panels: []func(context.Context, *ask) (panel.Panel, error){planProgress, burnUp, planPhases},
	}
}

var planEmpty = panel.Empty{Text: "No plan has been sent yet.", Command: "cairn sync collect"}

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

func planProgress(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "progress", Title: "Progress", Rows: "rows/plans", Note: a.note(planNote, "repo"), Empty: planEmpty,
		Table: panel.Table{Columns: []panel.Column{col("plan", "Plan", panel.Text), col("milestone", "Milestone", panel.Text), col("done", "Done", panel.Percent), col("phases_done", "Phases done", panel.Count), col("phases", "Phases", panel.Count),
			col("plans_done", "Plans done", panel.Count), col("plans", "Plans", panel.Count), col("at", "As of", panel.Moment)}}}
	list, err := once(ctx, a, records, "plans", ofRepo(a.until()), figures.PlanStates)
	for _, s := range list {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(planName(s.Repo, s.Project, s.Workstream)), panel.Of(s.Milestone), panel.Of(ratio(float64(s.PhasesDone), float64(s.Phases))),
			panel.Of(s.PhasesDone), panel.Of(s.Phases), panel.Of(s.PlansDone), panel.Of(s.Plans), panel.Of(s.At)})
	}
	return p, err
}

// burnUp draws phases that are done. A week without a snapshot has the value of
// the week before: a plan stays where it is.
func burnUp(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "burn-up", Title: "Phases done over time", Rows: "rows/plans", Note: a.note("The newest snapshot of a week; a week without one has that of the week before.", "repo"), Empty: planEmpty,
		Table: panel.Table{Columns: []panel.Column{col("week", "Week", panel.Week), col("plan", "Plan", panel.Text), col("done", "Done", panel.Count), col("phases", "Phases", panel.Count)}}}
	list, err := once(ctx, a, records, "plan weeks", ofRepo(a.until()), figures.PlanWeeks)
	if err != nil {
		return p, err
	}
	chart := panel.Chart{Kind: panel.Lines, Unit: panel.Count, Step: panel.Week, X: a.weeks(), From: panel.To(0)}
	last := map[string]figures.PlanWeek{}
	var names []string
	next := 0
	running := panel.Weeks(a.now, a.now.Add(time.Second))[0]
	var rows []panel.Row
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
				rows = append(rows, panel.Row{panel.Of(w), panel.Of(name), panel.Of(s.PhasesDone), panel.Of(s.Phases)})
			}
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		p.Table.Rows = append(p.Table.Rows, rows[i])
	}
	if len(chart.Series) > 0 {
		p.Chart = &chart
	}
	return p, nil
}

func planPhases(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "phases", Title: "Phases", Rows: "rows/plans", Note: a.note(planNote, "repo"), Empty: planEmpty,
		Table: panel.Table{Columns: []panel.Column{col("plan", "Plan", panel.Text), col("number", "Phase", panel.Text), col("name", "Name", panel.Text), col("status", "Status", panel.Text), col("plans_done", "Plans done", panel.Count), col("plans", "Plans", panel.Count)}}}
	list, err := once(ctx, a, records, "phases", ofRepo(a.until()), figures.Phases)
	for _, s := range list {
		mark := ""
		if strings.HasPrefix(s.Status, "complete") || s.Status == "done" {
			mark = "good"
		}
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(planName(s.Repo, s.Project, s.Workstream)), panel.Of(s.Number), panel.Of(s.Name), {Value: cmp.Or(s.Status, "unknown"), Mark: mark}, panel.Of(s.Done), panel.Of(s.Plans)})
	}
	return p, err
}
