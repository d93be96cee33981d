package teamcmd

import (
	"cmp"
	"fmt"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

var emailArg = command.Arg{Name: "EMAIL"}

func memberCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "team invite", Short: "Invite someone, and print the command they run", Args: []command.Arg{emailArg},
			Long: `Prints a command, and the URL of a page that does the same in a browser. Send both
to the person you invite: either signs them in and makes them a member. An
invitation works for the invited address only, once, for seven days. A new
invitation to the same address replaces the old one.`,
			Examples: []string{"cairn team invite grace@example.com", "cairn team invite bot@example.com --role ci"},
			Effect:   command.Writes, Run: with(invite, func(c *command.Call) error { return link.CheckAddress(c.Arg("EMAIL")) }),
			Flags: []command.Flag{{Name: "role", Default: "member", OneOf: []string{"member", "admin", "ci"}, Help: "member, admin or ci"}},
		},
		{
			Path: "team members", Short: "List the members and their roles",
			Examples: []string{"cairn team members", "cairn team members --json"},
			Effect:   command.Reads, CSV: true, Run: with(members),
		},
		{
			Path: "team role", Short: "Change a member's role", Args: []command.Arg{emailArg, {Name: "ROLE", OneOf: []string{"member", "admin", "owner", "ci"}}},
			Examples: []string{"cairn team role grace@example.com admin", "cairn team role grace@example.com owner"},
			Effect:   command.Writes, Run: with(setRole),
		},
		{
			Path: "team remove", Short: "Remove a member; what they sent stays", Args: []command.Arg{emailArg},
			Examples: []string{"cairn team remove grace@example.com", "cairn team remove grace@example.com --yes"},
			Effect:   command.Writes, Run: with(func(c *command.Call, t *link.Team) (*answer.Answer, error) {
				p, err := t.Find(c, t.ID, c.Arg("EMAIL"))
				who, name := term.Line(p.Email), t.Name()
				return remove(c, t, p, err, fmt.Sprintf("take %s out of %s?", who, name), fmt.Sprintf("%s is not in %s any more", who, name))
			}),
			Flags: []command.Flag{yesFlag},
		},
		{
			Path: "team leave", Short: "Leave the team; what you sent stays",
			Examples: []string{"cairn team leave", "cairn team leave --yes"},
			Effect:   command.Writes, Run: with(func(c *command.Call, t *link.Team) (*answer.Answer, error) {
				me, err := t.Me(c)
				return remove(c, t, client.Person{UserID: me}, err, fmt.Sprintf("leave %s?", t.Name()), "you left "+t.Name())
			}),
			Flags: []command.Flag{yesFlag},
		},
	}
}

func invite(c *command.Call, t *link.Team) (*answer.Answer, error) {
	email, role := c.Arg("EMAIL"), c.String("role")
	token, err := t.InviteMember(c, t.ID, email, role)
	if hasCode(err, "23505") {
		return nil, term.Hint(err, "cairn team role %s ROLE changes what they may do", email)
	}
	must.OK(err)
	link := t.URL() + "#" + token
	run, page := "cairn sync setup --invite "+link, ""
	shown := run
	if _, cairns, err := t.About(c); err == nil && cairns { // a Supabase project has no page for it
		page = t.URL() + "/join?token=" + token
		shown += "\n# or in a browser: " + page // a comment, so that a shell can run both lines
	}
	data := struct {
		Email   string `json:"email"`
		Role    string `json:"role"`
		Link    string `json:"link"`
		Command string `json:"command"`
		Page    string `json:"page,omitzero"` // that accepts it in a browser
	}{email, role, link, run, page}
	return &answer.Answer{Data: data, View: answer.Line("%s", shown), Done: true,
		Said: fmt.Sprintf("send this to %s; it works once, for seven days, and for that address only", term.Printable(email))}, nil
}

func members(c *command.Call, t *link.Team) (*answer.Answer, error) {
	people := must.Get(t.People(c, t.ID))
	table := answer.NewTable("email", "role:name", "joined:day")
	for _, p := range people {
		table.Add(address(p), p.Role, p.JoinedAt)
	}
	return list(people, table, "", "")
}

// address is a member's. The users that tokens of CI act as have none that
// anybody knows.
func address(p client.Person) string {
	if strings.HasSuffix(p.Email, ".invalid") {
		return "a token of CI"
	}
	return term.Line(p.Email)
}

func setRole(c *command.Call, t *link.Team) (*answer.Answer, error) {
	p := must.Get(t.Find(c, t.ID, c.Arg("EMAIL")))
	role := c.Arg("ROLE")
	if p.Role != role {
		if err := t.SetRole(c, t.ID, p.UserID, role); err != nil {
			return nil, ownerHint(err)
		}
	}
	p.Role = role
	called := map[string]string{"owner": "an owner", "admin": "an admin", "ci": "a user for CI"}[role]
	return done(p, "%s is %s", term.Line(p.Email), cmp.Or(called, "a "+role))
}

// remove takes somebody out of the team, unless they were not found or nobody
// confirms it.
func remove(c *command.Call, t *link.Team, p client.Person, err error, question, said string) (*answer.Answer, error) {
	must.OK(err)
	if ok, err := c.Confirm(c.Bool("yes"), question); err != nil || !ok {
		return nil, err
	}
	if err := t.Remove(c, t.ID, p.UserID); err != nil {
		return nil, ownerHint(err)
	}
	return done(struct {
		Team    string `json:"team"`
		Removed string `json:"removed"` // user id
	}{Team: t.Name(), Removed: p.UserID.String()}, "%s", said)
}

// ownerHint says how the last owner can go.
func ownerHint(err error) error {
	if hasCode(err, "23514") {
		return term.Hint(err, "make somebody else an owner first: cairn team role EMAIL owner")
	}
	return err
}
