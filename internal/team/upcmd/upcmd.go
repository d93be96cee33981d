// Package upcmd declares `cairn up` and `cairn down`: the team server of this
// machine is started, the repository gets a team on it, and what it knows is
// collected; and all of that is undone.
//
// Only package cli imports it. What runs, and whether it answers, package local
// says; the server itself is servecmd's.
package upcmd

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/install/installcmd"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/collect"
	"cairn/internal/team/db"
	"cairn/internal/team/local"
	"cairn/internal/team/server"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Commands lists both.
func Commands() []*command.Command { return []*command.Command{upCommand(), downCommand()} }

// A machine is where the server of cairn up is.
type machine struct {
	*command.Call
	home  home.Home
	place server.Place
}

func machineOf(c *command.Call) machine {
	h := home.Find(c.Getenv)
	return machine{c, h, server.Place{Dir: h.Server()}}
}

// ownKey is the public key of the server whose data this machine has, "" where
// there are none or they cannot be read.
func (m machine) ownKey() string {
	st, err := server.Join(m, m.place)
	if err != nil {
		return ""
	}
	defer st.Close()
	keys, err := server.Keys(m, st.DB, nil, "")
	if err != nil {
		return ""
	}
	key, _ := keys.Public(db.Anon)
	return key
}

// busy is the error of a server that has the data and does not answer.
func (m machine) busy(state local.State) {
	must.Fail(term.Hint(fmt.Errorf("a process has %s, probably %d, and does not answer at %s", m.place.Dir, state.PID, term.Line(state.URL)),
		"nothing was done to it; where ps calls it cairn serve, end it and run this again"))
}

// forget removes the session with an address of the server.
func (m machine) forget(url string) {
	must.OK(must.Get(client.Open(client.Options{URL: url, Home: m.home})).Forget(m))
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// collect brings to the team what git, the plan and the account of usage know.
func (u *up) collect() {
	c := collect.Of(u.sync)
	u.told.Repo = c.Slug
	if !u.AsText() {
		c.Progress = &term.Progress{}
	}
	began := time.Now()
	c.Formerly = u.state.Formerly
	must.OK(c.Gather(u, false, func(from collect.Source) {
		u.told.Collected = append(u.told.Collected, from.Tables...)
		s := Step{Name: from.Name, OK: from.Err == nil, Text: from.String(), Ms: time.Since(began).Milliseconds()}
		if from.Err != nil {
			s.Text = "left out: " + from.Err.Error()
		}
		u.say(s)
		began = time.Now()
	}))
	u.do("delivered", func() string { return u.deliver(c) })
}

func (u *up) deliver(c *collect.Collector) string {
	report := must.Get(c.Deliver(u))
	u.told.Delivered, u.told.Refused, u.told.Failed = report.Delivered.N(), report.Refused.N(), report.Failed
	s := text.Count(report.Delivered.N(), "record")
	switch n := report.Refused.N(); {
	case n > 0:
		s += fmt.Sprintf(", %d refused (cairn sync status says why)", n)
	case report.Delivered.N()+report.Failed == 0:
		s = "nothing new"
	}
	if len(report.Stopped) > 0 {
		must.Fail(leftOut{term.Hint(fmt.Errorf("%s; the others wait: %w", s, report.Stopped[0].Cause), "cairn sync drain delivers them later")})
	}
	if report.Failed > 0 {
		s += fmt.Sprintf(", %d wait", report.Failed)
	}
	return s
}

// offerAgents asks whether cairn is to be put into the agents that are used here,
// or where nobody can be asked says how.
func (u *up) offerAgents() {
	m, err := install.ThisMachine(u.Getenv)
	if err != nil {
		return
	}
	installed, _ := m.Installed()
	var names, titles []string
	for _, h := range host.All() {
		t := m.Target(h)
		has := slices.ContainsFunc(installed, func(i install.Target) bool { return i.Host.Name == h.Name })
		if !has && t.Dir != "" && t.Exists() {
			names, titles = append(names, h.Name), append(titles, h.Title)
		}
	}
	if len(names) == 0 {
		if len(installed) > 0 {
			u.say(Step{Name: "agents", OK: true, Text: "cairn is in them already"})
		}
		return
	}
	found, how := strings.Join(titles, ", "), "cairn install "+strings.Join(names, " ")
	out := Step{Name: "agents", Text: found + " without cairn: " + how + " puts it there"}
	if u.AsText() && term.IsTerminal(u.Stdin) && term.IsTerminal(u.Stdout) {
		yes, err := u.Confirm(false, "Put cairn's commands and hooks into "+found+"? cairn uninstall takes them out again.")
		if err != nil || !yes {
			out.Text = "left as they are; " + how + " puts cairn there"
		} else if err := installcmd.Install(u, u.Env, names); err != nil {
			out.Text = err.Error()
		} else {
			out.OK, out.Text = true, found
		}
	}
	u.say(out)
}

// dashboard opens the team's pages, or says where they are. An address that is
// printed lets a browser in once.
func (u *up) dashboard() {
	if u.sync == nil {
		return
	}
	c := must.Get(u.sync.Client())
	u.do("dashboard", func() string {
		if _, cairns, err := c.About(u); err != nil || !cairns || c.Automatic() || u.team.Slug == "" {
			return "cairn dashboard shows it"
		}
		address, err := c.Entry(u, u.team.Slug)
		if err != nil {
			must.Fail(leftOut{err})
		}
		u.told.Dashboard = address
		if !u.Bool("no-open") && u.AsText() && u.SeesBrowser() && u.OpenBrowser(address) == nil {
			time.Sleep(100 * time.Millisecond) // the browser's starter may end with us
			return c.URL() + client.TeamPage(u.team.Slug) + ", opened"
		}
		return address
	})
}
