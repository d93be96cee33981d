package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/version"
)

// A choice is which agents a verb is about, and where.
type choice struct {
	hosts     []string
	all       bool
	global    bool
	local     bool
	configDir string
	yes       bool

	root string // of the repository, with local
}

// flags declares the flags of a choice. Each agent's name is one too, as older
// tools had it.
func (c *choice) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&c.all, "all", false, "every agent that cairn knows")
	f.BoolVarP(&c.global, "global", "g", false, "for you, in your home (default)")
	f.BoolVarP(&c.local, "local", "l", false, "for everybody who works in this repository, in its root")
	f.StringVarP(&c.configDir, "config-dir", "c", "", "the agent's configuration directory, for one HOST")
	for _, name := range host.Names() {
		hiddenFlag(f, name, func() { c.hosts = append(c.hosts, name) })
	}
}

// hiddenFlag is a switch that help does not show.
func hiddenFlag(f *pflag.FlagSet, name string, on func()) {
	f.BoolFunc(name, "", func(string) error { on(); return nil })
	_ = f.MarkHidden(name)
}

// hostList names every agent, for a help text.
func hostList() string {
	return "  " + strings.ReplaceAll(text.Wrap(strings.Join(host.Names(), " "), 76), "\n", "\n  ")
}

// onePart declares the flag --only, or says in the help of a verb of one part
// that it is that.
func onePart(cmd *cobra.Command, to *string, only host.Part) {
	if only == "" {
		cmd.Flags().StringVar(to, "only", "", "one part: compact or plan (default both)")
		return
	}
	same := fmt.Sprintf("cairn %s --only %s", cmd.Name(), only)
	cmd.Short += ", this part only"
	cmd.Long = fmt.Sprintf("The same as %q, with its flags. HOST is one of\n%s", same, hostList())
	cmd.Example = fmt.Sprintf("  cairn %[1]s %[2]s claude codex\n  cairn %[1]s %[2]s --dry-run", only, cmd.Name())
}

// take reads the arguments and looks for what the flags contradict.
func (c *choice) take(env *Env, cmd *cobra.Command, args []string) error {
	c.hosts = append(c.hosts, args...)
	if c.all {
		c.hosts = host.Names()
	}
	wrong := func(format string, a ...any) error {
		return command.Usage(term.Hint(fmt.Errorf(format, a...), "%s --help lists the flags", cmd.CommandPath()))
	}
	switch {
	case c.global && c.local:
		return wrong("--global and --local are two places")
	case c.configDir != "" && c.local:
		return wrong("--config-dir and --local are two places")
	case c.configDir == "" && cmd.Flags().Changed("config-dir"):
		return wrong("--config-dir is empty")
	case c.configDir != "" && len(c.hosts) != 1:
		return wrong("--config-dir is of one agent, and %d are named", len(c.hosts))
	}
	if c.configDir != "" {
		var err error
		if c.configDir, err = env.Abs(c.configDir); err != nil {
			return err
		}
	}
	if !c.local {
		return nil
	}
	c.root = string(home.FindRepo(env.Here(), env.Getenv))
	if c.root == "" {
		return command.Usage(term.Hint(errors.New("--local: there is no repository here"), "git init makes one; --global installs for you everywhere"))
	}
	return nil
}

// target is where a host is looked for, in the place that was chosen.
func (c *choice) target(m install.Machine, h host.Host) (install.Target, error) {
	t := m.Target(h)
	switch {
	case c.configDir != "":
		t.Dir = c.configDir
	case c.local:
		own := t.Dir
		if t = m.LocalTarget(h, c.root); t.Dir == "" {
			return t, command.Usagef("%s looks in no directory of a repository", h.Title)
		}
		if t.Dir == own {
			return t, command.Usage(term.Hint(fmt.Errorf("the repository %s is your home", c.root), "--global is the same place"))
		}
	}
	if t.Dir == "" {
		return t, term.Hint(fmt.Errorf("HOME is not set, so nobody knows where %s keeps its settings", h.Title), "export HOME, then run this again")
	}
	return t, nil
}

func findHost(name string) (host.Host, error) {
	h, ok := host.Find(name)
	if !ok {
		return h, command.Usage(term.Hint(fmt.Errorf("unknown agent %q", name), "known are: %s", strings.Join(host.Names(), ", ")))
	}
	return h, nil
}

// named returns the targets of the hosts that were named.
func (c *choice) named(m install.Machine) ([]install.Target, error) {
	var targets []install.Target
	for i, name := range c.hosts {
		h, err := findHost(name)
		if err != nil {
			return nil, err
		}
		t, err := c.target(m, h)
		if err != nil && c.all {
			continue // not every agent looks in a repository
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(c.hosts[:i], name) {
			targets = append(targets, t)
		}
	}
	return targets, nil
}

const noAgent = "no agent was found here"

// detected returns the targets of the hosts that have been used here.
func (c *choice) detected(m install.Machine) []install.Target {
	var targets []install.Target
	for _, h := range host.All() {
		t, err := c.target(m, h)
		if err == nil && (t.Exists() || c.local && m.Target(h).Exists()) {
			targets = append(targets, t)
		}
	}
	return targets
}

// installTargets returns the named hosts, or those that have been used here;
// of these a person says which.
func (c *choice) installTargets(env *Env, m install.Machine, dryRun bool) ([]install.Target, error) {
	if len(c.hosts) > 0 {
		return c.named(m)
	}
	targets := c.detected(m)
	if len(targets) == 0 {
		return nil, term.Hint(errors.New(noAgent), "name one: %s", strings.Join(host.Names(), ", "))
	}
	if c.yes || dryRun || !term.IsTerminal(env.Stdin) {
		return targets, nil
	}
	return ask(env, targets)
}

// ask has a person choose some of the targets.
func ask(env *Env, targets []install.Target) ([]install.Target, error) {
	fmt.Fprintln(env.Stderr, "These agents were found here:")
	for i, t := range targets {
		fmt.Fprintf(env.Stderr, "  %d  %s (%s)\n", i+1, t.Host.Title, t.Dir)
	}
	fmt.Fprint(env.Stderr, "Which? Numbers or names, nothing for all: ")
	answer, err := bufio.NewReader(env.Stdin).ReadString('\n')
	if err != nil && answer == "" {
		return nil, errors.New("nothing was chosen, and nothing changed")
	}
	var chosen []install.Target
	words := strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '\n' })
	for _, word := range words {
		i := slices.IndexFunc(targets, func(t install.Target) bool { return strings.EqualFold(t.Host.Name, word) })
		if n, err := strconv.Atoi(word); err == nil {
			i = n - 1
		}
		if i < 0 || i >= len(targets) {
			return nil, command.Usagef("%q is none of them, and nothing changed", word)
		}
		if !slices.ContainsFunc(chosen, func(t install.Target) bool { return t.Dir == targets[i].Dir && t.Host.Name == targets[i].Host.Name }) {
			chosen = append(chosen, targets[i])
		}
	}
	if len(words) == 0 {
		return targets, nil
	}
	return chosen, nil
}

// present returns the targets that a verb about what is installed looks at:
// the named ones, or all that are the user's own, or this repository's, with
// those that have been used here, as a manifest may be lost.
func (c *choice) present(env *Env, m install.Machine) (targets, installed []install.Target, err error) {
	installed, err = m.Installed()
	if err != nil {
		term.Warn(env.Stderr, "%v", err)
	}
	if len(c.hosts) > 0 {
		targets, err = c.named(m)
		return targets, installed, err
	}
	for _, t := range installed {
		if t.Root == c.root {
			targets = append(targets, t)
		}
	}
	for _, h := range host.All() {
		t, err := c.target(m, h)
		known := slices.ContainsFunc(targets, func(k install.Target) bool { return k.Host.Name == h.Name && k.Dir == t.Dir })
		if err == nil && !known && t.Exists() {
			targets = append(targets, t)
		}
	}
	return targets, installed, nil
}

func machine(env *Env) (install.Machine, error) {
	exe, err := os.Executable()
	if err != nil {
		return install.Machine{}, err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return install.Machine{Home: home.Find(env.Getenv), Executable: exe, Version: version.Full(), GOOS: runtime.GOOS, Getenv: env.Getenv}, nil
}

func completeHosts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return host.Names(), cobra.ShellCompDirectiveNoFileComp
}
