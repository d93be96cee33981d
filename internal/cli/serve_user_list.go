package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/term"
	"cairn/internal/text"
)

type serveUserListOptions struct {
	store storeOptions
	json  bool
}

func newServeUserList(env *Env) *cobra.Command {
	var opts serveUserListOptions
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List who may sign in, with their teams",
		Example: "  cairn serve user list\n  cairn serve user list --json | jq -r .email",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runServeUserList(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	cmd.Flags().BoolVar(&opts.json, "json", false, "print one JSON object a line")
	return cmd
}

// shownUser is a line of --json.
type shownUser struct {
	ID         string            `json:"id"`
	Email      string            `json:"email"`
	Teams      map[string]string `json:"teams"` // role by slug
	CreatedAt  time.Time         `json:"created_at"`
	LastSignIn time.Time         `json:"last_sign_in_at,omitzero"`
	Banned     time.Time         `json:"banned_until,omitzero"`
}

func runServeUserList(cmd *cobra.Command, env *Env, opts *serveUserListOptions) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	users, err := everyone(cmd.Context(), account.New(st.DB))
	if err != nil {
		return err
	}
	members, err := st.DB.Members(cmd.Context())
	if err != nil {
		return err
	}
	now, paint := time.Now(), term.NewPaint(env.Stdout, env.Getenv)
	g := grid{head: []string{"<EMAIL", "<TEAMS", "SIGNED IN", ""}}
	for _, u := range users {
		shown := shownUser{ID: u.ID.String(), Email: u.Email, Teams: map[string]string{}, CreatedAt: u.Created, LastSignIn: u.LastSignIn}
		var teams []string
		for _, m := range members {
			if m.User == u.ID {
				shown.Teams[m.Slug] = m.Role
				teams = append(teams, fmt.Sprintf("%s (%s)", m.Slug, m.Role))
			}
		}
		state, last := "", ""
		if u.Banned(now) {
			shown.Banned, state = u.BannedUntil, paint.Bad("banned")
		}
		if !u.LastSignIn.IsZero() {
			last = text.When(u.LastSignIn, now)
		}
		if opts.json {
			if err := printJSON(env, shown); err != nil {
				return err
			}
		}
		g.row(term.Line(u.Email), term.Line(strings.Join(teams, ", ")), last, state)
	}
	switch {
	case opts.json:
		return nil
	case len(users) == 0:
		fmt.Fprintln(env.Stderr, "cairn: nobody may sign in yet")
		return nil
	}
	return g.print(env.Stdout, paint)
}
