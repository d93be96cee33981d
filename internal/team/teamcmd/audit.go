package teamcmd

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/servecmd"
	"cairn/internal/team/wire"
)

func auditCommands() []*command.Command {
	return []*command.Command{{
		Path: "team audit", Short: "Show who did what to the team, and from where",
		Long: `Lists what was done to the team, newest first: members, invitations, tokens, alert
channels, settings, exports. Entries hold ids and no contents. Nobody can change
them. Owners and admins can see them.`,
		Examples: []string{"cairn team audit", "cairn team audit --since 2026-03-02 --json"},
		Effect:   command.Reads, CSV: true, Run: with(audit, servecmd.CheckAudit), Flags: servecmd.AuditFlags(),
	}}
}

func audit(c *command.Call, t *link.Team) (*answer.Answer, error) {
	since, err := command.Since(c.String("since"), time.Now())
	if err != nil {
		return nil, err
	}
	people, err := t.People(c, t.ID)
	if err != nil {
		return nil, err
	}
	me, err := t.Me(c)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(people, func(p client.Person) bool { return p.UserID == me && (p.Role == "owner" || p.Role == "admin") }) {
		return nil, command.Auth(fmt.Errorf("only an owner or an admin of %s can see its audit log", t.Name())) // instead of an empty list
	}
	var list []servecmd.AuditEntry
	err = t.Do(c, http.MethodGet, wire.Rest+"audit_log", url.Values{
		"team_id": {"eq." + t.ID.String()}, "occurred_at": {"gte." + since.UTC().Format(time.RFC3339)},
		"order": {"occurred_at.desc,id.asc"}, "limit": {strconv.Itoa(c.Int("limit"))},
	}, nil, &list)
	if err != nil {
		return nil, err
	}
	names := map[uuid.UUID]string{}
	for _, p := range people {
		names[p.UserID] = address(p)
	}
	return servecmd.Audit(list, names, c.Int("limit")), nil
}
