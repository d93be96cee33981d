package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/cost"
	"cairn/internal/team/evalpage"
	"cairn/internal/term"
)

type evalCostOptions struct {
	prices string
	html   string
	json   bool
}

func newEvalCost(env *Env) *cobra.Command {
	var opts evalCostOptions
	cmd := &cobra.Command{
		Use:   "cost [RUN]",
		Short: "Show what a run cost, by model, and what it would cost at another tier",
		Long: `RUN is a file of results, an id or its beginning, a label, @branch, a commit,
or latest, which is also what is shown without one.

What the runner counted itself (cost_usd) is taken as it is and marked with *;
the rest is estimated from tokens and a table of list prices, each with its
date. A model that the table does not know costs "unknown": it is left out of
the sums, which then begin with ≥. Your own prices, or a discount, go into
.cairn/prices.toml of the repository or ~/.cairn/prices.toml:

  [[model]]
  id = "our-llama"
  input = 0.20    # US dollars for a million tokens
  output = 0.60

The lines for the full and the fast tier price the same tokens with the model
that each vendor has for that tier: an estimate, for another model would use
another number of them.`,
		Example: `  cairn eval cost
  cairn eval cost results.json --html cost.html`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalCost(env, refOf(args), opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.prices, "prices", "", "a `FILE` of prices that comes before all others")
	f.StringVar(&opts.html, "html", "", "write a page that needs nothing else to `FILE`")
	f.BoolVar(&opts.json, "json", false, "print the sums as JSON")
	return cmd
}

// refOf is the run that the arguments name.
func refOf(args []string) string {
	if len(args) == 0 {
		return "latest"
	}
	return args[0]
}

func runEvalCost(env *Env, ref string, opts evalCostOptions) error {
	prices, err := loadPrices(env, opts.prices)
	if err != nil {
		return err
	}
	run, _, err := findRun(env, ref)
	if err != nil {
		return err
	}
	sum := cost.Sum(run, prices)
	if opts.html != "" {
		var doc bytes.Buffer
		if err := evalpage.Cost(&doc, sum); err != nil {
			return err
		}
		if err := atomicfile.WriteFile(env.Path(opts.html), doc.Bytes(), home.PrivateFile); err != nil {
			return err
		}
		sayWrote(env, opts.html)
		if !opts.json {
			return nil
		}
	}
	if opts.json {
		return printJSON(env, sum)
	}
	if err := sum.Text(env.Stdout); err != nil {
		return err
	}
	if len(run.Costs) == 0 {
		term.PrintHint(env.Stderr, `the run lists no "costs": cairn eval schema tells what a runner writes there`)
	}
	if len(sum.Unknown) > 0 {
		term.PrintHint(env.Stderr, "a price in .cairn/prices.toml makes a model known; cairn eval cost --help has an example")
	}
	return nil
}

// loadPrices returns the built-in prices with the user's, the repository's and
// those of a named file before them.
func loadPrices(env *Env, named string) (cost.Table, error) {
	files := []string{home.Find(env.Getenv).Prices()}
	if repo := home.FindRepo(env.Here(), env.Getenv); repo != "" {
		if _, err := project.Open("", repo).Read(filepath.Base(repo.Prices()), maxPolicy); err != nil && !isNotThere(err) {
			return cost.Table{}, command.Data(err) // no file: a pipe, or a link that leads out
		}
		files = append(files, repo.Prices())
	}
	there := files[:0]
	for _, name := range files {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, name)
		}
	}
	if named != "" {
		there = append(there, env.Path(named))
	}
	prices, err := cost.Load(there...)
	return prices, command.Data(err)
}
