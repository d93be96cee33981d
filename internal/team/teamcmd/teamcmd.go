// Package teamcmd declares the commands of `cairn team`: the members, tokens,
// alerts and digest of the team of the checkout that they run in, through its
// server.
//
// Only package cli imports it. What an operator sees of the same on the server's
// machine is in servecmd.
package teamcmd

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/servecmd"
	"cairn/internal/team/wire"
)

// Commands lists team and the commands below it.
func Commands() []*command.Command {
	all := slices.Concat([]*command.Command{{
		Path:  "team",
		Short: "Manage members, CI tokens, alerts and the digest",
		Long: `Manages the team that .cairn/team.json of this repository names. An owner may do
everything, an admin everything but change owners. A member sees the team's
results and adds to them; ci only adds.`,
		Examples: []string{"cairn team invite grace@example.com", "cairn team members"},
	}}, teamCommands(), memberCommands(), tokenCommands(), alertCommands(), channelCommands(), digestCommands(), settingsCommands(), auditCommands())
	for _, c := range all {
		c.Waits = true
	}
	return all
}

type check = func(*command.Call) error

// checked is a command after the checks of its line.
func checked(fn func(*command.Call) (*answer.Answer, error), checks ...check) func(*command.Call) (*answer.Answer, error) {
	return func(c *command.Call) (*answer.Answer, error) {
		for _, check := range checks {
			if err := check(c); err != nil {
				return nil, err
			}
		}
		return fn(c)
	}
}

// with makes a command of what needs the team's server.
func with(fn func(*command.Call, *link.Team) (*answer.Answer, error), checks ...check) func(*command.Call) (*answer.Answer, error) {
	return checked(func(c *command.Call) (*answer.Answer, error) {
		t, err := link.Open(c, c.Env)
		if err != nil {
			return nil, err
		}
		return fn(c, t)
	}, checks...)
}

// done answers with data, and on stdout with what was done.
func done(data any, format string, args ...any) (*answer.Answer, error) {
	return &answer.Answer{Data: data, View: answer.Line(format, args...), Done: true}, nil
}

// list answers with rows, or says beside it that there are none.
func list[T any](rows []T, t *answer.Table, none, hint string) (*answer.Answer, error) {
	a := &answer.Answer{Data: answer.LinesOf(rows), View: t}
	if len(rows) == 0 {
		a.View, a.Said, a.Hint = nil, none, hint
	}
	return a, nil
}

// hasCode reports an answer of the server with this code.
func hasCode(err error, code string) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Code == code
}

// moment is a time for a cell, nil for none.
func moment(t *time.Time) any {
	if t == nil {
		return nil
	}
	return *t
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

var yesFlag = command.Flag{Name: "yes", Default: false, Help: "do not ask"}

// offer is a list of values for a shell.
func offer(values ...string) command.Offer {
	return func(*command.Call) []string { return values }
}

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
	since := must.Get(command.Since(c.String("since"), time.Now()))
	people := must.Get(t.People(c, t.ID))
	me := must.Get(t.Me(c))
	if !slices.ContainsFunc(people, func(p client.Person) bool { return p.UserID == me && (p.Role == "owner" || p.Role == "admin") }) {
		return nil, command.Auth(fmt.Errorf("only an owner or an admin of %s can see its audit log", t.Name())) // instead of an empty list
	}
	var list []servecmd.AuditEntry
	must.OK(t.Do(c, http.MethodGet, wire.Rest+"audit_log", url.Values{
		"team_id": {"eq." + t.ID.String()}, "occurred_at": {"gte." + since.UTC().Format(time.RFC3339)},
		"order": {"occurred_at.desc,id.asc"}, "limit": {strconv.Itoa(c.Int("limit"))},
	}, nil, &list))
	names := map[uuid.UUID]string{}
	for _, p := range people {
		names[p.UserID] = address(p)
	}
	return servecmd.Audit(list, names, c.Int("limit")), nil
}
