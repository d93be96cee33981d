package command

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// Complete gives the commands below root the values that a shell offers. Only a
// shell that asks needs them.
func Complete(env *Env, root *cobra.Command, all []*Command) {
	Link(all)
	quiet := *env
	quiet.Stderr = io.Discard
	Link(all) // values are looked up with the flags of the words above
	for _, c := range all {
		cmd, rest, err := root.Find(strings.Fields(c.Path))
		if err != nil || len(rest) > 0 {
			continue
		}
		offer := func(cmd *cobra.Command, args []string, name string, oneOf []string, values Offer) ([]string, cobra.ShellCompDirective) {
			switch {
			case values != nil:
				return values(c.call(cmd, context.Background(), &quiet, args)), cobra.ShellCompDirectiveNoFileComp
			case oneOf != nil:
				return oneOf, cobra.ShellCompDirectiveNoFileComp
			}
			if c.Lines || strings.Contains(name, "FILE") || strings.Contains(name, "DIR") || name == "FIXTURE" {
				return nil, cobra.ShellCompDirectiveDefault // the shell's own
			}
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			i := len(args)
			if n := len(c.Args); i >= n && n > 0 && c.Args[n-1].Many {
				i = n - 1
			}
			if i >= len(c.Args) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return offer(cmd, args, c.Args[i].Name, c.Args[i].OneOf, c.Args[i].Values)
		}
		for _, f := range c.Flags {
			if f.OneOf != nil || f.Values != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
					return offer(cmd, args, "", f.OneOf, f.Values)
				})
			}
		}
	}
}
