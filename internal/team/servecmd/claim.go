package servecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server"
	"cairn/internal/team/wire"
)

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
func sayClaim(ctx context.Context, w io.Writer, st *server.Store, site string) error {
	claim, err := server.NewClaim(ctx, st, site)
	if errors.Is(err, account.ErrClaimed) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(w, "\nNobody owns this server yet. Within 30 minutes, in the team's repository:\n"+claimText(claim)+"\nLater: cairn serve claim\n\n")
	return err
}

func claimText(c server.Claim) string {
	return fmt.Sprintf("  cairn sync init --url %s --claim %s\nor in a browser:\n  %s\n", c.URL, c.Token, c.Link)
}
