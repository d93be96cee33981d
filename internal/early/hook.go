package early

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"cairn/internal/calls"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/hook"
	"cairn/internal/host"
	"cairn/internal/mark"
	"cairn/internal/outside"
	"cairn/internal/verifier"
)

// Hook answers one event, for one part or ("") all. Whatever happens, the
// agent must not notice.
func Hook(env *outside.Env, name string, only host.Part) {
	h, ok := host.Find(name)
	if !ok {
		setup.Log(env, fmt.Errorf("no host is called %q", name))
		return
	}
	if h.RunOnly != "" && only != host.Plan {
		setup.Log(env, fmt.Errorf("%s: no hook of ours is of use: %s", name, h.RunOnly))
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
		setup.Log(env, fmt.Errorf("%s: --only %q is neither compact nor plan", name, only))
		return
	}
	if env.Getenv(home.Probe) != "" {
		set.Used, set.Back, set.Plan, set.Notice, set.Mark, set.Alert = nil, nil, nil, nil, nil, nil
	}
	if err := hook.Run(h, env.Stdin, env.Stdout, set); err != nil {
		setup.Log(env, fmt.Errorf("%s: %w", name, err))
	}
	if env.Getenv(home.Probe) == "" {
		calls.Mark(home.Find(env.Getenv), name)
	}
}

func hookSettings(env *outside.Env, h host.Host) hook.Settings {
	return hook.Settings{
		Compact: func(dir string) compact.Options {
			dir = env.WorkDir(dir)
			if !waitsForVerifier(h) {
				return setup.Options(env, dir)
			}
			return setup.Checked(env, dir, "")
		},
		Notice: func(dir string) string {
			if text := setup.Untrusted(env, env.WorkDir(dir)); text != "" {
				return "cairn: " + text + ". Whether to is for the user to say."
			}
			return ""
		},
		Alert: func() string { return alert(env) },
		Plan:  planGuard(env),
		Shell: func() *calls.Shell { return agentShell(env, h) },
		Limit: hookLimit(env, h),
		GiveUp: func() {
			setup.Log(env, fmt.Errorf("%s: %w", h.Name, hook.ErrTimedOut))
			os.Exit(0)
		},
		Mark: func(session, subagent, dir string) {
			dir = env.WorkDir(dir)
			if branch, head, ok := mark.Look(dir); ok {
				m := mark.Mark{At: time.Now(), Agent: h.Name, Session: session, Sub: subagent, Dir: dir, Branch: branch, Head: head}
				if err := mark.Append(home.Find(env.Getenv).Marks(), m); err != nil {
					setup.Log(env, err)
				}
			}
		},
		Warn: func(warning string) { setup.Log(env, errors.New(warning)) },
		Used: func(session string, e compact.Envelope, m compact.Meta) {
			setup.Use{Path: usage.Hook, Agent: h, Session: session}.Note(env, e, m)
		},
		Back: func(session, id string, tokens int) {
			setup.Use{Agent: h, Session: session}.NoteBack(env, id, tokens)
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
func hookLimit(env *outside.Env, h host.Host) time.Duration {
	if env.Getenv(verifier.KeyVariable) != "" && waitsForVerifier(h) {
		return hookVerifying
	}
	return min(hookTime, h.Timeout-hookMargin)
}

// agentShell is the shell of h that gets our block, nil where there is none.
func agentShell(env *outside.Env, h host.Host) *calls.Shell {
	bin, err := os.Executable()
	if err != nil || runtime.GOOS == "windows" || h.EnvFile == "" {
		return nil
	}
	return &calls.Shell{EnvFile: env.Getenv(h.EnvFile), Binary: bin, Home: home.Find(env.Getenv)}
}
