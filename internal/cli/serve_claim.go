package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db/account"
	"cairn/internal/team/server"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

type serveClaimOptions struct {
	store storeOptions
	url   string
	json  bool
}

func newServeClaim(env *Env) *cobra.Command {
	var opts serveClaimOptions
	cmd := &cobra.Command{
		Use:   "claim",
		Short: "Print how to become the first owner of a server that has none",
		Long: `Prints a claim, as the first start does: whoever uses it within half an hour
becomes the first user and owner of a team. Claims that were printed before stay
good for their half hour. When there is a user, there is nothing to claim.`,
		Example: `  cairn serve claim
  cairn serve claim --data /srv/cairn --url https://cairn.example.com`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runServeClaim(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&opts.url, "url", "", "how the server is reached (default: as it was when it last started)")
	f.BoolVar(&opts.json, "json", false, "print the claim as JSON")
	return cmd
}

func runServeClaim(cmd *cobra.Command, env *Env, opts *serveClaimOptions) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	site, err := siteURL(cmd.Context(), st, opts.url)
	if err != nil {
		return err
	}
	c, err := server.NewClaim(cmd.Context(), st, site)
	if errors.Is(err, account.ErrClaimed) {
		return term.Hint(err, "cairn serve user add EMAIL lets somebody in")
	}
	if err != nil {
		return err
	}
	if opts.json {
		return printJSON(env, c)
	}
	_, err = fmt.Fprint(env.Stdout, claimText(c))
	return err
}

// siteURL is how a server is reached: as said, or as when it last started.
func siteURL(ctx context.Context, st *server.Store, said string) (string, error) {
	if said != "" {
		return said, command.Usage(server.CheckURL(said))
	}
	noted, err := server.URLOf(ctx, st.DB)
	return cmp.Or(noted, "http://"+wire.DefaultListen), err
}

// sayClaim tells who starts a server that nobody owns how to.
func sayClaim(ctx context.Context, env *Env, st *server.Store, site string) error {
	c, err := server.NewClaim(ctx, st, site)
	if errors.Is(err, account.ErrClaimed) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(env.Stderr, "\nNobody owns this server yet. Within 30 minutes, in the team's repository:\n"+claimText(c)+"\nLater: cairn serve claim\n\n")
	return err
}

func claimText(c server.Claim) string {
	return fmt.Sprintf("  cairn sync init --url %s --claim %s\nor in a browser:\n  %s\n", c.URL, c.Token, c.Link)
}
