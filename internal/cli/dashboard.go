package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
)

type dashboardOptions struct {
	noOpen, fresh bool
	port          int
}

func newDashboard(env *Env) *cobra.Command {
	var opts dashboardOptions
	cmd := &cobra.Command{
		Use:   "dashboard",
		Short: "Open the team's pages in the browser",
		Long: `Opens the pages of the team that .cairn/team.json names, signed in as you: what
was shipped, which evals got better or worse, what they cost, who does what. It
prints the address too, which works once and for five minutes.

A Supabase project has no such pages. For its teams the command copies what you
may see of the team's rows to ~/.cairn/mirror and shows the pages of that copy
on this machine until you stop it.`,
		Example: "  cairn dashboard\n  cairn dashboard show velocity --weeks 4",
		Args:    command.KnownCommand,
		RunE:    func(*cobra.Command, []string) error { return runDashboard(env, opts) },
	}
	f := cmd.Flags()
	f.BoolVar(&opts.noOpen, "no-open", false, "print the address and open no browser")
	f.BoolVar(&opts.fresh, "fresh", false, "of a Supabase project: copy everything anew")
	f.IntVar(&opts.port, "port", 0, "of a Supabase project: the port on 127.0.0.1 (default: a free one)")
	cmd.AddCommand(newDashboardShow(env))
	return cmd
}

func runDashboard(env *Env, opts dashboardOptions) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	_, ours, err := t.About(ctx)
	if err != nil {
		return err
	}
	if !ours {
		return serveMirror(ctx, env, t, opts)
	}
	slug, err := slugOf(ctx, t)
	if err != nil {
		return err
	}
	address, err := t.Entry(ctx, slug)
	if err != nil {
		return err
	}
	return showAddress(env, address, opts.noOpen)
}

// slug is the team's name in addresses.
func slugOf(ctx context.Context, t *link.Team) (string, error) {
	if t.File.Slug != "" {
		return t.File.Slug, nil
	}
	var teams []struct {
		ID   uuid.UUID `json:"id"`
		Slug string    `json:"slug"`
	}
	err := t.Do(ctx, http.MethodGet, wire.Rest+"teams", url.Values{"select": {"id,slug"}, "id": {"eq." + t.ID.String()}}, nil, &teams)
	if err == nil && len(teams) != 1 {
		err = fmt.Errorf("%s does not say what the team is called", t.URL())
	}
	if err != nil {
		return "", err
	}
	return teams[0].Slug, nil
}

// showAddress prints an address and opens it where somebody can see it.
func showAddress(env *Env, address string, noOpen bool) error {
	if _, err := fmt.Fprintln(env.Stdout, address); err != nil {
		return err
	}
	if noOpen || !env.SeesBrowser() {
		return nil
	}
	if err := env.OpenBrowser(address); err != nil {
		fmt.Fprintf(env.Stderr, "cairn: no browser could be opened: %v\n", err)
	}
	time.Sleep(100 * time.Millisecond) // the browser's starter may end with us
	return nil
}
