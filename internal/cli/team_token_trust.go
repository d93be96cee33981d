package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/team/wire"
	"cairn/internal/term"
)

type tokenTrustOptions struct {
	github, ref string
	scopes      []string
}

func newTeamTokenTrust(env *Env) *cobra.Command {
	var opts tokenTrustOptions
	cmd := &cobra.Command{
		Use:   "trust --github OWNER/REPO",
		Short: "Let a repository's GitHub Actions in without a secret",
		Long: `Lets workflows of a repository exchange the token that GitHub gives each of
their jobs (permissions: id-token: write) for one of cairn's that lasts for
minutes. Pull requests, which may be a stranger's, are let in only with
--ref refs/pull/*.`,
		Example: "  cairn team token trust --github acme/app\n  cairn team token trust --github acme/app --ref refs/heads/main",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamTokenTrust(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.github, "github", "", "the repository, as owner/name")
	f.StringVar(&opts.ref, "ref", "", "only for this ref: refs/heads/main, refs/tags/* (default: every branch and tag)")
	f.StringSliceVar(&opts.scopes, "scope", []string{wire.ScopeIngest}, "what it may do: ingest (add), read, or both with a comma")
	return cmd
}

func runTeamTokenTrust(env *Env, opts tokenTrustOptions) error {
	owner, name, ok := strings.Cut(opts.github, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return withKind(errUsage, term.Hint(errors.New("no repository is named"), "--github owner/name"))
	}
	if opts.ref != "" && !strings.HasPrefix(opts.ref, "refs/") {
		return withKind(errUsage, term.Hint(fmt.Errorf("--ref %q is no ref", term.Printable(opts.ref)), "of a branch: refs/heads/%s", term.Printable(opts.ref)))
	}
	ctx, stop := interruptible()
	defer stop()
	t, err := openTeam(ctx, env)
	if err != nil {
		return err
	}
	made, err := t.Trust(ctx, wire.NewWorkflow{TeamID: t.id, Repository: opts.github, Ref: opts.ref, Scopes: opts.scopes})
	if err != nil {
		return tokenHint(t, err)
	}
	_, err = fmt.Fprintf(env.Stdout, "workflows of %s are let in from %s, to %s\n", term.Line(made.Repository),
		term.Line(cmp.Or(made.Ref, "every branch and tag")), strings.Join(made.Scopes, " and "))
	fmt.Fprintf(env.Stderr, "in the workflow: permissions: id-token: write, and CAIRN_URL=%s\n", t.URL())
	return err
}
