package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/term"
	"cairn/internal/text"
)

// topicsWord lists the topics.
const topicsWord = "topics"

func newHelp(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND… | TOPIC]",
		Short: "Explain a command or a topic; cairn help topics lists these",
		Long: `Prints the help of a command, as its --help does, or a topic: exit codes,
variables, settings, files and formats.`,
		Example: "  cairn help eval push\n  cairn help topics\n  cairn help exit-codes",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return completeHelp(cmd.Root(), args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runHelp(env, cmd.Root(), args) },
	}
}

func runHelp(env *Env, root *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] == topicsWord {
		for _, t := range topics() {
			fmt.Fprintf(env.Stdout, "  %-12s  %s\n", t.Name, t.Short)
		}
		return nil
	}
	cmd, rest, err := root.Find(args)
	if err == nil && len(rest) == 0 {
		cmd.InitDefaultHelpFlag()
		return cmd.Help()
	}
	if len(args) == 1 {
		for _, t := range topics() {
			if t.Name == args[0] {
				t.Print(env.Stdout, text.Wrap)
				return nil
			}
		}
	}
	return command.Usage(term.Hint(fmt.Errorf("there is no command or topic %q", strings.Join(args, " ")), "cairn help lists the commands, cairn help topics the rest"))
}

// completeHelp offers commands below those that are there, and topics.
func completeHelp(root *cobra.Command, args []string) (out []string) {
	cmd, rest, err := root.Find(args)
	if err != nil || len(rest) > 0 {
		return nil
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, c.Name()+"\t"+c.Short)
		}
	}
	if len(args) > 0 {
		return out
	}
	for _, t := range topics() {
		out = append(out, t.Name+"\t"+t.Short)
	}
	return append(out, topicsWord+"\tThe list of topics")
}
