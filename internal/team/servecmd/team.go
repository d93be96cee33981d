package servecmd

import (
	"cmp"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/erase"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

var slugArg = command.Arg{Name: "SLUG"}

func teamCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "serve team", Short: "Manage teams and their members, on the server's machine",
			Long: "Works on the server's own data: --data, --database and --config are those of\ncairn serve. The server may run meanwhile.",
		},
		{
			Path: "serve team list", Short: "List the teams of the server",
			Examples: []string{"cairn serve team list", "cairn serve team list --json | jq -r .slug"},
			Effect:   command.Reads, CSV: true, Run: with(listTeams),
		},
		{
			Path: "serve team create", Short: "Make a team and its first owner", Args: []command.Arg{slugArg},
			Examples: []string{"cairn serve team create platform --owner ada@example.com", `cairn serve team create web --name "Web and apps" --owner ada@example.com`},
			Effect:   command.Writes, Run: with(createTeam, func(c *command.Call) error {
				if utf8.RuneCountInString(c.String("name")) > 100 {
					return command.Usagef("--name must have at most 100 characters")
				}
				return nil
			}),
			Flags: []command.Flag{
				{Name: "name", Default: "", Help: "display name (default: the slug)"},
				{Name: "owner", Default: "", Required: true, Help: "`EMAIL` of a user, who becomes the first owner"},
			},
		},
		{
			Path: "serve team add", Short: "Add a user to a team, or change a member's role", Args: []command.Arg{slugArg, emailArg},
			Examples: []string{"cairn serve team add platform grace@example.com", "cairn serve team add platform grace@example.com --role owner"},
			Effect:   command.Writes, Run: with(addMember), Flags: []command.Flag{roleFlag},
		},
		{
			Path: "serve team remove", Short: "Remove a user from a team; what they sent stays", Args: []command.Arg{slugArg, emailArg},
			Examples: []string{"cairn serve team remove platform grace@example.com", "cairn serve team remove platform grace@example.com --data /srv/cairn"},
			Effect:   command.Writes, Run: with(removeMember),
		},
		{
			Path: "serve team rename", Short: "Change a team's slug or name", Args: []command.Arg{slugArg, {Name: "NEW", Optional: true}},
			Long: `The old slug leads to the team until it has had three others since. No other team
can take it.`,
			Examples: []string{"cairn serve team rename platform platform-team", `cairn serve team rename platform --name "Platform team"`},
			Effect:   command.Writes, Run: with(renameTeam, func(c *command.Call) error { return link.CheckChange(newName(c)) }),
			Flags: []command.Flag{{Name: "name", Default: "", Help: "display name"}},
		},
		{
			Path: "serve team quota", Short: "Show or change a team's limits", Args: []command.Arg{slugArg},
			Long: `Shows a team's limits and how much of them is used. A flag sets a limit for this
team, none or 0 for no limit; --default restores the server's, which cairn serve
--team-rows and the like set. A change works at once and is in the audit log. Data
above a new limit stays and can be read and deleted; only new data is refused.`,
			Examples: []string{"cairn serve team quota platform", "cairn serve team quota platform --rows 50M --bytes 60GB", "cairn serve team quota platform --default"},
			Effect:   command.Writes, CSV: true, Run: with(teamQuota, func(c *command.Call) error {
				given, err := quotas(c, "")
				if err == nil && len(given) > 0 && c.Bool("default") {
					err = command.Usagef("--default restores all limits: leave the other flags out")
				}
				return err
			}),
			Flags: append(quotaFlags("", nil), command.Flag{Name: "default", Default: false, Help: "restore the server's limits"}),
		},
		{
			Path: "serve team export", Short: "Export everything of a team, or of one member", Args: []command.Arg{slugArg},
			Long: `Writes what the server has of a team into a ZIP archive, in the format of cairn
team export; with --person only what belongs to one member.`,
			Examples: []string{"cairn serve team export platform --output platform.zip", "cairn serve team export platform --person ada@example.com --output ada.zip"},
			Effect:   command.Writes, Run: with(func(c *call) (*answer.Answer, error) { return c.export(c.Arg("SLUG"), c.String("person")) }, CheckOutput),
			Flags: []command.Flag{OutputFlag, {Name: "person", Default: "", Help: "export only what belongs to the user with this `EMAIL`"}},
		},
		{
			Path: "serve team delete", Short: "Delete a team and everything in it, for good", Args: []command.Arg{slugArg},
			Long: `Deletes a team: results, records, members, tokens, alerts. When the command ends
with 0, nothing of it is left in the database except ids in the audit log. People
keep their accounts. Backups, and on SQLite the write-ahead log until the next
checkpoint, still have it; see docs/server.md.`,
			Examples: []string{"cairn serve team delete platform", "cairn serve team delete platform --yes"},
			Effect:   command.Writes, Run: with(deleteTeam), Flags: []command.Flag{yesFlag},
		},
	}
}

// shownTeam is a line of --json.
type shownTeam struct {
	ID        string    `json:"id"`
	Slug      string    `json:"slug"`
	Name      string    `json:"name"`
	Members   int       `json:"members"`
	Runs      int64     `json:"runs"`
	CreatedAt time.Time `json:"created_at"`
}

func listTeams(c *call) (*answer.Answer, error) {
	teams := must.Get(c.st.DB.Teams(c))
	var list []shownTeam
	t := answer.NewTable("slug:name", "name", "members:count", "runs:count", "made:time")
	for _, m := range teams {
		list = append(list, shownTeam{m.ID.String(), m.Slug, m.Name, m.Members, m.Runs, m.Created})
		t.Add(m.Slug, m.Name, m.Members, m.Runs, m.Created)
	}
	if len(list) == 0 {
		return &answer.Answer{Data: answer.LinesOf(list), Said: "no teams yet", Hint: "cairn serve team create SLUG --owner EMAIL makes one"}, nil
	}
	return &answer.Answer{Data: answer.LinesOf(list), View: t}, nil
}

func createTeam(c *call) (*answer.Answer, error) {
	slug := c.Arg("SLUG")
	name := cmp.Or(c.String("name"), slug)
	u := c.user(c.String("owner"))
	return said(struct {
		ID    string `json:"id"`
		Slug  string `json:"slug"`
		Name  string `json:"name"`
		Owner string `json:"owner"`
	}{must.Get(c.st.DB.CreateTeam(c, slug, name, u.ID)).String(), slug, name, u.Email}, "made team %s, owned by %s", slug, term.Printable(u.Email))
}

// membership is what --json prints of a member whom a command changed.
type membership struct {
	Team  string `json:"team"`
	Email string `json:"email"`
	Role  string `json:"role,omitempty"` // "": none any more
}

func addMember(c *call) (*answer.Answer, error) {
	slug, role := c.Arg("SLUG"), c.String("role")
	u := c.user(c.Arg("EMAIL"))
	must.OK(c.st.DB.SetMember(c, slug, u.ID, role))
	return said(membership{slug, u.Email, role}, "%s is in %s as %s", term.Printable(u.Email), slug, role)
}

func removeMember(c *call) (*answer.Answer, error) {
	slug := c.Arg("SLUG")
	u := c.user(c.Arg("EMAIL"))
	must.OK(c.st.DB.RemoveMember(c, slug, u.ID))
	return said(membership{Team: slug, Email: u.Email}, "%s is no longer in %s", term.Printable(u.Email), slug)
}

// team is the one that SLUG names, or named before it was renamed.
func (c *call) team() (team uuid.UUID, err error) {
	err = c.view(func(tx *db.Tx) error {
		team, err = tx.FindTeam(c, c.Arg("SLUG"))
		return err
	})
	return team, err
}

func newName(c *command.Call) wire.TeamChange {
	return wire.TeamChange{Slug: c.Arg("NEW"), Name: c.String("name")}
}

func renameTeam(c *call) (*answer.Answer, error) {
	team := must.Get(c.team())
	to := newName(c.Call)
	must.OK(c.st.DB.RenameTeam(c, team, to.Slug, to.Name, func(*db.Tx) error { return nil }))
	return said(struct {
		ID   string `json:"id"`
		Slug string `json:"slug,omitempty"` // where it is new
		Name string `json:"name,omitempty"`
	}{team.String(), to.Slug, to.Name}, "%s is renamed", c.Arg("SLUG"))
}

func teamQuota(c *call) (*answer.Answer, error) {
	given := must.Get(quotas(c.Call, ""))
	change := c.view // whoever only looks leaves nothing
	if c.Bool("default") || len(given) > 0 {
		change = c.update
	}
	var list []wire.Quota
	err := change(func(tx *db.Tx) error {
		team, err := tx.FindTeam(c, c.Arg("SLUG"))
		switch {
		case err != nil:
		case c.Bool("default"):
			err = quota.Reset(c, tx, team)
		case len(given) > 0:
			err = quota.Set(c, tx, team, given)
		}
		if err != nil {
			return err
		}
		list, err = quota.Of(c, tx, team, time.Now())
		return err
	})
	return Quotas(list), err
}

func deleteTeam(c *call) (*answer.Answer, error) {
	slug := c.Arg("SLUG")
	if err := c.st.DB.HasTeam(c, slug); err != nil { // not by a slug that it had before
		return nil, err
	}
	if ok, err := c.ConfirmName(c.Bool("yes"), slug); err != nil || !ok {
		return nil, err
	}
	team, err := c.team()
	if err == nil {
		_, err = erase.BeginTeam(c, c.st.DB, team, func(*db.Tx) error { return nil })
	}
	if err == nil {
		err = erase.FinishTeam(c, c.st.DB, team)
	}
	must.OK(err)
	return said(struct {
		ID   string `json:"id"`
		Slug string `json:"slug"`
	}{team.String(), slug}, "%s is deleted", slug)
}
