package cli

import (
	"os"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/compact"
	"cairn/internal/compact/setup"
	"cairn/internal/compact/usage"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/internal/shim"
)

// shimCommand is the help of what runForAgent runs.
func shimCommand() *command.Command {
	return &command.Command{
		Path: "shim", Args: []command.Arg{{Name: "TOOL"}, {Name: "ARG", Optional: true, Many: true}}, Hidden: true,
		Short:    "Run a tool for an agent's shell; its functions call this",
		Long:     "Runs TOOL. Its output is compacted only when it goes to the agent directly;\notherwise TOOL takes the place of this process. Exit code and death by a signal\nare the tool's.",
		Examples: []string{"cairn shim make all", "cairn shim go test ./..."},
		Raw:      true, Text: true,
		Run: func(c *command.Call) (*answer.Answer, error) { return nil, runShim(c.Env, c.Args()) },
	}
}

// runShim ends the process the way the tool ended.
func runShim(env *Env, args []string) error {
	env = atHome(env, env.Getenv("CAIRN_DIR"))
	shell := setup.InShell(env, usage.Shim)
	how := setup.Checked(env, env.Here(), shell.Session)
	how.Tee.Session = shell.Session
	agent, _ := host.Sourcing()
	status, err := shim.Run(shim.Options{
		Args: args, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: env.Getenv, Environ: os.Environ(),
		Home: home.Find(env.Getenv), Compact: how,
		Session: env.Getenv(agent.SessionEnv), Timeout: agent.UsualTimeout(env.Getenv),
		Off:  how.Off,
		Used: func(e compact.Envelope, m compact.Meta) { shell.Note(env, e, m) },
	})
	if err != nil {
		return err
	}
	status.Exit()
	return nil
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
