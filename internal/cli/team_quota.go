package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

func newTeamQuota(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "quota",
		Short: "Show the team's limits and how much of them is used",
		Long: `Shows how many rows and bytes the team stores, how many messages were sent for
it today, its alert channels and open invitations, and the limit of each. The
server's operator sets the limits. Owners and admins can see them.`,
		Example: "  cairn team quota\n  cairn team quota --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamQuota(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func runTeamQuota(env *Env, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	list, err := t.Quotas(ctx, t.ID)
	if err != nil {
		return err
	}
	return printQuotas(env, list, asJSON)
}

func printQuotas(env *Env, list []wire.Quota, asJSON bool) error {
	if asJSON {
		return printJSON(env, list)
	}
	g := grid{head: []string{"WHAT", ">USED", ">LIMIT", "LIMIT OF"}}
	for _, q := range list {
		limit, by := "none", "the server"
		if q.Limit > 0 {
			limit = fmt.Sprint(q.Limit)
		}
		if q.Own {
			by = "this team"
		}
		g.row(quota.Kind(q.Kind).Title(), fmt.Sprint(q.Used), limit, by)
	}
	return g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
}
