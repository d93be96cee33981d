package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/benchmark"
	"cairn/internal/command"
	"cairn/internal/term"
	"cairn/internal/text"
)

type compactDiscoverOptions struct {
	transcriptOptions
	json     bool
	skeleton string
}

func newCompactDiscover(env *Env) *cobra.Command {
	var opts compactDiscoverOptions
	cmd := &cobra.Command{
		Use:   "discover",
		Short: "Find the commands in your transcripts that a rule should be written for",
		Long: `Reads the transcripts of your agents and lists the commands whose long outputs
reach the model, the most tokens first: those that no rule is for, those whose
rule hardly cuts them, and those that fail where cairn does not see it because
no shell function stands for them (the setting compact.shim.tools). Nothing
leaves this machine.

With --skeleton, prints a draft of a rule for one of them, made from the
largest of its outputs, to go into .cairn/rules. What it drops is a guess:
correct it, and try it with cairn compact test.`,
		Example: `  cairn compact discover --since 7d
  cairn compact discover --skeleton 'bd show' > .cairn/rules/bd-show.json && cairn compact reload`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runCompactDiscover(env, opts) },
	}
	f := cmd.Flags()
	opts.flags(f)
	f.BoolVar(&opts.json, "json", false, "print all that was found as JSON")
	f.StringVar(&opts.skeleton, "skeleton", "", "print a rule for this command")
	return cmd
}

func runCompactDiscover(env *Env, opts compactDiscoverOptions) error {
	bench, progress, err := opts.benchmark(env)
	if err != nil {
		return err
	}
	if opts.skeleton != "" {
		r, err := benchmark.Skeleton(bench, opts.skeleton)
		progress.End()
		if errors.Is(err, benchmark.ErrNotFound) {
			return command.Data(term.Hint(err, "cairn compact discover lists them; cairn compact new-rule -- COMMAND runs one"))
		}
		if err != nil {
			return benchmarkHint(err)
		}
		text, err := r.JSON()
		if err == nil {
			_, err = fmt.Fprintln(env.Stdout, string(text))
		}
		return err
	}
	found, err := benchmark.Discover(bench)
	progress.End()
	if err != nil {
		return benchmarkHint(err)
	}
	if opts.json {
		return printJSON(env, found)
	}
	if len(found) == 0 {
		fmt.Fprintln(env.Stderr, "every long output has a rule that cuts it")
		return nil
	}
	w := term.NewColumns(env.Stdout)
	fmt.Fprintln(w, "COMMAND\tCALLS\tTOKENS\tPASSED\tSAVED\tRULE\tEXAMPLE")
	for _, f := range found[:min(len(found), mostRows)] {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%.0f %%\t%s\t%s\n", text.Shorten(f.Command, 32), f.Calls, text.Approx(f.Before), text.Approx(f.Passed), f.Percent, ruleOf(f), text.Shorten(f.Example, 60))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	term.PrintHint(env.Stderr, "%s", nextStep(found[0]))
	return nil
}

// nextStep is what to do about the first of them.
func nextStep(f benchmark.Found) string {
	if f.Unseen {
		return "name its tool in compact.shim.tools, so that cairn sees it fail"
	}
	return fmt.Sprintf("cairn compact discover --skeleton '%s' drafts a rule", strings.ReplaceAll(f.Command, "'", ""))
}

func ruleOf(f benchmark.Found) string {
	switch {
	case f.Unseen:
		return "(failed unseen)"
	case f.Rule == "":
		return "none"
	}
	return f.Rule
}
