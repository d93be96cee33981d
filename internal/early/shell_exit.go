package early

import (
	"io"
	"os"
	"strconv"
	"time"

	"cairn/internal/calls"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/hook"
	"cairn/internal/host"
	"cairn/internal/outside"
)

// exitLine is room for what the host puts before the output: "Exit code 127".
const exitLine = 64

// maxScript is how much of a script is looked at for its command.
const maxScript = 4 << 20

// shellExitTime is more than calls.End takes: only a disk that does not answer
// takes longer.
const shellExitTime = 25 * time.Second

// ShellExit answers for a call that failed. Whatever happens, the agent must
// not notice.
func ShellExit(env *outside.Env, arg string) {
	status, err := strconv.Atoi(arg)
	agent, ok := host.Sourcing()
	if err != nil || status == 0 || !ok || env.Getenv("CAIRN_RAW") != "" {
		return
	}
	time.AfterFunc(shellExitTime, func() { os.Exit(0) }) // the file is not changed
	script, _ := io.ReadAll(io.LimitReader(env.Stdin, maxScript))
	env = atHome(env, env.Getenv("CAIRN_DIR"))
	use := setup.InShell(env, usage.Shell)
	dir := env.WorkDir(env.Getenv("CAIRN_PWD")) // where the call began
	how := setup.Checked(env, dir, use.Session)
	how.Tee.Session, how.Tee.Most = use.Session, agent.ClipFailed.Over
	err = calls.End(calls.Options{
		Status: status, Script: string(script), Command: agent.ShellCommand,
		Stdout: os.Stdout, Was: env.Getenv("CAIRN_OUT"),
		Home: home.Find(env.Getenv), Session: env.Getenv(agent.SessionEnv), Cwd: dir,
		Compact: how,
		Fit:     func(res *compact.Result) { hook.Fit(res, agent.ClipFailed.Over-exitLine) },
		Used:    func(e compact.Envelope, m compact.Meta) { use.Note(env, e, m) },
	})
	if err != nil {
		setup.Log(env, err)
	}
}

// atHome is the environment with our directory where it was when the session
// began: the command may have another HOME, which is to stay as it is.
func atHome(env *outside.Env, dir string) *outside.Env {
	if dir == "" {
		return env
	}
	e := *env
	e.Getenv = func(name string) string {
		if name == "CAIRN_HOME" {
			return dir
		}
		return env.Getenv(name)
	}
	return &e
}
