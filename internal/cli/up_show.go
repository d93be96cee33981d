package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/install/installcmd"
	"cairn/internal/team/collect"
	"cairn/internal/term"
	"cairn/internal/text"
)

// collect brings to the team what git, the plan and the account of usage know.
func (u *up) collect(ctx context.Context) error {
	c := collect.Of(u.sync)
	u.told.Repo = c.Slug
	if u.opts.json {
		c.Progress = &term.Progress{}
	}
	began := time.Now()
	c.Formerly = u.state.Formerly
	err := c.Gather(ctx, false, func(from collect.Source) {
		u.told.Collected = append(u.told.Collected, from.Tables...)
		s := step{Name: from.Name, OK: from.Err == nil, Text: from.String(), Ms: time.Since(began).Milliseconds()}
		if from.Err != nil {
			s.Text = "left out: " + from.Err.Error()
		}
		u.steps.say(s)
		began = time.Now()
	})
	if err != nil {
		return err
	}
	return u.steps.do("delivered", func() (string, error) { return u.deliver(ctx, c) })
}

func (u *up) deliver(ctx context.Context, c *collect.Collector) (string, error) {
	report, err := c.Deliver(ctx)
	if err != nil {
		return "", err
	}
	u.told.Delivered, u.told.Refused, u.told.Failed = report.Delivered.N(), report.Refused.N(), report.Failed
	s := text.Count(report.Delivered.N(), "record")
	switch n := report.Refused.N(); {
	case n > 0:
		s += fmt.Sprintf(", %d refused (cairn sync status says why)", n)
	case report.Delivered.N()+report.Failed == 0:
		s = "nothing new"
	}
	if len(report.Stopped) > 0 {
		return "", leftOut{term.Hint(fmt.Errorf("%s; the others wait: %w", s, report.Stopped[0].Cause), "cairn sync drain delivers them later")}
	}
	if report.Failed > 0 {
		s += fmt.Sprintf(", %d wait", report.Failed)
	}
	return s, nil
}

// offerAgents asks whether cairn is to be put into the agents that are used here,
// or where nobody can be asked says how.
func (u *up) offerAgents(ctx context.Context) {
	m, err := install.ThisMachine(u.env.Getenv)
	if err != nil {
		return
	}
	installed, _ := m.Installed()
	var names, titles []string
	for _, h := range host.All() {
		t := m.Target(h)
		has := false
		for _, i := range installed {
			has = has || i.Host.Name == t.Host.Name
		}
		if !has && t.Dir != "" && t.Exists() {
			names, titles = append(names, t.Host.Name), append(titles, t.Host.Title)
		}
	}
	switch {
	case len(names) == 0 && len(installed) == 0:
		return
	case len(names) == 0:
		u.steps.say(step{Name: "agents", OK: true, Text: "cairn is in them already"})
		return
	}
	found, how := strings.Join(titles, ", "), "cairn install "+strings.Join(names, " ")
	if u.opts.json || !term.IsTerminal(u.env.Stdin) || !term.IsTerminal(u.env.Stdout) {
		u.steps.say(step{Name: "agents", Text: found + " without cairn: " + how + " puts it there"})
		return
	}
	yes, err := u.env.Confirm(false, "Put cairn's commands and hooks into "+found+"? cairn uninstall takes them out again.")
	if err != nil || !yes {
		u.steps.say(step{Name: "agents", Text: "left as they are; " + how + " puts cairn there"})
		return
	}
	if err := installcmd.Install(ctx, u.env, names); err != nil {
		u.steps.say(step{Name: "agents", Text: err.Error()})
		return
	}
	u.steps.say(step{Name: "agents", OK: true, Text: found})
}

// dashboard opens the team's pages, or says where they are. An address that is
// printed lets a browser in once.
func (u *up) dashboard(ctx context.Context) error {
	if u.sync == nil {
		return nil
	}
	c, err := u.sync.Client()
	if err != nil {
		return err
	}
	return u.steps.do("dashboard", func() (string, error) {
		if _, cairns, err := c.About(ctx); err != nil || !cairns || c.Automatic() || u.team.Slug == "" {
			return "cairn dashboard shows it", nil
		}
		address, err := entryAddress(ctx, c, u.team.Slug)
		if err != nil {
			return "", leftOut{err}
		}
		u.told.Dashboard = address
		if !u.opts.noOpen && !u.opts.json && u.env.SeesBrowser() && u.env.OpenBrowser(address) == nil {
			time.Sleep(100 * time.Millisecond) // the browser's starter may end with us
			return c.URL() + teamPage(u.team.Slug) + ", opened", nil
		}
		return address, nil
	})
}
