package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cairn/internal/install"
	"cairn/internal/term"
)

type doctorOptions struct {
	hosts []string
	json  bool
	fix   bool
	yes   bool
}

func newDoctor(env *Env) *cobra.Command {
	var opts doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor [HOST…]",
		Short: "Check that cairn's hooks work in each agent",
		Long: `Check, for each agent, that its settings load, that the hooks are registered,
that the binary they name is there and is this one, that it answers a captured
event, that no other hook answers for the same tools, and that the agent did
call them while it worked; and what is wrong with cairn's own settings.

With --fix, what is broken is registered again. Exit code 5 when a check fails.`,
		Example:           "  cairn doctor\n  cairn doctor claude --json",
		ValidArgsFunction: completeHosts,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.hosts = args
			return runDoctor(cmd.Context(), env, opts)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opts.json, "json", false, "print the checks as JSON")
	f.BoolVar(&opts.fix, "fix", false, "register again what is broken (asks before it takes comments out)")
	f.BoolVar(&opts.yes, "yes", false, "do not ask")
	return cmd
}

func runDoctor(ctx context.Context, env *Env, opts doctorOptions) error {
	m, err := machine(env)
	if err != nil {
		return err
	}
	targets, err := namedTargets(m, opts.hosts)
	if err != nil {
		return err
	}
	if len(opts.hosts) == 0 {
		installed, err := m.Installed()
		if err != nil {
			term.Warn(env.Stderr, "%v", err)
		}
		targets = withDetected(m, installed)
	}
	dir := workDir("")
	checks := ownChecks(env, dir)
	for _, t := range targets {
		found := m.Check(ctx, t, dir)
		if opts.fix && t.Host.RunOnly == "" && (anyIs(found, install.Fail) || anyIs(found, install.Warn)) {
			if err := repair(env, m, t, opts.yes); err != nil {
				return fileHint(err)
			}
			found = m.Check(ctx, t, dir)
		}
		checks = append(checks, found...)
	}
	checks = append(checks, callChecks(env, targets)...)
	checks = append(checks, m.CheckLog()...)
	if err := printChecks(env, checks, opts.json); err != nil {
		return err
	}
	if len(targets) == 0 {
		fmt.Fprintln(env.Stderr, "no agent was found here")
	}
	if anyIs(checks, install.Fail) {
		return exitStatus(exitGate)
	}
	return nil
}

func anyIs(checks []install.Check, status string) bool {
	return slices.ContainsFunc(checks, func(c install.Check) bool { return c.Status == status })
}

func repair(env *Env, m install.Machine, t install.Target, yes bool) error {
	p, err := planInstall(env, m, t, true, yes)
	if err != nil {
		return err
	}
	return p.Install()
}

func printChecks(env *Env, checks []install.Check, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(env.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			OK     bool            `json:"ok"`
			Checks []install.Check `json:"checks"`
		}{!anyIs(checks, install.Fail), checks})
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
