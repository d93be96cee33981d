package dashboard

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
)

func alertsView() view {
	return view{
		name: "alerts", title: "Alerts", summary: "Suites that got worse, and where the team is told.", byBranch: true,
		panels: []func(context.Context, *ask) (panel.Panel, error){openAlerts, pastAlerts, digestSchedule, channels},
	}
}

const mostAlerts = 100

const alertNote = "A run of main against the case's last twenty: pending at p < 0.005, firing on the second such run or at p < 0.000001."

func (a *ask) alertTable(t *panel.Table, list []figures.Alert) {
	t.Columns = []panel.Column{col("opened", "Since", panel.Moment), col("state", "State", panel.Text), col("suite", "Suite", panel.Text), col("repo", "Repository", panel.Text), col("branch", "Branch", panel.Text),
		col("expected", "Expected", panel.Percent), col("observed", "Observed", panel.Percent), col("cases", "Cases", panel.Count), col("p", "p", panel.Text), col("resolved", "Resolved", panel.Moment)}
	for _, s := range list {
		state := panel.Cell{Value: s.State, Mark: map[string]string{"firing": "bad", "pending": "warn", "resolved": "good"}[s.State]}
		if s.Run.Valid {
			state.Link = "run?id=" + s.Run.UUID.String()
		}
		resolved := panel.Of(nil)
		if s.Resolved.Value != nil {
			resolved = panel.Of(*s.Resolved.Value)
		}
		t.Rows = append(t.Rows, panel.Row{panel.Of(s.Opened), state, panel.Linked(called(s.Suite), suiteLink(s.Repo, s.Suite)), panel.Of(s.Repo), panel.Of(s.Branch), panel.Of(s.Expected), panel.Of(s.Observed), panel.Of(s.Cases),
			panel.Of(fmt.Sprintf("%.2g", s.P)), resolved})
	}
}

func openAlerts(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "open", Title: "Open", Rows: "rows/alerts", Note: a.note(alertNote, "repo", "branch"), Empty: panel.Empty{Text: "No suite is worse than it should be."}}
	list, err := a.alerts(ctx)
	a.alertTable(&p.Table, slices.DeleteFunc(slices.Clone(list), func(s figures.Alert) bool { return s.State == "resolved" }))
	return p, err
}

func pastAlerts(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "past", Title: "Resolved", Rows: "rows/alerts", Note: a.note("", "repo", "branch"), Empty: panel.Empty{Text: "No alert was resolved in this time."}}
	list, err := a.alerts(ctx)
	a.alertTable(&p.Table, slices.DeleteFunc(slices.Clone(list), func(s figures.Alert) bool { return s.State != "resolved" }))
	return p, err
}

func digestSchedule(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "digest", Title: "Digest", Table: panel.Table{Columns: []panel.Column{col("when", "When", panel.Text), col("zone", "Time zone", panel.Text)}}}
	list, err := figures.Schedules(ctx, a.tx, a.team.ID)
	s := figures.Schedule{Timezone: "UTC", Weekday: 1, Hour: 9}
	if p.Note = "Nobody has set another time."; len(list) > 0 {
		s, p.Note = list[0], ""
	}
	p.Table.Rows = []panel.Row{{panel.Of(fmt.Sprintf("%s %d:00", time.Weekday(s.Weekday%7), s.Hour)), panel.Of(s.Timezone)}}
	return p, err
}

// channels are shown to admins, without where they lead: addresses of hooks are secrets.
func channels(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "channels", Title: "Channels", Note: "Their addresses are secrets and not shown.", Empty: panel.Empty{Text: "The team is told nowhere yet.", Command: "cairn team alerts channel add"},
		Table: panel.Table{Columns: []panel.Column{col("name", "Name", panel.Text), col("kind", "Kind", panel.Text), col("alerts", "Alerts", panel.Text), col("digest", "Digest", panel.Text), col("sent", "Last sent", panel.Moment), col("failed", "Given up", panel.Count), col("error", "Last error", panel.Text)}}}
	if !a.team.admin() {
		p.Empty = panel.Empty{Text: "Owners and admins of the team see them."}
		return p, nil
	}
	list, err := figures.Channels(ctx, a.tx, a.team.ID)
	yes := func(v bool) string {
		if v {
			return "yes"
		}
		return "no"
	}
	for _, c := range list {
		sent, failed := panel.Of(nil), panel.Of(c.Failed)
		if c.LastSent.Value != nil {
			sent = panel.Of(*c.LastSent.Value)
		}
		if c.Failed > 0 {
			failed.Mark = "bad"
		}
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(c.Name), panel.Of(c.Kind), panel.Of(yes(c.Alerts)), panel.Of(yes(c.Digest)), sent, failed, panel.Of(c.Error)})
	}
	return p, err
}
