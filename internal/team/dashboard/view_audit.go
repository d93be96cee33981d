package dashboard

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/panel"
)

func auditView() view {
	return view{
		name: "audit", title: "Audit log", summary: "Who did what to the team, when and from where.", live: true,
		panels: []func(context.Context, *ask) (panel.Panel, error){auditEntries, quotas},
	}
}

const mostEntries = 500

// auditEntries are for owners and admins: addresses are personal data.
func auditEntries(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "entries", Title: "Entries", Note: a.note("The newest 500 of this time. Nobody can change them."), Empty: panel.Empty{Text: "Nothing was done to the team in this time.", Command: "cairn team audit"},
		Table: panel.Table{Columns: []panel.Column{col("at", "When", panel.Moment), col("who", "Who", panel.Text), col("action", "Action", panel.Text), col("detail", "Detail", panel.Text), col("object", "Object", panel.Text), col("address", "From", panel.Text)}}}
	if !a.team.admin() {
		p.Note, p.Empty = "", panel.Empty{Text: "Owners and admins of the team see it."}
		return p, nil
	}
	list, err := audit.List(ctx, a.tx, audit.Filter{Team: audit.ID(a.team.ID), Since: a.filter.From, Until: a.filter.To, Most: mostEntries})
	for _, e := range list {
		who := e.Actor
		if e.Actor == "user" {
			who = a.name(e.User)
		}
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(e.At), panel.Of(who), panel.Of(e.Action), panel.Of(e.Detail), panel.Of(a.object(e.Object)), panel.Of(e.Address)})
	}
	return p, err
}

// quotas are what the server's operator lets the team have, for owners and admins.
func quotas(ctx context.Context, a *ask) (panel.Panel, error) {
	p := panel.Panel{ID: "limits", Title: "Limits", Note: "What the team has now, whatever the filter. The server's operator sets the limits.", Empty: panel.Empty{Text: "Owners and admins of the team see them.", Command: "cairn team quota"},
		Table: panel.Table{Columns: []panel.Column{col("kind", "What", panel.Text), col("used", "Used", panel.Count), col("limit", "Limit", panel.Count)}}}
	if !a.team.admin() {
		p.Note = ""
		return p, nil
	}
	list, err := quota.Of(ctx, a.tx, a.team.ID, a.now)
	for _, q := range list {
		limit := panel.Cell{Value: q.Limit}
		if q.Limit == 0 {
			limit = panel.Of("none")
		}
		p.Table.Rows = append(p.Table.Rows, panel.Row{panel.Of(quota.Kind(q.Kind).Title()), panel.Of(q.Used), limit})
	}
	return p, err
}

// object is a member's name, or the id of what an entry is about.
func (a *ask) object(id uuid.NullUUID) string {
	if !id.Valid {
		return ""
	}
	if name := a.names[id.UUID]; name != "" {
		return name
	}
	return id.UUID.String()
}
