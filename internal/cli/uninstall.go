package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/term"
)

type uninstallOptions struct {
	hosts  []string
	only   string
	dryRun bool
}

func newUninstall(env *Env) *cobra.Command {
	var opts uninstallOptions
	cmd := &cobra.Command{
		Use:   "uninstall [HOST…]",
		Short: "Take cairn's hooks out of coding agents again",
		Long: `Take out exactly what "cairn install" put into coding agents. Agents are
` + agentNames() + `
Without HOST, all of them. Settings that nobody edited since become what they
were, to the byte; edits made since stay. With the last agent the copy of the
binary in ~/.cairn/bin goes too; the rest of ~/.cairn stays.`,
		Example:           "  cairn uninstall claude\n  cairn uninstall --dry-run",
		ValidArgsFunction: completeHosts,
		RunE: func(_ *cobra.Command, args []string) error {
			opts.hosts = args
			return runUninstall(env, opts)
		},
	}
	cmd.Flags().StringVar(&opts.only, "only", "compact", "what to take out: compact")
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "print what would change, as a diff, and change nothing")
	return cmd
}

func runUninstall(env *Env, opts uninstallOptions) error {
	if opts.only != "compact" {
		return withKind(errUsage, term.Hint(fmt.Errorf("--only %s: no such part", opts.only), "the parts are: compact"))
	}
	m, err := machine(env)
	if err != nil {
		return err
	}
	targets, err := namedTargets(m, opts.hosts)
	if err != nil {
		return err
	}
	installed, err := m.Installed()
	if err != nil {
		term.Warn(env.Stderr, "%v", err)
	}
	if len(opts.hosts) == 0 {
		targets = withDetected(m, installed)
	}
	var errs []error
	for _, t := range targets {
		errs = append(errs, fileHint(uninstallFrom(env, m, t, opts)))
		for _, other := range installed {
			if len(opts.hosts) > 0 && other.Host.Name == t.Host.Name && other.Dir != t.Dir {
				term.Warn(env.Stderr, "%s is also installed in %s; %s cairn uninstall %s takes it out there",
					t.Host.Title, other.Dir, other.Variable(), t.Host.Name)
			}
		}
	}
	return errors.Join(errs...)
}

// withDetected adds the hosts that have been used here: their manifest may be
// lost.
func withDetected(m install.Machine, targets []install.Target) []install.Target {
	for _, h := range host.All() {
		t := m.Target(h)
		known := slices.ContainsFunc(targets, func(k install.Target) bool { return k.Host.Name == h.Name && k.Dir == t.Dir })
		if !known && t.Exists() {
			targets = append(targets, t)
		}
	}
	return targets
}

func uninstallFrom(env *Env, m install.Machine, t install.Target, opts uninstallOptions) error {
	if t.Host.RunOnly != "" {
		if len(opts.hosts) > 0 {
			fmt.Fprintf(env.Stderr, "%s: no hook is ever registered\n", t.Host.Title)
		}
		return nil
	}
	p, err := m.PlanUninstall(t)
	if err != nil {
		return err
	}
	if opts.dryRun {
		_, err := fmt.Fprint(env.Stdout, p.Diff())
		return err
	}
	was := p.WasInstalled()
	if err := p.Uninstall(); err != nil {
		return err
	}
	_ = os.Remove(m.Home.Fired(t.Host.Name)) // doctor then expects no calls
	switch {
	case !was:
		fmt.Fprintf(env.Stderr, "%s: nothing of cairn in %s\n", t.Host.Title, t.Settings())
	default:
		fmt.Fprintf(env.Stderr, "%s: %s is without cairn again\n", t.Host.Title, t.Settings())
	}
	if p.Backup != "" {
		fmt.Fprintf(env.Stderr, "%s: settings were edited since, so the comments stay in %s\n", t.Host.Title, p.Backup)
	}
	return nil
}
