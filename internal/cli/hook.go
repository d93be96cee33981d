package cli

import (
	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/early"
	"cairn/internal/host"
)

// hookCommand is the help of what package early answers, and any other order of its
// arguments.
func hookCommand() *command.Command {
	return &command.Command{
		Path: "hook", Args: []command.Arg{{Name: "HOST"}}, Hidden: true,
		Short:    "Answer one event of an agent (called by the agent)",
		Long:     "Reads one event from stdin and answers it on stdout. It fails open: whatever\ngoes wrong, nothing is printed, the exit code is 0 and a line goes to the log\nthat `cairn doctor` shows.",
		Flags:    []command.Flag{{Name: "only", Default: "", Help: "what to answer for: compact or plan; both by default"}},
		Examples: []string{"cairn hook claude < event.json", "cairn hook claude --only plan < event.json"},
		Effect:   command.Writes, Text: true,
		Run: func(c *command.Call) (*answer.Answer, error) {
			early.Hook(c.Env, c.Arg("HOST"), host.Part(c.String("only")))
			return nil, nil
		},
	}
}
