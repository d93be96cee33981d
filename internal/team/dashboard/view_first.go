package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/team/db/figures"
)

// A without is panels that have no rows, and why.
type without struct {
	Titles        []string
	Text, Command string
}

// lacks notes a panel that is not shown, as it has no rows: once for all that
// lack the same.
func (f *framed) lacks(p *answer.Panel) {
	list := &f.Without
	if p.Empty.Command == "" {
		list = &f.Said
	}
	text := cmp.Or(p.Empty.Text, "There is no data in this period.")
	i := slices.IndexFunc(*list, func(w without) bool { return w.Text == text && w.Command == p.Empty.Command })
	if i < 0 {
		i, *list = len(*list), append(*list, without{Text: text, Command: p.Empty.Command})
	}
	(*list)[i].Titles = append((*list)[i].Titles, p.Title)
}

// young reports a team that has neither a run of an eval nor a plan yet.
func (a *ask) young() bool {
	return !slices.ContainsFunc(a.fresh, func(f figures.Fresh) bool { return f.Run != nil || f.Plan != nil })
}

const stepsID = "next-steps"

// A step is what to do, and the command that does it.
type step struct{ Text, Command string }

func steps(rows []answer.Row) (out []step) {
	for _, row := range rows {
		out = append(out, step{fmt.Sprint(row[0].Value), fmt.Sprint(row[1].Value)})
	}
	return out
}

// nextSteps is what a young team does next.
func nextSteps(_ context.Context, a *ask, p *answer.Panel) {
	if !a.young() {
		return
	}
	*p = answer.Panel{ID: stepsID, Title: "Next steps", Table: answer.Table{Columns: []answer.Column{col("step", "Step", answer.Words), col("command", "Command", answer.Words)}}}
	if !slices.ContainsFunc(a.fresh, func(f figures.Fresh) bool { return f.Usage != nil }) {
		text := "Shorten what your coding agents read: add cairn's hooks to them."
		if s := a.past; s != nil && s.Before > s.After {
			text = fmt.Sprintf("Shorten what your coding agents read: with cairn's hooks it would have been %s tokens less, see Agent sessions.", answer.Show(s.Before-s.After, answer.Tokens))
		}
		p.Table.Add(text, "cairn install")
	}
	p.Table.Add("Store the results of your evals or tests (promptfoo, pytest, Jest, JUnit and others), then compare runs.", "cairn eval push results.json")
	plan := "cairn plan init"
	if len(a.repos) > 0 {
		plan += " --name " + shellWord(path.Base(a.repos[0]))
	}
	p.Table.Add("Start a plan beside the code: phases, decisions, progress.", plan)
	if len(p.Table.Rows) < 3 {
		p.Table.Add("Collect from git, plans and agents again.", "cairn up")
	}
}

// agentSessions counts the work of agents on this machine, for a reader whose machine
// it is.
func agentSessions(_ context.Context, a *ask, p *answer.Panel) {
	s := a.past
	if s == nil || len(s.Agents) == 0 || !a.young() {
		return
	}
	note := fmt.Sprintf("From the agents' own transcripts on this machine since %s, in all repositories. Only this page shows them; they are sent nowhere.", s.Since.Format(time.DateOnly))
	if s.Left > 0 {
		note += fmt.Sprintf(" The newest transcripts only: %s older are not counted.", answer.Show(s.Left, answer.Count))
	}
	*p = answer.Panel{ID: "agent-sessions", Title: "Agent sessions", Note: note + " Tokens are estimates, of the tool results that the models read.",
		Table: answer.Table{Columns: []answer.Column{col("agent", "Agent", answer.Words), col("sessions", "Sessions", answer.Count), col("turns", "Turns", answer.Count), col("calls", "Tool calls", answer.Count), col("tokens", "Tokens", answer.Tokens)}}}
	sessions := 0.
	for _, one := range s.Agents {
		p.Table.Add(one.Name, one.Sessions, one.Turns, one.Calls, one.Tokens)
		sessions += float64(one.Sessions)
	}
	p.Figures = []answer.Figure{figure("sessions", "Sessions", answer.Count, 0, "", &sessions, nil),
		figure("read", "Tokens of tool results", answer.Tokens, 0, "", answer.To(float64(s.Before)), nil)}
	if saved := float64(s.Before - s.After); saved > 0 {
		p.Figures = append(p.Figures, figure("would-save", "Compaction would have saved", answer.Tokens, 0, "", &saved, nil),
			figure("would-save-share", "As a share", answer.Percent, 0, "", ratio(saved, float64(s.Before)), nil))
	}
}

// firstHotspots are those of a young team: there is room on its first page.
func firstHotspots(ctx context.Context, a *ask, p *answer.Panel) {
	if a.young() {
		hotspots(ctx, a, p)
	}
}

// older is the time of the newest record and the address of what led to it, where
// it is older than what is shown.
func (at place) older(newest time.Time) *option {
	if newest.IsZero() || !newest.Before(at.filter.From) {
		return nil
	}
	day := newest.UTC().Truncate(24 * time.Hour)
	at.filter.Weeks, at.filter.From, at.filter.To = 0, day.AddDate(0, 0, 1-7*usualWeeks), day.AddDate(0, 0, 1)
	return &option{Name: day.Format(time.DateOnly), Link: at.here("")}
}
