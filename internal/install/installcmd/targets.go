package installcmd

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/must"
	"cairn/internal/term"
)

const noAgent = "no agent was found here"

// target is where a host is looked for, in the place that was chosen.
func (c *choice) target(h host.Host) (install.Target, error) {
	t := c.Target(h)
	switch {
	case c.configDir != "":
		t.Dir = c.configDir
	case c.local:
		own := t.Dir
		if t = c.LocalTarget(h, c.root); t.Dir == "" {
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

// named returns the targets of the hosts that were named.
func (c *choice) named() (targets []install.Target, err error) {
	for i, name := range c.hosts {
		h, err := FindHost(name)
		if err != nil {
			return nil, err
		}
		t, err := c.target(h)
		if err != nil && c.Bool("all") {
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

// used returns the targets of the hosts that have been used here, but for some.
func (c *choice) used(but []install.Target) (targets []install.Target) {
	for _, h := range host.All() {
		t, err := c.target(h)
		if err == nil && t.Exists() && !has(but, t) {
			targets = append(targets, t)
		}
	}
	return targets
}

func has(list []install.Target, t install.Target) bool {
	return slices.ContainsFunc(list, func(o install.Target) bool { return o.Host.Name == t.Host.Name && o.Dir == t.Dir })
}

// installTargets returns the named hosts, or those that have been used here;
// of these a person says which.
func (c *choice) installTargets(dryRun bool) (targets []install.Target) {
	if len(c.hosts) > 0 {
		return must.Get(c.named())
	}
	for _, h := range host.All() {
		t, err := c.target(h)
		if err == nil && (t.Exists() || c.local && c.Target(h).Exists()) {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		must.Fail(term.Hint(errors.New(noAgent), "name one: %s", strings.Join(host.Names(), ", ")))
	}
	if c.Bool("yes") || dryRun || !term.IsTerminal(c.Stdin) {
		return targets
	}
	return ask(c.Env, targets)
}

// ask has a person choose some of the targets.
func ask(env *command.Env, targets []install.Target) []install.Target {
	fmt.Fprintln(env.Stderr, "These agents were found here:")
	for i, t := range targets {
		fmt.Fprintf(env.Stderr, "  %d  %s (%s)\n", i+1, t.Host.Title, t.Dir)
	}
	fmt.Fprint(env.Stderr, "Which? Numbers or names, nothing for all: ")
	answer, err := bufio.NewReader(env.Stdin).ReadString('\n')
	if err != nil && answer == "" {
		must.Fail(errors.New("nothing was chosen, and nothing changed"))
	}
	words := strings.FieldsFunc(answer, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
	if len(words) == 0 {
		return targets
	}
	var some []install.Target
	for _, word := range words {
		i := slices.IndexFunc(targets, func(t install.Target) bool { return strings.EqualFold(t.Host.Name, word) })
		if n, err := strconv.Atoi(word); err == nil {
			i = n - 1
		}
		if i < 0 || i >= len(targets) {
			must.Fail(command.Usagef("%q is none of them, and nothing changed", word))
		}
		if !has(some, targets[i]) {
			some = append(some, targets[i])
		}
	}
	return some
}

// present returns the targets that a command about what is installed looks at:
// the named ones, or all that are the user's own, or this repository's, with
// those that have been used here, as a manifest may be lost.
func (c *choice) present() (targets, installed []install.Target) {
	installed, err := c.Installed()
	if err != nil {
		term.Warn(c.Stderr, "%v", err)
	}
	if len(c.hosts) > 0 {
		return must.Get(c.named()), installed
	}
	for _, t := range installed {
		if t.Root == c.root {
			targets = append(targets, t)
		}
	}
	return append(targets, c.used(targets)...), installed
}

// withLocal adds what is installed in the repository here, which works beside
// what is the user's own.
func (c *choice) withLocal(targets, installed []install.Target) []install.Target {
	root := string(home.FindRepo(c.Here(), c.Getenv))
	for _, t := range installed {
		named := len(c.hosts) == 0 || slices.Contains(c.hosts, t.Host.Name)
		if t.Local() && t.Root == root && !c.local && named {
			targets = append(targets, t)
		}
	}
	return targets
}
