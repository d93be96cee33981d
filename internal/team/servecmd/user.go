package servecmd

import (
	"fmt"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/erase"
	"cairn/internal/team/server/auth"
	"cairn/internal/term"
)

var emailArg = command.Arg{Name: "EMAIL"}

// roleFlag is for the roles that an operator gives; ci is for what invitations
// and tokens make.
var roleFlag = command.Flag{Name: "role", Default: "member", OneOf: []string{"member", "admin", "owner"}, Help: "owner, admin or member of the team"}

func userCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "serve user", Short: "Manage who may sign in, on the server's machine",
			Long: "Works on the server's own data: --data, --database and --config are those of\ncairn serve. The server may run meanwhile.",
		},
		{
			Path: "serve user list", Short: "List the users, with their teams",
			Examples: []string{"cairn serve user list", "cairn serve user list --json | jq -r .email"},
			Effect:   command.Reads, CSV: true, Run: with(listUsers),
		},
		{
			Path: "serve user add", Short: "Add a user and print their sign-in link", Args: []command.Arg{emailArg},
			Long: `Adds a user, with --team as a member of a team, and prints a link that works once,
within seven days. Whoever has the link is that user: hand it over in private.`,
			Examples: []string{"cairn serve user add grace@example.com", "cairn serve user add heidi@example.com --team platform --role admin"},
			Effect:   command.Writes, Run: with(addUser),
			Flags: []command.Flag{{Name: "team", Default: "", Help: "add the user to the team with this `SLUG`"}, roleFlag, urlFlag},
		},
		{
			Path: "serve user link", Short: "Print a link that signs a user in", Args: []command.Arg{emailArg},
			Long: `For servers that send no mail. The link works once, within an hour. Whoever has
it is that user: hand it over in private. It replaces the link before it.`,
			Examples: []string{"cairn serve user link ada@example.com", "cairn serve user link ada@example.com --url https://cairn.example.com"},
			Effect:   command.Writes, Run: with(linkUser), Flags: []command.Flag{urlFlag},
		},
		{
			Path: "serve user remove", Short: "Remove a user; what they sent stays", Args: []command.Arg{emailArg},
			Examples: []string{"cairn serve user remove grace@example.com", "cairn serve user remove grace@example.com --yes"},
			Effect:   command.Writes, Run: with(removeUser), Flags: []command.Flag{yesFlag},
		},
		{
			Path: "serve user ban", Short: "Sign a user out everywhere and keep them out", Args: []command.Arg{emailArg},
			Examples: []string{"cairn serve user ban ada@example.com", "cairn serve user ban ada@example.com --lift"},
			Effect:   command.Writes, Run: with(banUser),
			Flags: []command.Flag{{Name: "lift", Default: false, Help: "let them sign in again"}},
		},
		{
			Path: "serve user reset-totp", Short: "Switch off a user's two-factor sign-in", Args: []command.Arg{emailArg},
			Long: `For a user who has lost the authenticator app: removes the second factor and
signs the user out everywhere. Make sure that the user is the one who asks.`,
			Examples: []string{"cairn serve user reset-totp ada@example.com", "cairn serve user reset-totp ada@example.com --data /var/lib/cairn"},
			Effect:   command.Writes, Run: with(resetTOTP),
		},
		{
			Path: "serve user export", Short: "Export everything of a person, from all teams", Args: []command.Arg{emailArg},
			Long: `Writes what the server has of a person into a ZIP archive, in the format of cairn
team export: account, sessions, memberships, invitations to the address, what they
sent to their teams, and audit entries by and about them.`,
			Examples: []string{"cairn serve user export ada@example.com --output ada.zip", "cairn serve user export ada@example.com --output ada.zip --json"},
			Effect:   command.Writes, Run: with(func(c *call) (*answer.Answer, error) { return c.export("", c.Arg("EMAIL")) }, CheckOutput),
			Flags: []command.Flag{OutputFlag},
		},
		{
			Path: "serve user erase", Short: "Erase a person: account, address, transcripts", Args: []command.Arg{emailArg},
			Long: `Deletes a person's account, sessions, memberships, transcripts and invitations,
and removes their address, their machines' names and their name as an author from
what they sent to teams. Those rows stay without a name, so that the teams'
figures stay right. Free text is not searched: titles, branches, reports. The last
owner of a team cannot be erased. docs/server.md lists every table.`,
			Examples: []string{"cairn serve user erase grace@example.com", `cairn serve user erase grace@example.com --name "Grace Hopper" --name grace --yes`},
			Effect:   command.Writes, Run: with(eraseUser),
			Flags: []command.Flag{{Name: "name", Default: []string(nil), Help: "a name that git has of the person, beside the address"}, yesFlag},
		},
	}
}

// shownUser is a line of --json.
type shownUser struct {
	ID         string            `json:"id"`
	Email      string            `json:"email"`
	Teams      map[string]string `json:"teams"` // role by slug
	CreatedAt  time.Time         `json:"created_at"`
	LastSignIn time.Time         `json:"last_sign_in_at,omitzero"`
	Banned     time.Time         `json:"banned_until,omitzero"`
}

func listUsers(c *call) (*answer.Answer, error) {
	users := everyone(c, c.accounts)
	members := must.Get(c.st.DB.Members(c))
	var list []shownUser
	t := answer.NewTable("email", "teams", "signed_in:time", "state:name")
	for _, u := range users {
		shown := shownUser{ID: u.ID.String(), Email: u.Email, Teams: map[string]string{}, CreatedAt: u.Created, LastSignIn: u.LastSignIn}
		var teams []string
		for _, m := range members {
			if m.User == u.ID {
				shown.Teams[m.Slug] = m.Role
				teams = append(teams, fmt.Sprintf("%s (%s)", m.Slug, m.Role))
			}
		}
		state := answer.Of(nil)
		if u.Banned(time.Now()) {
			shown.Banned, state = u.BannedUntil, answer.Marked("banned", "bad")
		}
		list = append(list, shown)
		t.Add(u.Email, strings.Join(teams, ", "), u.LastSignIn, state)
	}
	if len(list) == 0 {
		return &answer.Answer{Data: answer.LinesOf(list), Said: "no users yet", Hint: "cairn serve claim prints how to become the first"}, nil
	}
	return &answer.Answer{Data: answer.LinesOf(list), View: t}, nil
}

func addUser(c *call) (*answer.Answer, error) {
	site := must.Get(c.site())
	c.who = c.Arg("EMAIL")
	team := c.String("team")
	if team != "" {
		must.OK(c.st.DB.HasTeam(c, team))
	}
	u := must.Get(c.accounts.CreateUser(c, account.NewUser{Email: c.who, Invited: true}))
	if team != "" {
		must.OK(c.st.DB.SetMember(c, team, u.ID, c.String("role")))
	}
	return c.issue(site, u, account.Invite, "seven days")
}

func linkUser(c *call) (*answer.Answer, error) {
	site := must.Get(c.site())
	return c.issue(site, c.user(c.Arg("EMAIL")), account.MagicLink, "an hour")
}

// issue answers with a link that signs a user in.
func (c *call) issue(site string, u account.User, kind account.Kind, life string) (*answer.Answer, error) {
	token, code := must.Get2(c.accounts.Issue(c, account.Ticket{Kind: kind, User: u.ID, Email: u.Email, RedirectTo: site}))
	link, email := auth.Link(site, kind, token, site), term.Printable(u.Email)
	a, err := said(struct {
		Email string `json:"email"`
		Link  string `json:"link"`
		Code  string `json:"code"` // to type instead
	}{u.Email, link, code}, "%s signs in with this link, once, within %s; the code %s can be typed instead\n"+
		"open the link in a browser, or give it or the code to cairn sync setup --email %s or to the sign-in page", email, life, code, email)
	a.View = answer.Line("%s", link)
	return a, err
}

// changed is what --json prints of a user whom a command changed.
type changed struct {
	Email string `json:"email"`
}

func removeUser(c *call) (*answer.Answer, error) {
	u := c.user(c.Arg("EMAIL"))
	email := term.Printable(u.Email)
	if ok, err := c.Confirm(c.Bool("yes"), "remove "+email+" and sign them out everywhere?"); err != nil || !ok {
		return nil, err
	}
	must.OK(c.accounts.DeleteUser(c, u.ID))
	return said(changed{u.Email}, "%s is removed", email)
}

// forever is a ban's end that nobody lives to see.
const forever = 100 * 365 * 24 * time.Hour

func banUser(c *call) (*answer.Answer, error) {
	u := c.user(c.Arg("EMAIL"))
	until, state := time.Now().Add(forever), "is banned and signed out"
	if c.Bool("lift") {
		until, state = time.Time{}, "may sign in again"
	}
	if _, err := c.accounts.Ban(c, u.ID, until); err != nil {
		return nil, err
	}
	return said(struct {
		changed
		Banned bool `json:"banned"`
	}{changed{u.Email}, !c.Bool("lift")}, "%s %s", term.Printable(u.Email), state)
}

func resetTOTP(c *call) (*answer.Answer, error) {
	u := c.user(c.Arg("EMAIL"))
	factors := must.Get(c.accounts.Factors(c, u.ID))
	done := struct {
		changed
		Removed int `json:"removed"`
	}{changed{u.Email}, len(factors)}
	if len(factors) == 0 {
		return said(done, "%s has no second factor", term.Printable(u.Email))
	}
	_ = must.Get(c.accounts.ResetFactors(c, u.ID))
	return said(done, "%s signs in without a second factor again, and is signed out everywhere", term.Printable(u.Email))
}

func eraseUser(c *call) (*answer.Answer, error) {
	u := c.user(c.Arg("EMAIL"))
	email := term.Printable(u.Email)
	if ok, err := c.Confirm(c.Bool("yes"), "erase "+email+", for good?"); err != nil || !ok {
		return nil, err
	}
	must.OK(erase.BeginPerson(c, c.st.DB, u.ID, c.List("name")))
	if err := erase.FinishPerson(c, c.st.DB, u.ID); err != nil {
		return nil, term.Hint(err, "the account is gone; the server erases the rest by itself")
	}
	return said(changed{u.Email}, "%s is erased", email)
}
