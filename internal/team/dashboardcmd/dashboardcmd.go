// Package dashboardcmd declares `cairn dashboard`: it opens the team's pages, prints
// what one shows, and serves those of a Supabase project from a copy of its rows.
//
// Only package cli imports it. What a page shows belongs to dashboard.
package dashboardcmd

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
)

const long = `Opens the pages of the team that .cairn/team.json names, signed in as you:
releases, commits, evals, costs, people, plans and alerts. Also prints the address,
which works once within five minutes.

A Supabase project has no such pages. For its teams the command copies what you
may see of the team's rows to ~/.cairn/store/teams and shows the pages of that
copy on this machine until you stop it.`

// Commands lists dashboard and dashboard show.
func Commands() []*command.Command {
	return []*command.Command{
		{
			Path: "dashboard", Short: "Open the team's pages in the browser", Long: long,
			Examples: []string{"cairn dashboard", "cairn dashboard --no-open"},
			Effect:   command.Reads, Text: true, Local: true, Waits: true, Run: open,
			Flags: []command.Flag{
				{Name: "no-open", Default: false, Help: "print the address and open no browser"},
				{Name: "fresh", Default: false, Help: "of a Supabase project: copy everything anew"},
				{Name: "port", Default: 0, Help: "of a Supabase project: the port on 127.0.0.1 (default: a free one)"},
			},
		},
		showCommand(),
	}
}

func open(c *command.Call) (*answer.Answer, error) {
	t, ours := team(c)
	if !ours {
		serveCopy(c, t)
		return nil, nil
	}
	address := must.Get(t.Entry(c, slugOf(c, t)))
	showAddress(c, address)
	return nil, nil
}

// team opens the repository's team. ours is false for one of a Supabase project,
// which has no pages.
func team(c *command.Call) (t *link.Team, ours bool) {
	t = must.Get(link.Open(c, c.Env))
	_, ours = must.Get2(t.About(c))
	return t, ours
}

// slugOf is the team's name in addresses.
func slugOf(ctx context.Context, t *link.Team) string {
	if t.File.Slug != "" {
		return t.File.Slug
	}
	var teams []struct {
		ID   uuid.UUID `json:"id"`
		Slug string    `json:"slug"`
	}
	err := t.Do(ctx, http.MethodGet, wire.Rest+"teams", url.Values{"select": {"id,slug"}, "id": {"eq." + t.ID.String()}}, nil, &teams)
	if err == nil && len(teams) != 1 {
		err = fmt.Errorf("%s does not say what the team is called", t.URL())
	}
	must.OK(err)
	return teams[0].Slug
}

// showAddress prints an address and opens it where somebody can see it.
func showAddress(c *command.Call, address string) {
	must.Get(fmt.Fprintln(c.Stdout, address))
	if c.Bool("no-open") || !c.SeesBrowser() {
		return
	}
	if err := c.OpenBrowser(address); err != nil {
		fmt.Fprintf(c.Stderr, "cairn: no browser could be opened: %v\n", err)
	}
	time.Sleep(100 * time.Millisecond) // the browser's starter may end with us
}
