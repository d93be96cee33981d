package cli

import (
	"io"
	"os"
	"strconv"
	"time"

	"cairn/internal/answer"
	"cairn/internal/calls"
	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/hook"
	"cairn/internal/host"
)

// shellExitCommand is the help of what runForAgent runs.
func shellExitCommand() *command.Command {
	return &command.Command{
		Path: "shell-exit", Args: []command.Arg{{Name: "STATUS"}}, Hidden: true,
		Short: "Compact a failed call of an agent's shell (called by it)",
		Long: "Reads the script that the shell ran from stdin. If stdout is the file that CAIRN_OUT\n" +
			"names by device and inode, its text is compacted in place. It fails open: whatever goes\n" +
			"wrong, the file stays as it is, the exit code is 0 and a line goes to the log that\n`cairn doctor` shows.",
		Examples: []string{"cairn shell-exit 1 <<<\"$BASH_EXECUTION_STRING\"", "CAIRN_OUT=$(stat -Lc %d:%i - <&1) cairn shell-exit 2 < script.sh"},
		Effect:   command.Writes, Text: true,
		Run: func(c *command.Call) (*answer.Answer, error) { runShellExit(c.Env, c.Arg("STATUS")); return nil, nil },
	}
}

// exitLine is room for what the host puts before the output: "Exit code 127".
const exitLine = 64

// maxScript is how much of a script is looked at for its command.
const maxScript = 4 << 20

// shellExitTime is more than calls.End takes: only a disk that does not answer
// takes longer.
const shellExitTime = 25 * time.Second

// runShellExit answers for a call that failed. Whatever happens, the agent must
// not notice.
func runShellExit(env *Env, arg string) {
	status, err := strconv.Atoi(arg)
	agent, ok := host.Sourcing()
	if err != nil || status == 0 || !ok || env.Getenv("CAIRN_RAW") != "" {
		return
	}
	time.AfterFunc(shellExitTime, func() { os.Exit(command.ExitOK) }) // the file is not changed
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
func atHome(env *Env, dir string) *Env {
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

// shimCommand is what the shells of older releases' sessions call before a tool.
func shimCommand() *command.Command {
	return &command.Command{
		Path: "shim", Args: []command.Arg{{Name: "TOOL"}, {Name: "ARG", Optional: true, Many: true}}, Hidden: true,
		Short:    "Run a tool (called by sessions of older releases)",
		Long:     "Runs TOOL in place of this process. Agents' sessions that were started before an\nupdate call it.",
		Examples: []string{"cairn shim make all", "cairn shim go test ./..."},
		Raw:      true, Text: true,
		Run: func(c *command.Call) (*answer.Answer, error) { return nil, runShim(c.Args()) },
	}
}

// runShim returns only if the tool cannot be started.
func runShim(args []string) error {
	path, err := child.Find(args[0])
	if err != nil {
		return err
	}
	return child.Exec(child.Command{Path: path, Args: args})
}
