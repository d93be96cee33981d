package installcmd

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/must"
	"cairn/internal/term"
	"cairn/internal/update"
	"cairn/internal/update/known"
	"cairn/internal/version"
)

func updateCommand() *command.Command {
	return &command.Command{
		Path: "update", Args: []command.Arg{hostArg},
		Short: "Renew cairn and what it put into coding agents",
		Long: "Fetches the latest release for this system, checks its checksum, puts it where\n" +
			"hooks and prompts call it, and renews what cairn install put into coding agents:\n" +
			"the same parts, the same profile. It asks the release page that the build names\n" +
			"and sends nothing. A build from source has no page and only renews.\n\n" +
			"A command or agent that you edited makes room for a newer text of ours, and\n" +
			"yours is kept. With --reapply your edits are merged into the installed files,\n" +
			"three ways. Where both changed the same lines the file stays as installed, the\n" +
			"conflicts are shown and your text stays kept.",
		Flags: flags(
			command.Flag{Name: "check", Default: false, Help: "only look whether there is a newer release"},
			command.Flag{Name: "reapply", Default: false, Help: "merge your edits into the installed files"},
			command.Flag{Name: "renew", Default: false, Hidden: true, Help: "renew the agents with this binary, whatever the release page has"}, // what an update has the new binary do
		),
		Exclusive: twoPlaces,
		Exits:     "5 if an edit could not be merged",
		Examples:  []string{"cairn update", "cairn update --check    # only say whether there is a newer one", "cairn update --reapply claude"},
		Effect:    command.Writes, Run: runUpdate,
	}
}

// A release is what an update reports of the binary.
type release struct {
	Installed string `json:"installed"`
	Latest    string `json:"latest"`
	Available bool   `json:"available"` // a newer one than is installed now
}

func runUpdate(call *command.Call) (*answer.Answer, error) {
	c := chosen(call)
	here := release{Installed: version.Release(), Latest: version.Release()}
	a := &answer.Answer{View: answer.Line("%s is the latest", here.Installed)}
	switch {
	case c.Bool("check"):
		look := must.Get(update.Check(c, c.Home))
		if newer := known.Newer(look.Latest, here.Installed); newer != "" {
			here.Latest, here.Available = newer, true
			a.View, a.Hint = answer.Line("%s is there, this is %s", newer, here.Installed), "cairn update fetches it"
		}
		a.Data = here
		return a, nil
	case c.Bool("reapply"), c.Bool("renew"), known.Page == "":
		return &answer.Answer{Data: here}, c.renewAgents()
	}
	newer := must.Get(update.Install(c, c.Home, c.Binary()))
	a.Data, a.Done = here, true
	if newer == "" {
		a.Err = c.renewAgents()
		return a, nil
	}
	a.Data, a.View = release{Installed: newer, Latest: newer}, answer.Line("%s is installed", newer)
	a.Err = c.renewWith()
	if c.local {
		a.Err = errors.Join(a.Err, c.renewWith("--local"))
	}
	return a, nil
}

// renewWith has the binary that was just put in place renew every agent: its
// commands are not ours.
func (c *choice) renewWith(flags ...string) error {
	cmd := exec.CommandContext(c, c.Binary(), append([]string{"update", "--renew"}, flags...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stderr, c.Stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return command.Status(exit.ExitCode())
	}
	return err
}

// renewAgents renews what is installed, or merges the user's edits into it.
func (c *choice) renewAgents() error {
	free, err := c.Lock(c)
	if err != nil {
		return err
	}
	defer free()
	all, err := c.Installed()
	if err != nil {
		term.Warn(c.Stderr, "%v", err)
	}
	named, err := c.named()
	if err != nil {
		return err
	}
	renew := c.renew
	if c.Bool("reapply") {
		renew = func(t install.Target) error { return c.reapply(c, t) }
	}
	var errs []error
	done := 0
	for _, t := range all {
		if has(named, t) || len(named) == 0 && t.Root == c.root { // those of other repositories never are
			done++
			errs = append(errs, renew(t))
		}
	}
	if done == 0 && !c.Bool("renew") {
		return term.Hint(errors.New("nothing of cairn is installed there"), "cairn install puts it in")
	}
	return errors.Join(errs...)
}

func (c *choice) renew(t install.Target) error {
	mf, err := c.Manifest(t)
	if err != nil || mf == nil {
		return err
	}
	want, err := c.Wanted(t, mf.Parts, "")
	if err != nil {
		return err
	}
	p, err := c.PlanInstall(t, want)
	if err != nil {
		return err
	}
	kept, err := p.Apply()
	if err == nil {
		c.say(p, kept)
	}
	return err
}

// reapply merges the user's edits of one target. The conflicts are data: they
// are what the user has to decide.
func (c *choice) reapply(ctx context.Context, t install.Target) error {
	if mf, err := c.Manifest(t); err != nil || !mf.Has(host.Plan) {
		return err
	}
	merges, err := c.Reapply(ctx, t)
	open := 0
	for _, k := range merges {
		switch {
		case k.Gone:
			fmt.Fprintf(c.Stderr, "%s: there is no %s any more; your text stays in %s\n", t.Host.Title, k.Path, k.Kept)
		case k.Conflicts != "":
			open++
			fmt.Fprintf(c.Stderr, "%s: %s stays as installed; both changed the same lines. Your text is in %s\n", t.Host.Title, k.Path, k.Kept)
			fmt.Fprintf(c.Stdout, "%s\n%s", k.Name, k.Conflicts)
		default:
			fmt.Fprintf(c.Stderr, "%s: %s has your edit again\n", t.Host.Title, k.Path)
		}
	}
	if err == nil && open > 0 {
		return command.Gate(term.Hint(fmt.Errorf("%s: %d of %d files could not be merged", t.Host.Title, open, len(merges)), "edit the installed file as you want it; your text is only a copy"))
	}
	if err == nil && len(merges) == 0 {
		fmt.Fprintf(c.Stderr, "%s: no edit of yours waits\n", t.Host.Title)
	}
	return err
}
