package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/term"
)

type uninstallOptions struct {
	choice
	only   string
	dryRun bool
}

// newUninstall declares the verb; only is the part that it is about, "" for
// all.
func newUninstall(env *Env, only host.Part) *cobra.Command {
	opts := uninstallOptions{only: string(only)}
	cmd := &cobra.Command{
		Use:   "uninstall [HOST…]",
		Short: "Take cairn out of coding agents again, exactly",
		Long: `Take out exactly what "cairn install" put into coding agents. HOST is one of
  ` + term.Wrap(strings.Join(host.Names(), " "), 76) + `
Without HOST, all of them. Settings that nobody edited since become what they
were, to the byte; edits made since stay. A command or agent that you edited is
kept in ~/.cairn/install/edited. With the last agent the copy of the binary in
~/.cairn/bin goes too; the rest of ~/.cairn stays.`,
		Example:           "  cairn uninstall claude\n  cairn uninstall --only plan --local\n  cairn uninstall --dry-run",
		ValidArgsFunction: completeHosts,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.take(env, cmd, args); err != nil {
				return err
			}
			return runUninstall(cmd.Context(), env, opts)
		},
	}
	opts.flags(cmd)
	cmd.Flags().StringVar(&opts.only, "only", opts.only, "one part: compact or plan (default both)")
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "print what would change, as a diff, and change nothing")
	return cmd
}

func runUninstall(ctx context.Context, env *Env, opts uninstallOptions) error {
	parts, err := partsOf(opts.only)
	if err != nil {
		return err
	}
	m, err := machine(env)
	if err != nil {
		return err
	}
	targets, installed, err := opts.present(env, m)
	if err != nil {
		return err
	}
	if !opts.dryRun {
		release, err := m.Lock(ctx)
		if err != nil {
			return fileHint(err)
		}
		defer release()
	}
	var errs []error
	for _, t := range targets {
		errs = append(errs, fileHint(uninstallFrom(env, m, t, parts, opts)))
	}
	for _, other := range installed {
		about := len(opts.hosts) == 0 || slices.Contains(opts.hosts, other.Host.Name)
		done := slices.ContainsFunc(targets, func(t install.Target) bool { return t.Host.Name == other.Host.Name && t.Dir == other.Dir })
		if !about || done {
			continue
		}
		if other.Local() {
			term.Warn(env.Stderr, "%s is also installed in %s; cairn uninstall --local %s takes it out there", other.Host.Title, other.Root, other.Host.Name)
		} else if len(opts.hosts) > 0 && !opts.local {
			term.Warn(env.Stderr, "%s is also installed in %s; %s cairn uninstall %s takes it out there",
				other.Host.Title, other.Dir, other.Variable(), other.Host.Name)
		}
	}
	return errors.Join(errs...)
}

func uninstallFrom(env *Env, m install.Machine, t install.Target, parts []host.Part, opts uninstallOptions) error {
	files, err := noted(m, t)
	if err != nil {
		return err
	}
	p, err := m.PlanUninstall(t, files, parts...)
	if err != nil {
		return err
	}
	if opts.dryRun {
		_, err := fmt.Fprint(env.Stdout, p.Diff())
		return err
	}
	was := p.WasInstalled()
	kept, err := p.Apply()
	if err != nil {
		return err
	}
	forgetCalls(m, t.Host)
	where := t.Dir
	if c := p.Main(); c != nil && p.Prompts() == 0 && len(p.Files) == 0 {
		where = c.Name
	}
	switch {
	case !was && t.Host.RunOnly != "" && len(opts.hosts) == 0: // nobody expected anything
	case !was:
		fmt.Fprintf(env.Stderr, "%s: nothing of cairn in %s\n", t.Host.Title, where)
	case len(p.Parts) > 0:
		fmt.Fprintf(env.Stderr, "%s: %s is without that part of cairn again\n", t.Host.Title, where)
	default:
		fmt.Fprintf(env.Stderr, "%s: %s is without cairn again\n", t.Host.Title, where)
	}
	if len(p.Edited) > 0 {
		fmt.Fprintf(env.Stderr, "%s: you had edited %s; your text is kept in %s\n", t.Host.Title, strings.Join(p.Edited, ", "), kept)
	}
	if c := p.Main(); c != nil && len(p.Parts) == 0 && c.Backup != "" {
		fmt.Fprintf(env.Stderr, "%s: settings were edited since, so the comments stay in %s\n", t.Host.Title, c.Backup)
	}
	return nil
}

// forgetCalls has the doctor expect no more calls of a host, when it is
// installed nowhere any more.
func forgetCalls(m install.Machine, h host.Host) {
	left, err := m.Installed()
	if err != nil || slices.ContainsFunc(left, func(t install.Target) bool { return t.Host.Name == h.Name }) {
		return
	}
	fired := m.Home.Fired(h.Name)
	for _, name := range []string{fired, filepath.Dir(fired), filepath.Dir(filepath.Dir(fired))} {
		_ = os.Remove(name) // a directory goes when it is empty
	}
}
