package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/term"
	"cairn/internal/version"
)

type updateOptions struct {
	choice
	reapply bool
	check   bool
	renew   bool
}

func newUpdate(env *Env) *cobra.Command {
	var opts updateOptions
	cmd := &cobra.Command{
		Use:   "update [HOST…]",
		Short: "Renew cairn and what it put into coding agents",
		Long: `Fetch the latest release for this system, compare its checksum, put it where
hooks and prompts call it, and renew what "cairn install" put into coding
agents: the same parts, the same profile. It asks the release page that the
build names and sends nothing; a build from source has none and renews only.

A command or agent that you edited makes room for a newer text of ours, and
yours is kept. With --reapply your edits are merged into the installed files,
three ways. Where both changed the same lines the file stays as installed, the
places are shown, your text stays kept, and the exit code is 5.`,
		Example:           "  cairn update\n  cairn update --check    # only say whether there is a newer one\n  cairn update --reapply claude",
		ValidArgsFunction: completeHosts,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.take(env, cmd, args); err != nil {
				return err
			}
			return runUpdate(cmd.Context(), env, opts)
		},
	}
	opts.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&opts.check, "check", false, "only look whether there is a newer release")
	f.BoolVar(&opts.reapply, "reapply", false, "merge your edits into the installed files")
	f.BoolVar(&opts.renew, "renew", false, "renew the agents with this binary, whatever the release page has")
	_ = f.MarkHidden("renew") // what an update has the new binary do
	return cmd
}

func runUpdate(ctx context.Context, env *Env, opts updateOptions) error {
	if opts.check {
		return runUpdateCheck(ctx, env)
	}
	if opts.reapply || opts.renew || releasePage == "" {
		return renewAgents(ctx, env, opts)
	}
	newest, err := runUpdateBinary(ctx, env)
	if err != nil {
		return err
	}
	if newest == "" {
		fmt.Fprintf(env.Stdout, "%s is the latest\n", version.Release())
		return renewAgents(ctx, env, opts)
	}
	fmt.Fprintf(env.Stdout, "%s is installed\n", newest)
	err = renewWith(ctx, env)
	if opts.local {
		err = errors.Join(err, renewWith(ctx, env, "--local"))
	}
	return err
}

// renewWith has the binary that was just put in place renew every agent: its
// commands are not ours.
func renewWith(ctx context.Context, env *Env, flags ...string) error {
	m, err := machine(env)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, m.Binary(), append([]string{"update", "--renew"}, flags...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = env.Stdin, env.Stdout, env.Stderr
	var exit *exec.ExitError
	if err := cmd.Run(); errors.As(err, &exit) {
		return command.Status(exit.ExitCode())
	} else if err != nil {
		return err
	}
	return nil
}

// renewAgents renews what is installed, or merges the user's edits into it.
func renewAgents(ctx context.Context, env *Env, opts updateOptions) error {
	m, err := machine(env)
	if err != nil {
		return err
	}
	free, err := m.Lock(ctx)
	if err != nil {
		return fileHint(err)
	}
	defer free()
	all, err := m.Installed()
	if err != nil {
		term.Warn(env.Stderr, "%v", err)
	}
	named, err := opts.named(m)
	if err != nil {
		return err
	}
	var errs []error
	done := 0
	for _, t := range all {
		if !opts.about(t, named) {
			continue
		}
		done++
		if opts.reapply {
			errs = append(errs, fileHint(reapply(ctx, env, m, t)))
		} else {
			errs = append(errs, fileHint(renew(env, m, t)))
		}
	}
	if done == 0 && !opts.renew {
		return term.Hint(errors.New("nothing of cairn is installed there"), "cairn install puts it in")
	}
	return errors.Join(errs...)
}

// about reports whether an installed target is one that was chosen: those of
// other repositories never are.
func (c *choice) about(t install.Target, named []install.Target) bool {
	for _, n := range named {
		if n.Host.Name == t.Host.Name && n.Dir == t.Dir {
			return true
		}
	}
	return len(named) == 0 && t.Root == c.root
}

func renew(env *Env, m install.Machine, t install.Target) error {
	mf, err := m.Manifest(t)
	if err != nil || mf == nil {
		return err
	}
	want, err := wanted(m, t, mf.Parts, "")
	if err != nil {
		return err
	}
	p, err := m.PlanInstall(t, want)
	if err != nil {
		return err
	}
	kept, err := p.Apply()
	if err == nil {
		sayInstalled(env, m, p, kept)
	}
	return err
}

// reapply merges the user's edits of one target. What cannot be merged is
// data: it is what the user has to decide.
func reapply(ctx context.Context, env *Env, m install.Machine, t install.Target) error {
	if mf, err := m.Manifest(t); err != nil || !mf.Has(host.Plan) {
		return err
	}
	merges, err := m.Reapply(ctx, t)
	open := 0
	for _, k := range merges {
		switch {
		case k.Gone:
			fmt.Fprintf(env.Stderr, "%s: there is no %s any more; your text stays in %s\n", t.Host.Title, k.Path, k.Kept)
		case k.Conflicts != "":
			open++
			fmt.Fprintf(env.Stderr, "%s: %s stays as installed; both changed the same lines. Your text is in %s\n", t.Host.Title, k.Path, k.Kept)
			fmt.Fprintf(env.Stdout, "%s\n%s", k.Name, k.Conflicts)
		default:
			fmt.Fprintf(env.Stderr, "%s: %s has your edit again\n", t.Host.Title, k.Path)
		}
	}
	if err == nil && open > 0 {
		return command.Gate(term.Hint(fmt.Errorf("%s: %d of %d files could not be merged", t.Host.Title, open, len(merges)), "edit the installed file as you want it; your text is only a copy"))
	}
	if err == nil && len(merges) == 0 {
		fmt.Fprintf(env.Stderr, "%s: no edit of yours waits\n", t.Host.Title)
	}
	return err
}
