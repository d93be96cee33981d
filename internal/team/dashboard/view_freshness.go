package dashboard

import (
	"context"
	"time"

	"cairn/internal/team/db/figures"
	"cairn/internal/team/panel"
)

func freshnessView() view {
	return view{
		name: "freshness", personal: true, title: "Freshness", summary: "When each repository, person and machine was last heard of.",
		panels: []func(context.Context, *ask) (panel.Panel, error){freshRepos, lastPushes, heartbeats},
	}
}

func freshRepos(_ context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "repositories", Title: "Repositories", Note: a.note("The newest of each kind, of all time; what is older than two weeks is marked.", "repo"),
		Empty: panel.Empty{Text: "The team has sent nothing yet.", Command: "cairn up"},
		Table: panel.Table{Columns: []panel.Column{col("repo", "Repository", panel.Text), col("run", "Eval", panel.Moment), col("ship", "Ship", panel.Moment), col("retro", "Retrospective", panel.Moment), col("qa", "QA", panel.Moment),
			col("triage", "Verdict", panel.Moment), col("plan", "Plan", panel.Moment), col("usage", "Agents", panel.Moment)}}}
	for _, f := range a.fresh {
		if a.filter.Repo != "" && f.Repo != a.filter.Repo {
			continue
		}
		row := panel.Row{panel.Of(f.Repo)}
		for _, at := range [...]*time.Time{f.Run, f.Ship, f.Retro, f.QA, f.Triaged, f.Plan, f.Usage} {
			row = append(row, a.heard(at))
		}
		p.Table.Rows = append(p.Table.Rows, row)
	}
	return p, nil
}

// heard is when something was heard of, with a mark when that is long ago.
func (a *ask) heard(at *time.Time) panel.Cell {
	switch {
	case at == nil:
		return panel.Of(nil)
	case a.now.Sub(*at) > staleAfter:
		return panel.Cell{Value: *at, Mark: "warn"}
	}
	return panel.Of(*at)
}

func lastPushes(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "people", Title: "Members", Note: a.note("The newest run, ship, retrospective, QA report or session that a member's machines sent, in this time.", "repo"),
		Table: panel.Table{Columns: []panel.Column{col("person", "Person", panel.Text), col("role", "Role", panel.Text), col("last", "Last", panel.Moment)}}}
	list, err := a.activity(ctx)
	for _, m := range list {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(a.names[m.User]), panel.Of(m.Role), a.heard(m.LastAt)})
	}
	return p, err
}

func heartbeats(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "heartbeats", Title: "Machines", Note: a.note("When a machine last proved that its whole path to the server works."), Empty: panel.Empty{Text: "No machine has tested its path to the server yet.", Command: "cairn sync test"},
		Table: panel.Table{Columns: []panel.Column{col("person", "Person", panel.Text), col("machine", "Machine", panel.Text), col("at", "When", panel.Moment)}}}
	list, err := figures.Heartbeats(ctx, a.tx, a.team.ID)
	for _, h := range list {
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(a.name(h.User)), panel.Of(h.Hostname), a.heard(&h.At)})
	}
	return p, err
}
