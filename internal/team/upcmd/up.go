package upcmd

import (
	"errors"
	"fmt"
	"net"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/local"
	"cairn/internal/term"
)

func upCommand() *command.Command {
	return &command.Command{
		Path:  "up",
		Short: "Start everything here: server, this repository, dashboard",
		Long: `Starts this machine's team server in the background with an embedded database in
~/.cairn/server, gives this repository a team on it, collects what git and
.planning/ know, offers to put cairn into the agents found here, and opens the
dashboard. Parts that exist already are used and reported. Run it as often as you
like: it collects what is new, and starts a server that has died.

It listens on this machine only, contacts no other, and writes only
.cairn/team.json into the repository, which is kept out of git while the server is
yours alone. A repository that has a team elsewhere keeps it: then no server is
started, and what was collected goes there.

cairn down stops the server; --unlink removes the repository from it, --forget
also deletes its data. With --json nothing is asked and no browser is opened.`,
		Examples: []string{"cairn up", "cairn up --no-open --no-agents --json"},
		Flags: []command.Flag{
			{Name: "listen", Default: "", Help: "`ADDRESS` the server listens on (default: where it was, or 127.0.0.1:7373)"},
			{Name: "no-open", Default: false, Help: "do not open the dashboard in a browser"},
			{Name: "no-agents", Default: false, Help: "do not offer to put cairn into agents"},
		},
		Effect: command.Writes, Waits: true, Run: runUp,
	}
}

// an up is one run of the command.
type up struct {
	machine
	steps

	repo  home.Repo      // "" where there is none
	team  config.Team    // of the repository
	read  []byte         // its team.json, if it names the server of this machine
	sync  *link.Checkout // nil where nothing can be sent
	state local.State    // of the server
	told  Report
}

// Report is what --json prints.
type Report struct {
	Server    string          `json:"server"`
	Data      string          `json:"data,omitzero"` // "" of a server elsewhere
	User      string          `json:"user,omitzero"`
	Team      string          `json:"team,omitzero"`
	Repo      string          `json:"repository,omitzero"`
	Linked    bool            `json:"linked"` // team.json is there
	Collected []collect.Table `json:"collected"`
	Delivered int             `json:"delivered"`
	Refused   int             `json:"refused"`
	Failed    int             `json:"failed"` // they wait
	Dashboard string          `json:"dashboard,omitzero"`
	Steps     []Step          `json:"steps"`
}

func runUp(c *command.Call) (*answer.Answer, error) {
	must.OK(checkListen(c.String("listen")))
	u := &up{machine: machineOf(c), steps: steps{call: c}}
	if home.UserDir(c.Getenv) == "" && c.Getenv("CAIRN_HOME") == "" {
		term.Warn(c.Stderr, "HOME is not set: everything is kept in %s", u.home)
	}
	err := must.Catch(u.run)
	u.told.Steps, u.told.Collected = u.list, answer.List(u.told.Collected)
	return &answer.Answer{Data: u.told, Err: err, Done: true}, nil
}

// run does one thing after the other. What does not work and is not needed for
// the rest is said and left out.
func (u *up) run() {
	u.ready()
	if u.sync != nil {
		u.collect()
	}
	u.sessions()
	if !u.Bool("no-agents") {
		u.offerAgents()
	}
	u.dashboard()
}

// ready makes sure of a server, an owner, and the repository's team. Of two that
// do so at once the second waits and finds it done.
func (u *up) ready() {
	unlock := must.Get(local.Lock(u, u.home))
	defer unlock()
	if u.elsewhere() {
		u.useTeam()
		return
	}
	u.do("server", u.server)
	u.do("repository", u.link)
}

func checkListen(listen string) error {
	if listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return command.Usage(term.Hint(fmt.Errorf("--listen %s must be a loopback address, such as 127.0.0.1:7373", term.Printable(listen)),
			"cairn serve is for a server that others reach"))
	}
	return nil
}

// A Step is one thing that was done or found done.
type Step struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"` // false: it was left out
	Text string `json:"text"`
	Ms   int64  `json:"ms"`
}

// steps prints what is done, a line each.
type steps struct {
	call *command.Call
	list []Step
}

// leftOut is the error of a step without which the others go on.
type leftOut struct{ error }

// do runs a step and tells of it. Only what the rest cannot do without is an error.
func (s *steps) do(name string, fn func() string) {
	began, out := time.Now(), Step{Name: name}
	err := must.Catch(func() { out.Text = fn() })
	out.OK, out.Ms = err == nil, time.Since(began).Milliseconds()
	if left := new(leftOut); errors.As(err, left) {
		out.Text = err.Error()
	} else {
		must.OK(err)
	}
	s.say(out)
	if hint := term.HintOf(err); hint != "" && s.call.AsText() {
		term.PrintHint(s.call.Stderr, "%s", hint)
	}
}

func (s *steps) say(out Step) {
	if out.Text == "" {
		return
	}
	s.list = append(s.list, out)
	if !s.call.AsText() {
		return
	}
	mark, took := "✓", ""
	if !out.OK {
		mark = "–"
	}
	if out.Ms >= 100 {
		took = fmt.Sprintf("  (%.1f s)", float64(out.Ms)/1000)
	}
	fmt.Fprintf(s.call.Stdout, "%s %-11s %s%s\n", mark, out.Name, term.Line(out.Text), took)
}
