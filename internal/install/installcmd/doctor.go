package installcmd

import (
	"cmp"
	"errors"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
)

func doctorCommand() *command.Command {
	return &command.Command{
		Path: "doctor", Args: []command.Arg{hostArg},
		Short: "Check that the hooks are installed and have been called",
		Long: "Checks, for each agent, that its settings load, that the hooks are registered,\n" +
			"that the binary they name exists, is this one and answers a captured event, that\n" +
			"no other hook answers for the same tools, that the agent called them while it\n" +
			"worked, and that its commands and agents are installed and current. Checks\n" +
			"cairn's own settings, too.\n\n" +
			"With --fix, what is broken is installed again. --json also lists what is\n" +
			"installed where: parts, profile, and which files are missing, edited or\noutdated.",
		Flags: flags(
			command.Flag{Name: "fix", Default: false, Help: "install again what is broken (asks before it removes comments)"},
			yesFlag,
		),
		Exclusive: twoPlaces,
		Exits:     "5 if a check fails",
		Examples:  []string{"cairn doctor", "cairn doctor claude --json"},
		Effect:    command.Writes, Run: runDoctor,
	}
}

// An examination is what the doctor found.
type examination struct {
	OK        bool              `json:"ok"`
	Checks    []install.Check   `json:"checks"`
	Installed []*install.Status `json:"installed"`
}

func runDoctor(call *command.Call) (*answer.Answer, error) {
	c := chosen(call)
	targets, installed := c.present()
	targets = c.withLocal(targets, installed)
	dir := cmp.Or(string(home.FindRepo(c.Here(), c.Getenv)), c.Here())
	found := examination{Checks: ownChecks(c.Env, dir), Installed: []*install.Status{}}
	var errs []error
	for _, t := range targets {
		checks, s, err := c.examine(t, dir)
		found.Checks, errs = append(found.Checks, checks...), append(errs, err)
		if s != nil {
			found.Installed = append(found.Installed, s)
		}
	}
	found.Checks = append(found.Checks, callChecks(c.Env, targets)...)
	found.Checks = append(found.Checks, c.CheckLog()...)
	found.OK = !anyIs(found.Checks, install.Fail)
	a := &answer.Answer{Data: found, View: table(found.Checks), Err: errors.Join(errs...), No: !found.OK}
	if len(targets) == 0 {
		a.Said = noAgent
	}
	return a, nil
}

func table(checks []install.Check) *answer.Table {
	marks := map[string]string{install.OK: "good", install.Warn: "warn", install.Fail: "bad"}
	t := answer.NewTable("status:name=", "host:name=", "check:name=", "detail:name=")
	for _, k := range checks {
		t.Add(answer.Marked(k.Status, marks[k.Status]), cmp.Or(k.Host, "cairn"), k.Name, k.Detail)
		if k.Hint != "" {
			t.Add("", "", "", "→ "+k.Hint)
		}
		for _, line := range k.Lines {
			t.Add("", "", "", "  "+line)
		}
	}
	return t
}

func anyIs(checks []install.Check, status string) bool {
	return slices.ContainsFunc(checks, func(k install.Check) bool { return k.Status == status })
}

// examine looks at one target, again when it was repaired.
func (c *choice) examine(t install.Target, dir string) ([]install.Check, *install.Status, error) {
	found, s, err := c.look(t, dir)
	if err != nil || !c.Bool("fix") || !anyIs(found, install.Fail) && !anyIs(found, install.Warn) {
		return found, s, err
	}
	if err := c.repair(t); err != nil {
		return found, s, err
	}
	return c.look(t, dir)
}

// look checks one target: its hooks, and its commands and agents.
func (c *choice) look(t install.Target, dir string) ([]install.Check, *install.Status, error) {
	files, err := c.Expected(t)
	if err != nil {
		return nil, nil, err
	}
	s, _ := c.Status(t, files) // CheckContent has the error
	return append(c.Check(c, t, dir), c.CheckContent(t, files)...), s, nil
}

// repair installs again what is there by its manifest, or all of it where none
// is; a host that was never installed gets no commands by that.
func (c *choice) repair(t install.Target) error {
	release, err := c.Lock(c)
	if err != nil {
		return err
	}
	defer release()
	mf, err := c.Manifest(t)
	if err != nil {
		return err
	}
	parts := []host.Part{host.Compact}
	if mf != nil {
		parts = mf.Parts
	}
	if !slices.ContainsFunc(parts, t.Host.Takes) {
		return nil
	}
	want, err := c.Wanted(t, parts, "")
	if err != nil {
		return err
	}
	p, err := c.plain(t, want, true, c.Bool("yes"))
	if err != nil {
		return err
	}
	kept, err := p.Apply()
	if err == nil && len(p.Edited) > 0 {
		c.say(p, kept)
	}
	return err
}
