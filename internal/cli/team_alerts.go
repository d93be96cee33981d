package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newTeamAlerts(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "alerts",
		Short: "List the suites that got worse, and say where that is told",
		Long: `Lists the alerts that are open. Each push of a suite is compared with the last
20 runs of the main branch: after a bad push an alert is pending, after a second
one, or after one that is very bad, it fires, and the team's channels are told.
Two good pushes in a row end it. docs/alerts.md tells the statistics.

cairn serve does this by itself. For a Supabase project, a cron job runs
cairn team alerts check.`,
		Example: "  cairn team alerts\n  cairn team alerts channel add slack evals",
		Args:    command.KnownCommand,
		RunE:    func(*cobra.Command, []string) error { return runTeamAlerts(env, false, 100, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.AddCommand(newTeamAlertsHistory(env), newTeamAlertsCheck(env), newTeamAlertsConfirm(env), newTeamAlertsChannel(env))
	return cmd
}

func newTeamAlertsHistory(env *Env) *cobra.Command {
	var asJSON bool
	var most int
	cmd := &cobra.Command{
		Use:     "history",
		Short:   "List the alerts that ended, too, the newest first",
		Example: "  cairn team alerts history\n  cairn team alerts history --limit 5 --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamAlerts(env, true, most, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.Flags().IntVar(&most, "limit", 20, "how many at most")
	return cmd
}

func runTeamAlerts(env *Env, ended bool, most int, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	all, err := t.Alerts(ctx, t.ID, ended, min(max(most, 1), 1000))
	if err != nil {
		return err
	}
	if asJSON {
		for _, a := range all {
			if err := printJSON(env, a); err != nil {
				return err
			}
		}
		return nil
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(env.Stdout, map[bool]string{false: "no alert is open", true: "there was no alert yet"}[ended])
		return err
	}
	now := time.Now()
	g := grid{head: []string{"STATE", "<SUITE", "<BRANCH", "<REPOSITORY", "PASSED", "EXPECTED", "P", "SINCE"}}
	for _, a := range all {
		g.row(alertState(a), orTerm(a.Suite), term.Line(a.Branch), term.Line(a.Repo), text.Percent(a.Observed, 0), text.Percent(a.Expected, 0), fmt.Sprintf("%.2g", a.P), text.When(a.BeganAt, now))
	}
	return g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
}

// alertState is how far an alert is, or how it ended.
func alertState(a client.Alert) string {
	if a.State == "resolved" && a.Outcome != "" {
		return term.Line(a.Outcome)
	}
	return term.Line(a.State)
}

func orTerm(suite string) string {
	if suite == "" {
		return "(none)"
	}
	return term.Line(suite)
}
