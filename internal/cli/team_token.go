package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newTeamToken(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Tokens with which CI sends results",
		Long: `Tokens of CI belong to the team and not to a person. One with the scope ingest
can add results and read nothing; read is for a gate that compares with the
team's runs.`,
		Example: "  cairn team token create --name nightly --repo acme/app\n  cairn team token list",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTeamTokenCreate(env), newTeamTokenList(env), newTeamTokenRevoke(env), newTeamTokenTrust(env))
	return cmd
}

func newTeamTokenList(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the team's tokens, without what proves them",
		Example: "  cairn team token list\n  cairn team token list --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamTokenList(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func runTeamTokenList(env *Env, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	list, err := t.Tokens(ctx, t.ID)
	if err != nil {
		return tokenHint(t, err)
	}
	now := time.Now()
	g := grid{head: []string{"BEGINS", "<NAME", "SCOPES", "<REPOSITORY", "LAST USED", "EXPIRES", ""}}
	for _, k := range list {
		if asJSON {
			if err := printJSON(env, k); err != nil {
				return err
			}
			continue
		}
		g.row(term.Line(k.Prefix), term.Line(k.Name), strings.Join(k.Scopes, ","), term.Line(k.RepoSlug), timeText(k.LastUsedAt, now), timeText(k.ExpiresAt, now), tokenState(k, now))
	}
	if asJSON {
		return nil
	}
	if len(list) == 0 {
		fmt.Fprintln(env.Stderr, "cairn: the team has no token")
		term.PrintHint(env.Stderr, "cairn team token create makes one")
		return nil
	}
	return g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
}

func timeText(t *time.Time, now time.Time) string {
	if t == nil {
		return ""
	}
	return text.When(*t, now)
}

func tokenState(k wire.Token, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case k.ExpiresAt != nil && k.ExpiresAt.Before(now):
		return "expired"
	}
	return ""
}

func newTeamTokenRevoke(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "revoke TOKEN",
		Short:   "End a token at once; TOKEN is its name or how it begins",
		Example: "  cairn team token revoke nightly\n  cairn team token revoke cairn_ci_a1b2c3",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(_ *cobra.Command, args []string) error { return runTeamTokenRevoke(env, args[0]) },
	}
}

func runTeamTokenRevoke(env *Env, which string) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	list, err := t.Tokens(ctx, t.ID)
	if err != nil {
		return tokenHint(t, err)
	}
	var found []wire.Token
	for _, k := range list {
		id, _ := uuid.Parse(which)
		if k.RevokedAt == nil && (k.Name == which || k.ID == id || len(which) > len(wire.TokenPrefix) && (strings.HasPrefix(k.Prefix, which) || strings.HasPrefix(which, k.Prefix))) {
			found = append(found, k)
		}
	}
	switch len(found) {
	case 0:
		return command.Usage(term.Hint(errors.New("no token is called that"), "cairn team token list shows them"))
	case 1:
	default:
		return command.Usage(term.Hint(fmt.Errorf("%d tokens are called that", len(found)), "say how it begins: cairn team token list shows it"))
	}
	if err := t.RevokeToken(ctx, found[0].ID); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s (%s) is revoked\n", term.Line(found[0].Name), term.Line(found[0].Prefix))
	return err
}

// tokenHint explains what a Supabase project has instead of tokens.
func tokenHint(t *link.Team, err error) error {
	var e *client.Error
	if !errors.As(err, &e) || e.Status != 404 || strings.HasPrefix(e.Code, "42") {
		return err
	}
	return command.Usage(term.Hint(fmt.Errorf("%s has no tokens for CI: it is no cairn server", t.URL()),
		"on a Supabase project CI is a user of its own: cairn team invite BOT@ADDRESS --role ci, then CAIRN_CI_EMAIL and CAIRN_CI_PASSWORD in the job (docs/supabase.md)"))
}
