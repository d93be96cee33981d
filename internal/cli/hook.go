package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/usage"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/hook"
	"cairn/internal/host"
	"cairn/internal/shim"
	"cairn/internal/text"
)

func newHook(env *Env) *cobra.Command {
	var only string
	cmd := &cobra.Command{
		Use:     "hook HOST",
		Short:   "Answer one event of an agent (called by the agent)",
		Long:    "Reads one event from stdin and answers it on stdout. It fails open: whatever\ngoes wrong, nothing is printed, the exit code is 0 and a line goes to the log\nthat `cairn doctor` shows.",
		Example: "  cairn hook claude < event.json\n  cairn doctor    # says whether the agent's events arrive here",
		Hidden:  true,
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			runHook(env, args[0], host.Part(only))
			return nil
		},
	}
	cmd.Flags().StringVar(&only, "only", "", "what to answer for: compact or plan; both by default")
	return cmd
}

// runHook answers one event, for one part or ("") all. Whatever happens, the
// agent must not notice.
func runHook(env *Env, name string, only host.Part) {
	h, ok := host.Find(name)
	if !ok {
		logHook(env, fmt.Errorf("no host is called %q", name))
		return
	}
	if h.RunOnly != "" && only != host.Plan {
		logHook(env, fmt.Errorf("%s: no hook of ours is of use: %s", name, h.RunOnly))
		return
	}
	set := hookSettings(env, h)
	if env.Getenv("CAIRN_RAW") != "" {
		set.Compact = nil
	}
	switch only {
	case "":
	case host.Compact:
		set.Plan = nil
	case host.Plan:
		set.Compact, set.Notice = nil, nil
	default:
		logHook(env, fmt.Errorf("%s: --only %q is neither compact nor plan", name, only))
		return
	}
	if env.Getenv(home.Probe) != "" {
		set.Used, set.Plan, set.Notice = nil, nil, nil
	}
	if err := hook.Run(h, env.Stdin, env.Stdout, set); err != nil {
		logHook(env, fmt.Errorf("%s: %w", name, err))
	}
	if env.Getenv(home.Probe) == "" {
		markFired(env, name)
	}
}

// firedEvery is how old the mark of a call becomes before it is set again.
const firedEvery = time.Hour

// markFired sets the time by which doctor sees that the agent still calls us,
// first at install.
func markFired(env *Env, agent string) {
	name, at := home.Find(env.Getenv).Fired(agent), time.Now()
	if fi, err := os.Stat(name); err == nil && at.Sub(fi.ModTime()) < firedEvery || os.Chtimes(name, at, at) == nil {
		return
	}
	if os.MkdirAll(filepath.Dir(name), home.PrivateDir) == nil {
		_ = os.WriteFile(name, nil, home.PrivateFile) // without it, doctor only knows less
	}
}

func hookSettings(env *Env, h host.Host) hook.Settings {
	return hook.Settings{
		Compact: func(dir string) compact.Options {
			dir = env.WorkDir(dir)
			if !waitsForVerifier(h) {
				return compactOptions(env, dir)
			}
			return verifiedOptions(env, dir, "")
		},
		Notice: func(dir string) string {
			if text := untrusted(env, env.WorkDir(dir)); text != "" {
				return "cairn: " + text + ". Whether to is for the user to say."
			}
			return ""
		},
		Plan:  planGuard(env),
		Shell: func() *shim.Shell { return agentShell(env, h) },
		Limit: hookLimit(env, h),
		GiveUp: func() {
			logHook(env, fmt.Errorf("%s: %w", h.Name, hook.ErrTimedOut))
			os.Exit(command.ExitOK)
		},
		Warn: func(warning string) { logHook(env, errors.New(warning)) },
		Used: func(session string, e compact.Envelope, m compact.Meta) {
			noteUse(env, use{path: usage.Hook, agent: h, session: session}, e, m)
		},
	}
}

const (
	// hookTime is what a hook may take, and hookVerifying where it may ask
	// the verifier.
	hookTime      = 5 * time.Second
	hookVerifying = compact.VerifyLimit + 3*time.Second
	hookMargin    = time.Second // less than the host grants
)

// waitsForVerifier reports whether a host grants its hooks the time for one.
func waitsForVerifier(h host.Host) bool { return h.Timeout >= hookVerifying+hookMargin }

// hookLimit is less than what the host grants.
func hookLimit(env *Env, h host.Host) time.Duration {
	if env.Getenv(verifierKey) != "" && waitsForVerifier(h) {
		return hookVerifying
	}
	return min(hookTime, h.Timeout-hookMargin)
}

// agentShell is the shell of h that gets our functions, nil where there is none.
func agentShell(env *Env, h host.Host) *shim.Shell {
	bin, err := os.Executable()
	if err != nil || runtime.GOOS == "windows" || h.EnvFile == "" {
		return nil
	}
	set, _ := config.Load(env.Here(), env.Getenv)
	return &shim.Shell{
		EnvFile: env.Getenv(h.EnvFile), Binary: bin,
		Tools: set.List(config.CompactShimTools), Home: home.Find(env.Getenv),
	}
}

// maxHookLog is how large the log may grow before it starts again.
const maxHookLog = 1 << 20

// logHook appends a line to the log, if that is possible.
func logHook(env *Env, err error) {
	name := home.Find(env.Getenv).HookLog()
	if os.MkdirAll(filepath.Dir(name), home.PrivateDir) != nil {
		return
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if fi, serr := os.Stat(name); serr == nil && fi.Size() > maxHookLog {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, oerr := os.OpenFile(name, flags, home.PrivateFile)
	if oerr != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%s hook %s\n", time.Now().UTC().Format(time.RFC3339), logLine(err.Error()))
}

// logLine is a message as one line of the log: it may quote what a server or a
// stranger's rule says, and doctor prints it on a terminal.
func logLine(message string) string {
	const longest = 500
	line := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, message)
	return text.Shorten(line, longest)
}
