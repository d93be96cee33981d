// Package teamcmd declares the commands of `cairn team`: the members, tokens,
// alerts and digest of the team of the checkout that they run in, through its
// server.
//
// Only package cli imports it. What an operator sees of the same on the server's
// machine is in servecmd.
package teamcmd

import (
	"errors"
	"slices"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
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
	}}, teamCommands(), memberCommands(), tokenCommands(), alertCommands(), channelCommands(), digestCommands(), auditCommands())
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
