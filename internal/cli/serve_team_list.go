package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/term"
	"cairn/internal/text"
)

type serveTeamListOptions struct {
	store storeOptions
	json  bool
}

func newServeTeamList(env *Env) *cobra.Command {
	var opts serveTeamListOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the teams of the server",
		Example: "  cairn serve team list\n  cairn serve team list --json | jq -r .slug",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServeTeamList(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON object a line")
	return cmd
}

// shownTeam is a line of --json.
type shownTeam struct {
	ID        string    `json:"id"`
	Slug      string    `json:"slug"`
	Name      string    `json:"name"`
	Members   int       `json:"members"`
	Runs      int64     `json:"runs"`
	CreatedAt time.Time `json:"created_at"`
}

func runServeTeamList(cmd *cobra.Command, env *Env, opts *serveTeamListOptions) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	teams, err := st.DB.Teams(cmd.Context())
	if err != nil {
		return err
	}
	g := grid{head: []string{"SLUG", "<NAME", ">MEMBERS", ">RUNS", "MADE"}}
	for _, t := range teams {
		if opts.json {
			if err := printJSON(env, shownTeam{t.ID.String(), t.Slug, t.Name, t.Members, t.Runs, t.Created}); err != nil {
				return err
			}
		}
		g.row(term.Line(t.Slug), term.Line(t.Name), fmt.Sprint(t.Members), fmt.Sprint(t.Runs), text.When(t.Created, time.Now()))
	}
	switch {
	case opts.json:
		return nil
	case len(teams) == 0:
		fmt.Fprintln(env.Stderr, "cairn: there is no team yet")
		term.PrintHint(env.Stderr, "cairn serve team create SLUG --owner EMAIL makes one")
		return nil
	}
	return g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv))
}
