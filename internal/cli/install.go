package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/term"
)

type installOptions struct {
	choice
	only       string
	profile    string
	dryRun     bool
	fix        bool
	statusLine bool
}

// newInstall declares the verb; only is the part that it is about, "" for all.
func newInstall(env *Env, only host.Part) *cobra.Command {
	opts := installOptions{only: string(only)}
	cmd := &cobra.Command{
		Use:   "install [HOST…]",
		Short: "Put cairn into coding agents: commands, agents, hooks",
		Long: `Put cairn into coding agents: the commands and agents of "cairn plan", and the
hooks that cut tool output and guard the plan. HOST is one of
` + hostList() + `
Without HOST, every agent that has been used here; on a terminal it asks which.

The running binary is copied to ~/.cairn/bin and the hooks name that copy. The
rest of an agent's settings stays as it is, to the byte, and "cairn uninstall"
takes out exactly what was put in. Running it again changes nothing, or renews
what another cairn put there. A text of ours that you edited is not lost: when
a newer one takes its place, "cairn update --reapply" merges yours into it.

Profiles: core has the commands of the main path, standard those of a working
day, full all of them.`,
		Example:           "  cairn install claude codex\n  cairn install --local --profile core claude\n  cairn install --dry-run",
		ValidArgsFunction: completeHosts,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := opts.take(env, cmd, args); err != nil {
				return err
			}
			return runInstall(cmd.Context(), env, opts)
		},
	}
	f := cmd.Flags()
	opts.flags(cmd)
	onePart(cmd, &opts.only, only)
	f.StringVar(&opts.profile, "profile", "", "which commands: core, standard or full (default the one that is there, or standard)")
	f.BoolVar(&opts.dryRun, "dry-run", false, "print what would change, as a diff, and change nothing")
	f.BoolVar(&opts.fix, "fix", false, "where an agent drops settings with comments or trailing commas, write them without (asks first)")
	f.BoolVar(&opts.statusLine, "force-statusline", false, "put cairn's status line in the place of another, or into a repository")
	f.BoolVar(&opts.yes, "yes", false, "do not ask")
	for _, name := range []string{"minimal", "core-only"} {
		hiddenFlag(f, name, func() { opts.profile = "core" })
	}
	return cmd
}

func runInstall(ctx context.Context, env *Env, opts installOptions) error {
	parts, err := partsOf(opts.only)
	if err != nil {
		return err
	}
	if err := knownProfile(opts.profile); err != nil {
		return err
	}
	m, err := machine(env)
	if err != nil {
		return err
	}
	targets, err := opts.installTargets(env, m, opts.dryRun)
	if err != nil {
		return err
	}
	if dir, err := env.Wd(); err == nil && m.WindowsInWSL(dir) {
		term.Warn(env.Stderr, "this is the Windows binary of cairn inside WSL; agents that run in Linux need the Linux one")
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
		errs = append(errs, fileHint(installInto(env, m, t, parts, opts)))
	}
	if errors.Join(errs...) == nil && !opts.dryRun && slices.Contains(parts, host.Compact) {
		errs = append(errs, fileHint(offerVerifier(env, opts.yes)))
	}
	return errors.Join(errs...)
}

func installInto(env *Env, m install.Machine, t install.Target, parts []host.Part, opts installOptions) error {
	h := t.Host
	if slices.Contains(parts, host.Compact) && !h.Takes(host.Compact) {
		fmt.Fprintf(env.Stderr, "%s: no hook for compaction: %s (%s)\n", h.Title, h.RunOnly, h.Source)
		term.PrintHint(env.Stderr, "%s", install.RunOnlyHint)
	}
	if !slices.ContainsFunc(parts, h.Takes) {
		return nil
	}
	want, err := wanted(m, t, parts, opts.profile)
	if err != nil {
		return err
	}
	want.Force = opts.statusLine
	p, err := planInstall(env, m, t, want, opts.fix, opts.yes || opts.dryRun)
	if err != nil {
		return err
	}
	if opts.dryRun {
		_, err := fmt.Fprint(env.Stdout, p.Diff())
		return err
	}
	kept, err := p.Apply()
	if err != nil {
		return err
	}
	if p.Registers() {
		markFired(env, h.Name) // from now on it should call
	}
	sayInstalled(env, m, p, kept)
	return nil
}

// planInstall plans what is wanted, and with fix, after asking, a plain copy of
// settings that the host would drop.
func planInstall(env *Env, m install.Machine, t install.Target, want install.Options, fix, yes bool) (*install.Plan, error) {
	p, err := m.PlanInstall(t, want)
	if err != nil || !fix || p.Main() == nil || len(p.Main().Extensions) == 0 {
		return p, err
	}
	ok, err := env.Confirm(yes, fmt.Sprintf("Write %s without its %d comments and trailing commas? Uninstall brings them back.",
		t.Settings(), len(p.Main().Extensions)))
	if err != nil || !ok {
		return p, err
	}
	want.Plain = true
	p, err = m.PlanInstall(t, want)
	if err == nil && p.Main().Backup != "" {
		fmt.Fprintf(env.Stderr, "%s: the text with its comments is kept in %s\n", t.Host.Title, p.Main().Backup)
	}
	return p, err
}

// remedies is what can be done about a file that was not changed.
var remedies = []struct {
	is   error
	hint string
}{
	{fs.ErrPermission, "make the file and its directory writable for you (chmod u+w), then run this again"},
	{install.ErrForeign, "rename it, then run this again; it was not changed"},
	{install.ErrOutside, "cairn writes below that directory only; put a directory in the place of the link, then run this again"},
	{install.ErrDangling, "make what it points to, or remove the link, then run this again"},
	{install.ErrManifest, "take that file away, then run this again: cairn's entries are found without it"},
	{install.ErrSettings, "correct that line, then run this again; the file was not changed"},
	{install.ErrChanged, "run this again"},
	{install.ErrLocked, "run this again when it has ended; a lock never outlives its process"},
	{syscall.ENOTDIR, "there is a file where a directory has to be: rename it, then run this again"},
}

func fileHint(err error) error {
	for _, r := range remedies {
		if errors.Is(err, r.is) {
			return term.Hint(err, "%s", r.hint)
		}
	}
	return err
}
