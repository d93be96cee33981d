package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
)

type doctorOptions struct {
	choice
	json bool
	fix  bool
}

func newDoctor(env *Env) *cobra.Command {
	var opts doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor [HOST…]",
		Short: "Check that cairn works in each agent, and what is installed",
		Long: `Check, for each agent, that its settings load, that the hooks are registered,
that the binary they name is there and is this one, that it answers a captured
event, that no other hook answers for the same tools, that the agent did call
them while it worked, and that its commands and agents are there and are this
cairn's; and what is wrong with cairn's own settings.

With --fix, what is broken is put in again. With --json also what is installed
where: parts, profile, and which files are missing, edited or outdated. Exit
code 5 when a check fails.`,
		Example:           "  cairn doctor\n  cairn doctor claude --json",
		ValidArgsFunction: completeHosts,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.take(env, cmd, args); err != nil {
				return err
			}
			return runDoctor(cmd.Context(), env, opts)
		},
	}
	f := cmd.Flags()
	opts.flags(cmd)
	f.BoolVar(&opts.json, "json", false, "print the checks as JSON")
	f.BoolVar(&opts.fix, "fix", false, "put in again what is broken (asks before it takes comments out)")
	f.BoolVar(&opts.yes, "yes", false, "do not ask")
	return cmd
}

func runDoctor(ctx context.Context, env *Env, opts doctorOptions) error {
	m, err := machine(env)
	if err != nil {
		return err
	}
	targets, installed, err := opts.present(env, m)
	if err != nil {
		return err
	}
	targets = opts.withLocal(m, env, targets, installed)
	dir := cmp.Or(string(home.FindRepo(env.Here(), env.Getenv)), env.Here())
	checks, statuses := ownChecks(env, dir), []*install.Status{}
	var errs []error
	for _, t := range targets {
		found, s, err := opts.examine(ctx, env, m, t, dir)
		checks, errs = append(checks, found...), append(errs, fileHint(err))
		if s != nil {
			statuses = append(statuses, s)
		}
	}
	checks = append(checks, callChecks(env, targets)...)
	checks = append(checks, m.CheckLog()...)
	if err := printChecks(env, checks, statuses, opts.json); err != nil {
		return err
	}
	if len(targets) == 0 {
		fmt.Fprintln(env.Stderr, noAgent)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if anyIs(checks, install.Fail) {
		return command.Status(command.ExitGate)
	}
	return nil
}

func anyIs(checks []install.Check, status string) bool {
	return slices.ContainsFunc(checks, func(c install.Check) bool { return c.Status == status })
}

// examine looks at one target, again when it was repaired.
func (o doctorOptions) examine(ctx context.Context, env *Env, m install.Machine, t install.Target, dir string) ([]install.Check, *install.Status, error) {
	found, s, err := look(ctx, m, t, dir)
	if err != nil || !o.fix || !anyIs(found, install.Fail) && !anyIs(found, install.Warn) {
		return found, s, err
	}
	if err := repair(ctx, env, m, t, o.yes); err != nil {
		return found, s, err
	}
	return look(ctx, m, t, dir)
}

// look checks one target: its hooks, and its commands and agents.
func look(ctx context.Context, m install.Machine, t install.Target, dir string) ([]install.Check, *install.Status, error) {
	files, err := expected(m, t)
	if err != nil {
		return nil, nil, err
	}
	s, _ := m.Status(t, files) // CheckContent has the error
	return append(m.Check(ctx, t, dir), m.CheckContent(t, files)...), s, nil
}

// withLocal adds what is installed in the repository here, which works beside
// what is the user's own.
func (c *choice) withLocal(m install.Machine, env *Env, targets, installed []install.Target) []install.Target {
	root := string(home.FindRepo(env.Here(), env.Getenv))
	for _, t := range installed {
		named := len(c.hosts) == 0 || slices.Contains(c.hosts, t.Host.Name)
		if t.Local() && t.Root == root && !c.local && named {
			targets = append(targets, t)
		}
	}
	return targets
}

// repair puts in again what is there by its manifest, or all of it where none
// is; a host that was never installed gets no commands by that.
func repair(ctx context.Context, env *Env, m install.Machine, t install.Target, yes bool) error {
	release, err := m.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	mf, err := m.Manifest(t)
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
	want, err := wanted(m, t, parts, "")
	if err != nil {
		return err
	}
	p, err := planInstall(env, m, t, want, true, yes)
	if err != nil {
		return err
	}
	kept, err := p.Apply()
	if err == nil && len(p.Edited) > 0 {
		sayInstalled(env, m, p, kept)
	}
	return err
}

func printChecks(env *Env, checks []install.Check, statuses []*install.Status, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(env.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			OK        bool              `json:"ok"`
			Checks    []install.Check   `json:"checks"`
			Installed []*install.Status `json:"installed"`
		}{!anyIs(checks, install.Fail), checks, statuses})
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	for _, c := range checks {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Status, cmp.Or(c.Host, "cairn"), c.Name, c.Detail)
		if c.Hint != "" {
			fmt.Fprintf(w, "\t\t\t→ %s\n", c.Hint)
		}
		for _, line := range c.Lines {
			fmt.Fprintf(w, "\t\t\t  %s\n", line)
		}
	}
	return w.Flush()
}
