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
	quiet := *env
	quiet.Stderr = io.Discard
	Link(all) // values are looked up with the flags of the words above
	for _, c := range all {
		cmd, rest, err := root.Find(strings.Fields(c.Path))
		if err != nil || len(rest) > 0 {
			continue
		}
		offer := func(cmd *cobra.Command, args []string, files bool, oneOf []string, values Offer) ([]string, cobra.ShellCompDirective) {
			directive := cobra.ShellCompDirectiveNoFileComp
			if files {
				directive = cobra.ShellCompDirectiveDefault // the shell's own
			}
			if values != nil {
				return values(c.call(cmd, context.Background(), &quiet, args)), directive
			}
			return oneOf, directive
		}
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			i := len(args)
			if n := len(c.Args); i >= n && n > 0 && c.Args[n-1].Many {
				i = n - 1
			}
			if i >= len(c.Args) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			a := c.Args[i]
			files := a.Files || c.Lines || strings.Contains(a.Name, "FILE") || strings.Contains(a.Name, "DIR")
			return offer(cmd, args, files, a.OneOf, a.Values)
		}
		for _, f := range c.Flags {
			if f.OneOf != nil || f.Values != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
					return offer(cmd, args, false, f.OneOf, f.Values)
				})
			}
		}
	}
}
