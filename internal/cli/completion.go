package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/term"
)

// shells are those that completions are written for.
var shells = [...]struct {
	name  string
	write func(root *cobra.Command, w io.Writer) error
}{
	{"bash", func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) }},
	{"zsh", func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) }},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) }},
}

func newCompletion(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print what makes your shell complete cairn's commands",
		Long: `Prints a script for your shell. It completes commands and flags, and agents,
runs, labels, suites, phases, settings and roles by asking this binary, which
looks at files on this machine and never at the network.

Each goes where your shell looks for it:

    bash   ~/.local/share/bash-completion/completions/cairn
    zsh    "${fpath[1]}/_cairn"
    fish   ~/.config/fish/completions/cairn.fish

or, in PowerShell's profile, through | Out-String | Invoke-Expression.`,
		Example: "  source <(cairn completion bash)    # for this session only\n  cairn completion zsh > \"${fpath[1]}/_cairn\"",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range shells {
				if s.name == args[0] {
					return s.write(cmd.Root(), env.Stdout)
				}
			}
			return command.Usage(term.Hint(errors.New("no completions are written for "+term.Printable(args[0])), "bash, zsh, fish or powershell is wanted"))
		},
	}
	for _, s := range shells {
		cmd.ValidArgs = append(cmd.ValidArgs, s.name)
	}
	return cmd
}
