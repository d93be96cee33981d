package cli

import (
	"github.com/spf13/cobra"

	"cairn/internal/plan"
	"cairn/internal/plan/verb"
)

// completePlan completes a verb's arguments in a shell: phases by their
// number, files by name, nothing for text.
func completePlan(v *verb.Verb, opts *planOptions) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		at := len(args)
		if n := len(v.Args); n > 0 && v.Args[n-1].Many {
			at = min(at, n-1)
		}
		if at >= len(v.Args) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		switch v.Args[at].Name {
		case "PHASE":
			return phaseCompletions(opts), cobra.ShellCompDirectiveNoFileComp
		case "FILE":
			return nil, cobra.ShellCompDirectiveDefault
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

func phaseCompletions(opts *planOptions) (out []string) {
	w, err := plan.Open(opts.dir, opts.stream)
	if err != nil {
		return nil
	}
	_ = w.View(func(tx *plan.Tx) error {
		phases, err := tx.Phases(plan.WithIdeas)
		for _, p := range phases {
			out = append(out, p.ID.String()+"\t"+p.Name)
		}
		return err
	})
	return out
}
