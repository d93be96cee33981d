package dashboard

import (
	"context"
	"time"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db/figures"
)

func freshRepos(_ context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "repositories", Title: "Repositories", Note: a.note("The newest record of each kind, whatever the period. Records older than two weeks are marked.", "repo"),
		Empty: answer.Empty{Text: "The team has no records yet.", Command: "cairn up"},
		Table: answer.Table{Columns: []answer.Column{col("repo", "Repository", answer.Words), col("run", "Eval", answer.Moment), col("ship", "Release", answer.Moment), col("retro", "Retrospective", answer.Moment), col("qa", "QA", answer.Moment),
			col("triage", "Verdict", answer.Moment), col("plan", "Plan", answer.Moment), col("usage", "Agents", answer.Moment)}}}
	for _, f := range a.fresh {
		if a.filter.Repo != "" && f.Repo != a.filter.Repo {
			continue
		}
		row := answer.Row{answer.Of(f.Repo)}
		for _, at := range [...]*time.Time{f.Run, f.Ship, f.Retro, f.QA, f.Triaged, f.Plan, f.Usage} {
			row = append(row, a.heard(at))
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
}

// heard is when something was heard of, with a mark when that is long ago.
func (a *ask) heard(at *time.Time) answer.Cell {
	switch {
	case at == nil:
		return answer.Of(nil)
	case a.now.Sub(*at) > staleAfter:
		return answer.Cell{Value: *at, Mark: "warn"}
	}
	return answer.Of(*at)
}

func lastPushes(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "people", Title: "Members", Note: a.note("The newest run, release, retrospective, QA report or session that each member sent in this period.", "repo"),
		Table: answer.Table{Columns: []answer.Column{col("person", "Person", answer.Words), col("role", "Role", answer.Words), col("last", "Last", answer.Moment)}}}
	for _, m := range a.activity(ctx) {
		p.Table.Add(a.names[m.User], m.Role, a.heard(m.LastAt))
	}
}

func heartbeats(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "heartbeats", Title: "Machines", Note: a.note("When a machine last tested its connection to the server."), Empty: answer.Empty{Text: "No machine has tested its connection to the server yet.", Command: "cairn sync test"},
		Table: answer.Table{Columns: []answer.Column{col("person", "Person", answer.Words), col("machine", "Machine", answer.Words), col("at", "When", answer.Moment)}}}
	for _, h := range must.Get(figures.Heartbeats(ctx, a.tx, a.team.ID)) {
		p.Table.Add(a.name(h.User), h.Hostname, a.heard(&h.At))
	}
}
