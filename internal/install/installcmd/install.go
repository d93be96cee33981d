package installcmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/calls"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/content"
	"cairn/internal/plan/merge"
	"cairn/internal/term"
	"cairn/internal/verifier/client"
)

func installCommand() *command.Command {
	return &command.Command{
		Path: "install", Args: []command.Arg{hostArg},
		Short: "Put cairn into coding agents: commands, agents, hooks",
		Long: "Puts cairn into coding agents: the commands and agents of cairn plan, and the\n" +
			"hooks that cut tool output and guard the plan. HOST is one of\n" + hostList() + "\n" +
			"Without HOST, every agent that has been used here; on a terminal it asks which.\n\n" +
			"The running binary is copied to ~/.cairn/bin and the hooks name that copy. The\n" +
			"rest of an agent's settings stays as it is, to the byte, and cairn uninstall\n" +
			"removes exactly what was put in. Running it again changes nothing, or renews\n" +
			"what another cairn put there. A text of ours that you edited is not lost: when a\n" +
			"newer one takes its place, cairn update --reapply merges yours into it.\n\n" +
			"Profiles: core has the commands of the main path, standard those of a working\nday, full all of them.",
		Flags: flags(onlyFlag,
			command.Flag{Name: "profile", Default: "", OneOf: content.Profiles(), Help: "which commands: core, standard or full (default the one that is there, or standard)"},
			dryRunFlag,
			command.Flag{Name: "fix", Default: false, Help: "where an agent drops settings with comments or trailing commas, write them without (asks first)"},
			command.Flag{Name: "force-statusline", Default: false, Help: "put cairn's status line in the place of another, or into a repository"},
			command.Flag{Name: "telemetry", Default: "", Help: "`URL` of the team's server, which the agent then tells what it costs; off removes that (default as it is)"},
			yesFlag,
			command.Flag{Name: "minimal", Default: false, Hidden: true, Help: "the same as --profile core"},
			command.Flag{Name: "core-only", Default: false, Hidden: true, Help: "the same as --profile core"},
		),
		Exclusive: twoPlaces,
		Examples:  []string{"cairn install claude codex", "cairn install --local --profile core claude", "cairn install --dry-run"},
		Effect:    command.Writes, Run: runInstall,
	}
}

// A change is what a command did to one agent.
type change struct {
	Host    string   `json:"host"`
	Dir     string   `json:"dir"`
	Local   bool     `json:"local"`
	Changed bool     `json:"changed"`
	Edited  []string `json:"edited"` // of ours that the user had edited
	Kept    string   `json:"kept"`   // where these texts are
}

// each makes a plan for each target and applies it, or prints it as a diff.
// What fails for one agent keeps no other from it.
func (c *choice) each(targets []install.Target, dryRun bool, plan func(install.Target) (*install.Plan, error), done func(p *install.Plan, kept string)) (*answer.Answer, error) {
	if !dryRun {
		release := must.Get(c.Lock(c))
		defer release()
	}
	changes, diff := []change{}, ""
	var errs []error
	for _, t := range targets {
		p, err := plan(t)
		if p == nil || err != nil {
			errs = append(errs, err)
			continue
		}
		if dryRun {
			diff += p.Diff()
			continue
		}
		kept, err := p.Apply()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		done(p, kept)
		changes = append(changes, change{t.Host.Name, t.Dir, t.Local(), p.Changed(), answer.List(p.Edited), kept})
	}
	a := &answer.Answer{Data: changes, Err: errors.Join(errs...), Done: !dryRun}
	if dryRun {
		a.Data, a.Diff = struct {
			Diff string `json:"diff"`
		}{diff}, &diff
	}
	return a, nil
}

// Install puts cairn into agents, all of it.
func Install(ctx context.Context, env *command.Env, hosts []string) error {
	c := installCommand()
	a, err := c.Do(command.NewCall(ctx, env, c, hosts, nil))
	if err != nil {
		return err
	}
	return a.Err
}

func runInstall(call *command.Call) (*answer.Answer, error) {
	c := chosen(call)
	dryRun := c.Bool("dry-run")
	targets := c.installTargets(dryRun)
	if dir, err := c.Wd(); err == nil && c.WindowsInWSL(dir) {
		term.Warn(c.Stderr, "this is the Windows binary of cairn inside WSL; agents that run in Linux need the Linux one")
	}
	a, err := c.each(targets, dryRun, c.planInstall, func(p *install.Plan, kept string) {
		if p.Registers() {
			calls.Mark(c.Home, p.Target.Host.Name) // from now on it should call
		}
		c.say(p, kept)
	})
	if err == nil && a.Err == nil && slices.Contains(c.parts, host.Plan) {
		a.Err = c.mergeDriver(dryRun)
	}
	if err == nil && a.Err == nil && !dryRun && slices.Contains(c.parts, host.Compact) {
		a.Err = offerCheck(call)
	}
	return a, err
}

// mergeDriver sets up how git merges the plan of the repository that the command
// runs in, if it has one.
func (c *choice) mergeDriver(dryRun bool) error {
	dir, err := c.Wd()
	if err != nil {
		return nil //nolint:nilerr // there is no directory to look at
	}
	root, err := plan.FindRoot(dir)
	if err != nil {
		return err
	}
	binary := merge.Self()
	if binary != "cairn" {
		binary = c.Binary() // the copy that stays
	}
	done, _, err := merge.Setup{Root: root, Command: merge.Command(binary)}.Ensure(c, dryRun)
	if err == nil && done.Any() && !dryRun {
		fmt.Fprintln(c.Stderr, "git merges this repository's plan record by record now: .gitattributes, .git/config")
	}
	return err
}

// planInstall is nil for a host that takes nothing of what is wanted.
func (c *choice) planInstall(t install.Target) (*install.Plan, error) {
	h := t.Host
	if slices.Contains(c.parts, host.Compact) && !h.Takes(host.Compact) {
		fmt.Fprintf(c.Stderr, "%s: no hook for compaction: %s (%s)\n", h.Title, h.RunOnly, h.Source)
		term.PrintHint(c.Stderr, "%s", install.RunOnlyHint)
	}
	if !slices.ContainsFunc(c.parts, h.Takes) {
		return nil, nil
	}
	if c.String("telemetry") != "" && (t.Local() || !h.Takes(host.Telemetry)) {
		fmt.Fprintf(c.Stderr, "%s: telemetry is left as it is: %s\n", h.Title, map[bool]string{true: "it is not set in a repository", false: "cairn does not set it there; docs/spend-server.md says what to set"}[t.Local()])
	}
	want, err := c.Wanted(t, c.parts, c.profile())
	if err != nil {
		return nil, err
	}
	want.Force = c.Bool("force-statusline")
	if want.Telemetry, err = telemetry(c.String("telemetry")); err != nil {
		return nil, err
	}
	return c.plain(t, want, c.Bool("fix"), c.Bool("yes") || c.Bool("dry-run"))
}

// telemetry is the server that a flag names: its address goes into settings, and
// tokens to it.
func telemetry(flag string) (string, error) {
	if flag == "" || flag == install.NoTelemetry {
		return flag, nil
	}
	u, err := url.Parse(flag)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(flag, "'\"`$\\ ;&|<>()") {
		return "", command.Usage(fmt.Errorf("--telemetry %s must be the URL of a server, such as https://cairn.example.com, or off", term.Printable(flag)))
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())) {
		return "", command.Usage(fmt.Errorf("--telemetry %s must begin with https://: a token goes there", term.Printable(flag)))
	}
	return strings.TrimRight(flag, "/"), nil
}

// plain plans what is wanted, and with fix, after asking, a plain copy of
// settings that the host would drop.
func (c *choice) plain(t install.Target, want install.Options, fix, yes bool) (*install.Plan, error) {
	p, err := c.PlanInstall(t, want)
	if err != nil || !fix || p.Main() == nil || len(p.Main().Extensions) == 0 {
		return p, err
	}
	ok, err := c.Confirm(yes, fmt.Sprintf("Write %s without its %d comments and trailing commas? Uninstall brings them back.",
		t.Settings(), len(p.Main().Extensions)))
	if err != nil || !ok {
		return p, err
	}
	want.Plain = true
	p, err = c.PlanInstall(t, want)
	if err == nil && p.Main().Backup != "" {
		fmt.Fprintf(c.Stderr, "%s: the text with its comments is kept in %s\n", t.Host.Title, p.Main().Backup)
	}
	return p, err
}

// offerCheck says that the LLM check is off, and asks a person at a terminal
// who has a key for it whether it may be on. Only that answer turns it on: not a
// key in the environment, and not --yes. Who has set it is not asked.
func offerCheck(c *command.Call) error {
	set, _ := config.Load(c.Here(), c.Getenv)
	if on, _ := set.Value(config.VerifierEnabled); on.Source.Kind != config.Default {
		return nil
	}
	model := client.FromEnv(c.Getenv, set.Text(config.VerifierModel))
	if model.Key == "" || c.Bool("yes") || !term.IsTerminal(c.Stdin) {
		fmt.Fprintf(c.Stderr, "LLM check: off, so no output is sent anywhere. cairn config set %s true turns it on.\n", config.VerifierEnabled)
		return nil
	}
	fmt.Fprintf(c.Stderr, "LLM check: off. If you turn it on, cairn sends lines of failing commands' output, without\n"+
		"the secrets it knows, to a model that finds what compaction should not have left out.\n"+
		"The server is %s, the model %s; you pay for it.\n", model.BaseURL, model.Model)
	ok, err := c.Confirm(false, "Turn it on?")
	if err != nil {
		return err
	}
	file, err := config.SetUser(home.Find(c.Getenv), config.VerifierEnabled, fmt.Sprint(ok))
	if err == nil {
		fmt.Fprintf(c.Stderr, "%s: %s is %v\n", file, config.VerifierEnabled, ok)
	}
	return err
}

// edited is the list of files that the user had edited.
func edited(p *install.Plan) string { return strings.Join(p.Edited, ", ") }
