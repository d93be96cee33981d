package dashboard

import (
	"context"
	"fmt"
	"strconv"

	"cairn/internal/answer"
	"cairn/internal/team/alert"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/quality"
	"cairn/internal/text"
)

// changesEmpty is shown where nothing changed.
func changesEmpty(c *changed) answer.Empty {
	if len(c.Suites) == 0 {
		return answer.Empty{Text: "No suite has two runs on main or master in this period, so there is nothing to compare.", Command: "cairn eval push RESULTS"}
	}
	return answer.Empty{Text: "No suite's pass rate on main or master changed by more than noise."}
}

// changesNote names the test, and the suites that it left out.
func changesNote(a *ask, c *changed) string {
	s := fmt.Sprintf("Runs on main or master with which a suite's pass rate moved to another level, by more than noise: p < 0.05, corrected for every run that it could have been and for every suite that was tested. Suites with two runs or more in this period: %d.", len(c.Suites))
	if c.Left > 0 {
		s += fmt.Sprintf(" %d of them were not checked: they have too many results.", c.Left)
	}
	return a.note(s, "repo")
}

// kind is what a change is called.
func (c *change) kind() answer.Cell {
	if c.Fell() {
		return answer.Marked("regression", "bad")
	}
	return answer.Marked("improvement", "good")
}

// said is a change in a clause: 95 → 74 %, p < 0.0001, first bad commit 5100c3c, by CI.
func (c *change) said() string {
	which := "first bad commit"
	if !c.Fell() {
		which = "first better commit"
	}
	commit := which + " " + seven(c.First.SHA)
	if c.First.SHA == "" {
		commit = "no commit known"
	}
	return fmt.Sprintf("%s, %s, %s, by %s", c.fromTo(), text.P(c.P), commit, c.by)
}

func (c *change) fromTo() string {
	return fmt.Sprintf("%.0f → %.0f %%", c.Before*100, c.After*100)
}

// alertCell shows what became of the alert of a fall, which explains why none fires.
func (c *change) alertCell() answer.Cell {
	switch s := c.alert; {
	case !c.Fell():
		return answer.Of(nil)
	case s == nil:
		return answer.Of("none")
	default:
		state := alertState(s)
		state.Link = "alerts"
		return state
	}
}

// alertState is an alert's state, or why it ended, colored: only what recovered is
// green.
func alertState(s *figures.Alert) answer.Cell {
	switch s.State {
	case "firing":
		return answer.Marked(s.State, "bad")
	case "pending":
		return answer.Marked(s.State, "warn")
	}
	switch o := alert.Outcome(s.Outcome); o {
	case alert.Recovered:
		return answer.Marked(o.Why(), "good")
	case alert.Usual:
		return answer.Marked(o.Why(), "warn")
	default:
		return answer.Of(o.Why())
	}
}

// realChanges names the changes, with all that is known of each.
func realChanges(ctx context.Context, a *ask, p *answer.Panel) {
	c := a.changes(ctx)
	*p = answer.Panel{
		ID: "changes", Title: "Improvements and regressions", Rows: "rows/runs", Note: changesNote(a, c), Empty: changesEmpty(c),
		Table: answer.Table{Columns: []answer.Column{col("at", "Since", answer.Moment), col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("change", "Change", answer.Words),
			col("before", "Before", answer.Percent), col("after", "After", answer.Percent), col("commit", "First commit", answer.Words), col("by", "By", answer.Words), col("alert", "Alert", answer.Words),
			col("lost", "Regressed", answer.Count), col("gained", "Fixed", answer.Count), col("p", "p", answer.Words), col("last_commit", "Last before", answer.Words)}},
	}
	for i := range c.list {
		one := &c.list[i]
		p.Table.Add(answer.Linked(one.First.At, "run?id="+one.First.ID.String()), answer.Linked(called(one.Suite), suiteLink(one.Repo, one.Suite)), one.Repo, one.kind(),
			one.Before, one.After, seven(one.First.SHA), one.by, one.alertCell(), one.Regressed, one.Fixed, fmt.Sprintf("%.2g", one.P), seven(one.Last.SHA))
	}
}

// seven is a commit as git shortens it.
func seven(sha string) string { return sha[:min(len(sha), 7)] }

// changesInShort is a line for each change.
func changesInShort(ctx context.Context, a *ask, p *answer.Panel) {
	c := a.changes(ctx)
	*p = answer.Panel{
		ID: "changes", Title: "Changes of the pass rate", Rows: "quality", Note: changesNote(a, c), Empty: changesEmpty(c),
		Table: answer.Table{Columns: []answer.Column{col("since", "Since", answer.Day), col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("change", "Change", answer.Words), col("said", "What is known", answer.Words), col("alert", "Alert", answer.Words)}},
	}
	for i := range c.list {
		one := &c.list[i]
		p.Table.Add(answer.Linked(one.First.At, "run?id="+one.First.ID.String()), answer.Linked(called(one.Suite), suiteLink(one.Repo, one.Suite)), one.Repo, one.kind(), one.said(), one.alertCell())
	}
}

// changedCases lists the cases that make up each change.
func changedCases(ctx context.Context, a *ask, p *answer.Panel) {
	c := a.changes(ctx)
	*p = answer.Panel{
		ID: "changed-cases", Title: "Cases that fell or rose", Empty: answer.Empty{Text: "No suite changed, so no case is listed."},
		Note:  a.note("The fewest cases that together make up each change, the largest difference first: their pass rates over as many runs before as after it.", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("suite", "Suite", answer.Words), col("since", "Since", answer.Day), col("case", "Case", answer.Words), col("before", "Before", answer.Percent), col("after", "After", answer.Percent)}},
	}
	names := map[int64]figures.Case{}
	for _, n := range a.cases(ctx, quality.IDs(c.Changes)) {
		names[n.ID] = n
	}
	for i := range c.list {
		one := &c.list[i]
		for _, m := range one.Named(names) {
			c := answer.Of(m.Title())
			if m.Moved.Case > 0 {
				c.Link = "case?id=" + strconv.FormatInt(m.Moved.Case, 10)
			}
			p.Table.Add(answer.Linked(called(one.Suite), suiteLink(one.Repo, one.Suite)), one.First.At, c, m.Before, m.After)
		}
	}
}

// marks draws the changes into a panel's chart of pass rates.
func (a *ask) marks(ctx context.Context, p *answer.Panel) {
	c := p.Chart
	if c == nil {
		return
	}
	list := a.changes(ctx).list
	for i := range list {
		one := &list[i]
		suite := called(one.Suite)
		for _, s := range c.Series {
			if s.Name == suite {
				c.Marks = append(c.Marks, answer.ChartMark{X: week(one.First.At.UTC().Format("2006-01-02")), Series: suite, Text: one.First.At.UTC().Format("2 Jan") + ": " + one.fromTo(), Good: !one.Fell()})
			}
		}
	}
	if len(c.Marks) > 0 {
		p.Note += " A broken line marks where a suite changed on main; its figures are of main alone."
	}
}
