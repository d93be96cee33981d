package dashboard

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db/figures"
)

const mostAlerts = 100

const alertNote = "A run of main against the case's last twenty: pending at p < 0.005, firing on the second such run or at p < 0.000001."

const endNote = "Recovered: two good pushes in a row. Accepted as the new level: after 20 pushes that were no better, the lower level is what the suite is measured by. No data: nothing to judge for 14 days. Not confirmed: a good push came before a second bad one."

func (a *ask) alertTable(t *answer.Table, list []figures.Alert) {
	t.Columns = []answer.Column{col("opened", "Since", answer.Moment), col("state", "State", answer.Words), col("ended", "Why it ended", answer.Words), col("suite", "Suite", answer.Words), col("repo", "Repository", answer.Words), col("branch", "Branch", answer.Words),
		col("expected", "Expected", answer.Percent), col("observed", "Observed", answer.Percent), col("cases", "Cases", answer.Count), col("p", "p", answer.Words), col("resolved", "Ended", answer.Moment)}
	for _, s := range list {
		shown := alertState(&s)
		state, ended := answer.Marked(s.State, shown.Mark), answer.Of(nil)
		if s.State == "resolved" {
			state.Mark, ended = "", shown
		}
		if s.Run.Valid && s.Run.UUID != uuid.Nil {
			state.Link = "run?id=" + s.Run.UUID.String()
		}
		t.Add(s.Opened, state, ended, answer.Linked(called(s.Suite), suiteLink(s.Repo, s.Suite)), s.Repo, s.Branch, s.Expected, s.Observed, s.Cases, fmt.Sprintf("%.2g", s.P), at(s.Resolved.Value))
	}
}

func openAlerts(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "open", Title: "Open", Rows: "rows/alerts", Note: a.note(alertNote, "repo", "branch"), Empty: answer.Empty{Text: "No open alerts."}}
	list := a.alerts(ctx)
	a.alertTable(&p.Table, slices.DeleteFunc(slices.Clone(list), func(s figures.Alert) bool { return s.State == "resolved" }))
}

func pastAlerts(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "past", Title: "Ended", Rows: "rows/alerts", Note: a.note(endNote, "repo", "branch"), Empty: answer.Empty{Text: "No alerts ended in this period."}}
	list := a.alerts(ctx)
	a.alertTable(&p.Table, slices.DeleteFunc(slices.Clone(list), func(s figures.Alert) bool { return s.State != "resolved" }))
}

func digestSchedule(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "digest", Title: "Digest", Table: answer.Table{Columns: []answer.Column{col("when", "When", answer.Words), col("zone", "Time zone", answer.Words)}}}
	list := must.Get(figures.Schedules(ctx, a.tx, a.team.ID))
	s := figures.Schedule{Timezone: "UTC", Weekday: 1, Hour: 9}
	if p.Note = "Nobody has set another time."; len(list) > 0 {
		s, p.Note = list[0], ""
	}
	p.Table.Rows = []answer.Row{{answer.Of(fmt.Sprintf("%s %d:00", time.Weekday(s.Weekday%7), s.Hour)), answer.Of(s.Timezone)}}
}

// channels are shown to admins, without where they lead: addresses of hooks are secrets.
func channels(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "channels", Title: "Channels", Note: "Their addresses are secrets and not shown.", Empty: answer.Empty{Text: "No alert channels yet.", Command: "cairn team alerts channel add"},
		Table: answer.Table{Columns: []answer.Column{col("name", "Name", answer.Words), col("kind", "Kind", answer.Words), col("alerts", "Alerts", answer.Words), col("digest", "Digest", answer.Words), col("sent", "Last sent", answer.Moment), col("failed", "Given up", answer.Count), col("error", "Last error", answer.Words)}}}
	if !a.team.admin() {
		p.Empty = answer.Empty{Text: "Owners and admins of the team see them."}
		return
	}
	yes := func(v bool) string {
		if v {
			return "yes"
		}
		return "no"
	}
	for _, c := range must.Get(figures.Channels(ctx, a.tx, a.team.ID)) {
		failed := answer.Of(c.Failed)
		if c.Failed > 0 {
			failed.Mark = "bad"
		}
		p.Table.Add(c.Name, c.Kind, yes(c.Alerts), yes(c.Digest), at(c.LastSent.Value), failed, c.Error)
	}
}
