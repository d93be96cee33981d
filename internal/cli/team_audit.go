package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
	"cairn/internal/term"
)

// An auditEntry is a line of --json: a row of audit_log.
type auditEntry struct {
	ID         uuid.UUID  `json:"id"`
	OccurredAt time.Time  `json:"occurred_at"`
	TeamID     *uuid.UUID `json:"team_id"`
	Actor      string     `json:"actor"`
	UserID     *uuid.UUID `json:"user_id"`
	TokenID    *uuid.UUID `json:"token_id"`
	Action     string     `json:"action"`
	ObjectID   *uuid.UUID `json:"object_id"`
	Detail     string     `json:"detail"`
	Address    string     `json:"address"`
}

type auditOptions struct {
	since string
	limit int
	json  bool
}

func (o *auditOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "30d", "how far back: as 12h, 30d or 2026-03-02")
	f.IntVar(&o.limit, "limit", 200, "how many entries at most")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line")
}

// from is the time that --since names.
func (o *auditOptions) from(now time.Time) (time.Time, error) {
	if o.limit < 1 || o.limit > 10_000 {
		return now, command.Usagef("--limit must be between 1 and 10000, not %d", o.limit)
	}
	if at, err := time.Parse(time.DateOnly, o.since); err == nil {
		return at, nil
	}
	if n := len(o.since) - 1; n > 0 {
		unit := map[byte]time.Duration{'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}[o.since[n]]
		if count, err := strconv.Atoi(o.since[:n]); err == nil && unit > 0 && count > 0 && count < 100_000 {
			return now.Add(-time.Duration(count) * unit), nil
		}
	}
	return now, command.Usagef("--since %q: must be as 12h, 30d, 8w or 2026-03-02", term.Printable(o.since))
}

func newTeamAudit(env *Env) *cobra.Command {
	var opts auditOptions
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show who did what to the team, when and from where",
		Long: `Lists what was done to the team, the newest first: members, invitations, tokens,
alert channels, settings, exports. Entries hold ids and no contents; nobody can
change them. Owners and admins can see them.`,
		Example: "  cairn team audit\n  cairn team audit --since 2026-03-02 --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamAudit(env, opts) },
	}
	opts.flags(cmd)
	return cmd
}

func runTeamAudit(env *Env, opts auditOptions) error {
	since, err := opts.from(time.Now())
	if err != nil {
		return err
	}
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
	if err := adminOnly(ctx, t, people); err != nil {
		return err
	}
	var list []auditEntry
	err = t.Do(ctx, http.MethodGet, wire.Rest+"audit_log", url.Values{
		"team_id": {"eq." + t.ID.String()}, "occurred_at": {"gte." + since.UTC().Format(time.RFC3339)},
		"order": {"occurred_at.desc,id.asc"}, "limit": {strconv.Itoa(opts.limit)},
	}, nil, &list)
	if err != nil {
		return err
	}
	names := map[uuid.UUID]string{}
	for _, p := range people {
		names[p.UserID] = memberText(p)
	}
	return printAudit(env, list, names, opts)
}

// adminOnly says who may, instead of an empty list.
func adminOnly(ctx context.Context, t *link.Team, people []client.Person) error {
	me, err := t.Me(ctx)
	if err == nil && !slices.ContainsFunc(people, func(p client.Person) bool { return p.UserID == me && (p.Role == "owner" || p.Role == "admin") }) {
		err = command.Auth(fmt.Errorf("only an owner or an admin of %s can see its audit log", t.Name()))
	}
	return err
}

// printAudit prints entries; names are of the people who are known.
func printAudit(env *Env, list []auditEntry, names map[uuid.UUID]string, opts auditOptions) error {
	g := grid{head: []string{"WHEN", "<WHO", "<WHAT", "<WHOM", "FROM"}}
	called := func(id *uuid.UUID) string {
		if id == nil {
			return ""
		}
		if name := names[*id]; name != "" {
			return name
		}
		return id.String()
	}
	for _, e := range list {
		if opts.json {
			if err := printJSON(env, e); err != nil {
				return err
			}
			continue
		}
		who := e.Actor
		if e.UserID != nil && e.Actor == "user" {
			who = called(e.UserID)
		}
		what := e.Action
		if e.Detail != "" {
			what += " (" + term.Line(e.Detail) + ")"
		}
		g.row(e.OccurredAt.Local().Format("2006-01-02 15:04:05"), term.Line(who), term.Line(what), called(e.ObjectID), term.Line(e.Address))
	}
	switch {
	case opts.json:
		return nil
	case len(list) == 0:
		fmt.Fprintln(env.Stderr, "cairn: no entries since then")
		return nil
	}
	if err := g.print(env.Stdout, term.NewPaint(env.Stdout, env.Getenv)); err != nil {
		return err
	}
	if len(list) == opts.limit {
		term.PrintHint(env.Stderr, "there may be more: --limit %d", min(10_000, 5*opts.limit))
	}
	return nil
}
