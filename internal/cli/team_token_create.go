package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

type tokenCreateOptions struct {
	scopes              []string
	repo, name, expires string
	json                bool
}

func newTeamTokenCreate(env *Env) *cobra.Command {
	var opts tokenCreateOptions
	cmd := &cobra.Command{
		Use:   "create",
		Short: "Make a token for CI; it is shown once",
		Long: `Prints a token on stdout, once; the server keeps only its hash. Give it to the
job as CAIRN_ACCESS_TOKEN, and the server's address as CAIRN_URL: without that
the token is sent nowhere, because a pull request may change team.json.`,
		Example: `  cairn team token create --name nightly --repo acme/app
  cairn team token create --scope ingest,read --expires 90d | gh secret set CAIRN_ACCESS_TOKEN`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runTeamTokenCreate(env, opts) },
	}
	f := cmd.Flags()
	f.StringSliceVar(&opts.scopes, "scope", []string{wire.ScopeIngest}, "what it may do: ingest (add), read, or both with a comma")
	f.StringVar(&opts.repo, "repo", "", "only for this repository, as owner/name (default: every one)")
	f.StringVar(&opts.name, "name", "", "what you tell it by (default: the repository and the day)")
	f.StringVar(&opts.expires, "expires", "", "when it ends: 90d, 12h, 2w (default: never)")
	f.BoolVar(&opts.json, "json", false, "print the token and what is known of it as JSON")
	return cmd
}

func runTeamTokenCreate(env *Env, opts tokenCreateOptions) error {
	for _, s := range opts.scopes {
		if s != wire.ScopeIngest && s != wire.ScopeRead {
			return command.Usage(term.Hint(fmt.Errorf("there is no scope %q", term.Printable(s)), "ingest, read, or both with a comma"))
		}
	}
	n := wire.NewToken{Name: opts.name, Scopes: opts.scopes, RepoSlug: opts.repo}
	if opts.expires != "" {
		now := time.Now()
		from, err := command.Since(opts.expires, now)
		if err != nil || !from.Before(now) || from.IsZero() {
			return command.Usage(term.Hint(fmt.Errorf("--expires %q is no time", term.Printable(opts.expires)), "90d, 12h or 2w"))
		}
		n.ExpiresIn = int64(now.Sub(from).Round(time.Hour).Seconds())
	}
	if n.Name == "" {
		n.Name = cmp.Or(opts.repo, "ci") + " " + time.Now().Format(time.DateOnly)
	}
	if opts.repo != "" && strings.Count(opts.repo, "/") != 1 {
		return command.Usage(errors.New("--repo is owner/name"))
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	n.TeamID = t.ID
	made, err := t.NewToken(ctx, n)
	if err != nil {
		return tokenHint(t, err)
	}
	if opts.json {
		return printJSON(env, made)
	}
	if _, err := fmt.Fprintln(env.Stdout, made.Token); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, `this is %q; it is not shown again. In the job:
  CAIRN_ACCESS_TOKEN=the token, as a secret
  CAIRN_URL=%s
`, term.Printable(made.Name), t.URL())
	return nil
}
