package cli

import (
	"cairn/internal/command"
	"cairn/internal/team/link"
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newTeamDigest(env *Env) *cobra.Command {
	var asJSON, dry bool
	cmd := &cobra.Command{
		Use:   "digest",
		Short: "Print the team's week: who shipped, what really changed",
		Long: `Prints the digest of the last seven days as Markdown. Every Monday at 9:00, or
when cairn team digest settings says, it goes to the team's channels: cairn
serve sends it by itself, for a Supabase project cairn team digest send does,
from a cron job. docs/alerts.md tells what stands in it.`,
		Example: "  cairn team digest\n  cairn team digest --dry-run > week.md",
		Args:    command.KnownCommand,
		RunE:    func(*cobra.Command, []string) error { return runTeamDigest(env, asJSON) },
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only print it, which is what this verb does anyway")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print its figures as JSON")
	cmd.AddCommand(newTeamDigestSend(env), newTeamDigestSettings(env))
	return cmd
}

func runTeamDigest(env *Env, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	if env.Getenv(link.DatabaseURL) != "" {
		h, end, err := openHerald(ctx, env, tellOptions{mail: mailOptions{}})
		if err != nil || h == nil {
			return err
		}
		defer end()
		team, err := projectTeam(ctx, env, h.DB)
		if err != nil {
			return err
		}
		m, err := h.Preview(ctx, team)
		if err != nil {
			return link.DatabaseError(err)
		}
		return printDigest(env, m.Markdown(), m.Data, asJSON)
	}
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	switch _, cairns, err := t.About(ctx); {
	case err != nil:
		return err
	case !cairns:
		return withoutDatabase(ctx, env)
	}
	d, err := t.Digest(ctx, t.ID)
	if err != nil {
		return err
	}
	return printDigest(env, d.Markdown, d.Data, asJSON)
}

func printDigest(env *Env, markdown string, data []byte, asJSON bool) error {
	if asJSON {
		_, err := fmt.Fprintf(env.Stdout, "%s\n", data)
		return err
	}
	_, err := fmt.Fprint(env.Stdout, markdown)
	return err
}

func newTeamDigestSend(env *Env) *cobra.Command {
	var opts tellOptions
	cmd := &cobra.Command{
		Use:   "send",
		Short: "Send the digest of a Supabase project's teams when it is due",
		Long: `Sends the digest of every team of a Supabase project that is due and was not
sent yet: a cron job may run it every hour. CAIRN_DATABASE_URL has the project's
database, which is neither kept nor shown. What is due is sent on its day or on
the day after, once.

cairn serve does this by itself.`,
		Example: `  cairn team digest send
  cairn team digest send --smtp-host smtp.example.com --smtp-user cairn --smtp-from cairn@example.com`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runTeamDigestSend(env, opts) },
	}
	opts.flags(cmd)
	return cmd
}

func runTeamDigestSend(env *Env, opts tellOptions) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	h, end, err := openHerald(ctx, env, opts)
	if err != nil || h == nil {
		return err
	}
	defer end()
	n, err := h.Digest(ctx, allTeams)
	if err != nil {
		return link.DatabaseError(err)
	}
	if n == 0 {
		fmt.Fprintln(env.Stdout, "no digest is due")
	}
	done, err := h.Deliver(ctx)
	if err != nil {
		return link.DatabaseError(err)
	}
	if done.Sent > 0 {
		fmt.Fprintf(env.Stdout, "%d sent\n", done.Sent)
	}
	return undelivered(done)
}
