package dashboard

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/team/db/figures"
)

func alertsView() view {
	return view{
		name: "alerts", title: "Alerts", summary: "Suites that got worse, and where the team is told.", byBranch: true,
		panels: []func(context.Context, *ask) (answer.Panel, error){openAlerts, pastAlerts, digestSchedule, channels},
	}
}

const mostAlerts = 100

const alertNote = "A run of main against the case's last twenty: pending at p < 0.005, firing on the second such run or at p < 0.000001."

func (a *ask) alertTable(t *answer.Table, list []figures.Alert) {
	t.Columns = []answer.Column{col("opened", "Since", answer.Moment), col("state", "State", answer.Words), col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("branch", "Branch", answer.Words),
		col("expected", "Expected", answer.Percent), col("observed", "Observed", answer.Percent), col("cases", "Cases", answer.Count), col("p", "p", answer.Words), col("resolved", "Resolved", answer.Moment)}
	for _, s := range list {
		state := answer.Cell{Value: s.State, Mark: map[string]string{"firing": "bad", "pending": "warn", "resolved": "good"}[s.State]}
		if s.Run.Valid {
			state.Link = "run?id=" + s.Run.UUID.String()
		}
		resolved := answer.Of(nil)
		if s.Resolved.Value != nil {
			resolved = answer.Of(*s.Resolved.Value)
		}
		t.Rows = append(t.Rows, answer.Row{answer.Of(s.Opened), state, answer.Linked(called(s.Suite), suiteLink(s.Repo, s.Suite)), answer.Of(s.Repo), answer.Of(s.Branch), answer.Of(s.Expected), answer.Of(s.Observed), answer.Of(s.Cases),
			answer.Of(fmt.Sprintf("%.2g", s.P)), resolved})
	}
}

func openAlerts(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "open", Title: "Open", Rows: "rows/alerts", Note: a.note(alertNote, "repo", "branch"), Empty: answer.Empty{Text: "No suite is worse than it should be."}}
	list, err := a.alerts(ctx)
	a.alertTable(&p.Table, slices.DeleteFunc(slices.Clone(list), func(s figures.Alert) bool { return s.State == "resolved" }))
	return p, err
}

func pastAlerts(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "past", Title: "Resolved", Rows: "rows/alerts", Note: a.note("", "repo", "branch"), Empty: answer.Empty{Text: "No alert was resolved in this time."}}
	list, err := a.alerts(ctx)
	a.alertTable(&p.Table, slices.DeleteFunc(slices.Clone(list), func(s figures.Alert) bool { return s.State != "resolved" }))
	return p, err
}

func digestSchedule(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "digest", Title: "Digest", Table: answer.Table{Columns: []answer.Column{col("when", "When", answer.Words), col("zone", "Time zone", answer.Words)}}}
	list, err := figures.Schedules(ctx, a.tx, a.team.ID)
	s := figures.Schedule{Timezone: "UTC", Weekday: 1, Hour: 9}
	if p.Note = "Nobody has set another time."; len(list) > 0 {
		s, p.Note = list[0], ""
	}
	p.Table.Rows = []answer.Row{{answer.Of(fmt.Sprintf("%s %d:00", time.Weekday(s.Weekday%7), s.Hour)), answer.Of(s.Timezone)}}
	return p, err
}

// channels are shown to admins, without where they lead: addresses of hooks are secrets.
func channels(ctx context.Context, a *ask) (answer.Panel, error) {
	p := answer.Panel{ID: "channels", Title: "Channels", Note: "Their addresses are secrets and not shown.", Empty: answer.Empty{Text: "The team is told nowhere yet.", Command: "cairn team alerts channel add"},
		Table: answer.Table{Columns: []answer.Column{col("name", "Name", answer.Words), col("kind", "Kind", answer.Words), col("alerts", "Alerts", answer.Words), col("digest", "Digest", answer.Words), col("sent", "Last sent", answer.Moment), col("failed", "Given up", answer.Count), col("error", "Last error", answer.Words)}}}
	if !a.team.admin() {
		p.Empty = answer.Empty{Text: "Owners and admins of the team see them."}
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
		sent, failed := answer.Of(nil), answer.Of(c.Failed)
		if c.LastSent.Value != nil {
			sent = answer.Of(*c.LastSent.Value)
		}
		if c.Failed > 0 {
			failed.Mark = "bad"
		}
		p.Table.Rows = append(p.Table.Rows, answer.Row{answer.Of(c.Name), answer.Of(c.Kind), answer.Of(yes(c.Alerts)), answer.Of(yes(c.Digest)), sent, failed, answer.Of(c.Error)})
	}
	return p, err
}
