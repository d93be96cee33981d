package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/install"
	"cairn/internal/term"
)

type installOptions struct {
	hosts  []string
	only   string
	dryRun bool
	fix    bool
	yes    bool
}

// agentNames are the names of every agent, as lines of a help text.
func agentNames() string {
	return "  " + strings.ReplaceAll(term.Wrap(strings.Join(host.Names(), " "), 76), "\n", "\n  ")
}

func newInstall(env *Env) *cobra.Command {
	var opts installOptions
	cmd := &cobra.Command{
		Use:   "install [HOST…]",
		Short: "Register cairn's hooks with coding agents",
		Long: `Register cairn's hooks with coding agents. Agents are
` + agentNames() + `
Without HOST, every agent that has been used here.

The running binary is copied to ~/.cairn/bin and the hooks name that copy. The
rest of an agent's settings stays as it is, to the byte, and "cairn uninstall"
takes out exactly what was put in. Running it again changes nothing, or renews
what another cairn registered.`,
		Example:           "  cairn install claude\n  cairn install --dry-run",
		ValidArgsFunction: completeHosts,
		RunE: func(_ *cobra.Command, args []string) error {
			opts.hosts = args
			return runInstall(env, opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.only, "only", "compact", "what to install: compact")
	f.BoolVar(&opts.dryRun, "dry-run", false, "print what would change, as a diff, and change nothing")
	f.BoolVar(&opts.fix, "fix", false, "where an agent drops settings with comments or trailing commas, write them without (asks first)")
	f.BoolVar(&opts.yes, "yes", false, "do not ask")
	return cmd
}

func runInstall(env *Env, opts installOptions) error {
	if opts.only != "compact" {
		return withKind(errUsage, term.Hint(fmt.Errorf("--only %s: no such part", opts.only), "the parts are: compact"))
	}
	m, err := machine(env)
	if err != nil {
		return err
	}
	targets, err := installTargets(m, opts.hosts)
	if err != nil {
		return err
	}
	if dir, err := os.Getwd(); err == nil && m.WindowsInWSL(dir) {
		term.Warn(env.Stderr, "this is the Windows binary of cairn inside WSL; agents that run in Linux need the Linux one")
	}
	var errs []error
	for _, t := range targets {
		errs = append(errs, fileHint(installInto(env, m, t, opts)))
	}
	if errors.Join(errs...) == nil && !opts.dryRun {
		errs = append(errs, fileHint(offerVerifier(env, opts.yes)))
	}
	return errors.Join(errs...)
}

func installInto(env *Env, m install.Machine, t install.Target, opts installOptions) error {
	if t.Host.RunOnly != "" {
		fmt.Fprintf(env.Stderr, "%s: no hook registered: %s (%s)\n", t.Host.Title, t.Host.RunOnly, t.Host.Source)
		term.PrintHint(env.Stderr, "%s", install.RunOnlyHint)
		return nil
	}
	p, err := planInstall(env, m, t, opts.fix, opts.yes || opts.dryRun)
	if err != nil {
		return err
	}
	if opts.dryRun {
		_, err := fmt.Fprint(env.Stdout, p.Diff())
		return err
	}
	if err := p.Install(); err != nil {
		return err
	}
	markFired(env, t.Host.Name) // from now on it should call
	fmt.Fprintf(env.Stderr, "%s: %s\n", t.Host.Title, installed(m, p))
	if t.Host.Advice != "" && p.Changed() {
		term.PrintHint(env.Stderr, "%s", t.Host.Advice)
	}
	if len(t.Host.HooksOn(m.GOOS)) < len(t.Host.Hooks) {
		fmt.Fprintf(env.Stderr, "%s: on this system the output of commands that succeed is compacted, of failing ones not\n", t.Host.Title)
	}
	if len(p.Extensions) > 0 {
		e := p.Extensions[0]
		term.Warn(env.Stderr, "%s:%d: a %s (%d such in all): %s ignores the whole file for it, hooks included",
			t.Settings(), e.Line, e.What, len(p.Extensions), t.Host.Title)
		term.PrintHint(env.Stderr, "cairn install %s --fix writes it without; uninstall brings the original back", t.Host.Name)
	}
	return nil
}

// installed says what stands in the settings now.
func installed(m install.Machine, p *install.Plan) string {
	already := ""
	if !p.Changed() {
		already = " already"
	}
	if p.Target.Host.Own != nil {
		return fmt.Sprintf("registered by %s%s", p.Target.Settings(), already)
	}
	hooks := "hook is"
	n := len(p.Target.Host.HooksOn(m.GOOS))
	if n > 1 {
		hooks = "hooks are"
	}
	return fmt.Sprintf("%d %s registered in %s%s", n, hooks, p.Target.Settings(), already)
}

// planInstall plans the hooks, and with fix, after asking, a plain copy of
// settings that the host would drop.
func planInstall(env *Env, m install.Machine, t install.Target, fix, yes bool) (*install.Plan, error) {
	p, err := m.PlanInstall(t, false)
	if err != nil || !fix || len(p.Extensions) == 0 {
		return p, err
	}
	ok, err := confirm(env, yes, fmt.Sprintf("Write %s without its %d comments and trailing commas? Uninstall brings them back.",
		t.Settings(), len(p.Extensions)))
	if err != nil || !ok {
		return p, err
	}
	p, err = m.PlanInstall(t, true)
	if err == nil && p.Backup != "" {
		fmt.Fprintf(env.Stderr, "%s: the text with its comments is kept in %s\n", t.Host.Title, p.Backup)
	}
	return p, err
}

func machine(env *Env) (install.Machine, error) {
	exe, err := os.Executable()
	if err != nil {
		return install.Machine{}, err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return install.Machine{Home: home.Find(env.Getenv), Executable: exe, GOOS: runtime.GOOS, Getenv: env.Getenv}, nil
}

// installTargets returns the named hosts, or every one that has been used
// here.
func installTargets(m install.Machine, names []string) ([]install.Target, error) {
	targets, err := namedTargets(m, names)
	if err != nil || len(names) > 0 {
		return targets, err
	}
	for _, h := range host.All() {
		if t := m.Target(h); t.Exists() {
			targets = append(targets, t)
		}
	}
	if len(targets) == 0 {
		return nil, term.Hint(errors.New("no agent was found here"), "name one: %s", strings.Join(host.Names(), ", "))
	}
	return targets, nil
}

func namedTargets(m install.Machine, names []string) ([]install.Target, error) {
	var targets []install.Target
	for i, name := range names {
		h, ok := host.Find(name)
		if !ok {
			return nil, withKind(errUsage, term.Hint(fmt.Errorf("unknown agent %q", name), "known are: %s", strings.Join(host.Names(), ", ")))
		}
		t := m.Target(h)
		if t.Dir == "" {
			return nil, term.Hint(fmt.Errorf("HOME is not set, so nobody knows where %s keeps its settings", h.Title), "export HOME, then run this again")
		}
		if !slices.Contains(names[:i], name) {
			targets = append(targets, t)
		}
	}
	return targets, nil
}

func completeHosts(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return host.Names(), cobra.ShellCompDirectiveNoFileComp
}

// fileHint adds what can be done about a file that was not changed.
func fileHint(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return term.Hint(err, "make the file and its directory writable for you (chmod u+w), then run this again")
	}
	if errors.Is(err, install.ErrForeign) {
		return term.Hint(err, "rename it, then run this again; it was not changed")
	}
	if errors.Is(err, install.ErrManifest) {
		return term.Hint(err, "take that file away, then run this again: cairn's entries are found without it")
	}
	if errors.Is(err, install.ErrSettings) {
		return term.Hint(err, "correct that line, then run this again; the file was not changed")
	}
	return err
}
