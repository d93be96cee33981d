// Package installcmd declares the commands that put cairn into coding agents,
// renew it there, check it and take it out, and version.
// What they plan and apply belongs to package install.
//
// Only package cli imports it.
package installcmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/must"
	"cairn/internal/plan/content"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Commands lists them, and those of compact that are about that part only.
func Commands() []*command.Command {
	all := []*command.Command{installCommand(), uninstallCommand(), updateCommand(), doctorCommand(), versionCommand()}
	for _, c := range []*command.Command{installCommand(), uninstallCommand()} {
		name := c.Path
		c.Path = "compact " + name
		c.Short = onlyHooks[name]
		c.Long = fmt.Sprintf("The same as cairn %s --only compact, with its flags. HOST is one of\n%s", name, hostList())
		c.Examples = []string{"cairn compact " + name + " claude codex", "cairn compact " + name + " --dry-run"}
		c.Flags = slices.DeleteFunc(c.Flags, func(f command.Flag) bool { return f.Name == "only" })
		all = append(all, c)
	}
	doctor := doctorCommand()
	doctor.Path = "compact " + doctor.Path
	doctor.Examples = []string{"cairn compact doctor", "cairn compact doctor claude --json"}
	return append(all, doctor)
}

var onlyHooks = map[string]string{
	"install":   "Put only the compaction hooks into coding agents",
	"uninstall": "Take only the compaction hooks out of coding agents",
}

var hostArg = command.Arg{Name: "HOST", Optional: true, Many: true, Values: func(*command.Call) []string { return host.Names() }}

var (
	onlyFlag   = command.Flag{Name: "only", Default: "", OneOf: []string{"compact", "plan"}, Help: "one part: compact or plan (default both)"}
	dryRunFlag = command.Flag{Name: "dry-run", Default: false, Help: "print what would change, as a diff, and change nothing"}
	yesFlag    = command.Flag{Name: "yes", Default: false, Help: "do not ask"}
)

// flags are those of a choice, and others. Each agent's name is one too, as
// older tools had it.
func flags(others ...command.Flag) []command.Flag {
	all := append([]command.Flag{
		{Name: "all", Default: false, Help: "every agent that cairn knows"},
		{Name: "global", Short: "g", Default: false, Help: "for you, in your home (default)"},
		{Name: "local", Short: "l", Default: false, Help: "for everybody who works in this repository, in its root"},
		{Name: "config-dir", Short: "c", Default: "", Help: "the agent's configuration `directory`, for one HOST"},
	}, others...)
	for _, name := range host.Names() {
		all = append(all, command.Flag{Name: name, Default: false, Hidden: true, Help: "the same as HOST " + name})
	}
	return all
}

// twoPlaces are flags that contradict each other.
var twoPlaces = [][]string{{"global", "local"}, {"config-dir", "local"}}

// hostList names every agent, for a help text.
func hostList() string {
	return "  " + strings.ReplaceAll(text.Wrap(strings.Join(host.Names(), " "), 76), "\n", "\n  ")
}

// A choice is which agents a command is about, and where.
type choice struct {
	*command.Call
	install.Machine
	parts     []host.Part
	hosts     []string
	local     bool
	configDir string
	root      string // of the repository, with local
}

// chosen reads a command line.
func chosen(of *command.Call) (c *choice) {
	c = &choice{Call: of, parts: host.Parts(), hosts: of.Args(), local: of.Bool("local"), configDir: of.String("config-dir")}
	if strings.HasPrefix(of.Command.Path, "compact ") {
		c.parts = []host.Part{host.Compact}
	} else if of.Has("only") && of.Set("only") {
		c.parts = []host.Part{host.Part(of.String("only"))}
	}
	for _, name := range host.Names() {
		if of.Bool(name) {
			c.hosts = append(c.hosts, name)
		}
	}
	if of.Bool("all") {
		c.hosts = host.Names()
	}
	if of.Given("config-dir") {
		wrong := ""
		if c.configDir == "" {
			wrong = "--config-dir is empty"
		} else if len(c.hosts) != 1 {
			wrong = fmt.Sprintf("--config-dir is of one agent, and %d are named", len(c.hosts))
		}
		if wrong != "" {
			must.Fail(command.Usage(term.Hint(errors.New(wrong), "cairn %s --help lists the flags", of.Command.Path)))
		}
		c.configDir = must.Get(of.Abs(c.configDir))
	}
	if c.local {
		if c.root = string(home.FindRepo(of.Here(), of.Getenv)); c.root == "" {
			must.Fail(command.Usage(term.Hint(errors.New("--local: there is no repository here"), "git init makes one; --global installs for you everywhere")))
		}
	}
	c.Machine = must.Get(install.ThisMachine(of.Getenv))
	return c
}

// FindHost returns the agent that a user named.
func FindHost(name string) (host.Host, error) {
	h, ok := host.Find(name)
	if !ok {
		return h, command.Usage(term.Hint(fmt.Errorf("unknown agent %q", name), "known are: %s", strings.Join(host.Names(), ", ")))
	}
	return h, nil
}

// profile is which commands of the plan are wanted, "" for those that are there.
func (c *choice) profile() string {
	if c.Bool("minimal") || c.Bool("core-only") {
		return content.Profiles()[0]
	}
	return c.String("profile")
}
