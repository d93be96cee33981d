package dashboard

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/team/db/audit"
	"cairn/internal/team/panel"
)

func auditView() view {
	return view{
		name: "audit", title: "Audit log", summary: "Who did what to the team, when and from where.", live: true,
		panels: []func(context.Context, *ask) (panel.Panel, error){auditEntries},
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
