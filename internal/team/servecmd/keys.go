package servecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

func keyCommands() []*command.Command {
	return []*command.Command{
		{
			Path: "serve keys", Aliases: []string{"key"}, Short: "Print the server's public key",
			Long: `Prints the key that every client is configured with: it opens nothing by itself.
The service key reads and writes every team's rows. It is printed with --service
only and belongs in no repository.`,
			Examples: []string{"cairn serve keys", "cairn serve keys --json | jq -r .anon_key"},
			Effect:   command.Reads, Local: true, Run: with(printKeys),
			Flags: []command.Flag{{Name: "service", Default: false, Help: "print the service key, too"}},
		},
		{
			Path: "serve keys rotate", Short: "Replace the key that signs access tokens",
			Long: `Makes a new signing key. Servers of the database use it within seconds, without
a restart. Tokens that the old key signed stay good until they expire, an hour at
most; --now ends them at once, which is what a leaked key needs. Clients get new
tokens by themselves; browsers sign in again when the old key ends. The service
key changes. The public key in .cairn/team.json stays, unless --public-key
replaces it: then every team.json must be changed.

Every server of the database must have this version or a newer one. If
CAIRN_JWT_SECRET holds the key, put the new one before the old one with a comma
between, restart each server, and remove the old one an hour later.`,
			Examples: []string{"cairn serve keys rotate", "cairn serve keys rotate --now --yes"},
			Effect:   command.Writes, Run: with(rotateKeys, keyIsStored),
			Flags: []command.Flag{
				{Name: "now", Default: false, Help: "end the old key's tokens at once"},
				{Name: "public-key", Default: false, Help: "replace the public key, too"},
				yesFlag,
			},
		},
	}
}

var yesFlag = command.Flag{Name: "yes", Default: false, Help: "do not ask"}

func printKeys(c *call) (*answer.Answer, error) {
	keys := must.Get(server.Keys(c, c.st.DB, []byte(c.Getenv("CAIRN_JWT_SECRET")), ""))
	var out struct {
		Anon    string `json:"anon_key"`
		Service string `json:"service_role_key,omitempty"`
	}
	out.Anon = must.Get(keys.Public(db.Anon))
	if !c.Bool("service") {
		return &answer.Answer{Data: out, View: answer.Line("%s", out.Anon)}, nil
	}
	out.Service = must.Get(keys.Public(db.Service))
	term.Warn(c.Stderr, "who has the service key reads and changes the rows of every team")
	return &answer.Answer{Data: out, View: answer.Line("anon          %s\nservice_role  %s", out.Anon, out.Service)}, nil
}

func keyIsStored(c *command.Call) error {
	if c.Getenv("CAIRN_JWT_SECRET") == "" {
		return nil
	}
	return command.Usage(term.Hint(errors.New("the signing key is in CAIRN_JWT_SECRET, not in the database"),
		"put the new one before the old one, with a comma between, and restart each server"))
}

func rotateKeys(c *call) (*answer.Answer, error) {
	now, public := c.Bool("now"), c.Bool("public-key")
	if public {
		if ok, err := c.Confirm(c.Bool("yes"), "replace the public key, so that every .cairn/team.json must be changed?"); err != nil || !ok {
			return nil, err
		}
	}
	must.OK(server.RotateKey(c, c.st, now, public))
	until := "the old key's tokens stay good until they expire, an hour at most"
	if now {
		until = "the old key's tokens are no longer good from then on"
	}
	a, err := said(struct {
		Now    bool `json:"now"`
		Public bool `json:"public_key"`
	}{now, public}, "the signing key is replaced. Servers use the new one within ten seconds; %s", until)
	if public {
		a.Hint = "cairn serve keys prints the public key for .cairn/team.json"
	}
	return a, err
}

var urlFlag = command.Flag{Name: "url", Default: "", Help: "public `URL` of the server (default: as at its last start)"}

func claimCommand() *command.Command {
	return &command.Command{
		Path: "serve claim", Short: "Print the claim of a server that has no owner",
		Long: `Prints a claim, as the first start does. Whoever uses it within half an hour
becomes the first user and owner of a team. Earlier claims stay good for their
half hour. A server with a user cannot be claimed.`,
		Examples: []string{"cairn serve claim", "cairn serve claim --data /srv/cairn --url https://cairn.example.com"},
		Effect:   command.Writes, Flags: []command.Flag{urlFlag},
		Run: with(func(c *call) (*answer.Answer, error) {
			site, err := c.site()
			if err != nil {
				return nil, err
			}
			claim, err := server.NewClaim(c, c.st, site)
			return &answer.Answer{Data: claim, View: answer.Text(func(w io.Writer) { fmt.Fprint(w, claimText(claim)) }), Done: true}, err
		}),
	}
}

// site is how the server is reached: as --url says, or as when it last started.
func (c *call) site() (string, error) {
	if said := c.String("url"); said != "" {
		return said, command.Usage(server.CheckURL(said))
	}
	noted, err := server.URLOf(c, c.st.DB)
	return cmp.Or(noted, "http://"+wire.DefaultListen), err
}

// sayClaim tells who starts a server that nobody owns how to.
func sayClaim(ctx context.Context, w io.Writer, st *server.Store, site string) {
	claim, err := server.NewClaim(ctx, st, site)
	if errors.Is(err, account.ErrClaimed) {
		return
	}
	must.OK(err)
	_, err = fmt.Fprint(w, "\nNobody owns this server yet. Within 30 minutes, in the team's repository:\n"+claimText(claim)+"\nLater: cairn serve claim\n\n")
	must.OK(err)
}

func claimText(c server.Claim) string {
	return fmt.Sprintf("  cairn sync init --url %s --claim %s\nor in a browser:\n  %s\n", c.URL, c.Token, c.Link)
}
