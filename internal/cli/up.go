package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/team/collect"
	"cairn/internal/team/link"
	"cairn/internal/team/local"
	"cairn/internal/team/server"
	"cairn/internal/term"
)

type upOptions struct {
	listen           string
	noOpen, noAgents bool
	json             bool
}

func newUp(env *Env) *cobra.Command {
	var opts upOptions
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start everything here: server, this repository, dashboard",
		Long: `Starts the team server of this machine in the background, with an embedded
database in ~/.cairn/server, gives this repository a team on it, collects what
git and .planning/ know, offers to put cairn into the agents found here, and
opens the dashboard. What is there already is used and said; run it as often as
you like: it collects what is new, and starts a server that has died.

It listens on this machine only, makes no request to any other, and writes into
the repository .cairn/team.json alone, which is kept out of git while the server
is yours only. A repository that has a team elsewhere keeps it: then nothing is
started, and what was collected goes there.

cairn down ends the server; --unlink takes the repository off it, --forget
removes its data, too.`,
		Example: `  cairn up
  cairn up --no-open --no-agents --json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runUp(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.listen, "listen", "", "where the server listens, as 127.0.0.1:7373 (default: that, or where it was)")
	f.BoolVar(&opts.noOpen, "no-open", false, "do not open the dashboard in a browser")
	f.BoolVar(&opts.noAgents, "no-agents", false, "do not offer to put cairn into agents")
	f.BoolVar(&opts.json, "json", false, "print what was done as JSON; asks nothing and opens nothing")
	return cmd
}

// an up is one run of the verb.
type up struct {
	env   *Env
	opts  upOptions
	home  home.Home
	place server.Place
	steps *steps

	repo  home.Repo      // "" where there is none
	team  config.Team    // of the repository
	read  []byte         // its team.json, if it names the server of this machine
	sync  *link.Checkout // nil where nothing can be sent
	state local.State    // of the server
	told  upReport
}

// upReport is what --json prints.
type upReport struct {
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
	Steps     []step          `json:"steps"`
}

func runUp(env *Env, opts upOptions) error {
	if err := checkUpListen(opts.listen); err != nil {
		return err
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	h := home.Find(env.Getenv)
	u := &up{env: env, opts: opts, home: h, place: server.Place{Dir: h.Server()}, steps: newSteps(env, opts.json)}
	if home.UserDir(env.Getenv) == "" && env.Getenv("CAIRN_HOME") == "" {
		term.Warn(env.Stderr, "HOME is not set: everything is kept in %s", h)
	}
	err := u.run(ctx)
	if opts.json {
		u.told.Steps = u.steps.list
		if u.told.Collected == nil {
			u.told.Collected = []collect.Table{}
		}
		err = errors.Join(printJSON(env, u.told), err)
	}
	return err
}

// run does one thing after the other. What does not work and is not needed for
// the rest is said and left out.
func (u *up) run(ctx context.Context) error {
	if err := u.ready(ctx); err != nil {
		return err
	}
	if u.sync != nil {
		if err := u.collect(ctx); err != nil {
			return err
		}
	}
	if !u.opts.noAgents {
		u.offerAgents(ctx)
	}
	return u.dashboard(ctx)
}

// ready makes sure of a server, an owner, and the repository's team. Of two that
// do so at once the second waits and finds it done.
func (u *up) ready(ctx context.Context) error {
	unlock, err := local.Lock(ctx, u.home)
	if err != nil {
		return fileHint(err)
	}
	defer unlock()
	elsewhere, err := u.elsewhere(ctx)
	switch {
	case err != nil:
		return err
	case elsewhere:
		return u.useTeam(ctx)
	}
	if err := u.steps.do("server", func() (string, error) { return u.server(ctx) }); err != nil {
		return err
	}
	return u.steps.do("repository", func() (string, error) { return u.link(ctx) })
}

func checkUpListen(listen string) error {
	if listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return command.Usage(term.Hint(fmt.Errorf("--listen %s: an address of this machine's loopback is wanted, as in 127.0.0.1:7373", term.Printable(listen)),
			"cairn serve is for a server that others reach"))
	}
	return nil
}

// A step is one thing that was done or found done.
type step struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"` // false: it was left out
	Text string `json:"text"`
	Ms   int64  `json:"ms"`
}

// steps prints what is done, a line each.
type steps struct {
	env   *Env
	quiet bool
	list  []step
}

func newSteps(env *Env, quiet bool) *steps { return &steps{env: env, quiet: quiet} }

// leftOut is the error of a step without which the others go on.
type leftOut struct{ error }

// do runs a step and tells of it. Only what the rest cannot do without is an error.
func (s *steps) do(name string, fn func() (string, error)) error {
	began := time.Now()
	text, err := fn()
	out := step{Name: name, OK: err == nil, Text: text, Ms: time.Since(began).Milliseconds()}
	var left leftOut
	if err != nil && !errors.As(err, &left) {
		return err
	}
	if err != nil {
		out.Text = err.Error()
	}
	s.say(out)
	if hint := term.HintOf(err); hint != "" && !s.quiet {
		term.PrintHint(s.env.Stderr, "%s", hint)
	}
	return nil
}

func (s *steps) say(out step) {
	if out.Text == "" {
		return
	}
	s.list = append(s.list, out)
	if s.quiet {
		return
	}
	mark, took := "✓", ""
	if !out.OK {
		mark = "–"
	}
	if out.Ms >= 100 {
		took = fmt.Sprintf("  (%.1f s)", float64(out.Ms)/1000)
	}
	fmt.Fprintf(s.env.Stdout, "%s %-11s %s%s\n", mark, out.Name, term.Line(out.Text), took)
}
