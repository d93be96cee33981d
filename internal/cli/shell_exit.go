package cli

import (
	"cairn/internal/answer"
	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/early"
)

// shellExitCommand is the help of what package early answers.
func shellExitCommand() *command.Command {
	return &command.Command{
		Path: "shell-exit", Args: []command.Arg{{Name: "STATUS"}}, Hidden: true,
		Short: "Compact a failed call of an agent's shell (called by it)",
		Long: "Reads the script that the shell ran from stdin. If stdout is the file that CAIRN_OUT\n" +
			"names by device and inode, its text is compacted in place. It fails open: whatever goes\n" +
			"wrong, the file stays as it is, the exit code is 0 and a line goes to the log that\n`cairn doctor` shows.",
		Examples: []string{"cairn shell-exit 1 <<<\"$BASH_EXECUTION_STRING\"", "CAIRN_OUT=$(stat -Lc %d:%i - <&1) cairn shell-exit 2 < script.sh"},
		Effect:   command.Writes, Text: true,
		Run: func(c *command.Call) (*answer.Answer, error) {
			early.ShellExit(c.Env, c.Arg("STATUS"))
			return nil, nil
		},
	}
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
