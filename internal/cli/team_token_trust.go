package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/link"
	"cairn/internal/team/server/ci"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

type tokenTrustOptions struct {
	github, gitlab, issuer, ref string
	scopes                      []string
}

func newTeamTokenTrust(env *Env) *cobra.Command {
	var opts tokenTrustOptions
	cmd := &cobra.Command{
		Use:   "trust --github OWNER/REPO | --gitlab GROUP/PROJECT",
		Short: "Let GitHub Actions or GitLab CI in without a secret",
		Long: `Lets jobs of a repository exchange the identity token that GitHub or GitLab
gives each of them for one of cairn's that expires within the hour. Each
identity token is good once. Only jobs are let in that somebody with write
access starts; those of pull and merge requests, which may be a stranger's,
need --ref refs/pull/* or --ref refs/merge-requests/*.`,
		Example: "  cairn team token trust --github acme/app --ref refs/heads/main\n  cairn team token trust --gitlab acme/backend/app --issuer https://gitlab.example.com",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamTokenTrust(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.github, "github", "", "the repository, as owner/name")
	f.StringVar(&opts.gitlab, "gitlab", "", "the project, as group/name")
	f.StringVar(&opts.issuer, "issuer", "", "of the identity tokens, one of the server's --ci-issuer (default: github.com's or gitlab.com's)")
	cmd.MarkFlagsMutuallyExclusive("github", "gitlab")
	f.StringVar(&opts.ref, "ref", "", "only for this ref: refs/heads/main, refs/tags/* (default: every branch and tag)")
	f.StringSliceVar(&opts.scopes, "scope", []string{wire.ScopeIngest}, "what it may do: ingest (add), read, or both with a comma")
	return cmd
}

func runTeamTokenTrust(env *Env, opts tokenTrustOptions) error {
	owner, name, _ := strings.Cut(cmp.Or(opts.github, opts.gitlab), "/")
	if owner == "" || name == "" || opts.github != "" && strings.Contains(name, "/") {
		return command.Usage(term.Hint(errors.New("no repository is named"), "--github owner/name, or --gitlab group/name"))
	}
	if opts.gitlab != "" {
		opts.issuer = cmp.Or(opts.issuer, ci.GitLabIssuer)
	}
	if opts.ref != "" && !strings.HasPrefix(opts.ref, "refs/") {
		return command.Usage(term.Hint(fmt.Errorf("--ref %q is no ref", term.Printable(opts.ref)), "of a branch: refs/heads/%s", term.Printable(opts.ref)))
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	made, err := t.Trust(ctx, wire.NewWorkflow{TeamID: t.ID, Issuer: opts.issuer, Repository: cmp.Or(opts.github, opts.gitlab), Ref: opts.ref, Scopes: opts.scopes})
	if err != nil {
		return tokenHint(t, err)
	}
	_, err = fmt.Fprintf(env.Stdout, "workflows of %s are let in from %s, to %s\n", term.Line(made.Repository),
		term.Line(cmp.Or(made.Ref, "every branch and tag")), strings.Join(made.Scopes, " and "))
	if opts.gitlab != "" {
		fmt.Fprintf(env.Stderr, "in the job: id_tokens with aud: %[1]s, and CAIRN_URL=%[1]s\n", t.URL())
	} else {
		fmt.Fprintf(env.Stderr, "in the workflow: permissions: id-token: write, and CAIRN_URL=%s\n", t.URL())
	}
	return err
}
