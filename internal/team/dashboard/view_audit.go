package dashboard

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/must"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/quota"
)

const mostEntries = 500

// auditEntries are for owners and admins: addresses are personal data.
func auditEntries(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "entries", Title: "Entries", Note: a.note("The newest 500 of this time. Nobody can change them."), Empty: answer.Empty{Text: "Nothing was done to the team in this time.", Command: "cairn team audit"},
		Table: answer.Table{Columns: []answer.Column{col("at", "When", answer.Moment), col("who", "Who", answer.Words), col("action", "Action", answer.Words), col("detail", "Detail", answer.Words), col("object", "Object", answer.Words), col("address", "From", answer.Words)}}}
	if !a.team.admin() {
		p.Note, p.Empty = "", answer.Empty{Text: "Owners and admins of the team see it."}
		return
	}
	for _, e := range must.Get(audit.List(ctx, a.tx, audit.Filter{Team: audit.ID(a.team.ID), Since: a.filter.From, Until: a.filter.To, Most: mostEntries})) {
		who := e.Actor
		if e.Actor == "user" {
			who = a.name(e.User)
		}
		p.Table.Add(e.At, who, e.Action, e.Detail, a.object(e.Object), e.Address)
	}
}

// quotas are what the server's operator lets the team have, for owners and admins.
func quotas(ctx context.Context, a *ask, p *answer.Panel) {
	*p = answer.Panel{ID: "limits", Title: "Limits", Note: "What the team has now, whatever the filter. The server's operator sets the limits.", Empty: answer.Empty{Text: "Owners and admins of the team see them.", Command: "cairn team quota"},
		Table: answer.Table{Columns: []answer.Column{col("kind", "What", answer.Words), col("used", "Used", answer.Count), col("limit", "Limit", answer.Count)}}}
	if !a.team.admin() {
		p.Note = ""
		return
	}
	for _, q := range must.Get(quota.Of(ctx, a.tx, a.team.ID, a.now)) {
		limit := answer.Cell{Value: q.Limit}
		if q.Limit == 0 {
			limit = answer.Of("none")
		}
		p.Table.Add(quota.Kind(q.Kind).Title(), q.Used, limit)
	}
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
