package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

func newTeamMembers(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "members",
		Short:   "List who is in the team, and as what",
		Example: "  cairn team members\n  cairn team members --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamMembers(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return cmd
}

func runTeamMembers(env *Env, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	people, err := t.People(ctx, t.ID)
	if err != nil {
		return err
	}
	g := grid{head: []string{"<EMAIL", "ROLE", "JOINED"}}
	for _, p := range people {
		if asJSON {
			if err := printJSON(env, p); err != nil {
				return err
			}
			continue
		}
		g.row(memberText(p), term.Line(p.Role), p.JoinedAt.Local().Format(time.DateOnly))
	}
	if asJSON {
		return nil
	}
	return g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
}

// memberText is a member's address. The users that tokens of CI act as have none
// that anybody knows.
func memberText(p client.Person) string {
	if strings.HasSuffix(p.Email, ".invalid") {
		return "a token of CI"
	}
	return term.Line(p.Email)
}
