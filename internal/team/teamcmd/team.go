package teamcmd

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/must"
	"cairn/internal/team/link"
	"cairn/internal/team/servecmd"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

var slugArg = command.Arg{Name: "SLUG"}

func teamCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "team create", Short: "Make another team on this repository's server", Args: []command.Arg{slugArg},
			Long: `Makes a team on the server that .cairn/team.json names, with you as its owner. With
--use the file names it from now on. A SLUG has small letters, digits and dashes.`,
			Examples: []string{`cairn team create platform --name "Platform team"`, "cairn team create platform --use"},
			Effect:   command.Writes, Run: checked(createTeam, func(c *command.Call) error { return link.CheckSlug(c.Arg("SLUG")) }),
			Flags: []command.Flag{
				{Name: "name", Default: "", Help: "display name (default: the slug)"},
				{Name: "use", Default: false, Help: "write it into .cairn/team.json"},
			},
		},
		{
			Path: "team rename", Short: "Change the team's slug or name", Args: []command.Arg{{Name: "SLUG", Optional: true}},
			Long: `Renames the team of this repository, and changes .cairn/team.json with it. Other
repositories and CI can go on with the old slug: it leads to the team until the
team has had three others since, and no other team can take it. Only an owner can
do this.`,
			Examples: []string{"cairn team rename platform-team", `cairn team rename --name "Platform team"`},
			Effect:   command.Writes, Run: with(renameTeam, func(c *command.Call) error { return link.CheckChange(newName(c)) }),
			Flags: []command.Flag{{Name: "name", Default: "", Help: "display name"}},
		},
		{
			Path: "team quota", Short: "Show the team's limits and what is used of them",
			Long: `Shows how many rows and bytes the team stores, how many messages were sent for it
today, its alert channels and open invitations, and the limit of each. The
server's operator sets the limits. Owners and admins can see them.`,
			Examples: []string{"cairn team quota", "cairn team quota --json"},
			Effect:   command.Reads, CSV: true, Run: with(func(c *command.Call, t *link.Team) (*answer.Answer, error) {
				list, err := t.Quotas(c, t.ID)
				return servecmd.Quotas(list), err
			}),
		},
		{
			Path: "team export", Short: "Export everything of the team, or of one member",
			Long: `Writes what the server has of the team into FILE, a ZIP archive with a file of JSON
lines for each table and a manifest with rows and checksums; see docs/export.md.
It is the state of one moment, and holds no secret that would let anybody in.
Owners export the team, or one member's part with --person. Everyone can export
their own part and account with --person me.`,
			Examples: []string{"cairn team export --output team.zip", "cairn team export --person me --output me.zip"},
			Effect:   command.Writes, Run: with(exportTeam, checkPerson, servecmd.CheckOutput),
			Flags: []command.Flag{servecmd.OutputFlag, {Name: "person", Default: "", Help: "export only what belongs to the member with this `EMAIL`; me is yourself"}},
		},
		{
			Path: "team delete", Short: "Delete the team and everything in it, for good", Args: []command.Arg{slugArg},
			Long: `Deletes the team of this repository: results, records, members, tokens, alerts.
When the command ends with 0, nothing of it is left in the server's database
except ids in the audit log. Backups of the server still have it. SLUG must be the
team's; without --yes you type it once more. Only an owner can do this.`,
			Examples: []string{"cairn team delete platform", "cairn team delete platform --yes"},
			Effect:   command.Writes, Run: with(deleteTeam), Flags: []command.Flag{yesFlag},
		},
	}
}

// identity is what --json prints of a team that a command made or deleted.
type identity struct {
	ID   uuid.UUID `json:"id"`
	Slug string    `json:"slug"`
	Name string    `json:"name"`
}

func createTeam(c *command.Call) (*answer.Answer, error) {
	slug := c.Arg("SLUG")
	here := must.Get(link.Find(c.Env))
	if here == nil {
		return nil, command.Usage(term.Hint(errors.New("this repository has no server: there is no .cairn/team.json"), "cairn sync init --url URL --team %s", slug))
	}
	server := must.Get(here.Client())
	name := cmp.Or(c.String("name"), slug)
	id := must.Get(server.CreateTeam(c, slug, name))
	a, _ := done(identity{id, slug, name}, "team %s is made; you are its owner", slug)
	if !c.Bool("use") {
		a.Hint = "team_slug in .cairn/team.json says whose results this repository's are"
		return a, nil
	}
	here.File.Slug = slug
	return a, config.WriteTeam(here.Dir, here.File)
}

func newName(c *command.Call) wire.TeamChange {
	return wire.TeamChange{Slug: c.Arg("SLUG"), Name: c.String("name")}
}

func renameTeam(c *command.Call, t *link.Team) (*answer.Answer, error) {
	to := newName(c)
	is := must.Get(t.RenameTeam(c, t.ID, to))
	a, _ := done(is, "the team is %s, %q", is.Slug, term.Line(is.Name))
	if to.Slug == "" || t.File.Slug == is.Slug {
		return a, nil
	}
	a.Hint = ".cairn/team.json has the new slug: commit it"
	t.File.Slug = is.Slug
	return a, config.WriteTeam(t.Dir, t.File)
}

func checkPerson(c *command.Call) error {
	if who := c.String("person"); who != "" && who != "me" {
		return link.CheckAddress(who)
	}
	return nil
}

func exportTeam(c *command.Call, t *link.Team) (*answer.Answer, error) {
	return servecmd.WriteExport(c, func(w io.Writer) error {
		_, err := t.ExportTeam(c, t.ID, c.String("person"), w)
		return err
	})
}

func deleteTeam(c *command.Call, t *link.Team) (*answer.Answer, error) {
	slug := c.Arg("SLUG")
	is := must.Get(t.FindTeam(c, t.ID.String()))
	if is.Slug != slug {
		return nil, command.Usage(term.Hint(fmt.Errorf("the team of this repository is %s, not %s: nothing was deleted", term.Printable(is.Slug), term.Printable(slug)), "cairn team export --output FILE keeps what there is"))
	}
	if ok, err := c.ConfirmName(c.Bool("yes"), slug); err != nil || !ok {
		return nil, err
	}
	said := false
	err := t.DeleteTeam(c, t.ID, slug, func() {
		if !said {
			said = true
			fmt.Fprintln(c.Stderr, "cairn: nobody is in the team any more; its rows are being deleted")
		}
	})
	if err != nil && said {
		err = term.Hint(err, "the server goes on deleting by itself")
	}
	must.OK(err)
	return done(identity{is.ID, slug, is.Name}, "%s is deleted", slug)
}
