package cli

import (
	"io"

	"github.com/spf13/cobra"

	"cairn/internal/answer"
	"cairn/internal/command"
)

// completion prints what makes a shell complete the commands of newRoot.
func completion() *command.Command {
	return &command.Command{
		Path: "completion", Args: []command.Arg{{Name: "SHELL", Help: "bash, zsh, fish or powershell", OneOf: []string{"bash", "zsh", "fish", "powershell"}}},
		Short: "Print a script that makes your shell complete commands",
		Long: `Prints a script for your shell. It completes commands and flags, and agents,
runs, labels, suites, phases, settings and roles by asking this binary, which
looks at files on this machine and never at the network.

Each goes where your shell looks for it:

    bash   ~/.local/share/bash-completion/completions/cairn
    zsh    "${fpath[1]}/_cairn"
    fish   ~/.config/fish/completions/cairn.fish

or, in PowerShell's profile, through | Out-String | Invoke-Expression.`,
		Examples: []string{"source <(cairn completion bash)    # for this session only", `cairn completion zsh > "${fpath[1]}/_cairn"`},
		Effect:   command.Reads, Text: true,
		Run: func(c *command.Call) (*answer.Answer, error) {
			return nil, map[string]func(*cobra.Command, io.Writer) error{
				"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"zsh":        (*cobra.Command).GenZshCompletion,
				"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
				"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
			}[c.Arg("SHELL")](newRoot(c.Env), c.Stdout)
		},
	}
}

// completes reports whether a shell asks what could follow.
func completes(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}
