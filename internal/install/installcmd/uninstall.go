package installcmd

import (
	"fmt"
	"path/filepath"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/calls"
	"cairn/internal/command"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/must"
	"cairn/internal/term"
)

func uninstallCommand() *command.Command {
	return &command.Command{
		Path: "uninstall", Args: []command.Arg{hostArg},
		Short: "Remove cairn from coding agents, restoring their files",
		Long: "Removes exactly what cairn install put into coding agents. HOST is one of\n" + hostList() + "\n" +
			"Without HOST, all of them. Settings that nobody edited since become what they\n" +
			"were, to the byte; edits made since stay. A command or agent that you edited is\n" +
			"kept in ~/.cairn/install/edited. With the last agent the copy of the binary in\n" +
			"~/.cairn/bin goes too; the rest of ~/.cairn stays.",
		Flags: flags(onlyFlag, dryRunFlag, command.Flag{Name: "yes", Default: false, Help: "do not ask; uninstall never does"}), Exclusive: twoPlaces,
		Examples: []string{"cairn uninstall claude", "cairn uninstall --only plan --local", "cairn uninstall --dry-run"},
		Effect:   command.Writes, Run: runUninstall,
	}
}

func runUninstall(call *command.Call) (*answer.Answer, error) {
	c := chosen(call)
	targets, installed := c.present()
	if len(targets) == 0 {
		fmt.Fprintln(c.Stderr, noAgent)
	}
	a := must.Get(c.each(targets, c.Bool("dry-run"), func(t install.Target) (*install.Plan, error) {
		files, err := c.Expected(t)
		if err != nil {
			return nil, err
		}
		return c.PlanUninstall(t, files, c.parts...)
	}, c.sayUninstalled))
	for _, other := range installed {
		if len(c.hosts) > 0 && !slices.Contains(c.hosts, other.Host.Name) || has(targets, other) {
			continue
		}
		if other.Local() {
			term.Warn(c.Stderr, "%s is also installed in %s; cairn uninstall %s takes it out there", other.Host.Title, other.Root, c.Words(other))
		} else if len(c.hosts) > 0 && !c.local {
			term.Warn(c.Stderr, "%s is also installed in %s; cairn uninstall %s takes it out", other.Host.Title, other.Dir, c.Words(other))
		}
	}
	return a, nil
}

func (c *choice) sayUninstalled(p *install.Plan, kept string) {
	t := p.Target
	c.ForgetCalls(t.Host)
	if t.Host.EnvFiles != "" && !t.Local() && !slices.Contains(p.Parts, host.Compact) {
		calls.RemoveBlocks(filepath.Join(t.Dir, t.Host.EnvFiles))
	}
	where := t.Dir
	if main := p.Main(); main != nil && len(p.Files) == 0 {
		where = main.Name
	}
	say := func(format string, args ...any) {
		fmt.Fprintf(c.Stderr, t.Host.Title+": "+format+"\n", args...)
	}
	switch was := p.WasInstalled(); {
	case !was && t.Host.RunOnly != "" && len(c.hosts) == 0: // nobody expected anything
	case !was:
		say("nothing of cairn in %s", where)
	case len(p.Parts) > 0:
		say("%s is without that part of cairn again", where)
	default:
		say("%s is without cairn again", where)
	}
	if len(p.Edited) > 0 {
		say("you had edited %s; your text is kept in %s", edited(p), kept)
	}
	if len(p.Older) > 0 {
		say("%d files were of another cairn; their text is kept in %s", len(p.Older), kept)
	}
	if main := p.Main(); main != nil && len(p.Parts) == 0 && main.Backup != "" {
		say("settings were edited since, so the comments stay in %s", main.Backup)
	}
}
